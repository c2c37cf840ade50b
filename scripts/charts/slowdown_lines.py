"""The slowdown of generated flows by RTT and by size (Zapletal and Kuipers 2023, Figs. 6 and 4)."""

import math
from collections import Counter
from collections.abc import Callable, Iterable

import altair as alt

from scripts.charts.chart_labels import PALETTE, Labels
from scripts.charts.completion_rows import (
    BOUND,
    MEDIAN,
    CompletionRow,
    FlowRow,
    exact_sizes,
    has_one_flow,
    highest_words,
    known,
)
from scripts.charts.median_lines import LineLooks, line_looks, median_lines
from scripts.charts.row_places import WIDTH, panel, rows_chart, upwards
from scripts.charts.table_rows import grouped
from scripts.charts.text_widths import lines_of
from scripts.charts.theme import INK, SUBTITLE_SIZE, Datum, chart_of, headed
from scripts.model.campaign import Campaign
from scripts.model.disciplines import DISCIPLINES
from scripts.model.settings import Setting

PANEL_HEIGHT = 120
EQUAL = 2
LINES = {"first": "First flow", "second": "Second flow"}
RTT = "RTT of the second flow (ms)"


def slowdown_by_rtt(
    rows: Iterable[CompletionRow], campaign: Campaign, labels: Labels
) -> alt.VConcatChart | None:
    """A panel for each service and link, in it a line for each of the two flows over the RTT of the second.

    Returns:
        The chart, or None without pairs of one flow each in settings that give the second client an RTT.
    """
    shown = [row for row in known(rows, "slowdown") if _is_of_two_flows(row, campaign)]
    if not shown:
        return None
    order = list(campaign.settings)
    shown.sort(key=lambda row: (labels.service(row.service), order.index(row.setting)))
    places = {row: _rtt_place(row, campaign.settings[row.setting], labels) for row in shown}
    points = [_rtt_point(row, campaign.settings[row.setting], labels) for row in shown]
    looks = line_looks(dict(zip(LINES.values(), PALETTE, strict=False)))
    rtts = sorted({point["rtt_ms"] for point in points})
    end = 1.1 * max(EQUAL, *(row.end for row in shown))
    of_panels = [*grouped(points, lambda point: str(point["panel"])).values()]
    panels = [_panel(panel, looks, rtts, end, panel is of_panels[-1]) for panel in of_panels]
    title = highest_words(places, "Highest median slowdown", "{:.2f}".format)
    words = "; ".join(point["label"] for point in points)
    bound = [BOUND] if any(row.open for row in shown) else []
    readings = [MEDIAN, *bound, f"Dashed: {EQUAL}, both flows at half the rate all the time"]
    return alt.vconcat(*panels, spacing=18).properties(
        description=f"{title}. {campaign.title}. {words}.",
        title=headed(title, [campaign.title, *readings], WIDTH),
    )


def _is_of_two_flows(row: CompletionRow, campaign: Campaign) -> bool:
    """Whether it is the figure of one of two equal flows, of which the second has an RTT of its own."""
    clients = campaign.settings[row.setting].clients
    return (
        len(clients) > 1
        and clients[1].rtt_ms is not None
        and row.contender == row.service
        and has_one_flow(campaign.services[row.service])
        and row.instance in LINES
        and (row.size_class, row.statistic) == ("all", "median")
    )


def _panel_name(row: CompletionRow, setting: Setting, labels: Labels) -> str:
    """The service, and what may differ: `Web, first flow at 20 ms; 100 Mbps, drop-tail, 250 packets`."""
    queue = (
        f"{setting.queue_bytes} bytes"
        if setting.queue_packets is None
        else f"{setting.queue_packets} packets"
    )
    discipline = DISCIPLINES[setting.discipline].title
    first_ms = setting.clients[0].rtt_ms or setting.rtt_ms
    link = f"first flow at {first_ms:g} ms; {setting.rate_mbps:g} Mbps, {discipline}, {queue}"
    return f"{labels.service(row.service)}, {link}"


def _rtt_place(row: CompletionRow, setting: Setting, labels: Labels) -> str:
    """Which of the two flows, the RTT of the second, and the panel."""
    flow = "second flow at" if row.instance == "second" else "first flow beside one at"
    return f"{flow} {setting.clients[1].rtt_ms:g} ms, {_panel_name(row, setting, labels)}"


def _rtt_point(row: CompletionRow, setting: Setting, labels: Labels) -> Datum:
    """The median of one flow. It links to the pair's page."""
    place = {"panel": _panel_name(row, setting, labels), "line": LINES[row.instance]}
    rtt = {"rtt_ms": setting.clients[1].rtt_ms}
    return place | rtt | _figure(row, _rtt_place(row, setting, labels))


def _figure(row: CompletionRow, where: str) -> Datum:
    """The columns of a median that `median_lines` reads."""
    return {
        "slowdown": row.value,
        "low": row.low,
        "high": row.high,
        "end": row.end if row.open else None,
        "label": f"{where}: {row.words()}",
        "href": row.page,
    }


def _panel(
    points: list[Datum], looks: LineLooks, rtts: list[float], end: float, last: bool
) -> alt.LayerChart:
    """The two lines of one service on one link. The last panel has the title of the axis that all share."""
    x = alt.X(
        "rtt_ms:Q",
        title=RTT if last else None,
        scale=alt.Scale(type="log", domain=[rtts[0], rtts[-1]], nice=False, padding=20),
        axis=alt.Axis(values=rtts, grid=False, labelOverlap="greedy"),
    )
    y = upwards("Slowdown", alt.Scale(domain=[0, end], nice=False), 4)
    equal = chart_of([{"slowdown": EQUAL}]).mark_rule(color=INK, strokeDash=[4, 3], aria=False)
    layers = [equal.encode(y=y("slowdown")), *median_lines(points, looks, x, "slowdown", y)]
    return panel(layers, PANEL_HEIGHT, lines_of(points[0]["panel"], WIDTH, SUBTITLE_SIZE))


