"""The completion times of a flow that meets a bulk flow, as box plots (Kunze et al. 2020, Fig. 9)."""

from collections.abc import Callable, Iterable

import altair as alt

from scripts.charts.chart_labels import ENOUGH, Labels
from scripts.charts.completion_rows import BOUND, CompletionRow, FlowRow, has_one_flow, highest_words, known
from scripts.charts.row_places import AXIS, RowPlaces, across, row_places, rows_chart, service_colours
from scripts.charts.table_rows import grouped, scaled
from scripts.charts.theme import LINKED, RULE, Datum, chart_of
from scripts.model.campaign import Campaign
from scripts.model.pairs import contenders

ROOM, BOX = 26, 18
SECOND = 0.001
"""A millisecond in seconds."""

TITLE = "Completion time without handshake (s)"


def completion_boxes(
    rows: Iterable[CompletionRow],
    flows: Callable[[], list[FlowRow]],
    setting: str,
    campaign: Campaign,
    labels: Labels,
) -> alt.LayerChart | None:
    """A box for each combination of a service of one flow and a bulk flow, and for the services alone.

    A trial has one flow, so the figures over flows are those over trials. The axis is equal in all settings.

    Returns:
        The chart, or None without such a pair.
    """
    shown = [row for row in known(rows, "data_ms") if row.size_class == "all" and _is_shown(row, campaign)]
    rows = [row for row in shown if row.setting == setting]
    medians = sorted(
        (row for row in rows if row.statistic == "median"),
        key=lambda row: (labels.service(row.service), labels.contender(row.contender)),
    )
    if not any(row.contender for row in medians):
        return None
    names = {labels.matchup(row.service, row.contender): row for row in medians}
    pooled = {(row.service, row.contender, row.statistic): scaled(row.pooled, SECOND) for row in rows}
    end = 1.06 * SECOND * max(max(row.pooled or 0, row.end) for row in shown)
    where = {row: name for name, row in names.items() if row.contender}
    title = highest_words(where, "Longest median", lambda ms: f"{SECOND * ms:.2f} s")
    words = "; ".join(f"{name}: {row.words(SECOND)}" for name, row in names.items())
    places = row_places(dict.fromkeys(names, ROOM))
    dots = _dots(flows(), places, labels)
    boxes = [_box(name, row, pooled, places.middle(name)) for name, row in names.items()]
    return rows_chart(
        _layers(boxes, dots, places, end, labels),
        places.height,
        title,
        [labels.setting(setting), *_readings(dots)],
        f"{title}. {labels.setting(setting)}. {TITLE}, median. {words}.",
    )


def _is_shown(row: CompletionRow, campaign: Campaign) -> bool:
    """Whether the row is of a service of one flow, alone or against a bulk flow."""
    others = [campaign.services[name] for name in contenders(row.contender)]
    alone_or_bulk = len(others) < 2 and all(service.judged_by_throughput for service in others)
    return has_one_flow(campaign.services[row.service]) and alone_or_bulk


def _readings(dots: list[Datum]) -> list[str]:
    """The meaning of the marks that the chart has."""
    lines = ["Dot: a trial; bar: median; box: quartiles; band: 95 % interval of the median (both for n ≥ 6)"]
    return [*lines, BOUND] if any(dot["censored"] for dot in dots) else lines


def _dots(flows: list[FlowRow], places: RowPlaces, labels: Labels) -> list[Datum]:
    """The trials of a row below each other in their order, the first at the top."""
    measured = sorted((flow for flow in flows if flow.data_ms is not None), key=lambda flow: flow.trial)
    of_rows = grouped(measured, lambda flow: labels.matchup(flow.service, flow.contender))
    return [
        _dot(flow, row, places.top(row) + ROOM * (place + 0.5) / len(of_row))
        for row, of_row in of_rows.items()
        if row in places.names
        for place, flow in enumerate(of_row)
    ]


def _dot(flow: FlowRow, name: str, y: float) -> Datum:
    """The flow of a trial. It links to the page of the trial."""
    value = SECOND * (flow.data_ms or 0)
    return {
        "row": name,
        "service": flow.service,
        "trial": flow.trial,
        "value": value,
        "censored": flow.censored,
        "label": f"{name}, trial {flow.key.nn}: {'≥ ' if flow.censored else ''}{value:.2f} s",
        "href": f"../trials/{flow.key.path}/",
        "y": y,
    }


def _layers(
    boxes: list[Datum], dots: list[Datum], places: RowPlaces, end: float, labels: Labels
) -> list[alt.Chart | alt.LayerChart]:
    """The trials in front of their box, whose interval is behind it."""
    colour = service_colours({box["service"] for box in boxes}, labels)
    x = across(TITLE, alt.Scale(domain=[0, end], nice=False), AXIS)
    drawn = chart_of(boxes)
    enough = drawn.transform_filter(f"datum.n >= {ENOUGH}")
    trials = chart_of(dots).encode(x=x("value"), y=places.y(), color=colour, **LINKED)
    return [
        places.frame(),
        enough.mark_rule(strokeWidth=ROOM, color=RULE, opacity=0.3, aria=False).encode(
            x=x("low"), x2="high:Q", y=places.y()
        ),
        enough.mark_rect(fillOpacity=0.15, strokeWidth=1.5, aria=False).encode(
            x=x("q1"), x2="q3:Q", y=places.y("top"), y2="bottom:Q", color=colour, stroke=colour
        ),
        places.bars(drawn, x("median")),
        trials.transform_filter("!datum.censored").mark_circle(size=28, opacity=0.9),
        trials.transform_filter("datum.censored").mark_point(
            shape="triangle-right", size=45, filled=True, opacity=0.9
        ),
    ]


def _box(
    name: str, row: CompletionRow, pooled: dict[tuple[str, str, str], float | None], middle: float
) -> Datum:
    """A box with its place: the median over the trials, and the quartiles by statistic."""
    quartiles = {key: pooled[row.service, row.contender, key] for key in ("q1", "median", "q3")}
    return {
        "row": name,
        "service": row.service,
        "n": row.n,
        **quartiles,
        "low": scaled(row.low, SECOND),
        "high": scaled(row.high, SECOND),
        "y": middle,
        "top": middle - BOX / 2,
        "bottom": middle + BOX / 2,
    }
