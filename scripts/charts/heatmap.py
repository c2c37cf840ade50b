"""Heatmaps of a setting: contenders in rows, incumbents in columns (Prudentia Figs. 2, 11, 12 and 13)."""

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import PairRow, cells_of
from scripts.charts.theme import RULE, Datum, chart_of

CELL = 88
NARROW_CELL = 54
MANY_SERVICES = 6

# Vermilion for less than the fair share, blue for more. Readers with any common colour blindness can
# distinguish them.
_DIVERGING = ["#b8480f", "#e9a26f", "#f5f1e8", "#86b3da", "#1f5f9f"]


@dataclass(frozen=True)
class Heatmap:
    """One kind of heatmap.

    Attributes:
        column: the attribute of PairRow that it shows.
        title: the question it answers.
        reading: what the number in a cell is.
        factor: the column is multiplied by it for display (100 for percent).
        unit: the unit of the number shown.
        decimals: decimals of the number in a cell.
        colours: the colours from the lower end of the domain to the upper end.
        domain: both ends, in the unit shown. An upper end of None stands for the largest value.
    """

    column: str
    title: str
    reading: str
    factor: float
    unit: str
    decimals: int
    colours: list[str]
    domain: tuple[float, float | None]


HEATMAPS = {
    "share": Heatmap(
        "share_median",
        "Which services get a fair share",
        "Median MmF share, percent (100 is fair)",
        100,
        "%",
        0,
        _DIVERGING,
        (0, 200),
    ),
    "utilization": Heatmap(
        "utilization_median",
        "How well the link is used",
        "Median link utilization by both services, percent",
        100,
        "%",
        1,
        ["#f3eef8", "#b9a3d6", "#5b3a8c"],
        (50, 100),
    ),
    "loss": Heatmap(
        "loss_rate_median",
        "Which services lose packets",
        "Median loss rate of the incumbent, percent",
        100,
        "%",
        2,
        ["#fbf1ea", "#dd9a83", "#8c2d2a"],
        (0, None),
    ),
    "delay": Heatmap(
        "queueing_delay_ms_median",
        "Which services wait in the queue",
        "Median of the incumbent’s mean queueing delay, ms",
        1,
        "ms",
        0,
        ["#eef5f0", "#7fb8a4", "#15604f"],
        (0, None),
    ),
}


def heatmap(pairs: Iterable[PairRow], setting: str, kind: str, labels: Labels) -> alt.LayerChart:
    """One heatmap of one setting. Each cell links to the page of its pair.

    Args:
        pairs: the table `pairs`.
        setting: the setting to show.
        kind: a key of HEATMAPS.
        labels: titles of settings and services.
    """
    look = HEATMAPS[kind]
    rows = cells_of(pairs, setting)
    services = sorted({row.incumbent for row in rows} | {row.contender for row in rows})
    cells = _cells(rows, services, look, labels)
    values = [value for row in rows if (value := _value(row, look)) is not None]
    side = len(services) * (CELL if len(services) < MANY_SERVICES else NARROW_CELL)
    x, y = _axes([labels.service(name) for name in services])
    base = chart_of(cells).encode(x=x, y=y)
    return alt.LayerChart(layer=_layers(base, _scale(look, values), cells)).properties(
        width=side,
        height=side,
        description=_description(cells, look, setting, labels),
        title=alt.Title(look.title, subtitle=[labels.setting(setting), look.reading]),
    )


def _axes(order: list[str]) -> tuple[alt.X, alt.Y]:
    """Incumbents from left to right, contenders from top to bottom. Few names have two lines."""
    few = len(order) < MANY_SERVICES
    scale = alt.Scale(domain=order)
    label = "split(replace(datum.label, ' (', '\\n('), '\\n')" if few else alt.Undefined
    x_axis = alt.Axis(
        domain=False, ticks=False, labelPadding=7, labelExpr=label, labelAngle=0 if few else -40
    )
    y_axis = alt.Axis(domain=False, ticks=False, labelPadding=7, labelExpr=label, titlePadding=18)
    x = alt.X("incumbent:N", sort=order, scale=scale, title="Incumbent (the service measured)", axis=x_axis)
    y = alt.Y("contender:N", sort=order, scale=scale, title="Contender (its competitor)", axis=y_axis)
    return x, y


