"""The slowdown of flows alone, by their size: a line for each service (Zapletal and Kuipers 2023, Fig. 4)."""

import math
from collections import Counter
from collections.abc import Callable, Iterable

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.completion_rows import (
    BOUND,
    MEDIAN,
    CompletionRow,
    FlowRow,
    has_listed_sizes,
    highest_words,
    known,
)
from scripts.charts.exact_sizes import exact_sizes
from scripts.charts.median_lines import line_looks, median_lines
from scripts.charts.row_places import WIDTH
from scripts.charts.theme import INK, Datum, chart_of, headed
from scripts.model.campaign import Campaign

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

    Args:
        rows: the table `completions`.
        flows: reads the flows of this setting that count, of valid trials.
        setting: the setting to show.
        campaign: the merged configuration, which tells the services with a list of sizes.
        labels: titles and colours of the services.

    Returns:
        The chart, or None if no service alone has flows of several sizes.
    """
    alone = [flow for flow in flows() if not flow.contender]
    listed = {name for name, one in campaign.services.items() if has_listed_sizes(one)}
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
    dots = [_dot(flow, labels) for flow in alone if counts[flow.service] > 1 and flow.slowdown is not None]
    dots = dots if len(dots) <= MOST_DOTS else []
    points = [_point(row, labels) for row in shown]
    title = highest_words(
        shown,
        "Highest median slowdown alone",
        lambda row: f"{row.value:.1f}",
        lambda row: f"{labels.service(row.service)}, {row.size_class}",
    )
    words = "; ".join(str(point["label"]) for point in points)
    return alt.LayerChart(layer=_layers(points, dots, shown, labels)).properties(
        width=WIDTH,
        height=HEIGHT,
        description=f"{title}. {labels.setting(setting)}. Slowdown by size of flows. {words}.",
        title=headed(title, [labels.setting(setting), *_readings(shown, dots)], WIDTH),
    )


def _readings(rows: list[CompletionRow], dots: list[Datum]) -> list[str]:
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


def _point(row: CompletionRow, labels: Labels) -> Datum:
    """The median of a size or a size class. It links to the page of the service alone."""
    line = labels.service(row.service)
    return {
        "line": line,
        "size_class": row.size_class,
        "size_bytes": _middle(row),
        "slowdown": row.value,
        "low": row.low,
        "high": row.high,
        "end": row.end if row.open else None,
        "label": f"{line}, {row.size_class}: {row.words()}",
        "href": row.page,
    }


def _dot(flow: FlowRow, labels: Labels) -> Datum:
    return {
        "line": labels.service(flow.service),
        "size_bytes": flow.size_bytes,
        "slowdown": flow.slowdown,
        "trial": flow.trial,
        "censored": flow.censored,
    }


def _layers(
    points: list[Datum], dots: list[Datum], rows: list[CompletionRow], labels: Labels
) -> list[alt.Chart]:
    """Lines and points, in front of the flows, the intervals and the rules."""
    services = sorted({row.service for row in rows}, key=labels.service)
    looks = line_looks({labels.service(name): labels.colours[name] for name in services})
    sizes = [float(str(datum["size_bytes"])) for datum in [*points, *dots]]
    axis = alt.Axis(values=[10.0**power for power in range(2, 10)], labelExpr=SIZES, grid=False)
    x = alt.X(
        "size_bytes:Q",
        title="Size of a flow",
        axis=axis,
        scale=alt.Scale(type="log", domain=[min(sizes), max(sizes)], nice=False, padding=12),
    )
    ends = [row.end for row in rows] + [float(str(dot["slowdown"])) for dot in dots]
    scale = alt.Scale(domain=[0, 1.05 * max(2.2, *ends)], nice=False)

    def y(column: str) -> alt.Y:
        return alt.Y(
            f"{column}:Q", title="Slowdown (times the shortest time)", scale=scale, axis=alt.Axis(tickCount=6)
        )

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
