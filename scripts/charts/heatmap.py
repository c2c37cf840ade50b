"""Heatmaps of a setting: contenders in rows, incumbents in columns (Prudentia Figs. 2, 11, 12 and 13)."""

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import Labels, of_instance
from scripts.charts.table_rows import PairRow, cells_of, scaled
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
        metric: the metric of PairRow whose median it shows.
        title: the question it answers.
        reading: what the number in a cell is.
        factor: the column is multiplied by it for display (100 for percent).
        unit: the unit of the number shown.
        decimals: decimals of the number in a cell.
        colours: the colours from the lower end of the domain to the upper end.
        domain: both ends, in the unit shown. An upper end of None stands for the largest value.
    """

    metric: str
    title: str
    reading: str
    factor: float
    unit: str
    decimals: int
    colours: list[str]
    domain: tuple[float, float | None]


HEATMAPS = {
    "share": Heatmap(
        "share",
        "Which services get a fair share",
        "Median MmF share, percent (100 is fair)",
        100,
        "%",
        0,
        _DIVERGING,
        (0, 200),
    ),
    "utilization": Heatmap(
        "utilization",
        "How well the link is used",
        "Median link utilization by both services, percent",
        100,
        "%",
        1,
        ["#f3eef8", "#b9a3d6", "#5b3a8c"],
        (50, 100),
    ),
    "loss": Heatmap(
        "loss_rate",
        "Which services lose packets",
        "Median loss rate of the incumbent, percent",
        100,
        "%",
        2,
        ["#fbf1ea", "#dd9a83", "#8c2d2a"],
        (0, None),
    ),
    "delay": Heatmap(
        "queueing_delay_ms",
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
        title=alt.Title(look.title, subtitle=[labels.setting(setting), look.reading, *_notes(rows)]),
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
        {"incumbent": labels.service(incumbent), "contender": labels.service(contender)}
        | _cell(by_key.get((incumbent, contender)), labels.matchup(incumbent, contender), look, labels)
        for contender in services
        for incumbent in services
    ]


def _cell(row: PairRow | None, names: str, look: Heatmap, labels: Labels) -> Datum:
    """The value, text and link of a cell. A cell without a row was not measured, and has no link."""
    if row is None:
        return {"value": None, "text": "–", "label": f"{names}: not measured"}
    cell: Datum = {"value": None, "text": "–", "href": f"../pairs/{row.setting}/{row.pair}/"}
    if row.unable:
        who = " and ".join(labels.service(service) for service in row.unable.split(","))
        why = f"{who} cannot do alone what a service must"
        return cell | {"text": "unable", "label": f"{names}: unable ({why})"}
    value = _value(row, look)
    if value is None:
        return cell | {"label": f"{names}: no valid trial"}
    shown = f"{value:.{look.decimals}f}"
    words = f"{names}{of_instance(row.instance)}: {shown} {look.unit}, n = {_figure(row, f'{look.metric}_n')}"
    if look.metric == "share" and row.instance == "worse_off" and row.jain_median is not None:
        words += f", Jain’s index {row.jain_median:.2f}"
    return cell | {"value": value, "text": shown, "label": words}


def _notes(rows: list[PairRow]) -> list[str]:
    """The meaning of cells that are unlike the others, where there are any."""
    itself = "A service against itself: the instance that got less in each trial"
    unable = "unable: a service of the pair cannot do alone what it must"
    return [
        note
        for note, shown in (
            (itself, any(row.instance == "worse_off" for row in rows)),
            (unable, any(row.unable for row in rows)),
        )
        if shown
    ]


def _value(row: PairRow, look: Heatmap) -> float | None:
    """The number of a cell, in the unit shown. A pair with a service that is unable has none."""
    return None if row.unable else scaled(_figure(row, f"{look.metric}_median"), look.factor)


def _figure(row: PairRow, column: str) -> float | None:
    """The value of a column of PairRow."""
    value: float | None = getattr(row, column)
    return value


def _scale(look: Heatmap, values: list[float]) -> alt.Scale:
    low, high = look.domain
    high = high if high is not None else max(values, default=0) or 1
    steps = len(look.colours) - 1
    stops = [low + (high - low) * step / steps for step in range(steps + 1)]
    return alt.Scale(domain=stops, range=look.colours, interpolate="lab", clamp=True)


def _layers(base: alt.Chart, scale: alt.Scale, cells: list[Datum]) -> list[alt.Chart]:
    """Tiles and their numbers. A cell without a value is an empty outline with a dash or a word."""
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
