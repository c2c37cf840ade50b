"""Dots, so that readers see the spread behind a median: trials of a pair or solo, or pairs of a setting."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import altair as alt

from scripts.charts.chart_labels import ENOUGH, INSTANCES, Labels, seen_unless
from scripts.charts.row_places import AXIS, RowPlaces, row_places, rows_chart, service_colours, share_scale
from scripts.charts.table_rows import PairRow, ServiceRow, SoloRow, cells_of, grouped
from scripts.charts.theme import LINKED, MUTED, RULE, Datum, chart_of
from scripts.figures.words import several

ROOM, EXCLUDED_ROOM = 32, 14
SIZE = 62


@dataclass(frozen=True)
class Quantity:
    """What the dots show: the title of its axis, and a dot, a median and the end of a title in words."""

    axis: str
    dot: str
    median: str
    of: str


SHARE = Quantity("MmF share (percent; 100 is fair)", "{:.1f} percent", "{:.0f} %", " of a fair share")
RATE = Quantity("Wire rate (Mbps)", "{:.2f} Mbps", "{:.2f} Mbps", "")


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
        name, setting: the pair or solo, and the setting, in words.
        quantity: what the dots show.
        rows: the rows from top to bottom.
        dots: the completed trials.
        intervals: the ends of the interval of a row's median, by row.
        failed: how many trials have no value.
        lead: words before the title; may be empty.
    """

    name: str
    setting: str
    quantity: Quantity
    rows: list[str]
    dots: list[Dot]
    intervals: dict[str, tuple[float, float]]
    failed: int
    lead: str = ""

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


def pair_dots(
    trials: Sequence[ServiceRow], pairs: Iterable[PairRow], setting: str, pair: str, labels: Labels
) -> alt.LayerChart:
    """MmF share of each incumbent of a pair in each trial, a row for each incumbent.

    A self-pair has two rows: the instance that got less in a trial, and the one that got more.
    """
    rows = sorted(
        (row for row in pairs if (row.setting, row.pair) == (setting, pair)),
        key=lambda row: (row.instance == "better_off", row.incumbent),
    )
    names = {row: _name(row, labels) for row in rows}
    by_client = {(row.incumbent, row.contender, row.instance): row for row in rows}
    own = [trial for trial in trials if (trial.setting, trial.pair) == (setting, pair)]
    dots = [
        _dot(trial, names[row], 100 * trial.wire_rate_mbps / row.allocation_mbps, SHARE)
        for trial in own
        if trial.wire_rate_mbps is not None
        and (row := by_client.get((trial.service, trial.contender, trial.instance)))
    ]
    intervals = {
        names[row]: (100 * row.share_low, 100 * row.share_high)
        for row in rows
        if row.share_low is not None and row.share_high is not None
    }
    name = labels.pair(pair)
    lead = f"{name}: " if any(row.instance in INSTANCES for row in rows) else ""
    shown = [*names.values()]
    return dot_chart(
        DotChart(name, labels.setting(setting), SHARE, shown, dots, intervals, _failed(own), lead), labels
    )


def solo_dots(
    trials: Sequence[ServiceRow], solo: Iterable[SoloRow], setting: str, service: str, labels: Labels
) -> alt.LayerChart:
    """Wire rate of a service alone in each trial. The arguments are those of `pair_dots`."""
    name = labels.pair(service)
    own = [trial for trial in trials if (trial.setting, trial.pair) == (setting, service)]
    dots = [
        _dot(trial, name, trial.wire_rate_mbps, RATE) for trial in own if trial.wire_rate_mbps is not None
    ]
    intervals = {
        labels.pair(row.service): (row.wire_rate_low_mbps, row.wire_rate_high_mbps)
        for row in solo
        if (row.setting, row.service) == (setting, service)
        and row.wire_rate_low_mbps is not None
        and row.wire_rate_high_mbps is not None
    }
    return dot_chart(
        DotChart(name, labels.setting(setting), RATE, [name], dots, intervals, _failed(own)), labels
    )


