"""Medians with their quartiles and intervals: a row for each name, and in it a point for each series.

One chart of this kind is here: what incumbents get against services with several flows (Prudentia Fig. 3).
"""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import altair as alt

from scripts.charts.chart_labels import ENOUGH, Labels, label_lines
from scripts.charts.row_places import AXIS, SHARE_END, WIDTH, RowPlaces, across, row_places, rows_chart
from scripts.charts.table_rows import PairRow, WorkloadRow, cells_of, scaled
from scripts.charts.theme import INK, LINKED, RULE, Datum, chart_of
from scripts.figures.words import several

PART = 15
SHAPES = ["circle", "square", "diamond", "triangle-up", "cross"]
ARROW = "triangle-right"
READING = "Point: median; line: its quartiles; band: its 95 % interval (for n ≥ 6)"


@dataclass(frozen=True)
class Strips:
    """What the chart shows.

    Attributes:
        axis: the axis title, with the unit.
        rows: the names of the rows, from top to bottom.
        colours: the colour of each series, in the order of the legend.
        points: at most one for each row and series: `row`, `series`, `value` (the median), `n`, the quartiles
            `q1` and `q3`, the interval `low` to `high` (None where there is none), `label` and `href`.
        end: the end of the axis.
        dots: the values behind the medians, as `row`, `series`, `value`, and whether it is `censored`: a
            lower bound. May be empty.
        arrows: the lower bounds among the figures, as `row`, `series`, `value` and `text`. May be empty.
        fair: whether there is a line at 100.
    """

    axis: str
    rows: list[str]
    colours: dict[str, str]
    points: Sequence[Datum]
    end: float
    dots: list[Datum] = field(default_factory=list)
    arrows: list[Datum] = field(default_factory=list)
    fair: bool = False

    @property
    def words(self) -> str:
        """Every point in words."""
        return "; ".join(point["label"] for point in self.points)


def strips_chart(strips: Strips, title: str, reading: list[str], description: str) -> alt.LayerChart:
    """The chart. A row has room for the series that it has."""
    known = {(point["row"], point["series"]) for point in strips.points}
    places = {row: [name for name in strips.colours if (row, name) in known] for row in strips.rows}
    rows = row_places({row: PART * max(len(series), 1) for row, series in places.items()})
    return rows_chart(_marks(strips, rows, places), rows.height, title, reading, description)


def _marks(
    strips: Strips, rows: RowPlaces, places: Mapping[str, list[str]]
) -> list[alt.Chart | alt.LayerChart]:
    def placed(marks: Iterable[Datum]) -> alt.Chart:
        """The marks at the place of their series in their row."""
        data = [
            mark | {"y": rows.top(mark["row"]) + PART * (series.index(mark["series"]) + 0.5)}
            for mark in marks
            if mark["series"] in (series := places.get(mark["row"], []))
        ]
        return chart_of(data).encode(y=rows.y())

    x = across(strips.axis, alt.Scale(domain=[0, strips.end], nice=False), AXIS)
    colour, shape = _looks(strips.colours)
    points = placed(strips.points)
    bands = placed(point for point in strips.points if point["low"] is not None)
    band = bands.mark_rule(strokeWidth=9, color=RULE, opacity=0.45, aria=False)
    marks: list[alt.Chart | alt.LayerChart] = [
        rows.frame(x("value") if strips.fair else None),
        band.encode(x=x("low"), x2="high:Q"),
    ]
    for censored, form, size in ((False, "circle", 14), (True, ARROW, 40)):
        dots = [dot for dot in strips.dots if dot["censored"] is censored]
        if dots:
            mark = placed(dots).mark_point(shape=form, size=size, filled=True, opacity=0.45, aria=False)
            marks.append(mark.encode(x=x("value"), color=colour))
    marks += [
        points.mark_rule(strokeWidth=1.8, aria=False).encode(x=x("q1"), x2="q3:Q", color=colour),
        points.mark_point(filled=True, size=70, opacity=1).encode(
            x=x("value"), color=colour, shape=shape, **LINKED
        ),
    ]
    if strips.arrows:
        arrows = placed(strips.arrows).encode(x=x("value"))
        marks += [
            arrows.mark_point(shape=ARROW, filled=True, size=90, opacity=1, xOffset=9, aria=False).encode(
                color=colour
            ),
            arrows.mark_text(align="right", dx=-9, fontSize=12, color=INK, aria=False).encode(text="text:N"),
        ]
    return marks


