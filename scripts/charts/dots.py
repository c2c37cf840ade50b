"""Dot charts: every valid trial as a dot, so that readers see the spread behind a median."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import altair as alt

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import PairRow, ServiceRow, SoloRow
from scripts.charts.theme import INK, RULE, Datum, chart_of

WIDTH = 520
ROW = 34
ENOUGH_FOR_INTERVAL = 6


@dataclass(frozen=True)
class Dot:
    """A valid trial: `row` is the chart's row, `value` is in the unit of the axis."""

    row: str
    value: float
    service: str
    trial: str
    href: str
    label: str


def pair_dots(
    trials: Sequence[ServiceRow],
    pairs: Iterable[PairRow],
    setting: str,
    labels: Labels,
    pair: str | None = None,
) -> alt.LayerChart:
    """MmF share of each incumbent in each valid trial, a row for each incumbent and contender.

    A self-pair has two rows: the instance that got less in a trial, and the one that got more.

    Args:
        trials: the table `trial_services`.
        pairs: the table `pairs` (allocations and intervals).
        setting: the setting to show.
        labels: titles and colours.
        pair: the only pair to show; None shows every pair of the setting.
    """
    measured = {(row.incumbent, row.contender, row.instance): row for row in pairs if row.setting == setting}
    dots: list[Dot] = []
    rows: dict[str, PairRow] = {}
    for trial in _valid(trials, setting, pair, clients=2):
        row = measured.get((trial.service, trial.contender, trial.instance))
        if row is None or trial.wire_rate_mbps is None:
            continue
        name = labels.matchup(trial.service, trial.contender, trial.instance)
        rows[name] = row
        dots.append(_dot(trial, name, 100 * trial.wire_rate_mbps / row.allocation_mbps))
    intervals: list[Datum] = [
        {"row": name, "low": 100 * row.share_low, "high": 100 * row.share_high}
        for name, row in rows.items()
        if row.share_low is not None and row.share_high is not None
    ]
    title = "Every trial of every pair" if pair is None else f"Every trial of {labels.pair(pair)}"
    return _chart(dots, intervals, title, "MmF share of the incumbent (percent)", labels, setting, fair=100)


def solo_dots(
    trials: Sequence[ServiceRow], solo: Iterable[SoloRow], setting: str, service: str, labels: Labels
) -> alt.LayerChart:
    """Wire rate of a service alone in each valid trial. The arguments are those of `pair_dots`."""
    name = labels.pair(service)
    dots = [
        _dot(trial, name, trial.wire_rate_mbps)
        for trial in _valid(trials, setting, service, clients=1)
        if trial.wire_rate_mbps is not None
    ]
    intervals: list[Datum] = [
        {"row": name, "low": row.wire_rate_low_mbps, "high": row.wire_rate_high_mbps}
        for row in solo
        if (row.setting, row.service) == (setting, service) and row.wire_rate_low_mbps is not None
    ]
    return _chart(dots, intervals, f"Every trial of {name}", "Wire rate (Mbps)", labels, setting, fair=None)


def _valid(trials: Iterable[ServiceRow], setting: str, pair: str | None, clients: int) -> list[ServiceRow]:
    return [
        trial
        for trial in trials
        if trial.valid
        and (trial.setting, trial.clients) == (setting, clients)
        and (pair is None or trial.pair == pair)
    ]


def _dot(trial: ServiceRow, row: str, value: float) -> Dot:
    nn = trial.key.nn
    return Dot(
        row=row,
        value=value,
        service=trial.service,
        trial=nn,
        href=f"../trials/{trial.key.path}/",
        label=f"{row}, trial {nn}: {value:.1f}",
    )


def _chart(
    dots: list[Dot],
    intervals: list[Datum],
    title: str,
    axis: str,
    labels: Labels,
    setting: str,
    fair: float | None,
) -> alt.LayerChart:
    rows = sorted({dot.row for dot in dots})
    values = "; ".join(dot.label for dot in dots) or "no valid trial"
    return alt.LayerChart(layer=_layers(dots, rows, intervals, axis, labels, fair)).properties(
        width=WIDTH,
        height=max(1, len(rows)) * ROW,
        description=f"{title}. {labels.setting(setting)}. {axis}. {values}.",
        title=alt.Title(title, subtitle=[labels.setting(setting), _reading(dots, rows)]),
    )


def _layers(
    dots: list[Dot],
    rows: list[str],
    intervals: list[Datum],
    axis: str,
    labels: Labels,
    fair: float | None,
) -> list[alt.Chart]:
    """Dots and medians, with intervals and the line of the fair share behind them."""
    medians: list[Datum] = [
        {"row": row, "value": statistics.median(dot.value for dot in dots if dot.row == row)} for row in rows
    ]
    y = alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(domain=False, ticks=False, grid=True))
    x = alt.X("value:Q", title=axis, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=6))
    services = sorted({dot.service for dot in dots})
    colours = alt.Scale(domain=services, range=[labels.colours[service] for service in services])
    colour = alt.Color("service:N", legend=None, scale=colours)
    layers = [
        chart_of(medians).mark_tick(thickness=2.5, size=22, color=INK, aria=False).encode(x=x, y=y),
        chart_of([asdict(dot) for dot in dots])
        .mark_circle(size=95, opacity=0.8)
        .encode(x=x, y=y, color=colour, href="href:N", description="label:N", tooltip="label:N"),
    ]
    if intervals:
        band = chart_of(intervals).mark_rule(strokeWidth=7, color=RULE, opacity=0.45, aria=False)
        layers.insert(0, band.encode(y=y, x=alt.X("low:Q", title=axis), x2="high:Q"))
    if fair is not None:
        line = chart_of([{"value": fair}])
        layers.insert(0, line.mark_rule(color=INK, strokeDash=[4, 3], aria=False).encode(x=x))
    return layers


def _reading(dots: list[Dot], rows: list[str]) -> str:
    """The meaning of the marks. With fewer than six trials there is no interval to draw."""
    fewest = min((sum(dot.row == row for dot in dots) for row in rows), default=0)
    if fewest < ENOUGH_FOR_INTERVAL:
        return f"Dot: valid trial; bar: median; no interval with fewer than {ENOUGH_FOR_INTERVAL} trials"
    return "Dot: valid trial; bar: median; band: its 95 % interval"
