"""Heatmaps of a setting: each row a contender, each column an incumbent (Prudentia Figs. 2, 11, 12, 13)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import altair as alt
import pyarrow as pa

from scripts.charts.labels import Labels
from scripts.charts.theme import RULE, Row, chart_of

CELL = 88
NARROW_CELL = 54
MANY_SERVICES = 6

# Vermilion for less than the fair share, blue for more: told apart in every common colour blindness.
_DIVERGING = ["#b8480f", "#e9a26f", "#f5f1e8", "#86b3da", "#1f5f9f"]


@dataclass(frozen=True)
class Heatmap:
    """What one kind of heatmap shows.

    Attributes:
        column: the column of `pairs` it shows.
        title: what the number is.
        reading: how to read a cell.
        factor: what the column is multiplied by for display (100 for percent).
        unit: the unit of the number shown.
        decimals: how many the number in the cell has.
        colours: the ramp from the lower end of the domain to the upper.
        domain: both ends, in the unit shown; an upper end of None is the largest value.
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
        "Who gets a fair share",
        "Median MmF share, percent (100 is fair)",
        100,
        "%",
        0,
        _DIVERGING,
        (0, 200),
    ),
    "utilization": Heatmap(
        "utilization_median",
        "How full the link is",
        "Median link utilization of both, percent",
        100,
        "%",
        1,
        ["#f3eef8", "#b9a3d6", "#5b3a8c"],
        (50, 100),
    ),
    "loss": Heatmap(
        "loss_rate_median",
        "Who loses packets",
        "Median loss rate of the incumbent, percent",
        100,
        "%",
        2,
        ["#fbf1ea", "#dd9a83", "#8c2d2a"],
        (0, None),
    ),
    "delay": Heatmap(
        "queueing_delay_ms_median",
        "Who waits in the queue",
        "Median of its mean queueing delay, ms",
        1,
        "ms",
        0,
        ["#eef5f0", "#7fb8a4", "#15604f"],
        (0, None),
    ),
}


def cells_of(pairs: Iterable[Row], setting: str) -> list[Row]:
    """The rows of `pairs` that are cells of a setting's matrix: one service against one.

    What is not judged by throughput, a call or a web page, stands there as a contender but never as an
    incumbent, and is no cell.
    """
    rows = [row for row in pairs if row["setting"] == setting and "~" not in row["contender"]]
    judged = {row["incumbent"] for row in rows}
    return [row for row in rows if row["contender"] in judged]


def heatmap(pairs: pa.Table, setting: str, kind: str, labels: Labels) -> alt.LayerChart:
    """One heatmap of one setting, each cell linked to the page of its pair.

    Args:
        pairs: the table `pairs`.
        setting: the setting to show.
        kind: a key of HEATMAPS.
        labels: titles of settings and services.
    """
    look = HEATMAPS[kind]
    rows = cells_of(pairs.to_pylist(), setting)
    services = sorted({row["incumbent"] for row in rows} | {row["contender"] for row in rows})
    cells = _cells(rows, services, look, labels)
    found = [cell["value"] for cell in cells if cell["value"] is not None]
    side = len(services) * (CELL if len(services) < MANY_SERVICES else NARROW_CELL)
    x, y = _axes([labels.service(name) for name in services])
    base = chart_of(cells).encode(x=x, y=y)
    return alt.LayerChart(layer=_layers(base, _scale(look, found), cells)).properties(
        width=side,
        height=side,
        description=_description(cells, look, setting, labels),
        title=alt.Title(look.title, subtitle=[labels.setting(setting), look.reading]),
    )


