"""The drawing of a dot chart: a row for each median, valid trials as dots, excluded ones hollow."""

import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.row_places import AXIS, WIDTH, RowPlaces, row_places, share_scale
from scripts.charts.theme import INK, MUTED, RULE, Datum, chart_of, headed

ENOUGH = 6
"""With fewer trials a median has no interval (scripts/metrics/statistics.py), so there is no verdict."""

ROOM, EXCLUDED_ROOM = 32, 14
SIZE = 62


@dataclass(frozen=True)
class Dot:
    """A completed trial: `row` is the chart's row, `value` is in the unit of the axis."""

    row: str
    value: float
    valid: bool
    service: str
    trial: str
    href: str
    label: str


@dataclass(frozen=True)
class DotChart:
    """What a dot chart shows.

    Attributes:
        name: the pair or solo in words.
        lead: words before the title; may be empty.
        setting: the setting in words.
        rows: the rows from top to bottom.
        dots: the completed trials.
        intervals: the ends of the interval of a row's median, by row.
        failed: how many trials have no value.
        axis: the title of the axis.
        unit: what stands behind a value.
        of: words at the end of the title; may be empty.
        decimals: decimals of a value.
        share: whether the values are shares in percent.
    """

    name: str
    lead: str
    setting: str
    rows: list[str]
    dots: list[Dot]
    intervals: dict[str, tuple[float, float]]
    failed: int
    axis: str
    unit: str
    of: str
    decimals: int
    share: bool

    def valid(self, row: str) -> list[Dot]:
        """The valid trials of a row, in their order."""
        return sorted((dot for dot in self.dots if dot.valid and dot.row == row), key=lambda dot: dot.trial)

    @property
    def medians(self) -> dict[str, float]:
        """The medians of the rows with a valid trial."""
        valid = {row: [dot.value for dot in self.valid(row)] for row in self.rows}
        return {row: statistics.median(values) for row, values in valid.items() if values}

    @property
    def n(self) -> int:
        """The valid trials of the row with the fewest."""
        return min((len(self.valid(row)) for row in self.rows), default=0)


def dot_chart(shown: DotChart, labels: Labels) -> alt.LayerChart:
    """The chart. Its title says what was found, its description has every value."""
    excluded = any(not dot.valid for dot in shown.dots)
    rows = row_places(dict.fromkeys(shown.rows, ROOM + EXCLUDED_ROOM * excluded))
    title, values = _title(shown), "; ".join(dot.label for dot in shown.dots) or "no valid trial"
    return alt.LayerChart(layer=_layers(shown, rows, labels)).properties(
        width=WIDTH,
        height=rows.height,
        description=f"{shown.name}, every trial. {title}. {shown.setting}. {shown.axis}. {values}.",
        title=headed(title, [shown.setting, *_readings(shown)], WIDTH),
    )


def _title(shown: DotChart) -> str:
    """The medians as a sentence."""
    found = [f"{row} {value:.{shown.decimals}f}{shown.unit}" for row, value in shown.medians.items()]
    if not found:
        return f"{shown.name}: no valid trial"
    seen = "" if shown.n >= ENOUGH else "Seen: "
    return f"{seen}{shown.lead}{', '.join(found)}{shown.of}"


def _readings(shown: DotChart) -> list[str]:
    """The meaning of the marks that the chart has, and the trials without one."""
    interval = "band: its 95 % interval" if shown.n >= ENOUGH else f"no interval with fewer than {ENOUGH}"
    lines = [f"n = {shown.n}. Dot: valid trial, the first at the top; bar: median; {interval}"]
    if any(not dot.valid for dot in shown.dots):
        lines.append("Hollow: excluded trial, not in the median")
    if shown.failed:
        lines.append(f"{shown.failed} {'trial' if shown.failed == 1 else 'trials'} failed, without a value")
    return lines


def _layers(shown: DotChart, rows: RowPlaces, labels: Labels) -> list[alt.Chart | alt.LayerChart]:
    """Dots and medians, with intervals and the line of the fair share behind them."""
    values = [dot.value for dot in shown.dots]
    ends = [end for interval in shown.intervals.values() for end in interval]
    scale = share_scale(values + ends) if shown.share else alt.Scale(domain=[0, _end(values + ends)])
    x = alt.X("value:Q", title=shown.axis, scale=scale, axis=AXIS)
    colour = service_colours({dot.service for dot in shown.dots}, labels)
    linked = {"href": "href:N", "description": "label:N", "tooltip": "label:N"}
    valid, hollow = _placed(shown, rows)
    layers: list[alt.Chart | alt.LayerChart] = [rows.frame(x if shown.share else None)]
    layers += [
        chart_of(_intervals(shown, rows))
        .mark_rule(strokeWidth=8, color=RULE, opacity=0.45, aria=False)
        .encode(y=rows.y(), x=alt.X("low:Q", title=shown.axis, scale=scale), x2="high:Q"),
        chart_of(_medians(shown, rows))
        .mark_rule(strokeWidth=2.5, color=INK, aria=False)
        .encode(x=x, y=rows.y("top"), y2="bottom:Q"),
        chart_of(valid).mark_circle(size=SIZE, opacity=0.85).encode(x=x, y=rows.y(), color=colour, **linked),
    ]
    if hollow:
        outlines = chart_of(hollow).mark_point(size=SIZE, filled=False, strokeWidth=1.8, opacity=1)
        layers.append(outlines.encode(x=x, y=rows.y(), color=colour, **linked))
    unmeasured: list[Datum] = [{"y": rows.middle(row)} for row in shown.rows if row not in shown.medians]
    if unmeasured:
        words = chart_of(unmeasured).mark_text(align="left", fontSize=13, color=MUTED, aria=False)
        layers.append(words.encode(y=rows.y(), x=alt.value(0), text=alt.value("no valid trial")))
    return layers


def service_colours(services: Iterable[str], labels: Labels) -> alt.Color:
    """The colours of marks with a `service`."""
    names = sorted(services)
    scale = alt.Scale(domain=names, range=[labels.colours[name] for name in names])
    return alt.Color("service:N", legend=None, scale=scale)


def _end(values: list[float]) -> float:
    """The end of an axis that begins at 0."""
    return 1.04 * max(values, default=0) or 1


def _placed(shown: DotChart, rows: RowPlaces) -> tuple[list[Datum], list[Datum]]:
    """The valid trials below each other in their order, and the excluded ones in a line below these."""
    valid: list[Datum] = [
        asdict(dot) | {"y": rows.top(row) + ROOM * (place + 0.5) / len(shown.valid(row))}
        for row in shown.rows
        for place, dot in enumerate(shown.valid(row))
    ]
    hollow: list[Datum] = [
        asdict(dot) | {"y": rows.top(dot.row) + ROOM + EXCLUDED_ROOM / 2}
        for dot in shown.dots
        if not dot.valid
    ]
    return valid, hollow


def _intervals(shown: DotChart, rows: RowPlaces) -> list[Datum]:
    return [
        {"row": row, "y": rows.top(row) + ROOM / 2, "low": low, "high": high}
        for row, (low, high) in shown.intervals.items()
    ]


def _medians(shown: DotChart, rows: RowPlaces) -> list[Datum]:
    return [
        {"row": row, "top": rows.top(row), "bottom": rows.top(row) + ROOM, "value": value}
        for row, value in shown.medians.items()
    ]
