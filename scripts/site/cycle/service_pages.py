"""The data of the pages of services: each one's shares in every setting, with every trial."""

from scripts.charts.table_rows import CellKey, grouped
from scripts.figures.figure import as_figures
from scripts.model.pairs import members
from scripts.site import Row
from scripts.site.cycle.cells import TrialShare
from scripts.site.cycle.inputs import Inputs
from scripts.site.data.campaign_summary import service_summaries, setting_summaries
from scripts.site.data.figures import figures
from scripts.site.service_shares import MeasuredServices, service_pictures


def service_pages(inputs: Inputs) -> dict[str, Row]:
    """The page of every service that has a trial: its pictures (scripts/site/service_shares.py), and `alone`.

    `alone` lists its pages alone, each with the setting's name.
    """
    cells = {(key.setting, key.pair) for key in inputs.valid}
    measured = MeasuredServices(
        as_figures(figures(inputs.tables_dir)),
        setting_summaries(inputs.campaign),
        service_summaries(inputs.campaign),
        inputs.labels,
        page=lambda folder: folder,
        trials=_trials(inputs),
    )
    present = {name for _setting, pair in cells for name in members(pair)}
    return {
        name: service_pictures(measured, name)
        | {"alone": [setting for setting in inputs.campaign.settings if (setting, name) in cells]}
        for name in inputs.campaign.services
        if name in present
    }


def _trials(inputs: Inputs) -> dict[CellKey, list[tuple[float, bool]]]:
    """The share of every trial of a cell, and whether it counts."""
    rows = [row for row in inputs.records("trial_fairness", TrialShare) if row.share is not None]
    return {
        cell: [(row.share, row.valid) for row in of_cell if row.share is not None]
        for cell, of_cell in grouped(rows, lambda row: row.cell).items()
    }