def _name(row: PairRow, labels: Labels) -> str:
    """The incumbent. Of a self-pair, the chart's title has the service and the row only the instance."""
    instance = INSTANCES.get(row.instance, "").removeprefix(", ")
    return instance or labels.service(row.incumbent)


def _failed(trials: Iterable[ServiceRow]) -> int:
    return len({trial.trial for trial in trials if trial.wire_rate_mbps is None})


def _dot(trial: ServiceRow, row: str, value: float, quantity: Quantity) -> Dot:
    nn = trial.key.nn
    excluded = "" if trial.valid else ", excluded"
    return Dot(
        row=row,
        value=value,
        valid=trial.valid,
        service=trial.service,
        trial=nn,
        href=f"../trials/{trial.key.path}/",
        label=f"{row}, trial {nn}: {quantity.dot.format(value)}{excluded}",
    )


def dot_chart(shown: DotChart, labels: Labels) -> alt.LayerChart:
    """The chart. Its title says what was found, its description has every value."""
    excluded = any(not dot.valid for dot in shown.dots)
    rows = row_places(dict.fromkeys(shown.rows, ROOM + EXCLUDED_ROOM * excluded))
    title, values = _title(shown), "; ".join(dot.label for dot in shown.dots) or "no valid trial"
    return rows_chart(
        _layers(shown, rows, labels),
        rows.height,
        title,
        [shown.setting, *_readings(shown)],
        f"{shown.name}, every trial. {title}. {shown.setting}. {shown.quantity.axis}. {values}.",
    )


def _title(shown: DotChart) -> str:
    """The medians as a sentence."""
    medians = [f"{row} {shown.quantity.median.format(value)}" for row, value in shown.medians.items()]
    if not medians:
        return f"{shown.name}: no valid trial"
    seen = "" if shown.n >= ENOUGH else "Seen: "
    return f"{seen}{shown.lead}{', '.join(medians)}{shown.quantity.of}"


def _readings(shown: DotChart) -> list[str]:
    """The meaning of the marks that the chart has, and the trials without one."""
    interval = "band: its 95 % interval" if shown.n >= ENOUGH else f"no interval with fewer than {ENOUGH}"
    lines = [f"n = {shown.n}. Dot: valid trial, the first at the top; bar: median; {interval}"]
    if any(not dot.valid for dot in shown.dots):
        lines.append("Hollow: excluded trial, not in the median")
    if shown.failed:
        lines.append(f"{several(shown.failed, 'trial')} failed, without a value")
    return lines


def _layers(shown: DotChart, rows: RowPlaces, labels: Labels) -> list[alt.Chart | alt.LayerChart]:
    """Dots and medians, with intervals and the line of the fair share behind them."""
    values = [dot.value for dot in shown.dots]
    ends = [end for interval in shown.intervals.values() for end in interval]
    end = 1.04 * max(values + ends, default=0) or 1
    scale = share_scale(values + ends) if shown.quantity is SHARE else alt.Scale(domain=[0, end])
    x = alt.X("value:Q", title=shown.quantity.axis, scale=scale, axis=AXIS)
    colour = service_colours({dot.service for dot in shown.dots}, labels)
    intervals: list[Datum] = [
        {"row": row, "y": rows.top(row) + ROOM / 2, "low": low, "high": high}
        for row, (low, high) in shown.intervals.items()
    ]
    medians: list[Datum] = [
        {"row": row, "top": rows.top(row), "bottom": rows.top(row) + ROOM, "value": value}
        for row, value in shown.medians.items()
    ]
    valid, hollow = _placed(shown, rows)
    layers: list[alt.Chart | alt.LayerChart] = [rows.frame(x if shown.quantity is SHARE else None)]
    layers += [
        chart_of(intervals)
        .mark_rule(strokeWidth=8, color=RULE, opacity=0.45, aria=False)
        .encode(y=rows.y(), x=alt.X("low:Q", title=shown.quantity.axis, scale=scale), x2="high:Q"),
        rows.bars(chart_of(medians), x),
        chart_of(valid).mark_circle(size=SIZE, opacity=0.85).encode(x=x, y=rows.y(), color=colour, **LINKED),
    ]
    if hollow:
        outlines = chart_of(hollow).mark_point(size=SIZE, filled=False, strokeWidth=1.8, opacity=1)
        layers.append(outlines.encode(x=x, y=rows.y(), color=colour, **LINKED))
    unmeasured: list[Datum] = [{"y": rows.middle(row)} for row in shown.rows if row not in shown.medians]
    if unmeasured:
        words = chart_of(unmeasured).mark_text(align="left", fontSize=13, color=MUTED, aria=False)
        layers.append(words.encode(y=rows.y(), x=alt.value(0), text=alt.value("no valid trial")))
    return layers


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


