"""A control chart of single values: whether the newest one goes on as the earlier ones varied."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit  # the quantile; scipy.stats takes most of a second to load

FEWEST = 6
"""Limits need so many earlier values."""


@dataclass(frozen=True)
class Charted:
    """A value in a control chart.

    Attributes:
        earlier: how many earlier values it is compared with.
        mean: their mean; None if there are too few.
        limit: how far from the mean a value may be; None if there are too few.
        alarm: whether it is farther; None if there are too few.
    """

    earlier: int
    mean: float | None = None
    limit: float | None = None
    alarm: bool | None = None


def control_chart(values: Sequence[float], false_alarm: float) -> list[Charted]:
    """Compare each value with all earlier ones since the last alarm, with which the chart begins anew.

    The limit is that of the prediction interval of a single further value. The spread is that between the
    values, so whatever makes one differ from the next, such as a reboot, widens the limits. If the values are
    independent and normal with the same mean, the probability of an alarm is `false_alarm` for each.

    Args:
        values: one for each cycle, in the order of time, in any unit.
        false_alarm: the probability of a false alarm at each value, in (0, 1).

    Returns:
        One for each value. The first FEWEST after the beginning or an alarm have no limits.

    Raises:
        ValueError: a value is not finite, or the probability is not in (0, 1).

    Source: Hahn 1970, Statistical intervals for a normal population; as a chart: Quesenberry 1991, SPC Q
    charts for start-up processes and short or long runs.
    """
    if not 0 < false_alarm < 1:
        raise ValueError(f"the probability must be in (0, 1), not {false_alarm}")
    if not np.isfinite(values).all():
        raise ValueError("all values must be finite")
    charted: list[Charted] = []
    since: list[float] = []
    for value in values:
        charted.append(_next(since, value, false_alarm))
        if charted[-1].alarm:
            since = []
        since.append(value)
    return charted


def _next(earlier: Sequence[float], value: float, false_alarm: float) -> Charted:
    count = len(earlier)
    if count < FEWEST:
        return Charted(count)
    mean, spread = float(np.mean(earlier)), float(np.std(earlier, ddof=1))
    limit = -float(stdtrit(count - 1, false_alarm / 2)) * spread * math.sqrt(1 + 1 / count)
    return Charted(count, mean, limit, abs(value - mean) > limit + 1e-12 * abs(mean))
