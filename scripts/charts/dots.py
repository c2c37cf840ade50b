"""Every valid trial as a dot, so that the spread behind a median can be seen."""

import statistics

import altair as alt
import pyarrow as pa
import pyarrow.compute as pc

from scripts.charts.labels import Labels
from scripts.charts.theme import INK, RULE, Row, chart_of

WIDTH = 520
ROW = 34
ENOUGH_FOR_INTERVAL = 6


def pair_dots(
    trials: pa.Table, pairs: pa.Table, setting: str, labels: Labels, pair: str | None = None
) -> alt.LayerChart:
    """MmF share of each incumbent in each valid trial, one row an incumbent and contender.

    Args:
        trials: the table `trial_services`.
        pairs: the table `pairs` (allocations and intervals).
        setting: the setting to show.
        labels: titles and colours.
        pair: one pair only; every pair of the setting if None.
    """
    known = {
        (row["incumbent"], row["contender"]): row for row in pairs.to_pylist() if row["setting"] == setting
    }
    dots, rows = [], {}
    for trial in _valid(trials, setting, pair, clients=2):
        key = (trial["service"], trial["contender"])
        if key not in known or (trial["self_pair"] and trial["client"] != "c1"):
            continue
        name = f"{labels.service(key[0])} against {labels.service(key[1])}"
        rows[name] = {**known[key], "service": key[0]}
        dots.append(_dot(trial, name, 100 * trial["wire_rate_mbps"] / known[key]["allocation_mbps"]))
    ranges = [
        {"row": name, "low": 100 * row["share_low"], "high": 100 * row["share_high"]}
        for name, row in rows.items()
        if row["share_low"] is not None
    ]
    title = "Every trial of every pair" if pair is None else f"Every trial of {labels.pair(pair)}"
    return _chart(dots, ranges, title, "MmF share of the incumbent (percent)", labels, setting, fair=100)


def solo_dots(trials: pa.Table, solo: pa.Table, setting: str, service: str, labels: Labels) -> alt.LayerChart:
    """Wire rate of a service alone in each valid trial (arguments as of `pair_dots`)."""
    name = labels.pair(service)
    dots = [
        _dot(trial, name, trial["wire_rate_mbps"]) for trial in _valid(trials, setting, service, clients=1)
    ]
    ranges = [
        {"row": name, "low": row["wire_rate_low_mbps"], "high": row["wire_rate_high_mbps"]}
        for row in solo.to_pylist()
        if (row["setting"], row["service"]) == (setting, service) and row["wire_rate_low_mbps"] is not None
    ]
    return _chart(dots, ranges, f"Every trial of {name}", "Wire rate (Mbps)", labels, setting, fair=None)


def _valid(trials: pa.Table, setting: str, pair: str | None, clients: int) -> list[Row]:
    chosen = (pc.field("setting") == setting) & pc.field("valid") & (pc.field("clients") == clients)
    if pair is not None:
        chosen &= pc.field("pair") == pair
    rows: list[Row] = trials.filter(chosen).to_pylist()
    return rows


def _dot(trial: Row, row: str, value: float) -> Row:
    return {
        "row": row,
        "value": value,
        "service": trial["service"],
        "trial": f"{trial['trial']:02d}",
        "href": f"../trials/{trial['setting']}/{trial['pair']}/{trial['trial']:02d}/",
        "label": f"{row}, trial {trial['trial']:02d}: {value:.1f}",
    }


def _chart(
    dots: list[Row],
    ranges: list[Row],
    title: str,
    axis: str,
    labels: Labels,
    setting: str,
    fair: float | None,
) -> alt.LayerChart:
    rows = sorted({dot["row"] for dot in dots})
    medians = [
        {"row": row, "value": statistics.median(dot["value"] for dot in dots if dot["row"] == row)}
        for row in rows
    ]
    y = alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(domain=False, ticks=False, grid=True))
    x = alt.X("value:Q", title=axis, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=6))
    services = sorted({dot["service"] for dot in dots})
    colour = alt.Color(
        "service:N",
        legend=None,
        scale=alt.Scale(domain=services, range=[labels.colours[service] for service in services]),
    )
    marks = [
        chart_of(medians).mark_tick(thickness=2.5, size=22, color=INK, aria=False).encode(x=x, y=y),
        chart_of(dots)
        .mark_circle(size=95, opacity=0.8)
        .encode(x=x, y=y, color=colour, href="href:N", description="label:N", tooltip="label:N"),
    ]
    if ranges:
        band = chart_of(ranges).mark_rule(strokeWidth=7, color=RULE, opacity=0.45, aria=False)
        marks.insert(0, band.encode(y=y, x=alt.X("low:Q", title=axis), x2="high:Q"))
    if fair is not None:
        line = chart_of([{"value": fair}])
        marks.insert(0, line.mark_rule(color=INK, strokeDash=[4, 3], aria=False).encode(x=x))
    told = "; ".join(dot["label"] for dot in dots) or "no valid trial"
    return alt.LayerChart(layer=marks).properties(
        width=WIDTH,
        height=max(1, len(rows)) * ROW,
        description=f"{title}. {labels.setting(setting)}. {axis}. {told}.",
        title=alt.Title(title, subtitle=[labels.setting(setting), _reading(dots, rows)]),
    )


def _reading(dots: list[Row], rows: list[str]) -> str:
    """What the marks mean; with fewer than six trials there is no interval to draw."""
    fewest = min((sum(dot["row"] == row for dot in dots) for row in rows), default=0)
    if fewest < ENOUGH_FOR_INTERVAL:
        return f"A dot a valid trial, a bar the median; below {ENOUGH_FOR_INTERVAL} trials no interval"
    return "A dot a valid trial, a bar the median, a band its 95 % interval"
