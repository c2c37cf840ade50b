"""Every cell of a setting as a dot: a row for each incumbent, a dot for each contender."""

import statistics
from collections.abc import Iterable

import altair as alt

from scripts.charts.chart_labels import ENOUGH, Labels, seen_unless
from scripts.charts.row_places import AXIS, RowPlaces, row_places, rows_chart, service_colours, share_scale
from scripts.charts.table_rows import PairRow, cells_of, grouped
from scripts.charts.theme import Datum, chart_of

SHARE = "Median MmF share (percent; 100 is fair)"
ROOM, SIZE = 18, 60


def setting_dots(pairs: Iterable[PairRow], setting: str, labels: Labels) -> alt.LayerChart | None:
    """The median share of each incumbent against each contender. None if no cell has a share.

    Cells with fewer than six valid trials are hollow. The services that get least come first.
    """
    cells = [row for row in cells_of(pairs, setting) if not row.unable and row.share_median is not None]
    if not cells:
        return None
    rows = row_places(dict.fromkeys(_order(cells, labels), ROOM))
    dots = [_dot(row, rows, labels) for row in cells]
    title = _title(cells)
    readings = ["Dot: median of a pair; bar: median of these. The heatmap has the same numbers"]
    if any(row.share_n < ENOUGH for row in cells):
        readings.append(f"Hollow: fewer than {ENOUGH} valid trials, no verdict")
    words = "; ".join(dot["label"] for dot in dots)
    return rows_chart(
        _layers(dots, rows, labels),
        rows.height,
        title,
        [labels.setting(setting), *readings],
        f"{title}. {labels.setting(setting)}. {SHARE}. {words}.",
    )


def _share(row: PairRow) -> float:
    return 100 * (row.share_median or 0)


def _order(cells: list[PairRow], labels: Labels) -> list[str]:
    """The incumbents by the median of their shares."""
    rows = grouped(cells, lambda row: labels.service(row.incumbent))
    return sorted(rows, key=lambda name: (statistics.median(map(_share, rows[name])), name))


def _title(cells: list[PairRow]) -> str:
    """From where to where the shares are, of those with enough trials if there are any.

    It names no cell: the lowest of many medians is the lowest partly by chance.
    """
    enough = [row for row in cells if row.share_n >= ENOUGH]
    shares = [_share(row) for row in enough or cells]
    return seen_unless(enough, f"Median shares from {min(shares):.0f} to {max(shares):.0f} %")


def _dot(row: PairRow, rows: RowPlaces, labels: Labels) -> Datum:
    name = labels.service(row.incumbent)
    matchup = labels.matchup(row.incumbent, row.contender, row.instance)
    return {
        "row": name,
        "y": rows.middle(name),
        "value": _share(row),
        "enough": row.share_n >= ENOUGH,
        "service": row.incumbent,
        "label": f"{matchup}: {_share(row):.0f} %, n = {row.share_n}",
    }


def _layers(dots: list[Datum], rows: RowPlaces, labels: Labels) -> list[alt.Chart | alt.LayerChart]:
    scale = share_scale([dot["value"] for dot in dots])
    x = alt.X("value:Q", title=SHARE, scale=scale, axis=AXIS)
    colour = service_colours({dot["service"] for dot in dots}, labels)
    encoding = {"x": x, "y": rows.y(), "color": colour}
    points = chart_of(dots)
    return [
        rows.frame(x),
        points.transform_filter("datum.enough")
        .mark_circle(size=SIZE, opacity=0.6, aria=False)
        .encode(**encoding),
        points.transform_filter("!datum.enough")
        .mark_point(size=SIZE, filled=False, opacity=1, aria=False)
        .encode(**encoding),
        rows.bars(chart_of(_medians(dots, rows)), x),
    ]


def _medians(dots: list[Datum], rows: RowPlaces) -> list[Datum]:
    medians: list[Datum] = []
    for row in rows.names:
        values = [dot["value"] for dot in dots if dot["row"] == row]
        place: Datum = {"top": rows.top(row), "bottom": rows.bottom(row)}
        medians.append(place | {"value": statistics.median(values)})
    return medians
