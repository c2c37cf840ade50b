"""Rows of a chart with their names above them, so that a chart with long names fits a telephone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import altair as alt

from scripts.charts.text_widths import lines_of
from scripts.charts.theme import INK, RULE, Datum, chart_of

WIDTH = 310
"""The width of such a chart without its margins."""

NAME_SIZE, NAME_LINE = 13, 16
GAP = 10
SAFE = 0.86
"""A reader's font may be wider than the one that lines are measured in."""

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

    def layers(self) -> list[alt.Chart]:
        """The names of the rows, and a line in the middle of each."""
        rows: list[Datum] = [
            {"y": self.tops[row] - NAME_LINE * len(lines), "middle": self.middle(row), "row": lines}
            for row, lines in self.names.items()
        ]
        chart = chart_of(rows)
        names = chart.mark_text(align="left", baseline="top", fontSize=NAME_SIZE, color=INK, aria=False)
        lines = chart.mark_rule(color=RULE, opacity=0.3, aria=False)
        return [
            lines.encode(y=self.y("middle"), x=alt.value(0), x2=alt.value(WIDTH)),
            names.encode(y=self.y(), x=alt.value(0), text="row:N"),
        ]


def row_places(rooms: Mapping[str, float]) -> RowPlaces:
    """The places of rows from top to bottom.

    Args:
        rooms: the height of each row below its name, by name.
    """
    names = {row: lines_of(row, SAFE * WIDTH, NAME_SIZE) for row in rooms}
    tops, y = {}, 0.0
    for row, room in rooms.items():
        tops[row] = y + NAME_LINE * len(names[row])
        y = tops[row] + room + GAP
    return RowPlaces(names, tops, dict(rooms), max(y - GAP, 1))


def share_scale(values: Iterable[float]) -> alt.Scale:
    """The axis of shares in percent: from 0 to 200 in every chart, longer only if a share is larger."""
    return alt.Scale(domain=[0, max([SHARE_END, *values])], nice=False)


def fair_line(rows: RowPlaces, x: alt.X) -> alt.Chart:
    """The line of the fair share, 100 percent, in every row. `x` is the axis of the column `value`."""
    ends: list[Datum] = [
        {"value": 100, "top": rows.top(row), "bottom": rows.bottom(row)} for row in rows.names
    ]
    line: alt.Chart = chart_of(ends).mark_rule(color=INK, strokeDash=[4, 3], aria=False)
    line = line.encode(x=x, y=rows.y("top"), y2="bottom:Q")
    return line
