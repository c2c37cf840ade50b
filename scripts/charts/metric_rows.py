"""Rows of the tables models and predictions, and the marks that charts of them share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import altair as alt

from scripts.charts.dot_chart import ENOUGH
from scripts.charts.median_lines import LineLooks
from scripts.charts.row_places import RowPlaces
from scripts.charts.theme import RULE, Datum, chart_of
from scripts.model.pairs import is_solo

PART = 15
"""The height of a line in a row, px."""

READING = f"Point: median over the trials; band: its 95 % interval (for n ≥ {ENOUGH})"


@dataclass(frozen=True)
class MetricRow:
    """A row of predictions, or of models without what the model says."""

    setting: str
    pair: str
    service: str
    contender: str
    metric: str
    n: int
    median: float | None
    low: float | None
    high: float | None

    @property
    def value(self) -> float:
        """The median, 0 without a valid trial."""
        return self.median or 0

    @property
    def enough(self) -> bool:
        """Whether there are enough trials for an interval."""
        return self.n >= ENOUGH

    @property
    def page(self) -> str:
        """The address of the page of the pair, or of the service alone, from that of a chart."""
        return f"../{'solos' if is_solo(self.pair) else 'pairs'}/{self.setting}/{self.pair}/"

    def words(self, factor: float = 1, decimals: int = 2, unit: str = "") -> str:
        """The median with its interval: `41.2 % (39.0 to 43.1 %), n = 6`."""
        interval = ""
        if self.low is not None and self.high is not None:
            interval = f" ({factor * self.low:.{decimals}f} to {factor * self.high:.{decimals}f}{unit})"
        return f"{factor * self.value:.{decimals}f}{unit}{interval}, n = {self.n}"


@dataclass(frozen=True)
class ModelRow(MetricRow):
    """A row of models."""

    model_median: float | None


def line_layers(
    data: Sequence[Datum], places: RowPlaces, looks: LineLooks, x: Callable[[str], alt.X]
) -> list[alt.Chart | alt.LayerChart]:
    """The names of the rows, and a point for each figure in front of its interval.

    Args:
        data: the figures, each with its `line`, `y`, `value`, the interval `low` to `high` (or None), `label`
            and `href`.
        places: the places of the rows.
        looks: the looks of the lines.
        x: gives the horizontal channel of a column.
    """
    points = chart_of(data).encode(y=places.y())
    return [
        places.frame(),
        points.transform_filter("datum.low !== null")
        .mark_rule(strokeWidth=9, color=RULE, opacity=0.45, aria=False)
        .encode(x=x("low"), x2="high:Q"),
        points.mark_point(filled=True, size=55, opacity=1).encode(
            x=x("value"),
            color=looks.colour,
            shape=looks.shape,
            href="href:N",
            description="label:N",
            tooltip="label:N",
        ),
    ]
