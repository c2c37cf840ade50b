"""How many settings of a sweep are enough: box plots of random draws (Corbel et al., Fig. 4)."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.row_places import WIDTH
from scripts.charts.sweep_groups import SweepGroup
from scripts.charts.theme import INK, Datum, chart_of, headed

HEIGHT, BOX = 220, 14
CLOSE = 0.05
"""Draws that differ less from the value over all settings are close to it."""

TITLE = "1 − 90th percentile of |K|"
SCALE = alt.Scale(domain=[0.5, 1], nice=False, zero=False)


@dataclass(frozen=True)
class AccuracyRow:
    """A row of fmp_accuracy: the draws of so many settings."""

    sweep: str
    pair: str
    service: str
    drawn_settings: int
    n: int
    exact: float
    draws: int
    lowest: float
    p5: float
    q25: float
    median: float
    q75: float
    p95: float
    highest: float

    @property
    def close(self) -> bool:
        """Whether 90 % of the draws are close to the value over all settings."""
        return self.exact - self.p5 <= CLOSE and self.p95 - self.exact <= CLOSE


def fmp_accuracy(rows: Iterable[AccuracyRow], sweep: SweepGroup, labels: Labels) -> alt.LayerChart:
    """A box for each number of settings drawn, and the line of the value over all settings.

    Args:
        rows: the rows of the table `fmp_accuracy` of one pair, at least one.
        sweep: the sweep.
        labels: titles and colours of the services.
    """
    boxes = sorted(rows, key=lambda row: row.drawn_settings)
    last = boxes[-1]
    pair, title = labels.pair(last.pair), _title(boxes)
    words = "; ".join(_words(row) for row in boxes)
    return alt.LayerChart(layer=_layers(boxes, labels)).properties(
        width=WIDTH,
        height=HEIGHT,
        description=f"{pair}. {title}. {sweep.title}. {TITLE}. {words}. All {last.n}: {last.exact:.2f}.",
        title=headed(title, [pair, sweep.title, *_readings(last)], WIDTH),
    )


def _title(boxes: list[AccuracyRow]) -> str:
    """From how many settings on draws are close, or how far those of the largest number are apart."""
    last, enough = boxes[-1], None
    for row in reversed(boxes):
        if not row.close:
            break
        enough = row.drawn_settings
    if enough is None:
        return (
            f"90 % of the draws of {last.drawn_settings} settings give {last.p5:.2f} to {last.p95:.2f}, "
            f"all {last.n} give {last.exact:.2f}"
        )
    return f"From {enough} settings on, 90 % of the draws are within {CLOSE:g} of {last.exact:.2f}"


def _readings(row: AccuracyRow) -> list[str]:
    return [
        f"{row.draws} random draws for each number of settings",
        "Box: quartiles and median; thick line: 90 % of the draws; thin line: all",
        f"Dashed: all {row.n} settings, {row.exact:.2f}",
    ]


def _words(row: AccuracyRow) -> str:
    most = f"90 % of the draws {row.p5:.2f} to {row.p95:.2f}"
    return f"{row.drawn_settings} settings: median {row.median:.2f}, {most}"


def _layers(boxes: list[AccuracyRow], labels: Labels) -> list[alt.Chart]:
    """The boxes in front of their lines, and the value over all settings."""
    colour = labels.colours[boxes[0].service]
    data: list[Datum] = [asdict(row) | {"label": _words(row)} for row in boxes]
    numbers = [row.drawn_settings for row in boxes]
    axis = alt.Axis(values=numbers, grid=False)
    places = alt.Scale(domain=[0, numbers[-1] + 20], nice=False)
    chart = chart_of(data).encode(
        x=alt.X("drawn_settings:Q", title="Number of settings drawn", scale=places, axis=axis)
    )

    def y(column: str) -> alt.Y:
        return alt.Y(f"{column}:Q", title=None, scale=SCALE, axis=alt.Axis(tickCount=5))

    return [
        chart.mark_rule(color=colour, aria=False).encode(y=y("lowest"), y2="highest:Q"),
        chart.mark_rule(color=colour, strokeWidth=4, aria=False).encode(y=y("p5"), y2="p95:Q"),
        chart.mark_bar(color=colour, size=BOX).encode(
            y=y("q25"), y2="q75:Q", description="label:N", tooltip="label:N"
        ),
        chart.mark_tick(
            color=INK, size=BOX + 6, thickness=2.5, opacity=1, orient="horizontal", aria=False
        ).encode(y=y("median")),
        chart_of([{"exact": boxes[0].exact}])
        .mark_rule(color=INK, strokeDash=[4, 3], aria=False)
        .encode(y=y("exact")),
    ]