HEIGHT = 260
MOST_DOTS = 600
"""With more flows in a setting, their dots would hide the lines."""

STEP = math.sqrt(10)
"""A size class ends at about so many times its beginning (scripts/model/size_classes.py)."""

SIZES = "datum.value < 1e6 ? datum.value / 1e3 + ' kB' : datum.value / 1e6 + ' MB'"
IDEAL = "Line: 1, the shortest possible time; dashed: 2, a handshake and one round trip"


def slowdown_by_size(
    rows: Iterable[CompletionRow],
    flows: Callable[[], list[FlowRow]],
    setting: str,
    campaign: Campaign,
    labels: Labels,
) -> alt.LayerChart | None:
    """The median slowdown of each size, with its interval, and the single flows as dots.

    Services with a list of sizes have a median for each of them, the others one for each size class.

    Returns:
        The chart, or None if no service alone has flows of several sizes.
    """
    alone = [flow for flow in flows() if not flow.contender]
    generators = {name: service.generator for name, service in campaign.services.items()}
    listed = {
        name for name, generator in generators.items() if generator and generator.sizes_bytes.kind == "fixed"
    }
    medians = [
        row
        for row in known(rows, "slowdown")
        if (row.setting, row.contender, row.statistic) == (setting, "", "median")
        and row.size_class != "all"
        and row.service not in listed
    ] + exact_sizes(flow for flow in alone if flow.service in listed)
    counts = Counter(row.service for row in medians)
    shown = [row for row in medians if counts[row.service] > 1]
    if not shown:
        return None
    dots: list[Datum] = [
        {
            "line": labels.service(flow.service),
            "size_bytes": flow.size_bytes,
            "slowdown": flow.slowdown,
            "trial": flow.trial,
            "censored": flow.censored,
        }
        for flow in alone
        if counts[flow.service] > 1 and flow.slowdown is not None
    ]
    dots = dots if len(dots) <= MOST_DOTS else []
    points = [_size_point(row, labels) for row in shown]
    places = {row: f"{labels.service(row.service)}, {row.size_class}" for row in shown}
    title = highest_words(places, "Highest median slowdown alone", "{:.1f}".format)
    words = "; ".join(point["label"] for point in points)
    return rows_chart(
        _size_layers(points, dots, shown, labels),
        HEIGHT,
        title,
        [labels.setting(setting), *_size_readings(shown, dots)],
        f"{title}. {labels.setting(setting)}. Slowdown by size of flows. {words}.",
    )


def _size_readings(rows: list[CompletionRow], dots: list[Datum]) -> list[str]:
    """The meaning of the marks that the chart has."""
    lines = [f"Slowdown by size. {MEDIAN}"]
    if dots:
        lines.append("Small dot: a flow at its own size")
    if any(row.open for row in rows) or any(dot["censored"] for dot in dots):
        lines.append(BOUND)
    return [*lines, IDEAL]


def _middle(row: CompletionRow) -> float:
    """The geometric middle of a size class, or a single size; bytes."""
    end = row.to_bytes or STEP * row.from_bytes
    return math.sqrt((row.from_bytes or end / STEP) * end)


def _size_point(row: CompletionRow, labels: Labels) -> Datum:
    """The median of a size or a size class. It links to the page of the service alone."""
    line = labels.service(row.service)
    place = {"line": line, "size_class": row.size_class, "size_bytes": _middle(row)}
    return place | _figure(row, f"{line}, {row.size_class}")


def _size_layers(
    points: list[Datum], dots: list[Datum], rows: list[CompletionRow], labels: Labels
) -> list[alt.Chart]:
    """Lines and points, in front of the flows, the intervals and the rules."""
    services = sorted({row.service for row in rows}, key=labels.service)
    looks = line_looks({labels.service(name): labels.colours[name] for name in services})
    sizes = [datum["size_bytes"] for datum in [*points, *dots]]
    axis = alt.Axis(values=[10.0**power for power in range(2, 10)], labelExpr=SIZES, grid=False)
    x = alt.X(
        "size_bytes:Q",
        title="Size of a flow",
        axis=axis,
        scale=alt.Scale(type="log", domain=[min(sizes), max(sizes)], nice=False, padding=12),
    )
    ends = [row.end for row in rows] + [dot["slowdown"] for dot in dots]
    scale = alt.Scale(domain=[0, 1.05 * max(2.2, *ends)], nice=False)
    y = upwards("Slowdown (times the shortest time)", scale, 6)
    rules = [
        chart_of([{"slowdown": at}]).mark_rule(color=INK, strokeDash=dash, aria=False).encode(y=y("slowdown"))
        for at, dash in ((1, [1, 0]), (2, [4, 3]))
    ]
    flows = chart_of(dots).encode(x=x, y=y("slowdown"), color=looks.colour)
    return [
        *rules,
        flows.transform_filter("!datum.censored").mark_circle(size=10, opacity=0.45, aria=False),
        flows.transform_filter("datum.censored").mark_point(shape="triangle-up", size=30, aria=False),
        *median_lines(points, looks, x, "slowdown", y),
    ]
