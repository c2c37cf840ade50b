"""Write every chart of a cycle.

    python -m scripts.charts TABLES_DIR -o CHARTS_DIR [--config MERGED.json]

Reads the tables pairs, solo, trial_services, trial_series, changes, workloads, qoe_pairs, qoe_web and
qoe_video_series from TABLES_DIR (Parquet). The campaign's merged configuration gives titles, queue sizes and
sweeps. Without it, names stand for titles.

Writes `<name>.json` (Vega-Lite) and `<name>.svg` for each chart:

    share-<setting>, utilization-…, loss-…, delay-…   heatmaps of a setting
    dots-<setting>                                     every trial of every pair of a setting
    dots-<setting>-<pair>                              every trial of one pair or solo
    sweep-<sweep>-<pair>                               one pair in all settings of a sweep
    flows-<setting>                                    services with several flows against the others
    video-<setting>, rtc-<setting>, web-<setting>      quality of videos, calls and pages
    changes-<setting>                                  what changed since the previous cycle
    trial-<setting>-<pair>-<nn>                        one trial over time
    bitrate-<setting>-<pair>-<nn>                      the videos of a trial over time

A chart without data is not written.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.compute as pc

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.charts.bitrate import bitrate_chart
from scripts.charts.changes import changes_chart
from scripts.charts.chart_labels import Labels, make_labels
from scripts.charts.dots import pair_dots, solo_dots
from scripts.charts.heatmap import HEATMAPS, heatmap
from scripts.charts.multiple_flows import multiple_flows_chart
from scripts.charts.qoe_charts import QOE_CHARTS, qoe_chart
from scripts.charts.render import write_chart
from scripts.charts.sweep_curves import sweep_charts
from scripts.charts.sweep_groups import sweep_groups
from scripts.charts.table_files import by_trial, read_rows, read_table
from scripts.charts.table_rows import (
    ChangeRow,
    PageLoadRow,
    PairRow,
    QoePairRow,
    ServiceRow,
    SlotRow,
    SoloRow,
    VideoSecondRow,
    WorkloadRow,
    cells_of,
)
from scripts.charts.theme import Figure
from scripts.charts.timeline import timeline
from scripts.model.campaign import Campaign, read_campaign

Charts = Iterator[tuple[str, Figure]]
"""Charts with their names."""


def all_charts(tables: Path, campaign: Campaign | None = None) -> Charts:
    """Every chart of a cycle with its name, in a fixed order."""
    trials = read_rows(tables, "trial_services", ServiceRow)
    pairs = read_rows(tables, "pairs", PairRow)
    labels = make_labels((row.service for row in trials), campaign)
    yield from _pair_charts(trials, pairs, labels)
    yield from _solo_charts(trials, read_rows(tables, "solo", SoloRow), labels)
    for sweep in sweep_groups(campaign.settings) if campaign else []:
        yield from sweep_charts(pairs, sweep, labels)
    yield from _qoe_charts(tables, pairs, labels)
    changes = read_rows(tables, "changes", ChangeRow)
    for setting in sorted({row.setting for row in changes}):
        yield f"changes-{setting}", changes_chart(changes, setting, labels)
    yield from _trial_charts(tables, labels)


def _pair_charts(trials: list[ServiceRow], pairs: list[PairRow], labels: Labels) -> Charts:
    for setting in sorted({row.setting for row in pairs}):
        if cells_of(pairs, setting):
            for kind in HEATMAPS:
                yield f"{kind}-{setting}", heatmap(pairs, setting, kind, labels)
        yield f"dots-{setting}", pair_dots(trials, pairs, setting, labels)
    # Pairs of only calls and pages have no shares, so they have no row in `pairs`.
    with_shares = {(row.setting, row.pair) for row in pairs}
    of_two = {(row.setting, row.pair) for row in trials if row.clients == 2}
    for setting, pair in sorted(of_two & with_shares):
        yield f"dots-{setting}-{pair}", pair_dots(trials, pairs, setting, labels, pair)


def _solo_charts(trials: list[ServiceRow], solo: list[SoloRow], labels: Labels) -> Charts:
    for setting, service in sorted((row.setting, row.service) for row in solo):
        yield f"dots-{setting}-{service}", solo_dots(trials, solo, setting, service, labels)


def _qoe_charts(tables: Path, pairs: list[PairRow], labels: Labels) -> Charts:
    """The charts of services with several flows, and those of videos, calls and pages, by setting."""
    workloads = read_rows(tables, "workloads", WorkloadRow)
    qoe_pairs = read_rows(tables, "qoe_pairs", QoePairRow)
    loads = read_rows(tables, "qoe_web", PageLoadRow)
    for setting in sorted({row.setting for row in workloads} | {row.setting for row in qoe_pairs}):
        flows = multiple_flows_chart(pairs, workloads, setting, labels)
        if flows is not None:
            yield f"flows-{setting}", flows
        for kind in QOE_CHARTS:
            chart = qoe_chart(qoe_pairs, loads, setting, kind, labels)
            if chart is not None:
                yield f"{kind}-{setting}", chart


def _trial_charts(tables: Path, labels: Labels) -> Charts:
    for key, slots in by_trial(read_table(tables, "trial_series"), SlotRow):
        yield f"trial-{key.setting}-{key.pair}-{key.nn}", timeline(slots, labels)
    seconds = read_table(tables, "qoe_video_series")
    known = seconds.filter(pc.is_valid(seconds["bitrate_kbps"]))
    for key, rows in by_trial(known, VideoSecondRow):
        yield f"bitrate-{key.setting}-{key.pair}-{key.nn}", bitrate_chart(rows, labels)


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Write the charts; returns the exit status."""
    parser = parser_of("scripts.charts", __doc__)
    parser.add_argument("tables", type=Path, help="folder of the cycle's Parquet tables")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder to write the charts into")
    parser.add_argument("--config", type=Path, help="the campaign's merged configuration (JSON)")
    options = parser.parse_args(arguments)
    campaign = read_campaign(options.config) if options.config else None
    for name, chart in all_charts(options.tables, campaign):
        write_chart(chart, options.output, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
