"""Panels side by side with the same rows. Each row shows a median with its quartiles and its interval."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import altair as alt
from altair.utils.schemapi import UndefinedType

from scripts.charts.chart_labels import Labels
from scripts.charts.theme import INK, RULE, Datum, chart_of

WIDTH = 740
NARROWEST, GAP = 150, 22
ROW, MARK = 30, 13
SHAPES = ["circle", "square", "diamond", "triangle-up", "cross"]
ARROW = "triangle-right"
READING = "Point: median; line: its quartiles; band: its 95 % interval (for n ≥ 6)"


@dataclass(frozen=True)
class Point:
    """A median of one service in one row, in the unit of the axis.

    Attributes:
        row: the row's name.
        service: the service's title.
        value: the median.
        q1, q3: its quartiles.
        low, high: its interval; None where there is none.
        label: the point in words.
        href: the page it links to.
    """

    row: str
    service: str
    value: float
    q1: float | None
    q3: float | None
    low: float | None
    high: float | None
    label: str
    href: str

    @property
    def end(self) -> float:
        """The largest of its values."""
        return max(self.value, self.q3 or 0, self.high or 0)


@dataclass(frozen=True)
class Strip:
    """One panel.

    Attributes:
        axis: the axis title, with the unit.
        points: one for each row and service.
        dots: the values behind the medians, as `row`, `service` (its title), `value`, and whether it is
            `censored`: a lower bound. May be empty.
        arrows: the lower bounds among the figures, as `row`, `service`, `value` and `text`. May be empty.
        title: the lines of its title. Empty where the axis title is enough.
        mark: a value to draw a line at.
        end: the end of the axis, so that readers can compare panels. None: the panel's own points decide.
    """

    axis: str
    points: Sequence[Point]
    dots: list[Datum] = field(default_factory=list)
    arrows: list[Datum] = field(default_factory=list)
    title: tuple[str, ...] = ()
    mark: float | None = None
    end: float | None = None


def strips_chart(
    strips: list[Strip], rows: list[str], services: list[str], labels: Labels, several_per_row: bool = True
) -> alt.HConcatChart:
    """The panels from left to right. The names of the rows are at the left of the first.

    Args:
        strips: the panels.
        rows: the names of the rows, from top to bottom.
        services: the names of the services whose points are shown.
        labels: titles and colours.
        several_per_row: whether a row has a point for every service, side by side and with a legend.
            Otherwise it has the points of one service only.
    """
    width = max(NARROWEST, WIDTH // len(strips) - GAP)
    panels = [
        _panel(strip, rows, services, labels, several_per_row, first=place == 0).properties(width=width)
        for place, strip in enumerate(strips)
    ]
    return alt.hconcat(*panels, spacing=GAP)


@dataclass(frozen=True)
class _Look:
    """The places of a panel's points, and the colours and shapes of the services."""

    y: alt.Y
    offset: alt.YOffset | UndefinedType
    colour: alt.Color
    shape: alt.Shape


def _panel(
    strip: Strip, rows: list[str], services: list[str], labels: Labels, several_per_row: bool, first: bool
) -> alt.LayerChart:
    axis = alt.Axis(domain=False, ticks=False, grid=True, labels=first, tickBand="extent")
    y = alt.Y("row:N", title=None, scale=alt.Scale(domain=rows), axis=axis)
    chart = alt.LayerChart(layer=_marks(strip, _look(y, services, labels, several_per_row)))
    step = max(ROW, MARK * len(services) + 6) if several_per_row else ROW
    chart = chart.properties(height=step * len(rows))
    heading = alt.Title(list(strip.title), fontSize=13, frame="group", offset=8)
    return chart.properties(title=heading) if strip.title else chart


def _look(y: alt.Y, services: list[str], labels: Labels, several_per_row: bool) -> _Look:
    """Each service has a colour and a shape. One legend shows both."""
    titles = [labels.service(service) for service in services]
    legend = alt.Legend(columns=2, columnPadding=28, symbolOpacity=1) if several_per_row else None
    colours = alt.Scale(domain=titles, range=[labels.colours[service] for service in services])
    shapes = alt.Scale(domain=titles, range=[SHAPES[place % len(SHAPES)] for place in range(len(services))])
    return _Look(
        y,
        alt.YOffset("service:N", scale=alt.Scale(domain=titles)) if several_per_row else alt.Undefined,
        alt.Color("service:N", title=None, legend=legend, scale=colours),
        alt.Shape("service:N", title=None, legend=legend, scale=shapes),
    )


def _marks(strip: Strip, look: _Look) -> list[alt.Chart]:
    points = chart_of([asdict(point) for point in strip.points]).encode(y=look.y, yOffset=look.offset)
    bands = points.transform_filter("datum.low !== null").mark_rule(
        strokeWidth=9, color=RULE, opacity=0.45, aria=False
    )
    lines = points.mark_rule(strokeWidth=1.8, aria=False)
    medians = points.mark_point(filled=True, size=80, opacity=1)
    marks = [
        bands.encode(x=_x("low", strip), x2="high:Q"),
        lines.encode(x=_x("q1", strip), x2="q3:Q", color=look.colour),
        medians.encode(
            x=_x("value", strip),
            color=look.colour,
            shape=look.shape,
            href="href:N",
            description="label:N",
            tooltip="label:N",
        ),
    ]
    marks[1:1] = [
        dots.encode(x=_x("value", strip), y=look.y, yOffset=look.offset, color=look.colour)
        for dots in _dots(strip)
    ]
    if strip.arrows:
        arrows = chart_of(strip.arrows).encode(x=_x("value", strip), y=look.y, yOffset=look.offset)
        marks += [
            arrows.mark_point(shape=ARROW, filled=True, size=90, opacity=1, xOffset=9, aria=False).encode(
                color=look.colour
            ),
            arrows.mark_text(
                align="right", baseline="bottom", dy=-5, fontSize=12, color=INK, aria=False
            ).encode(text="text:N"),
        ]
    if strip.mark is not None:
        line = chart_of([{"value": strip.mark}]).mark_rule(color=INK, strokeDash=[4, 3], aria=False)
        marks.insert(0, line.encode(x=_x("value", strip)))
    return marks


def _dots(strip: Strip) -> list[alt.Chart]:
    """The dots, and arrows for those that are lower bounds."""
    known = [dot for dot in strip.dots if not dot["censored"]]
    open_ended = [dot for dot in strip.dots if dot["censored"]]
    layers = []
    if known:
        layers.append(chart_of(known).mark_circle(size=14, opacity=0.45, aria=False))
    if open_ended:
        layers.append(
            chart_of(open_ended).mark_point(shape=ARROW, filled=True, size=40, opacity=0.6, aria=False)
        )
    return layers


def _x(column: str, strip: Strip) -> alt.X:
    """The axis from zero. It ends at 1 where all values are 0, because it would have no length otherwise."""
    end = strip.end or (None if any(point.end for point in strip.points) else 1)
    scale = alt.Scale(zero=True) if end is None else alt.Scale(domain=[0, end])
    return alt.X(f"{column}:Q", title=strip.axis, scale=scale, axis=alt.Axis(tickCount=4))
