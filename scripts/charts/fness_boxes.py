"""The fness of every pair, by which client starts first (Kunze et al. 2020, Figs. 2, 4 to 8 and 10)."""

from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import ENOUGH, Labels, seen_unless
from scripts.charts.median_lines import line_looks
from scripts.charts.row_places import RowPlaces, across, row_places, rows_chart
from scripts.charts.setting_groups import OrderGroup
from scripts.charts.table_rows import FnessRow, OrderRow, grouped
from scripts.charts.theme import LINKED, RULE, Datum, chart_of

ROOM, BOX = 26, 18
"""The heights of a line of a row and of its box, in px."""

ORDERS = {
    "first": "First service starts first",
    "second": "Second service starts first",
    "together": "Both start together",
}
"""The orders in words, by when the first client starts: the column `started` of the table orders."""

COLOURS = dict(zip(ORDERS.values(), ("#b88820", "#7d6be0", "#607090"), strict=True))
"""The colour of each order, the same in every chart."""

READINGS = (
    "fness below 0: the service named first gets more bytes. At −0.5 it gets twice as many",
    "Dot: a trial. For n ≥ 6, bar: median; box: quartiles; band: 95 % interval of the median",
)
AXIS_TITLE = "← first dominates · 0 is fair · second dominates →"


def fness_boxes(
    rows: Iterable[OrderRow], trials: Iterable[FnessRow], group: OrderGroup, labels: Labels
) -> alt.LayerChart | None:
    """A row for each pair, and in it a line for each setting of the group, which has its own order.

    fness takes the first client of a pair as a, also in a self-pair.

    Returns:
        The chart, or None if no pair has a fness.
    """
    known = [
        row
        for row in rows
        if (row.client, row.metric) == ("c1", "fness_in_order")
        and row.setting in group.settings
        and row.median is not None
    ]
    if not known:
        return None
    lines = {
        pair: [row for name in group.settings for row in known if (row.setting, row.pair) == (name, pair)]
        for pair in sorted({row.pair for row in known}, key=labels.pair)
    }
    places = row_places({labels.pair(pair): ROOM * len(of_pair) for pair, of_pair in lines.items()})
    boxes = [
        _box(row, labels, places.top(labels.pair(pair)) + ROOM * (place + 0.5))
        for pair, of_pair in lines.items()
        for place, row in enumerate(of_pair)
    ]
    title = _title(known)
    return rows_chart(
        _layers(boxes, _dots(boxes, trials), places),
        places.height,
        title,
        [group.title, *READINGS],
        f"{title}. {group.title}. {'; '.join(box['label'] for box in boxes)}.",
    )


def _title(rows: list[OrderRow]) -> str:
    """From where to where the medians are, of those with enough trials if any has."""
    enough = [row for row in rows if row.enough]
    medians = [row.value for row in enough or rows]
    return seen_unless(enough, f"Median fness from {_number(min(medians))} to {_number(max(medians))}")


def _number(value: float | None) -> str:
    return f"{round(value or 0, 2) + 0:.2f}".replace("-", "−")


def _box(row: OrderRow, labels: Labels, y: float) -> Datum:
    """A line of the chart with its place and its words. It links to the page of the pair."""
    interval = "" if row.low is None else f" ({_number(row.low)} to {_number(row.high)})"
    order = ORDERS[row.started]
    line = f"{labels.pair(row.pair)}, {order.lower()}"
    return {
        "pair": row.pair,
        "setting": row.setting,
        "order": order,
        "line": line,
        "n": row.n,
        "q25": row.q25,
        "median": row.median,
        "q75": row.q75,
        "low": row.low,
        "high": row.high,
        "label": f"{line}: {_number(row.median)}{interval}, n = {row.n}",
        "href": row.page,
        "y": y,
        "top": y - BOX / 2,
        "bottom": y + BOX / 2,
    }


def _dots(boxes: list[Datum], trials: Iterable[FnessRow]) -> list[Datum]:
    """The valid trials of each line below each other in their order, the first at the top."""
    known = [row for row in trials if row.valid and row.client == "c1" and row.fness is not None]
    of_cells = grouped(sorted(known, key=lambda row: row.trial), lambda row: (row.setting, row.pair))
    return [
        {name: box[name] for name in ("pair", "setting", "order", "line", "href")}
        | {
            "trial": row.trial,
            "fness": row.fness,
            "label": f"{box['line']}, trial {row.key.nn}: {_number(row.fness)}",
            "y": box["y"] + ROOM * ((place + 0.5) / len(of_line) - 0.5),
        }
        for box in boxes
        for of_line in [of_cells[box["setting"], box["pair"]]]
        for place, row in enumerate(of_line)
    ]


def _layers(boxes: list[Datum], dots: list[Datum], places: RowPlaces) -> list[alt.Chart | alt.LayerChart]:
    """The trials in front of their box, whose interval is behind it."""
    shown = {box["order"] for box in boxes}
    looks = line_looks({order: colour for order, colour in COLOURS.items() if order in shown}, "order")
    axis = alt.Axis(values=[-1, -0.5, 0, 0.5, 1], format="~")
    x = across(AXIS_TITLE, alt.Scale(domain=[-1, 1], nice=False), axis)
    enough = chart_of(boxes).transform_filter(f"datum.n >= {ENOUGH}")
    return [
        places.frame(x("value"), 0),
        enough.mark_rect(color=RULE, opacity=0.3, aria=False).encode(
            x=x("low"), x2="high:Q", y=places.y("top"), y2="bottom:Q"
        ),
        enough.mark_rect(fillOpacity=0.15, strokeWidth=1.5, aria=False).encode(
            x=x("q25"), x2="q75:Q", y=places.y("top"), y2="bottom:Q", color=looks.colour, stroke=looks.colour
        ),
        places.bars(enough, x("median")),
        chart_of(dots)
        .mark_point(filled=True, size=32, opacity=0.9)
        .encode(x=x("fness"), y=places.y(), color=looks.colour, shape=looks.shape, **LINKED),
    ]