CELL_ROOM, CELL_SIZE = 18, 60
CELL_SHARE = "Median MmF share (percent; 100 is fair)"


def setting_dots(pairs: Iterable[PairRow], setting: str, labels: Labels) -> alt.LayerChart | None:
    """The median share of each incumbent against each contender. None if no cell has a share.

    Cells with fewer than six valid trials are hollow. The services that get least come first.
    """
    cells = [row for row in cells_of(pairs, setting) if not row.unable and row.share_median is not None]
    if not cells:
        return None
    medians = {
        name: statistics.median(map(_share, of_incumbent))
        for name, of_incumbent in grouped(cells, lambda row: labels.service(row.incumbent)).items()
    }
    rows = row_places(dict.fromkeys(sorted(medians, key=lambda name: (medians[name], name)), CELL_ROOM))
    dots = [_cell_dot(row, rows, labels) for row in cells]
    title = _setting_title(cells)
    readings = ["Dot: median of a pair; bar: median of these. The heatmap has the same numbers"]
    if any(row.share_n < ENOUGH for row in cells):
        readings.append(f"Hollow: fewer than {ENOUGH} valid trials, no verdict")
    words = "; ".join(dot["label"] for dot in dots)
    return rows_chart(
        _cell_layers(dots, medians, rows, labels),
        rows.height,
        title,
        [labels.setting(setting), *readings],
        f"{title}. {labels.setting(setting)}. {CELL_SHARE}. {words}.",
    )


def _share(row: PairRow) -> float:
    return 100 * (row.share_median or 0)


def _setting_title(cells: list[PairRow]) -> str:
    """From where to where the shares are, of those with enough trials if there are any.

    It names no cell: the lowest of many medians is the lowest partly by chance.
    """
    enough = [row for row in cells if row.share_n >= ENOUGH]
    shares = [_share(row) for row in enough or cells]
    return seen_unless(enough, f"Median shares from {min(shares):.0f} to {max(shares):.0f} %")


def _cell_dot(row: PairRow, rows: RowPlaces, labels: Labels) -> Datum:
    name = labels.service(row.incumbent)
    matchup = labels.matchup(row.incumbent, row.contender, row.instance)
    return {
        "row": name,
        "y": rows.middle(name),
        "value": _share(row),
        "enough": row.share_n >= ENOUGH,
        "service": row.incumbent,
        "label": f"{matchup}: {_share(row):.0f} %, n = {row.share_n}",
    }


def _cell_layers(
    dots: list[Datum], medians: dict[str, float], rows: RowPlaces, labels: Labels
) -> list[alt.Chart | alt.LayerChart]:
    x = alt.X("value:Q", title=CELL_SHARE, scale=share_scale([dot["value"] for dot in dots]), axis=AXIS)
    colour = service_colours({dot["service"] for dot in dots}, labels)
    points = chart_of(dots).encode(x=x, y=rows.y(), color=colour)
    bars = [{"top": rows.top(row), "bottom": rows.bottom(row), "value": medians[row]} for row in rows.names]
    return [
        rows.frame(x),
        points.transform_filter("datum.enough").mark_circle(size=CELL_SIZE, opacity=0.6, aria=False),
        points.transform_filter("!datum.enough").mark_point(
            size=CELL_SIZE, filled=False, opacity=1, aria=False
        ),
        rows.bars(chart_of(bars), x),
    ]
