"""Who gets what as a property of the link changes: the settings of a sweep on one axis (Prudentia Fig. 7)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile
from typing import Any

import altair as alt
import pyarrow as pa

from scripts.charts.labels import Labels
from scripts.charts.theme import INK, RULE, Figure, Row, chart_of

WIDTH, HEIGHT = 520, 240
DASHES = [[1, 0], [5, 2], [2, 2]]
SHAPES = ["circle", "square", "diamond"]

# What an axis calls a key of a setting; any other stands by its own words.
AXES = {
    "rate_mbps": "Rate of the link (Mbps)",
    "rtt_ms": "Round-trip time (ms)",
    "queue_bdp": "Queue (bandwidth-delay products)",
    "queue_ms": "Queue (ms)",
    "queue_packets": "Queue (packets)",
    "queue_bytes": "Queue (bytes)",
    "random_loss": "Random loss (fraction of packets)",
    "discipline": "Queue discipline",
}


@dataclass(frozen=True)
class Sweep:
    """The settings that one setting of the campaign stands for.

    Attributes:
        of: the campaign's name of it.
        title: what its settings have in common.
        at: the swept values by key, of every setting by name, in the campaign's order.
    """

    of: str
    title: str
    at: dict[str, dict[str, Any]]

    @property
    def key(self) -> str:
        """What the axis shows: the key with the most values."""
        return max(self._keys, key=lambda key: len(self.values(key)))

    @property
    def others(self) -> list[str]:
        """The other swept keys; every combination of their values has a chart of its own."""
        return [key for key in self._keys if key != self.key]

    @property
    def _keys(self) -> list[str]:
        return list(next(iter(self.at.values())))

    def values(self, key: str) -> list[Any]:
        """The different values of a key, in the campaign's order."""
        return list(dict.fromkeys(values[key] for values in self.at.values()))


def sweeps(settings: dict[str, dict[str, Any]]) -> list[Sweep]:
    """The sweeps of a campaign by name, from the settings of its merged configuration."""
    swept = {name: entry for name, entry in settings.items() if entry.get("sweep")}
    return [
        Sweep(
            of,
            _common_title([swept[name] for name in names], of),
            {n: swept[n]["sweep"]["at"] for n in names},
        )
        for of, names in _grouped(swept)
        if len(names) > 1
    ]