def _axes(order: list[str]) -> tuple[alt.X, alt.Y]:
    """Incumbents to the right, contenders downwards; few names stand upright, on two lines."""
    few = len(order) < MANY_SERVICES
    scale = alt.Scale(domain=order)
    look: dict[str, Any] = {"domain": False, "ticks": False, "labelPadding": 7}
    if few:
        look["labelExpr"] = "split(replace(datum.label, ' (', '\\n('), '\\n')"
    x_axis, y_axis = alt.Axis(labelAngle=0 if few else -40, **look), alt.Axis(titlePadding=18, **look)
    x = alt.X("incumbent:N", sort=order, scale=scale, title="Incumbent (whose figure this is)", axis=x_axis)
    y = alt.Y("contender:N", sort=order, scale=scale, title="Contender (whom it met)", axis=y_axis)
    return x, y


def _cells(rows: list[Row], services: list[str], look: Heatmap, labels: Labels) -> list[Row]:
    """Every cell of the square."""
    by_key = {(row["incumbent"], row["contender"]): row for row in rows}
    return [
        _cell(by_key.get((incumbent, contender)), labels.service(incumbent), labels.service(contender), look)
        for contender in services
        for incumbent in services
    ]


def _cell(row: Row | None, incumbent: str, contender: str, look: Heatmap) -> Row:
    """One cell with its text and link; one without a row says that it was not measured."""
    names = f"{incumbent} against {contender}"
    cell: Row = {"incumbent": incumbent, "contender": contender, "value": None, "text": "–"}
    if row is None:
        return cell | {"label": f"{names}: not measured"}
    cell["href"] = f"../pairs/{row['setting']}/{row['pair']}/"
    if row[look.column] is None:
        return cell | {"label": f"{names}: no valid trial"}
    value = row[look.column] * look.factor
    shown = f"{value:.{look.decimals}f}"
    return cell | {"value": value, "text": shown, "label": f"{names}: {shown} {look.unit}, n = {row['n']}"}


def _scale(look: Heatmap, found: list[float]) -> alt.Scale:
    low, high = look.domain
    high = high if high is not None else max(found, default=0) or 1
    steps = len(look.colours) - 1
    stops = [low + (high - low) * step / steps for step in range(steps + 1)]
    return alt.Scale(domain=stops, range=look.colours, interpolate="lab", clamp=True)


def _layers(base: alt.Chart, scale: alt.Scale, cells: list[Row]) -> list[alt.Chart]:
    """Tiles and their numbers; a cell without a value is an empty outline with a dash."""
    told = base.encode(description="label:N", tooltip="label:N")
    linked = told.encode(href="href:N")
    measured = linked.transform_filter("isValid(datum.value)")
    outlines = [linked.transform_filter("!isValid(datum.value)")]
    if not all("href" in cell for cell in cells):  # a pair that was not to meet has no page
        with_page = linked.transform_filter("!isValid(datum.value) && isValid(datum.href)")
        outlines = [with_page, told.transform_filter("!isValid(datum.href)")]
    dark = alt.when("luminance(scale('color', datum.value)) < 0.18").then(alt.value("#fff"))
    return [
        *[mark for missing in outlines for mark in _outline(missing)],
        measured.mark_rect(cornerRadius=3, stroke="#8b929c40").encode(
            color=alt.Color("value:Q", scale=scale, legend=None)
        ),
        measured.mark_text(fontSize=17, fontWeight="bold", aria=False).encode(
            text="text:N", color=dark.otherwise(alt.value("#17191c"))
        ),
    ]


def _outline(missing: alt.Chart) -> list[alt.Chart]:
    return [
        missing.mark_rect(fillOpacity=0, stroke=RULE, strokeDash=[3, 3], strokeOpacity=0.7),
        missing.mark_text(color=RULE, fontSize=15, aria=False).encode(text="text:N"),
    ]


def _description(cells: list[Row], look: Heatmap, setting: str, labels: Labels) -> str:
    """What a reader who does not see the chart is told: every cell in words."""
    told = "; ".join(cell["label"] for cell in cells)
    return f"{look.title}. {labels.setting(setting)}. {look.reading}. Incumbent against contender: {told}."
