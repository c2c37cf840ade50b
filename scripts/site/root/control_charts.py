"""The control chart of a campaign: whether its baselines get the same from cycle to cycle.

A baseline does not change by itself. Its value in a cycle is the mean, over its pairs with other baselines
in all settings, of its median throughput as a fraction of the link. Each value is compared with those of all
earlier cycles that were measured in the same way (scripts/metrics/control_chart.py). The spread between
cycles decides, not that between trials: whatever differs from one cycle to the next, such as a reboot,
differs for all their trials.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scripts.figures.figure import THROUGHPUT
from scripts.figures.words import amount, several
from scripts.metrics.control_chart import FEWEST, Charted, control_chart
from scripts.model.pairs import contenders
from scripts.site import Row
from scripts.site.drawn.strip import Strip, StripDot, drawn_strip
from scripts.site.root.archive_cycles import Cycle
from scripts.site.root.history import breaks
from scripts.site.story.changes import rounded_up
from scripts.site.story.names import listed

CYCLES_A_YEAR = 26
FALSE_ALARMS_A_YEAR = 0.05
"""How many false alarms all baselines of a campaign together give in a year of 26 cycles."""


@dataclass(frozen=True)
class BaselinePoint:
    """A baseline in a cycle: its value, and what the chart says of it."""

    value: float
    charted: Charted

    @property
    def shift(self) -> float | None:
        """How much more it gets than on average in the earlier cycles, as a fraction; None without limits."""
        return self.value / self.charted.mean - 1 if self.charted.mean else None

    @property
    def limit(self) -> float | None:
        """The largest shift without an alarm, as a fraction; None without limits."""
        mean, limit = self.charted.mean, self.charted.limit
        return limit / mean if mean and limit is not None else None


Points = Mapping[Cycle, Mapping[str, BaselinePoint]]
"""The baselines of each cycle, by name."""


def control_points(cycles: Sequence[Cycle]) -> Points:
    """The control chart of the cycles of a campaign, in their order.

    A chart begins anew where the method changes. Its cells are those of the latest cycle before that, and
    cycles that lack one have no point.
    """
    points: dict[Cycle, dict[str, BaselinePoint]] = {cycle: {} for cycle in cycles}
    for members in _of_one_method(cycles):
        values = {cycle: _medians(cycle) for cycle in members}
        baselines = sorted({service for service, _contender, _setting in values[members[-1]]})
        for baseline in baselines:
            cells = [cell for cell in values[members[-1]] if cell[0] == baseline]
            whole = [cycle for cycle in members if all(cell in values[cycle] for cell in cells)]
            levels = [sum(values[cycle][cell] for cell in cells) / len(cells) for cycle in whole]
            false_alarm = FALSE_ALARMS_A_YEAR / CYCLES_A_YEAR / len(baselines)
            for cycle, level, charted in zip(whole, levels, control_chart(levels, false_alarm), strict=True):
                points[cycle][baseline] = BaselinePoint(level, charted)
    return points


def chart_words(cycle: Cycle, points: Mapping[str, BaselinePoint]) -> str | None:
    """What the control chart says of a cycle; None if it has no pair of two baselines."""
    if not points:
        return None
    earlier = min(point.charted.earlier for point in points.values())
    names = cycle.labels.service
    alarms = sorted(name for name, point in points.items() if point.charted.alarm)
    if alarms:
        shifts = (
            f"{names(name)} gets {_shift(points[name])}, beyond ±{_limit(points[name])}" for name in alarms
        )
        return (
            f"The testbed changed: compared with the earlier cycles, {'; '.join(shifts)}. No change of this "
            "cycle can be attributed to a service."
        )
    limits = [point.limit for point in points.values() if point.limit is not None]
    cycles = several(earlier, "earlier cycle")
    if len(limits) < len(points):
        return (
            "There are too few cycles to tell how much the testbed varies from one to the next: "
            f"{cycles}, and {FEWEST} are needed."
        )
    within = "is within its limits" if len(points) == 1 else "are within their limits"
    return (
        f"The testbed varies as in {cycles}: {listed(map(names, sorted(points)))} {within}, of which the "
        f"widest is ±{rounded_up(max(limits))}."
    )


def control_section(cycles: Sequence[Cycle]) -> Row:
    """The control chart for the page: a sentence, and a row for each cycle if any has limits.

    A baseline in a cycle is a strip around 0, the shift with the limits below it; it has none without limits.
    All strips have the axis from -`end` to `end` percent.
    """
    points = control_points(cycles)
    if not any(points.values()):
        return {}
    baselines = sorted({name for of_cycle in points.values() for name in of_cycle})
    labels = cycles[-1].labels
    known = [point for of_cycle in points.values() for point in of_cycle.values() if point.limit is not None]
    ends = [max(abs(point.shift or 0), point.limit or 0) for point in known]
    end = math.ceil(100 * max(ends, default=0))
    return {
        "words": chart_words(cycles[-1], points[cycles[-1]]),
        "false_alarms": FALSE_ALARMS_A_YEAR,
        "cycles_a_year": CYCLES_A_YEAR,
        "fewest": FEWEST,
        "end": end,
        "baselines": [labels.service(name) for name in baselines],
        "rows": [
            {
                "title": cycle.name,
                "cells": [_cell(points[cycle].get(name), end) | {"page": cycle.pages} for name in baselines],
            }
            for cycle in reversed(cycles if known else ())
        ],
    }


def _of_one_method(cycles: Sequence[Cycle]) -> list[list[Cycle]]:
    """The cycles between two changes of the method."""
    differences, parts = breaks(cycles), list[list[Cycle]]()
    for cycle in cycles:
        if not parts or any(difference.kind == "method" for difference in differences.get(cycle, ())):
            parts.append([])
        parts[-1].append(cycle)
    return parts


def _medians(cycle: Cycle) -> dict[tuple[str, str, str], float]:
    """The median throughput of each baseline against another one, as a fraction of the link, by cell."""
    baselines = {service.name for service in cycle.summary.services if service.baseline}
    rates = {setting.name: setting.rate_mbps for setting in cycle.summary.settings}
    return {
        (row.service, row.contender, row.setting): row.median / rates[row.setting]
        for row in cycle.figures
        if row.figure == THROUGHPUT
        and row.instance == "first"
        and row.median is not None
        and row.contender
        and {row.service, *contenders(row.contender)} <= baselines
    }


def _cell(point: BaselinePoint | None, end: float) -> Row:
    """A baseline in a row of the table."""
    if point is None or point.shift is None or point.limit is None:
        return {"words": "too few cycles"}
    shift, limit = 100 * point.shift, 100 * point.limit
    strip = Strip(
        f"{'+' if shift > 0 else '−'}{amount(abs(point.shift), 'fraction')}",
        f"±{_limit(point)}",
        dots=(StripDot(shift),),
        interval=(-limit, limit),
        low=-end,
        high=end,
    )
    return {"strip": drawn_strip(strip), "words": "alarm" if point.charted.alarm else ""}


def _shift(point: BaselinePoint) -> str:
    shift = point.shift or 0.0
    return f"{amount(abs(shift), 'fraction')} {'more' if shift > 0 else 'less'}"


def _limit(point: BaselinePoint) -> str:
    return rounded_up(point.limit or 0.0)