def _cells(rows: list[PairRow], services: list[str], look: Heatmap, labels: Labels) -> list[Datum]:
    """Every cell of the square."""
    by_key = {(row.incumbent, row.contender): row for row in rows}
    return [
        _cell(by_key.get((incumbent, contender)), labels.service(incumbent), labels.service(contender), look)
        for contender in services
        for incumbent in services
    ]


def _cell(row: PairRow | None, incumbent: str, contender: str, look: Heatmap) -> Datum:
    """One cell with its text and link. A cell without a row was not measured, and has no link."""
    names = f"{incumbent} against {contender}"
    cell: Datum = {"incumbent": incumbent, "contender": contender, "value": None, "text": "–"}
    if row is None:
        return cell | {"label": f"{names}: not measured"}
    cell["href"] = f"../pairs/{row.setting}/{row.pair}/"
    value = _value(row, look)
    if value is None:
        return cell | {"label": f"{names}: no valid trial"}
    shown = f"{value:.{look.decimals}f}"
    return cell | {"value": value, "text": shown, "label": f"{names}: {shown} {look.unit}, n = {row.n}"}


def _value(row: PairRow, look: Heatmap) -> float | None:
    """The number of a cell, in the unit shown."""
    value: float | None = getattr(row, look.column)
    return None if value is None else value * look.factor


def _scale(look: Heatmap, values: list[float]) -> alt.Scale:
    low, high = look.domain
    high = high if high is not None else max(values, default=0) or 1
    steps = len(look.colours) - 1
    stops = [low + (high - low) * step / steps for step in range(steps + 1)]
    return alt.Scale(domain=stops, range=look.colours, interpolate="lab", clamp=True)


def _layers(base: alt.Chart, scale: alt.Scale, cells: list[Datum]) -> list[alt.Chart]:
    """Tiles and their numbers. A cell without a value is an empty outline with a dash."""
    described = base.encode(description="label:N", tooltip="label:N")
    linked = described.encode(href="href:N")
    measured = linked.transform_filter("isValid(datum.value)")
    empty = [linked.transform_filter("!isValid(datum.value)")]
    if not all("href" in cell for cell in cells):  # the campaign does not have this pair, so it has no page
        with_page = linked.transform_filter("!isValid(datum.value) && isValid(datum.href)")
        empty = [with_page, described.transform_filter("!isValid(datum.href)")]
    dark = alt.when("luminance(scale('color', datum.value)) < 0.18").then(alt.value("#fff"))
    return [
        *[mark for cell in empty for mark in _outline(cell)],
        measured.mark_rect(cornerRadius=3, stroke="#8b929c40").encode(
            color=alt.Color("value:Q", scale=scale, legend=None)
        ),
        measured.mark_text(fontSize=17, fontWeight="bold", aria=False).encode(
            text="text:N", color=dark.otherwise(alt.value("#17191c"))
        ),
    ]


def _outline(cell: alt.Chart) -> list[alt.Chart]:
    return [
        cell.mark_rect(fillOpacity=0, stroke=RULE, strokeDash=[3, 3], strokeOpacity=0.7),
        cell.mark_text(color=RULE, fontSize=15, aria=False).encode(text="text:N"),
    ]


def _description(cells: list[Datum], look: Heatmap, setting: str, labels: Labels) -> str:
    """The chart for readers who cannot see it: every cell in words."""
    words = "; ".join(str(cell["label"]) for cell in cells)
    return f"{look.title}. {labels.setting(setting)}. {look.reading}. Incumbent against contender: {words}."
