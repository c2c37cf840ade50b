"""Heatmaps of a setting: contenders in rows, incumbents in columns (Prudentia Figs. 2, 11, 12 and 13)."""

from collections.abc import Collection, Iterable

import altair as alt

from scripts.charts.chart_labels import Labels, label_lines
from scripts.charts.heatmap_cells import HARMS, HEATMAPS, Heatmap, heatmap_cells
from scripts.charts.heatmap_legend import OUTLINES, bin_colours, heatmap_legend, outlined
from scripts.charts.heatmap_titles import heatmap_title
from scripts.charts.scales import INKS, MISSING
from scripts.charts.table_rows import PairRow, cells_of
from scripts.charts.text_widths import lines_of
from scripts.charts.theme import INK, Datum, chart_of, headed

CELL = 88
NARROW_CELL = 54
MANY_SERVICES = 6
AXIS_TITLE, NARROWEST = 45, 420
LABEL_WIDTHS = range(150, 400, 10)


def heatmap(pairs: Iterable[PairRow], setting: str, kind: str, labels: Labels) -> alt.VConcatChart:
    """One heatmap of one setting, below its legend. Each cell links to the page of its pair.

    Args:
        pairs: the table `pairs`.
        setting: the setting to show.
        kind: a key of HEATMAPS or HARMS.
        labels: titles of settings and services.
    """
    look = (HEATMAPS | HARMS)[kind]
    rows = cells_of(pairs, setting)
    services = sorted({row.incumbent for row in rows} | {row.contender for row in rows})
    cells = heatmap_cells(rows, services, look, labels)
    names = [labels.service(name) for name in services]
    side = len(services) * (CELL if len(services) < MANY_SERVICES else NARROW_CELL)
    title = heatmap_title(rows, look, labels)
    subtitle = [labels.setting(setting), look.reading, *_notes(rows)]
    missing = {str(cell["state"]) for cell in cells}
    matrix = _matrix(cells, names, look).properties(width=side, height=side)
    return alt.vconcat(heatmap_legend(look.scale, missing, side), matrix, spacing=16).properties(
        description=_description(title, cells, look, setting, labels),
        title=headed(title, subtitle, max(NARROWEST, side + AXIS_TITLE + _label_width(names))),
    )


def _matrix(cells: list[Datum], order: list[str], look: Heatmap) -> alt.LayerChart:
    """Tiles and their numbers; dashed outlines where there is no value."""
    x, y = _axes(order)
    described = chart_of(cells).encode(x=x, y=y, description="label:N", tooltip="label:N")
    measured = described.encode(href="href:N").transform_filter(alt.datum.state == "measured")
    light = [level for level in range(len(look.scale.colours)) if look.scale.ink(level) == "light"]
    ink = alt.when(alt.FieldOneOfPredicate("level", light)).then(alt.value(INKS["light"]))
    return alt.LayerChart(
        layer=[
            *_empty(described, {str(cell["state"]) for cell in cells}),
            measured.mark_rect(cornerRadius=3, stroke="#8b929c40").encode(color=bin_colours(look.scale)),
            measured.mark_text(fontSize=17, fontWeight="bold", aria=False).encode(
                text="text:N", color=ink.otherwise(alt.value(INKS["dark"]))
            ),
        ]
    )


def _empty(cells: alt.Chart, states: Collection[str]) -> list[alt.Chart]:
    """The cells without a value. A pair that was not measured has no page."""
    layers = []
    for state in sorted(set(states) & set(OUTLINES)):
        linked = cells if state == "unmeasured" else cells.encode(href="href:N")
        layers.append(outlined(linked, state))
        if MISSING[state].text:
            of_state = linked.transform_filter(alt.datum.state == state)
            layers.append(of_state.mark_text(color=INK, fontSize=13, aria=False).encode(text="text:N"))
    return layers


def _axes(order: list[str]) -> tuple[alt.X, alt.Y]:
    """Incumbents from left to right, contenders from top to bottom. Long names have two lines or more."""
    few = len(order) < MANY_SERVICES
    x_axis = alt.Axis(
        domain=False,
        ticks=False,
        labelPadding=7,
        labelExpr=label_lines(order, CELL - 6 if few else _label_width(order)),
        labelAngle=0 if few else -40,
    )
    y_axis = alt.Axis(
        domain=False,
        ticks=False,
        labelPadding=7,
        labelExpr=label_lines(order, _label_width(order)),
        titlePadding=18,
    )
    scale = alt.Scale(domain=order)
    x = alt.X("incumbent:N", sort=order, scale=scale, title="Incumbent (the service measured)", axis=x_axis)
    y = alt.Y("contender:N", sort=order, scale=scale, title="Contender (its competitor)", axis=y_axis)
    return x, y


def _label_width(names: list[str]) -> int:
    """The width at which no name needs more than two lines."""
    return next(
        (width for width in LABEL_WIDTHS if all(len(lines_of(name, width)) <= 2 for name in names)),
        LABEL_WIDTHS[-1],
    )


def _notes(rows: list[PairRow]) -> list[str]:
    """The meaning of the diagonal, where there is one."""
    itself = "A service against itself: the instance that got less in each trial"
    return [itself] if any(row.instance == "worse_off" for row in rows) else []


def _description(title: str, cells: list[Datum], look: Heatmap, setting: str, labels: Labels) -> str:
    """The chart for readers who cannot see it: every cell in words."""
    words = "; ".join(str(cell["label"]) for cell in cells)
    return f"{title}. {labels.setting(setting)}. {look.reading}. Incumbent against contender: {words}."
