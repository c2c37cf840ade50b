"""Rows of a chart with their names above them, so that a chart with long names fits a telephone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.text_widths import lines_of
from scripts.charts.theme import INK, LEGEND, RULE, SUBTITLE_SIZE, Datum, chart_of, headed

WIDTH = 310
"""The width of such a chart without its margins."""

NAME_SIZE, NAME_LINE = 13, 16
GAP = 10
SHARE_END = 200
AXIS = alt.Axis(tickCount=5)


@dataclass(frozen=True)
class RowPlaces:
    """Where the rows of a chart are, in px from the top.

    Attributes:
        names: the lines of each row's name.
        tops: where each row's room begins, below its name.
        rooms: the height of each row's room.
        height: that of all rows.
    """

    names: dict[str, list[str]]
    tops: dict[str, float]
    rooms: dict[str, float]
    height: float

    def top(self, row: str) -> float:
        """The top of a row's room."""
        return self.tops[row]

    def bottom(self, row: str) -> float:
        """The bottom of a row's room."""
        return self.tops[row] + self.rooms[row]

    def middle(self, row: str) -> float:
        """The middle of a row's room."""
        return self.tops[row] + self.rooms[row] / 2

    def y(self, column: str = "y") -> alt.Y:
        """The channel of a column that has places."""
        return alt.Y(
            f"{column}:Q", axis=None, scale=alt.Scale(domain=[self.height, 0], nice=False, zero=False)
        )

    def bars(self, chart: alt.Chart, x: alt.X) -> alt.Chart:
        """Strong bars, such as those of medians, from `top` to `bottom`."""
        bars: alt.Chart = chart.mark_rule(strokeWidth=2.5, color=INK, aria=False)
        return bars.encode(x=x, y=self.y("top"), y2="bottom:Q")

    def headings(self) -> alt.LayerChart:
        """The names of the rows alone."""
        rows: list[Datum] = [
            {"name": self.tops[row] - NAME_LINE * len(lines), "text": lines}
            for row, lines in self.names.items()
        ]
        names = chart_of(rows).mark_text(
            align="left", baseline="top", fontSize=NAME_SIZE, color=INK, aria=False
        )
        layer = names.encode(y=self.y("name"), x=alt.value(0), text="text:N")
        return alt.LayerChart(layer=[layer]).properties(name=LEGEND)

    def frame(self, fair: alt.X | None = None, value: float = 100) -> alt.LayerChart:
        """The names of the rows, a line in the middle of each, and the line of what is fair.

        Args:
            fair: the axis of the column `value`; None: no such line.
            value: where the line is; without it at the fair share, 100 percent.
        """
        rows: list[Datum] = [
            {
                "name": self.tops[row] - NAME_LINE * len(lines),
                "text": lines,
                "top": self.top(row),
                "y": self.middle(row),
                "bottom": self.bottom(row),
                "value": value,
            }
            for row, lines in self.names.items()
        ]
        chart = chart_of(rows)
        names = chart.mark_text(align="left", baseline="top", fontSize=NAME_SIZE, color=INK, aria=False)
        lines = chart.mark_rule(color=RULE, opacity=0.3, aria=False)
        layers = [
            lines.encode(y=self.y(), x=alt.value(0), x2=alt.value(WIDTH)),
            names.encode(y=self.y("name"), x=alt.value(0), text="text:N"),
        ]
        if fair is not None:
            dashed = chart.mark_rule(color=INK, strokeDash=[4, 3], aria=False)
            layers.append(dashed.encode(x=fair, y=self.y("top"), y2="bottom:Q"))
        return alt.LayerChart(layer=layers).properties(name=LEGEND)


def row_places(rooms: Mapping[str, float]) -> RowPlaces:
    """The places of rows from top to bottom.

    Args:
        rooms: the height of each row below its name, by name.
    """
    names = {row: lines_of(row, WIDTH, NAME_SIZE) for row in rooms}
    tops, y = {}, 0.0
    for row, room in rooms.items():
        tops[row] = y + NAME_LINE * len(names[row])
        y = tops[row] + room + GAP
    return RowPlaces(names, tops, dict(rooms), max(y - GAP, 1))


def across(title: str, scale: alt.Scale, axis: alt.Axis) -> Callable[[str], alt.X]:
    """Gives the horizontal channel of a column of numbers. All columns have one axis."""
    return lambda column: alt.X(f"{column}:Q", title=title, scale=scale, axis=axis)


def upwards(title: str | None, scale: alt.Scale, ticks: int) -> Callable[[str], alt.Y]:
    """Gives the vertical channel of a column of numbers. All columns have one axis."""
    return lambda column: alt.Y(f"{column}:Q", title=title, scale=scale, axis=alt.Axis(tickCount=ticks))


def interval_band(chart: alt.Chart, x: Callable[[str], alt.X]) -> alt.Chart:
    """The intervals `low` to `high` of rows, where there are any."""
    bands: alt.Chart = chart.transform_filter("datum.low !== null").mark_rule(
        strokeWidth=9, color=RULE, opacity=0.45, aria=False
    )
    return bands.encode(x=x("low"), x2="high:Q")


def share_scale(values: Iterable[float]) -> alt.Scale:
    """The axis of shares in percent: from 0 to 200 in every chart, longer only if a share is larger."""
    return alt.Scale(domain=[0, max([SHARE_END, *values])], nice=False)


def service_colours(services: Iterable[str], labels: Labels) -> alt.Color:
    """The colours of marks with a `service`."""
    names = sorted(services)
    scale = alt.Scale(domain=names, range=[labels.colours[name] for name in names])
    return alt.Color("service:N", legend=None, scale=scale)


def rows_chart(
    layers: Sequence[alt.Chart | alt.LayerChart],
    height: float,
    title: str,
    reading: Sequence[str],
    description: str,
) -> alt.LayerChart:
    """Layers as a chart with a title and the lines below it; the description is the chart in words."""
    return alt.LayerChart(layer=list(layers)).properties(
        width=WIDTH, height=height, title=headed(title, reading, WIDTH), description=description
    )


def panel(layers: Sequence[alt.Chart], height: float, heading: Sequence[str]) -> alt.LayerChart:
    """Layers as one of several charts below each other, each of WIDTH with lines above it."""
    title = alt.Title(list(heading), fontSize=SUBTITLE_SIZE, fontWeight="normal", offset=8)
    return alt.LayerChart(layer=list(layers)).properties(width=WIDTH, height=height, title=title)
