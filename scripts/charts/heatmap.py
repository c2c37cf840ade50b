"""Heatmaps of a setting: contenders in rows, incumbents in columns (Prudentia Figs. 2, 11, 12 and 13)."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

import altair as alt

from scripts.charts.chart_labels import Labels, label_lines
from scripts.charts.heatmap_cells import HARMS, HEATMAPS, Heatmap, heatmap_cells, heatmap_title
from scripts.charts.scales import INKS, MISSING, MOVING, Scale
from scripts.charts.table_rows import PairRow, cells_of
from scripts.charts.text_widths import lines_of, text_width
from scripts.charts.theme import INK, LEGEND, MUTED, RULE, Datum, chart_of, headed
from scripts.figures.order import by_result

CELL = 88
NARROW_CELL = 54
MANY_SERVICES = 6
AXIS_TITLE, NARROWEST = 45, 420
LABEL_WIDTHS = range(150, 400, 10)


def heatmap(pairs: Sequence[PairRow], setting: str, kind: str, labels: Labels) -> alt.VConcatChart:
    """One heatmap of one setting, below its legend. Each cell links to the page of its pair."""
    look = (HEATMAPS | HARMS)[kind]
    rows = cells_of(pairs, setting)
    present = {row.incumbent for row in rows} | {row.contender for row in rows}
    services = [name for name in services_by_result(pairs) if name in present]
    cells = heatmap_cells(rows, services, look, labels)
    names = [labels.service(name) for name in services]
    side = len(services) * _cell_side(services)
    title = heatmap_title(rows, look, labels)
    subtitle = [labels.setting(setting), look.reading]
    marks = {"moving"} if any("mark" in cell for cell in cells) else set[str]()
    words = f"Incumbent against contender: {'; '.join(cell['label'] for cell in cells)}"
    missing = {cell["state"] for cell in cells}
    matrix = _matrix(cells, names, look, missing).properties(width=side, height=side)
    return alt.vconcat(heatmap_legend(look.scale, missing | marks, side), matrix, spacing=16).properties(
        description=f"{title}. {labels.setting(setting)}. {look.reading}. {words}.",
        title=headed(title, subtitle, max(NARROWEST, side + AXIS_TITLE + _label_width(names))),
    )


def services_by_result(pairs: Sequence[PairRow]) -> list[str]:
    """The services of all matrices, the one that takes most first (scripts/figures/order.py)."""
    rows = [row for setting in {row.setting for row in pairs} for row in cells_of(pairs, setting)]
    known = by_result(
        (row.incumbent, row.contender, row.share_median)
        for row in rows
        if row.share_median is not None and not row.unable
    )
    return [*known, *sorted({row.incumbent for row in rows} - set(known))]


def _cell_side(services: Sequence[str]) -> int:
    return CELL if len(services) < MANY_SERVICES else NARROW_CELL


def _matrix(cells: list[Datum], order: list[str], look: Heatmap, states: set[str]) -> alt.LayerChart:
    """Tiles and their numbers; dashed outlines where there is no colour; below a share a mark if it moves."""
    x, y = _axes(order)
    described = chart_of(cells).encode(x=x, y=y, description="label:N", tooltip="label:N")
    measured = described.encode(href="href:N").transform_filter(alt.datum.state == "measured")
    light = [level for level in range(len(look.scale.colours)) if look.scale.ink(level) == "light"]
    ink = alt.when(alt.FieldOneOfPredicate("level", light)).then(alt.value(INKS["light"]))
    marked = described.transform_filter("datum.mark").mark_text(fontSize=13, dy=17, aria=False)
    on_shade = ink.when(alt.datum.state == "measured").then(alt.value(INKS["dark"]))
    marks = marked.encode(text="mark:N", href="href:N", color=on_shade.otherwise(alt.value(INK)))
    return alt.LayerChart(
        layer=[
            *_empty(described, states, _cell_side(order)),
            measured.mark_rect(cornerRadius=3, stroke="#8b929c40").encode(color=bin_colours(look.scale)),
            measured.mark_text(fontSize=17, fontWeight="bold", aria=False).encode(
                text="text:N", color=ink.otherwise(alt.value(INKS["dark"]))
            ),
            *([marks] if any("mark" in cell for cell in cells) else []),
        ]
    )


def _empty(cells: alt.Chart, states: Collection[str], side: float) -> list[alt.Chart]:
    """The cells without a colour. A pair that was not measured has no page."""
    layers = []
    for state in sorted(set(states) - {"measured"}):
        linked = cells if state == "unmeasured" else cells.encode(href="href:N")
        if state in OUTLINES:
            layers.append(outlined(linked, state))
        if state == "undecided":
            layers.append(hatched(linked, side))
        of_state = linked.transform_filter(alt.datum.state == state)
        layers.append(of_state.mark_text(color=INK, fontSize=15, aria=False).encode(text="text:N"))
    return layers


def _axes(order: list[str]) -> tuple[alt.X, alt.Y]:
    """Incumbents from left to right, contenders from top to bottom. Long names have two lines or more."""
    few = len(order) < MANY_SERVICES

    def looks(names: list[str], title: str, width: float, **axis: Any) -> dict[str, Any]:
        lines = label_lines(order, width)
        shown = alt.Axis(domain=False, ticks=False, labelPadding=7, labelExpr=lines, **axis)
        return {"sort": names, "scale": alt.Scale(domain=names), "title": title, "axis": shown}

    incumbent = "Incumbent (the service measured), who loses most first"
    wide = _label_width(order)
    x = looks(order[::-1], incumbent, CELL - 6 if few else wide, labelAngle=0 if few else -40)
    y = looks(order, "Contender (its competitor)", wide, titlePadding=18)
    return alt.X("incumbent:N", **x), alt.Y("contender:N", **y)


def _label_width(names: list[str]) -> int:
    """The width at which no name needs more than two lines."""
    return next(
        (width for width in LABEL_WIDTHS if all(len(lines_of(name, width)) <= 2 for name in names)),
        LABEL_WIDTHS[-1],
    )


WIDEST_BIN, NARROWEST_BIN = 46, 29
BAR, LINE = 16, 26
SAMPLE = 40

OUTLINES: dict[str, list[int]] = {
    "undecided": [],
    "few": [4, 3],
    "self": [],
}
"""The dashes around a cell with a value and without a colour."""

HATCH = "M-1,-.4L.4,1M-1,.2L-.2,1M-1,-1L1,1M-.4,-1L1,.4M.2,-1L1,-.2"
"""The lines in an undecided cell, as a shape of Vega: they fill the square from -1 to 1."""


EXPLAINED = MISSING | {"moving": MOVING}
"""The lines of the legend below the bins."""


def heatmap_legend(scale: Scale, kinds: Collection[str], width: float) -> alt.LayerChart:
    """The legend as a view of its own.

    Args:
        scale: the bins.
        kinds: the kinds of cells without a colour, and the marks below shares, that the heatmap has.
        width: the width of the heatmap in px.
    """
    shown = [kind for kind in EXPLAINED if kind in kinds]
    layers = [*_bins(scale, width), *(_samples(shown) if shown else ())]
    height = 2 * BAR + LINE * len(shown)
    return alt.LayerChart(layer=layers, name=LEGEND).properties(width=width, height=height)


def bin_colours(scale: Scale) -> alt.Color:
    """The colour of the field `level`. The legend of Vega is replaced by ours."""
    levels = alt.Scale(domain=list(range(len(scale.colours))), range=list(scale.colours))
    return alt.Color("level:O", scale=levels, legend=None)


def outlined(cells: alt.Chart, state: str) -> alt.Chart:
    """The cells of one kind without a colour: transparent, with dashes of their own."""
    of_state = cells.transform_filter(alt.datum.state == state)
    outline: alt.Chart = of_state.mark_rect(fillOpacity=0, stroke=RULE, strokeDash=OUTLINES[state])
    return outline


def hatched(cells: alt.Chart, side: float) -> alt.Chart:
    """The lines in the undecided cells, whose sides are so many px long."""
    of_state = cells.transform_filter(alt.datum.state == "undecided")
    lines: alt.Chart = of_state.mark_point(
        shape=HATCH, size=side**2, filled=False, stroke=RULE, strokeWidth=1, aria=False, opacity=1
    )
    return lines


def _bins(scale: Scale, width: float) -> list[alt.Chart]:
    """The bins, the breaks below their edges, and the unit behind these."""
    step = max(NARROWEST_BIN, min(WIDEST_BIN, width / len(scale.colours)))
    bins = [
        {"level": level, "x": step * level, "x2": step * (level + 1)} for level in range(len(scale.colours))
    ]
    bars = chart_of(bins).mark_rect(stroke="#8b929c40", aria=False)
    edges: list[Datum] = [
        {"x": step * (place + 1), "text": f"{edge:g}"} for place, edge in enumerate(scale.breaks)
    ]
    unit: list[Datum] = [{"x": step * len(scale.colours), "text": scale.unit}]
    aligned: list[tuple[list[Datum], Literal["center", "right"]]] = [(edges, "center"), (unit, "right")]
    return [
        bars.encode(x=_x("x"), x2="x2", y=alt.value(0), y2=alt.value(BAR), color=bin_colours(scale)),
        *(
            chart_of(rows)
            .mark_text(align=align, baseline="top", fontSize=12, color=MUTED, aria=False)
            .encode(x=_x("x"), y=alt.value(BAR + 4), text="text:N")
            for rows, align in aligned
        ),
    ]


def _samples(kinds: list[str]) -> list[alt.Chart]:
    """A small cell of each kind, or a mark, with its meaning behind it."""
    rows: list[Datum] = [
        {
            "state": kind,
            "text": EXPLAINED[kind].text,
            "meaning": EXPLAINED[kind].meaning,
            "x": 1,
            "x2": 1 + _sample(kinds),
            "y": 2 * BAR + LINE * place + 4,
            "y2": 2 * BAR + LINE * (place + 1) - 2,
        }
        for place, kind in enumerate(kinds)
    ]
    base = chart_of(rows).encode(x=_x("x"), x2="x2", y=_y("y"), y2="y2")
    words = chart_of(rows).transform_calculate(middle="(datum.y + datum.y2) / 2")
    inside = words.mark_text(fontSize=12, color=INK, aria=False)
    behind = words.mark_text(fontSize=12, color=MUTED, align="left", aria=False)
    return [
        *(outlined(base, kind) for kind in kinds if kind in OUTLINES),
        hatched(words.encode(x=alt.value(1 + _sample(kinds) / 2), y=_y("middle")), LINE - 6),
        inside.encode(x=alt.value(1 + _sample(kinds) / 2), y=_y("middle"), text="text:N"),
        behind.encode(x=alt.value(9 + _sample(kinds)), y=_y("middle"), text="meaning:N"),
    ]


def _sample(kinds: list[str]) -> float:
    return max([SAMPLE, *(text_width(EXPLAINED[kind].text, 12) + 14 for kind in kinds)])


def _x(column: str) -> alt.X:
    """A column of places in px."""
    return alt.X(f"{column}:Q", scale=None, axis=None)


def _y(column: str) -> alt.Y:
    return alt.Y(f"{column}:Q", scale=None, axis=None)
