"""The shares of a pair over the settings of a sweep: a line for each incumbent (Prudentia Fig. 7)."""

from collections.abc import Iterable
from itertools import pairwise

import altair as alt

from scripts.charts.chart_labels import Labels, of_instance
from scripts.charts.sweep_groups import SweepGroup, axis_title
from scripts.charts.table_rows import PairRow, scaled
from scripts.charts.theme import INK, RULE, Charts, Datum, Figure, chart_of
from scripts.model.settings import SweptValue

WIDTH, HEIGHT = 520, 240
DASHES = ([1, 0], [5, 2], [2, 2])
SHAPES = ("circle", "square", "diamond")


def sweep_charts(pairs: Iterable[PairRow], sweep: SweepGroup, labels: Labels) -> Charts:
    """A chart, with its name, for every pair that was measured in a setting of the sweep.

    Args:
        pairs: the table `pairs`.
        sweep: the settings to compare.
        labels: titles and colours of the services.
    """
    rows = [row for row in pairs if row.setting in sweep.at]
    for pair in sorted({row.pair for row in rows}):
        yield (
            f"sweep-{sweep.name}-{pair}",
            _pair_chart([row for row in rows if row.pair == pair], sweep, labels),
        )


def _pair_chart(rows: list[PairRow], sweep: SweepGroup, labels: Labels) -> Figure:
    """One panel, or one for each combination of the other swept values, from top to bottom."""
    points = [_point(row, sweep, labels) for row in rows]
    names = {_line(row, labels): row.incumbent for row in rows}
    panels = [
        _panel([point for point in points if point["panel"] == panel], sweep, names, labels, panel)
        for panel in dict.fromkeys(_panel_name(at, sweep) for at in sweep.at.values())
    ]
    title = labels.pair(rows[0].pair)
    reading = "Median MmF share of each service (100 is fair); bar: its 95 % interval, if there is one"
    words = "; ".join(str(point["label"]) for point in points)
    chart: Figure = panels[0] if len(panels) == 1 else alt.vconcat(*panels, spacing=22)
    return chart.properties(
        description=f"{title}, by {axis_title(sweep.key)}. {sweep.title}. {words}.",
        title=alt.Title(title, subtitle=[sweep.title, reading]),
    )


def _line(row: PairRow, labels: Labels) -> str:
    """The name of a line: its service, and the instance in a self-pair."""
    return f"{labels.service(row.incumbent)}{of_instance(row.instance)}"


def _panel_name(at: dict[str, SweptValue], sweep: SweepGroup) -> str:
    return ", ".join(f"{axis_title(key)}: {at[key]}" for key in sweep.others)


def _point(row: PairRow, sweep: SweepGroup, labels: Labels) -> Datum:
    """The median share of one incumbent in one setting, percent. It links to the pair's page there."""
    at = sweep.at[row.setting]
    value, panel, line = at[sweep.key], _panel_name(at, sweep), _line(row, labels)
    where = f"{panel + ', ' if panel else ''}{axis_title(sweep.key)}: {value}"
    if row.unable:
        share = "unable"
    elif row.share_median is None:
        share = "no valid trial"
    else:
        share = f"{100 * row.share_median:.0f} %, n = {row.share_n}"
    return {
        "panel": panel,
        "at": str(value) if _number(value) is None else value,
        "line": line,
        "share": None if row.unable else scaled(row.share_median, 100),
        "low": None if row.unable else scaled(row.share_low, 100),
        "high": None if row.unable else scaled(row.share_high, 100),
        "label": f"{line}, {where}: {share}",
        "href": f"../pairs/{row.setting}/{row.pair}/",
    }


def _panel(
    points: list[Datum], sweep: SweepGroup, names: dict[str, str], labels: Labels, panel: str
) -> alt.LayerChart:
    chart = alt.LayerChart(layer=_layers(points, sweep, names, labels)).properties(width=WIDTH, height=HEIGHT)
    return chart.properties(title=alt.Title(panel, fontSize=13)) if panel else chart


def _layers(points: list[Datum], sweep: SweepGroup, names: dict[str, str], labels: Labels) -> list[alt.Chart]:
    """Lines and points, in front of the intervals and the line of the fair share."""
    x, y = _x(sweep), alt.Y("share:Q", title="MmF share (percent)", scale=alt.Scale(zero=True))
    order = list(names)
    places = range(len(order))
    colours = alt.Scale(domain=order, range=[labels.colours[service] for service in names.values()])
    dashes = alt.Scale(domain=order, range=[DASHES[place % len(DASHES)] for place in places])
    shapes = alt.Scale(domain=order, range=[SHAPES[place % len(SHAPES)] for place in places])
    colour = alt.Color("line:N", title=None, sort=order, scale=colours)
    dash = alt.StrokeDash("line:N", title=None, sort=order, scale=dashes)
    shape = alt.Shape("line:N", title=None, sort=order, scale=shapes)
    base = chart_of(points).encode(x=x)
    fair = chart_of([{"fair": 100}]).mark_rule(color=INK, strokeDash=[4, 3], aria=False)
    return [
        fair.encode(y=alt.Y("fair:Q", title="MmF share (percent)")),
        base.transform_filter("datum.low !== null")
        .mark_rule(strokeWidth=7, color=RULE, opacity=0.45, aria=False)
        .encode(y=alt.Y("low:Q", title="MmF share (percent)"), y2="high:Q"),
        base.mark_line(strokeWidth=1.8, aria=False).encode(y=y, color=colour, strokeDash=dash),
        base.mark_point(filled=True, size=75, opacity=1).encode(
            y=y, color=colour, shape=shape, href="href:N", description="label:N", tooltip="label:N"
        ),
    ]


def _number(value: SweptValue) -> int | float | None:
    """The value if it is a number; True and False are words on the axis."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _x(sweep: SweepGroup) -> alt.X:
    """Numbers are at their distance. The axis is logarithmic where they grow by a constant factor."""
    values, title = sweep.values(sweep.key), axis_title(sweep.key)
    numbers = [number for value in values if (number := _number(value)) is not None]
    if len(numbers) < len(values):
        order = [str(value) for value in values]
        return alt.X(
            "at:N", title=title, sort=order, scale=alt.Scale(domain=order), axis=alt.Axis(labelAngle=0)
        )
    scale = alt.Scale(
        type="log" if _is_geometric(numbers) else "linear",
        domain=[min(numbers), max(numbers)],
        nice=False,
        zero=False,
        padding=20,
    )
    return alt.X(
        "at:Q",
        title=title,
        scale=scale,
        axis=alt.Axis(values=sorted(numbers), labelExpr="toString(datum.value)", grid=False),
    )


def _is_geometric(values: Iterable[float]) -> bool:
    """Whether the values grow by a constant factor, for example by doubling."""
    ordered = sorted(values)
    if len(ordered) < 3 or ordered[0] <= 0:
        return False
    factors = [later / earlier for earlier, later in pairwise(ordered)]
    return max(factors) / min(factors) < 1.01
