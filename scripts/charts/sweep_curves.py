"""The shares of a pair over the settings of a sweep: a line for each incumbent (Prudentia Fig. 7)."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import altair as alt

from scripts.base.records import Scalar
from scripts.charts.chart_labels import ENOUGH, Labels, of_instance
from scripts.charts.median_lines import line_looks, median_lines
from scripts.charts.row_places import WIDTH, panel, share_scale, upwards
from scripts.charts.setting_groups import SweepGroup, axis_title
from scripts.charts.table_rows import PairRow, grouped, scaled
from scripts.charts.text_widths import text_width
from scripts.charts.theme import INK, AnyChart, Datum, chart_of, headed

HEIGHT = 220
GAP = 8
MOST_PANELS = 6
"""A chart with more combinations of the other swept values would be too long to read."""

READING = "Median MmF share (100 is fair); bar: its 95 % interval, if there is one"


def swept_pairs(pairs: Iterable[PairRow], sweep: SweepGroup) -> dict[str, list[PairRow]]:
    """The rows of every pair that was measured in a setting of the sweep, by pair.

    A sweep with more than MOST_PANELS panels has none.
    """
    if len({_values(at, sweep.others) for at in sweep.at.values()}) > MOST_PANELS:
        return {}
    rows = sorted((row for row in pairs if row.setting in sweep.at), key=lambda row: row.pair)
    return grouped(rows, lambda row: row.pair)


def sweep_chart(rows: Sequence[PairRow], sweep: SweepGroup, labels: Labels) -> AnyChart:
    """One panel, or one for each combination of the other swept values, from top to bottom."""
    points = [_point(row, sweep, labels) for row in rows]
    names = {_line(row, labels): row.incumbent for row in rows}
    scale = share_scale(
        100 * value for row in rows for value in (row.share_median, row.share_high) if value is not None
    )
    panels = [
        _panel([point for point in points if point["panel"] == name], sweep, names, scale, labels, name)
        for name in dict.fromkeys(_values(at, sweep.others) for at in sweep.at.values())
    ]
    pair, title = labels.pair(rows[0].pair), _title(rows, sweep, labels)
    words = "; ".join(point["label"] for point in points)
    chart: AnyChart = panels[0] if len(panels) == 1 else alt.vconcat(*panels, spacing=22)
    return chart.properties(
        description=f"{pair}, by {axis_title(sweep.key)}. {title}. {sweep.title}. {words}.",
        title=headed(title, [pair, sweep.title, READING], WIDTH),
    )


def _title(rows: Sequence[PairRow], sweep: SweepGroup, labels: Labels) -> str:
    """The lowest and the highest share of the first service, of those with enough trials if there are any."""
    line = _line(rows[0], labels)
    known = [
        row for row in rows if _line(row, labels) == line and row.share_median is not None and not row.unable
    ]
    enough = [row for row in known if row.share_n >= ENOUGH]
    if not known:
        return f"{labels.pair(rows[0].pair)}: no valid trial"
    by_share = sorted(enough or known, key=lambda row: row.share_median or 0)
    ends = list(dict.fromkeys((by_share[0].setting, by_share[-1].setting)))
    shares = {row.setting: f"{100 * (row.share_median or 0):.0f} %" for row in by_share}
    first, *other = (f"{shares[setting]} at {_at(setting, sweep)}" for setting in ends)
    seen = "" if enough else "Seen: "
    return "; ".join([f"{seen}{line} {first.replace(' at ', ' of a fair share at ', 1)}", *other])


def _at(setting: str, sweep: SweepGroup) -> str:
    """The swept values of a setting with their units: `8 Mbps, 50 ms`."""
    at = sweep.at[setting]
    units = {key: axis_title(key).partition(" (")[2].removesuffix(")") for key in at}
    return ", ".join(f"{at[key]} {units[key]}".strip() for key in [*sweep.others, sweep.key])


def _line(row: PairRow, labels: Labels) -> str:
    """The name of a line: its service, and the instance in a self-pair."""
    return f"{labels.service(row.incumbent)}{of_instance(row.instance)}"


def _values(at: dict[str, Scalar], keys: list[str]) -> str:
    return ", ".join(f"{axis_title(key)}: {at[key]}" for key in keys)


def _point(row: PairRow, sweep: SweepGroup, labels: Labels) -> Datum:
    """The median share of one incumbent in one setting, percent. It links to the pair's page there."""
    at = sweep.at[row.setting]
    value, line = at[sweep.key], _line(row, labels)
    where = _values(at, [*sweep.others, sweep.key])
    if row.unable:
        share = "unable"
    elif row.share_median is None:
        share = "no valid trial"
    else:
        share = f"{100 * row.share_median:.0f} %, n = {row.share_n}"
    percent, low, high = (
        None if row.unable else scaled(share, 100)
        for share in (row.share_median, row.share_low, row.share_high)
    )
    return {
        "panel": _values(at, sweep.others),
        "at": value if isinstance(value, int | float) and not isinstance(value, bool) else str(value),
        "line": line,
        "share": percent,
        "low": low,
        "high": high,
        "label": f"{line}, {where}: {share}",
        "href": f"../pairs/{row.setting}/{row.pair}/",
    }


def _panel(
    points: list[Datum],
    sweep: SweepGroup,
    names: dict[str, str],
    scale: alt.Scale,
    labels: Labels,
    combination: str,
) -> alt.LayerChart:
    """The medians at one combination of the other swept values, in front of the line of the fair share."""
    y = upwards(None, scale, 5)
    looks = line_looks({line: labels.colours[service] for line, service in names.items()})
    fair = chart_of([{"fair": 100}]).mark_rule(color=INK, strokeDash=[4, 3], aria=False)
    layers = [fair.encode(y=y("fair")), *median_lines(points, looks, sweep_axis(sweep), "share", y)]
    return panel(layers, HEIGHT, [*([combination] if combination else []), "MmF share (percent)"])


def sweep_axis(sweep: SweepGroup) -> alt.X:
    """Numbers are at their distance. The axis is logarithmic where they grow by a constant factor."""
    values, title = sweep.values(sweep.key), axis_title(sweep.key)
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) < len(values):
        order = [str(value) for value in values]
        widest = max(text_width(value, 13) for value in order)
        angle = 0 if (widest + GAP) * len(order) <= WIDTH else -40
        axis = alt.Axis(labelAngle=angle)
        return alt.X("at:N", title=title, sort=order, scale=alt.Scale(domain=order), axis=axis)
    scale = alt.Scale(
        type="log" if _is_geometric(numbers) else "linear",
        domain=[min(numbers), max(numbers)],
        nice=False,
        zero=False,
        padding=20,
    )
    # Ticks at close values would overprint each other; each value still has its point.
    axis = alt.Axis(
        values=sorted(numbers), labelExpr="toString(datum.value)", grid=False, labelOverlap="greedy"
    )
    return alt.X("at:Q", title=title, scale=scale, axis=axis)


def _is_geometric(values: Iterable[float]) -> bool:
    """Whether the values grow by a constant factor, for example by doubling."""
    ordered = sorted(values)
    if len(ordered) < 3 or ordered[0] <= 0:
        return False
    factors = [later / earlier for earlier, later in pairwise(ordered)]
    return max(factors) / min(factors) < 1.01
