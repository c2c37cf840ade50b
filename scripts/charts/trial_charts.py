"""The charts of single trials, from the tables of their cycle: those of the typical and the worst trials."""

import json
from functools import partial
from pathlib import Path

from scripts.base.files import write_text
from scripts.base.processes import map_in_processes
from scripts.base.records import to_json
from scripts.charts.bitrate import bitrate_chart
from scripts.charts.chart_labels import make_labels
from scripts.charts.chosen_trials import CHOSEN, Chosen, ChosenTrials, chosen_trials
from scripts.charts.origin import read_origin
from scripts.charts.render import to_spec, to_svg
from scripts.charts.sender_state import sender_state
from scripts.charts.table_files import read_rows, rows_of_trial
from scripts.charts.table_rows import FairnessRow, SenderRow, ServiceRow, SlotRow, VideoSecondRow, WindowRow
from scripts.charts.theme import Charts
from scripts.charts.timeline import end_of, timeline
from scripts.model.campaign import Campaign
from scripts.model.trials import TrialKey


def write_trial_charts(tables: Path, campaign: Campaign, output: Path, jobs: int) -> None:
    """Write the charts of the chosen trials to `<output>/<setting>/<pair>/`, and their list beside.

    Args:
        tables: the folder of the cycle's tables.
        campaign: the merged configuration.
        output: the folder for the charts.
        jobs: processes that draw at the same time.
    """
    chosen = chosen_of(tables)
    keys = [key for cell in chosen for key in cell.keys]
    draw = partial(draw_trial, tables, campaign, output)
    list(map_in_processes(draw, keys, processes=min(jobs, len(keys)), chunksize=4))
    listed = json.dumps(to_json(ChosenTrials(tuple(chosen))), indent=1)
    write_text(output / CHOSEN, f"{listed}\n")


def chosen_of(tables: Path) -> list[Chosen]:
    """The typical and the worst trial of every cell in a folder of tables."""
    return chosen_trials(
        read_rows(tables, "trial_services", ServiceRow), read_rows(tables, "trial_fairness", FairnessRow)
    )


def trial_charts(tables: Path, campaign: Campaign, key: TrialKey) -> Charts:
    """The charts of a trial with their names.

    Few trials have a video with a known bitrate. Those without TCP on the testbed have no senders to show.
    """
    labels = make_labels(campaign.services, campaign)
    rows = rows_of_trial(tables, "trial_services", WindowRow, key, known="client")
    clients = sorted(rows, key=lambda row: row.place)
    slots = rows_of_trial(tables, "trial_series", SlotRow, key, known="slot")
    if slots:
        yield f"trial-{key.name}", timeline(slots, clients, labels)
    samples = rows_of_trial(tables, "trial_senders", SenderRow, key, known="at_s")
    if slots and samples:
        yield f"senders-{key.name}", sender_state(samples, clients, end_of(slots), labels)
    seconds = rows_of_trial(tables, "qoe_video_series", VideoSecondRow, key, known="bitrate_kbps")
    if seconds:
        yield f"bitrate-{key.name}", bitrate_chart(seconds, clients[0].window, labels)


def draw_trial(tables: Path, campaign: Campaign, output: Path, key: TrialKey) -> None:
    """Write the charts of one trial; the arguments are those of `write_trial_charts`."""
    origin = read_origin(tables).of(key.setting)
    for name, chart in trial_charts(tables, campaign, key):
        write_text(output / key.setting / key.pair / f"{name}.svg", to_svg(to_spec(chart), origin))