def _grouped(swept: dict[str, dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    of = {name: str(entry["sweep"]["of"]) for name, entry in swept.items()}
    for key, names in groupby(sorted(of, key=of.__getitem__), of.__getitem__):
        yield key, list(names)


def _common_title(entries: list[dict[str, Any]], of: str) -> str:
    """The words with which all titles begin; what was swept comes after them, set off by commas."""
    parts = zip(*(entry.get("title", of).split(", ") for entry in entries), strict=False)
    return ", ".join(words[0] for words in takewhile(lambda words: len(set(words)) == 1, parts)) or of


def sweep_charts(pairs: pa.Table, sweep: Sweep, labels: Labels) -> Iterator[tuple[str, Figure]]:
    """A chart of every pair that was measured anywhere in a sweep, with its name.

    Args:
        pairs: the table `pairs`.
        sweep: the settings to compare.
        labels: titles and colours of the services.
    """
    rows = [row for row in pairs.to_pylist() if row["setting"] in sweep.at]
    for pair in sorted({row["pair"] for row in rows}):
        yield (
            f"sweep-{sweep.of}-{pair}",
            _pair_chart([row for row in rows if row["pair"] == pair], sweep, labels),
        )


def _pair_chart(rows: list[Row], sweep: Sweep, labels: Labels) -> Figure:
    """One panel, or one above the other for each combination of what else was swept."""
    points = [_point(row, sweep, labels) for row in rows]
    names = {row["incumbent"]: labels.service(row["incumbent"]) for row in rows}
    panels = [
        _panel([point for point in points if point["panel"] == panel], sweep, names, labels, panel)
        for panel in dict.fromkeys(_panel_name(at, sweep) for at in sweep.at.values())
    ]
    title = labels.pair(rows[0]["pair"])
    reading = "Median MmF share of each (100 is fair); a bar is its 95 % interval, where there is one"
    told = "; ".join(point["label"] for point in points)
    chart: Figure = panels[0] if len(panels) == 1 else alt.vconcat(*panels, spacing=22)
    return chart.properties(
        description=f"{title}, by {axis_title(sweep.key)}. {sweep.title}. {told}.",
        title=alt.Title(title, subtitle=[sweep.title, reading]),
    )


def axis_title(key: str) -> str:
    """What an axis calls a key of a setting."""
    return AXES.get(key, key.replace("_", " ").replace(".", " "))


def _panel_name(at: dict[str, Any], sweep: Sweep) -> str:
    return ", ".join(f"{axis_title(key)}: {at[key]}" for key in sweep.others)


def _point(row: Row, sweep: Sweep, labels: Labels) -> Row:
    """The median of one incumbent in one setting, in percent, linked to the page of its pair there."""
    at = sweep.at[row["setting"]]
    panel, service = _panel_name(at, sweep), labels.service(row["incumbent"])
    where = f"{axis_title(sweep.key)}: {at[sweep.key]}"
    share = row["share_median"]
    told = "no valid trial" if share is None else f"{100 * share:.0f} %, n = {row['n']}"
    return {
        "panel": panel,
        "at": at[sweep.key] if _is_number(at[sweep.key]) else str(at[sweep.key]),
        "service": service,
        "share": _percent(share),
        "low": _percent(row["share_low"]),
        "high": _percent(row["share_high"]),
        "label": f"{service}, {panel + ', ' if panel else ''}{where}: {told}",
        "href": f"../pairs/{row['setting']}/{row['pair']}/",
    }


def _percent(fraction: float | None) -> float | None:
    return None if fraction is None else 100 * fraction


def _panel(
    points: list[Row], sweep: Sweep, names: dict[str, str], labels: Labels, panel: str
) -> alt.LayerChart:
    x, y = _x(sweep), alt.Y("share:Q", title="MmF share (percent)", scale=alt.Scale(zero=True))
    order = list(names.values())
    colours = alt.Scale(domain=order, range=[labels.colours[service] for service in names])
    colour = alt.Color("service:N", title=None, sort=order, scale=colours)
    base = chart_of(points).encode(x=x)
    dash = alt.StrokeDash("service:N", title=None, sort=order, scale=_signs(order, DASHES))
    shape = alt.Shape("service:N", title=None, sort=order, scale=_signs(order, SHAPES))
    fair = chart_of([{"fair": 100}]).mark_rule(color=INK, strokeDash=[4, 3], aria=False)
    marks = [
        fair.encode(y=alt.Y("fair:Q", title="MmF share (percent)")),
        base.transform_filter("datum.low !== null")
        .mark_rule(strokeWidth=7, color=RULE, opacity=0.45, aria=False)
        .encode(y=alt.Y("low:Q", title="MmF share (percent)"), y2="high:Q"),
        base.mark_line(strokeWidth=1.8, aria=False).encode(y=y, color=colour, strokeDash=dash),
        base.mark_point(filled=True, size=75, opacity=1).encode(
            y=y, color=colour, shape=shape, href="href:N", description="label:N", tooltip="label:N"
        ),
    ]
    chart = alt.LayerChart(layer=marks).properties(width=WIDTH, height=HEIGHT)
    return chart.properties(title=alt.Title(panel, fontSize=13)) if panel else chart


def _signs(order: list[str], signs: list[Any]) -> alt.Scale:
    """A second sign beside colour, one a service."""
    return alt.Scale(domain=order, range=[signs[place % len(signs)] for place in range(len(order))])


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _x(sweep: Sweep) -> alt.X:
    """Numbers at their distance, on a logarithmic axis where each is the same multiple of the one before."""
    values, title = sweep.values(sweep.key), axis_title(sweep.key)
    if not all(map(_is_number, values)):
        order = [str(value) for value in values]
        return alt.X(
            "at:N", title=title, sort=order, scale=alt.Scale(domain=order), axis=alt.Axis(labelAngle=0)
        )
    scale = alt.Scale(
        type="log" if _is_geometric(values) else "linear",
        domain=[min(values), max(values)],
        nice=False,
        zero=False,
        padding=20,
    )
    return alt.X(
        "at:Q",
        title=title,
        scale=scale,
        axis=alt.Axis(values=sorted(values), labelExpr="toString(datum.value)", grid=False),
    )


def _is_geometric(values: Iterable[float]) -> bool:
    """Whether the values grow by one factor, as doubling does."""
    ordered = sorted(values)
    if len(ordered) < 3 or ordered[0] <= 0:
        return False
    factors = [later / earlier for earlier, later in pairwise(ordered)]
    return max(factors) / min(factors) < 1.01
