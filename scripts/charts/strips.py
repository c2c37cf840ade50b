"""Panels side by side over the same rows: in each a median a row, with its quartiles and interval."""

from dataclasses import dataclass, field

import altair as alt
from altair.utils.schemapi import UndefinedType

from scripts.charts.labels import Labels
from scripts.charts.theme import INK, RULE, Row, chart_of

WIDTH = 740
NARROWEST, GAP = 150, 22
ROW, MARK = 30, 13
SHAPES = ["circle", "square", "diamond", "triangle-up", "cross"]
READING = "A point is the median, a line its quartiles, a band its 95 % interval (from n = 6 on)"


@dataclass(frozen=True)
class Strip:
    """One panel.

    Attributes:
        axis: what its numbers are, with their unit.
        points: one a row and service: `row`, `service` (its title), `value`, `q1`, `q3`, `low` and `high` in
            the unit of the axis (None where there is no interval), `label` and `href`.
        dots: what the medians are of, as `row`, `service` and `value`; may be empty.
        title: what sets it apart from the others, where that is not its axis; one line after the other.
        mark: a value to draw a line at.
        end: where the axis ends, so that panels can be compared; by its own points if None.
    """

    axis: str
    points: list[Row]
    dots: list[Row] = field(default_factory=list)
    title: tuple[str, ...] = ()
    mark: float | None = None
    end: float | None = None


def strips_chart(
    strips: list[Strip], rows: list[str], services: list[str], labels: Labels, many_a_row: bool = True
) -> alt.HConcatChart:
    """The panels from left to right; the names of the rows stand at the left of the first.

    Args:
        strips: the panels.
        rows: the names of the rows, from above.
        services: the names of the services whose points are shown.
        labels: titles and colours.
        many_a_row: a row has a point of every service, side by side and told by a legend; else of one alone.
    """
    width = max(NARROWEST, WIDTH // len(strips) - GAP)
    panels = [
        _panel(strip, rows, services, labels, many_a_row, first=place == 0).properties(width=width)
        for place, strip in enumerate(strips)
    ]
    return alt.hconcat(*panels, spacing=GAP)


@dataclass(frozen=True)
class _Look:
    """Where the points of a panel stand beside their row, and by what signs services are told apart."""

    y: alt.Y
    beside: alt.YOffset | UndefinedType
    colour: alt.Color
    shape: alt.Shape


def _panel(
    strip: Strip, rows: list[str], services: list[str], labels: Labels, many_a_row: bool, first: bool
) -> alt.LayerChart:
    axis = alt.Axis(domain=False, ticks=False, grid=True, labels=first, tickBand="extent")
    y = alt.Y("row:N", title=None, scale=alt.Scale(domain=rows), axis=axis)
    chart = alt.LayerChart(layer=_marks(strip, _look(y, services, labels, many_a_row)))
    step = max(ROW, MARK * len(services) + 6) if many_a_row else ROW
    chart = chart.properties(height=step * len(rows))
    heading = alt.Title(list(strip.title), fontSize=13, frame="group", offset=8)
    return chart.properties(title=heading) if strip.title else chart


def _look(y: alt.Y, services: list[str], labels: Labels, many_a_row: bool) -> _Look:
    """Each service has its colour and a shape, which one legend tells."""
    titles = [labels.service(service) for service in services]
    legend = alt.Legend(columns=2, columnPadding=28, symbolOpacity=1) if many_a_row else None
    colours = alt.Scale(domain=titles, range=[labels.colours[service] for service in services])
    shapes = alt.Scale(domain=titles, range=[SHAPES[place % len(SHAPES)] for place in range(len(services))])
    return _Look(
        y,
        alt.YOffset("service:N", scale=alt.Scale(domain=titles)) if many_a_row else alt.Undefined,
        alt.Color("service:N", title=None, legend=legend, scale=colours),
        alt.Shape("service:N", title=None, legend=legend, scale=shapes),
    )


def _marks(strip: Strip, look: _Look) -> list[alt.Chart]:
    points = chart_of(strip.points).encode(y=look.y, yOffset=look.beside)
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
    if strip.dots:
        dots = chart_of(strip.dots).mark_circle(size=14, opacity=0.45, aria=False)
        marks.insert(1, dots.encode(x=_x("value", strip), y=look.y, yOffset=look.beside, color=look.colour))
    if strip.mark is not None:
        line = chart_of([{"value": strip.mark}]).mark_rule(color=INK, strokeDash=[4, 3], aria=False)
        marks.insert(0, line.encode(x=_x("value", strip)))
    return marks


def _x(column: str, strip: Strip) -> alt.X:
    """The axis from zero; of numbers that are all the same it would else have no length."""
    values = [row[name] or 0 for row in strip.points for name in ("value", "q3", "high")]
    end = strip.end or (None if any(values) else 1)
    scale = alt.Scale(zero=True) if end is None else alt.Scale(domain=[0, end])
    return alt.X(f"{column}:Q", title=strip.axis, scale=scale, axis=alt.Axis(tickCount=4))
