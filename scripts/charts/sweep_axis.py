"""The axis of a sweep: its swept values at their distance, or as words."""

from collections.abc import Iterable
from itertools import pairwise

import altair as alt

from scripts.charts.row_places import WIDTH
from scripts.charts.sweep_groups import SweepGroup, axis_title
from scripts.charts.text_widths import text_width

GAP = 8


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
