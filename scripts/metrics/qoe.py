"""Quality of experience: freezes, values over time such as a video's bitrate, and page load times."""

import math
from collections.abc import Sequence
from itertools import pairwise


def freezes(arrivals_s: Sequence[float]) -> int:
    """The number of freezes: gaps between frames longer than max(3 d, d + 150 ms), d being the mean gap.

    Args:
        arrivals_s: the arrival time of each frame in seconds, not decreasing.

    Returns:
        The number of such gaps. It is 0 for fewer than two frames; the frame rate shows that case.

    Raises:
        ValueError: a time is not finite, or the times decrease.

    Source: Prudentia (SIGCOMM 2024), Table 2.
    """
    _check_times(arrivals_s)
    gaps = [later - earlier for earlier, later in pairwise(arrivals_s)]
    if not gaps:
        return 0
    mean = (arrivals_s[-1] - arrivals_s[0]) / len(gaps)
    longest_smooth = max(3 * mean, mean + 0.150)  # Table 2: max(3 * delta, delta + 150 ms)
    return sum(gap > longest_smooth for gap in gaps)


def visually_complete(times_s: Sequence[float], completeness: Sequence[float], level: float) -> float:
    """The time from which on the visible part of a page stays at or above a level of completeness.

    Args:
        times_s: the time of each frame in seconds since the page was requested, not decreasing.
        completeness: for each frame, the fraction of the above-the-fold area that equals the last frame, in
            [0, 1].
        level: the fraction that counts as loaded, in (0, 1]; 0.95 for the paper's page load time.

    Returns:
        The time in seconds of the first frame that reaches the level and that only such frames follow.

    Raises:
        ValueError: there are no frames, the lengths differ, a value is out of its range, the times decrease,
            or the last frame is below the level.

    Source: Prudentia (SIGCOMM 2024), 5.2.
    """
    _check_times(times_s)
    if not len(times_s) == len(completeness) > 0:
        raise ValueError(f"there are {len(times_s)} times of {len(completeness)} frames")
    if not all(0 <= part <= 1 for part in completeness):
        raise ValueError("a completeness must be in [0, 1]")
    if not 0 < level <= 1:
        raise ValueError(f"the level must be in (0, 1], not {level}")
    if completeness[-1] < level:
        raise ValueError(f"the last frame, {completeness[-1]} complete, must reach the level {level}")
    below = [index for index, part in enumerate(completeness) if part < level]
    return float(times_s[below[-1] + 1 if below else 0])


def speed_index(times_s: Sequence[float], completeness: Sequence[float]) -> float:
    """The time until the visible part of a page equals its last frame, on average over its area.

    Args:
        times_s: as in `visually_complete`.
        completeness: as in `visually_complete`.

    Returns:
        The area above the curve of completeness up to the last frame, s.

    Raises:
        ValueError: as in `visually_complete` with the level 1.

    Source: Prudentia (SIGCOMM 2024), 5.2, after Google's SpeedIndex.
    """
    visually_complete(times_s, completeness, 1.0)
    spans = zip(pairwise(times_s), completeness[:-1], strict=True)
    return math.fsum((later - earlier) * (1 - part) for (earlier, later), part in spans)


def mean_over_time(times_s: Sequence[float], values: Sequence[float], start_s: float, stop_s: float) -> float:
    """The mean of a step function over a span; each value is weighted by its duration.

    Args:
        times_s: the start of each value in seconds, not decreasing. A value holds until the next one starts.
        values: the value for each time, such as a video's bitrate.
        start_s: the start of the span. There is no value before the first time.
        stop_s: the end of the span. The last value holds until then.

    Returns:
        The mean in the values' unit, over the part of the span that has a value.

    Raises:
        ValueError: the span has no value, the lengths differ, or the times decrease.
    """
    held_s = _held_s(times_s, values, start_s, stop_s)
    return math.fsum(value * seconds for value, seconds in held_s) / math.fsum(s for _, s in held_s)


def held_longest(times_s: Sequence[float], values: Sequence[float], start_s: float, stop_s: float) -> float:
    """The value of a step function with the longest total duration in a span, such as a resolution.

    Args:
        times_s: as in `mean_over_time`.
        values: as in `mean_over_time`, such as a picture's height.
        start_s: as in `mean_over_time`.
        stop_s: as in `mean_over_time`.

    Returns:
        The value; the lowest one if several have the same duration.

    Raises:
        ValueError: as in `mean_over_time`.

    Source: Prudentia (SIGCOMM 2024), Table 2.
    """
    totals_s: dict[float, list[float]] = {}
    for value, seconds in _held_s(times_s, values, start_s, stop_s):
        totals_s.setdefault(value, []).append(seconds)
    return min(totals_s, key=lambda value: (-math.fsum(totals_s[value]), value))


def _held_s(
    times_s: Sequence[float], values: Sequence[float], start_s: float, stop_s: float
) -> list[tuple[float, float]]:
    """Each value in the span, with its duration in seconds within the span."""
    _check_times(times_s)
    if len(times_s) != len(values):
        raise ValueError(f"there are {len(times_s)} times of {len(values)} values")
    held_s = [
        (value, min(until, stop_s) - max(since, start_s))
        for (since, until), value in zip(pairwise([*times_s, math.inf]), values, strict=True)
    ]
    held_s = [(value, seconds) for value, seconds in held_s if seconds > 0]
    if not held_s:
        raise ValueError(f"there is no value between {start_s} s and {stop_s} s")
    return held_s


def _check_times(times_s: Sequence[float]) -> None:
    if not all(math.isfinite(time) for time in times_s):
        raise ValueError("a time must be finite")
    if not all(earlier <= later for earlier, later in pairwise(times_s)):
        raise ValueError("the times must not decrease")