def _looks(series: Mapping[str, str]) -> tuple[alt.Color, alt.Shape]:
    """Each series has a colour and a shape. One legend shows both, where there is more than one."""
    names = list(series)
    lines = label_lines(names, WIDTH - 30)
    legend = alt.Legend(columns=1, symbolOpacity=1, labelExpr=lines) if len(names) > 1 else None
    colours = alt.Scale(domain=names, range=list(series.values()))
    shapes = alt.Scale(domain=names, range=[SHAPES[place % len(SHAPES)] for place in range(len(names))])
    return (
        alt.Color("series:N", title=None, legend=legend, scale=colours),
        alt.Shape("series:N", title=None, legend=legend, scale=shapes),
    )


def multiple_flows_chart(
    pairs: Iterable[PairRow], workloads: Iterable[WorkloadRow], setting: str, labels: Labels
) -> alt.LayerChart | None:
    """The MmF share of every incumbent against each service with several flows.

    Each incumbent has a row, with a point for each such service. The service with most flows comes first.

    Returns:
        The chart, or None if no incumbent met a service with several flows.
    """
    with_flows = {row.service: row for row in workloads if row.setting == setting and row.flows > 1}
    shown = [
        row
        for row in cells_of(pairs, setting)
        if row.contender in with_flows and not row.unable and row.share_median is not None
    ]
    if not shown:
        return None
    order = sorted(
        {row.contender for row in shown}, key=lambda name: (-with_flows[name].flows, labels.service(name))
    )
    names = {
        name: f"{labels.service(name)}, {workload.flows:g} flows"
        f"{'' if workload.flows_measured else ' declared'}"
        for name in order
        for workload in [with_flows[name]]
    }
    points = [_point(row, names[row.contender], labels) for row in shown]
    ends = [point[figure] or 0 for point in points for figure in ("value", "q3", "high")]
    title = _flows_title([row for row in shown if row.contender == order[0]], names[order[0]])
    reading = f"What incumbents get against a service with several flows. {READING}"
    strips = Strips(
        axis="MmF share (percent; 100 is fair)",
        rows=sorted({point["row"] for point in points}),
        colours={names[name]: labels.colours[name] for name in order},
        points=points,
        end=max(SHARE_END, *ends),
        fair=True,
    )
    description = f"{title}. {labels.setting(setting)}. MmF share of each incumbent. {strips.words}."
    return strips_chart(strips, title, [labels.setting(setting), reading], description)


def _flows_title(cells: list[PairRow], name: str) -> str:
    """What the median incumbent keeps against the service with most flows."""
    median = statistics.median(100 * (row.share_median or 0) for row in cells)
    seen = "Seen against" if any(row.share_n < ENOUGH for row in cells) else "Against"
    return f"{seen} {name}: {median:.0f} % of a fair share, the median of {several(len(cells), 'service')}"


def _point(row: PairRow, series: str, labels: Labels) -> Datum:
    """The point of a cell, in percent."""
    median = 100 * (row.share_median or 0)
    matchup = labels.matchup(row.incumbent, row.contender, row.instance)
    return {
        "row": labels.service(row.incumbent),
        "series": series,
        "value": median,
        "n": row.share_n,
        "q1": scaled(row.share_q25, 100),
        "q3": scaled(row.share_q75, 100),
        "low": scaled(row.share_low, 100),
        "high": scaled(row.share_high, 100),
        "label": f"{matchup}: {median:.0f} %, n = {row.share_n} ({series})",
        "href": f"../pairs/{row.setting}/{row.pair}/",
    }
