"""The data of the fairness over the beginning of a session (FMP) in the settings of a sweep."""

from dataclasses import asdict, dataclass

from scripts.charts.chart_labels import Labels
from scripts.charts.fmp_charts import FmpRow, chart_names, fmp_sweeps
from scripts.charts.setting_groups import SweepGroup, axis_title
from scripts.charts.table_files import read_rows
from scripts.site.cycle.inputs import Inputs, Row


@dataclass(frozen=True)
class FmpFigures(FmpRow):
    """A row of fmp with the figures that the page shows."""

    settings: int
    k_percentile: float | None
    low: float | None
    high: float | None
    first_dominates: int
    other_dominates: int


def fmp_sections(inputs: Inputs) -> list[Row]:
    """Each sweep of several keys in which a pair has a K: a row for each pair, and its charts."""
    rows = [row for row in read_rows(inputs.tables_dir, "fmp", FmpFigures) if row.key == ""]
    return [
        _section(sweep, found, inputs)
        for sweep in fmp_sweeps(inputs.campaign.settings)
        if (found := [row for row in rows if row.sweep == sweep.name])
    ]


def _section(sweep: SweepGroup, rows: list[FmpFigures], inputs: Inputs) -> Row:
    return {
        "name": sweep.name,
        "title": sweep.title,
        "keys": [axis_title(key) for key in sweep.varied],
        "settings": len(sweep.at),
        "rows": [_row(row, inputs.labels) for row in rows],
        "charts": [_charts(row, sweep, inputs) for row in rows],
    }


def _row(row: FmpFigures, labels: Labels) -> Row:
    """A pair, as Table II of Corbel et al. has it."""
    return asdict(row) | {
        "title": labels.pair(row.pair),
        "k": {"median": row.k_abs_median, "low": row.k_abs_low, "high": row.k_abs_high, "at_least": None},
        "percentile": {"median": row.k_percentile, "low": row.low, "high": row.high, "at_least": None},
    }


def _charts(row: FmpFigures, sweep: SweepGroup, inputs: Inputs) -> Row:
    names = [name for name in chart_names(sweep, row.pair) if inputs.chart(name)]
    return {"title": inputs.labels.pair(row.pair), "names": names}
