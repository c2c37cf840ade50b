"""Lines through medians: each has a colour, a dash and a shape of its points, and the legend shows them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import label_lines
from scripts.charts.row_places import WIDTH
from scripts.charts.theme import LINKED, RULE, Datum, chart_of

DASHES = ([1, 0], [5, 2], [2, 2])
SHAPES = ("circle", "square", "diamond")


@dataclass(frozen=True)
class LineLooks:
    """The channels of marks that have a line, or another name in the legend."""

    colour: alt.Color
    dash: alt.StrokeDash
    shape: alt.Shape


def line_looks(colours: Mapping[str, str], column: str = "line") -> LineLooks:
    """The looks of lines.

    Args:
        colours: the colour of each line by its name, in the order of the legend.
        column: the column that has the name.
    """
    order, places = list(colours), range(len(colours))
    legend = alt.Legend(
        columns=1, symbolOpacity=1, symbolStrokeWidth=0, labelExpr=label_lines(order, WIDTH - 40)
    )
    scale = alt.Scale(domain=order, range=list(colours.values()))
    dashes = alt.Scale(domain=order, range=[DASHES[place % len(DASHES)] for place in places])
    shapes = alt.Scale(domain=order, range=[SHAPES[place % len(SHAPES)] for place in places])
    return LineLooks(
        alt.Color(f"{column}:N", title=None, sort=order, scale=scale, legend=legend),
        alt.StrokeDash(f"{column}:N", title=None, sort=order, scale=dashes, legend=None),
        alt.Shape(f"{column}:N", title=None, sort=order, scale=shapes, legend=legend),
    )


def median_lines(
    points: Sequence[Datum], looks: LineLooks, x: alt.X, value: str, y: Callable[[str], alt.Y]
) -> list[alt.Chart]:
    """The lines and their points, in front of the intervals.

    Args:
        points: the medians, each with its `line`, the interval `low` to `high` (or None), `label` and `href`.
            A point with an `end` has an arrow there, because that figure is a lower bound.
        looks: the looks of the lines.
        x: the channel of the horizontal axis.
        value: the column of the medians.
        y: gives the vertical channel of a column.
    """
    base = chart_of(points).encode(x=x)
    arrows = [point for point in points if point.get("end") is not None]
    layers = [
        base.transform_filter("datum.low !== null")
        .mark_rule(strokeWidth=7, color=RULE, opacity=0.45, aria=False)
        .encode(y=y("low"), y2="high:Q"),
        base.mark_line(strokeWidth=1.8, aria=False).encode(
            y=y(value), color=looks.colour, strokeDash=looks.dash
        ),
        base.mark_point(filled=True, size=75, opacity=1).encode(
            y=y(value), color=looks.colour, shape=looks.shape, **LINKED
        ),
    ]
    if arrows:
        mark = chart_of(arrows).mark_point(
            shape="triangle-up", size=60, filled=True, opacity=1, yOffset=-10, aria=False
        )
        layers.append(mark.encode(x=x, y=y("end"), color=looks.colour))
    return layers
