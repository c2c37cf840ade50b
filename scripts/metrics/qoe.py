"""What users see: freezes of a picture, what it was like over time, and when a page stands and how soon."""

import math
from collections.abc import Sequence
from itertools import pairwise


def freezes(arrivals_s: Sequence[float]) -> int:
    """How often a stream froze: gaps between frames longer than max(3 d, d + 150 ms), d their mean.

    Args:
        arrivals_s: when each frame arrived in seconds, never falling.

    Returns:
        The number of such gaps. Less than two frames have no gap, so 0: their frame rate tells of those.

    Raises:
        ValueError: a time is not finite, or one is before the one in front of it.

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
    """When a page's visible part reaches a level of completeness that it does not lose again.

    Args:
        times_s: when each frame was shown in seconds since the page was asked for, never falling.
        completeness: the part of the above-the-fold area that stands as in the last frame, in [0, 1], one
            for each frame.
        level: the part that counts as loaded, in (0, 1]: the paper's page load time takes 0.95.

    Returns:
        The time in seconds of the first frame from which on all reach the level.

    Raises:
        ValueError: there are no frames, the lengths differ, a value is out of its range, the times fall, or
            the last frame is below the level.

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
    """How long, on average over its visible part, a page was not yet as in its last frame.

    Args:
        times_s: as of `visually_complete`.
        completeness: as of `visually_complete`.

    Returns:
        The area above the curve of completeness until the last frame, s.

    Raises:
        ValueError: as `visually_complete`, for the level 1.

    Source: Prudentia (SIGCOMM 2024), 5.2, after Google's SpeedIndex.
    """
    visually_complete(times_s, completeness, 1.0)
    spans = zip(pairwise(times_s), completeness[:-1], strict=True)
    return math.fsum((later - earlier) * (1 - part) for (earlier, later), part in spans)


def mean_over_time(times_s: Sequence[float], values: Sequence[float], start_s: float, stop_s: float) -> float:
    """The mean of something that holds its value until the next, each value weighing as long as it held.

    Args:
        times_s: from when on each value held in seconds, never falling.
        values: what held, one for each time: a video's bitrate.
        start_s: where the span begins over which the mean is taken; before the first time nothing holds.
        stop_s: where it ends; the last value holds until then.

    Returns:
        The mean in the values' unit, over the part of the span in which a value held.

    Raises:
        ValueError: none held in the span, the lengths differ, or the times fall.
    """
    held_s = _held_s(times_s, values, start_s, stop_s)
    return math.fsum(value * seconds for value, seconds in held_s) / math.fsum(s for _, s in held_s)


def held_longest(times_s: Sequence[float], values: Sequence[float], start_s: float, stop_s: float) -> float:
    """Which value held for most of a span: the resolution that a video or a call played at.

    Args:
        times_s: as of `mean_over_time`.
        values: as of `mean_over_time`: a picture's height.
        start_s: as of `mean_over_time`.
        stop_s: as of `mean_over_time`.

    Returns:
        The value, all the time it held taken together; of several the lowest.

    Raises:
        ValueError: as `mean_over_time`.

    Source: Prudentia (SIGCOMM 2024), Table 2.
    """
    totals_s: dict[float, list[float]] = {}
    for value, seconds in _held_s(times_s, values, start_s, stop_s):
        totals_s.setdefault(value, []).append(seconds)
    return min(totals_s, key=lambda value: (-math.fsum(totals_s[value]), value))


def _held_s(
    times_s: Sequence[float], values: Sequence[float], start_s: float, stop_s: float
) -> list[tuple[float, float]]:
    """Each value that held in the span, with the seconds of the span that it held."""
    _check_times(times_s)
    if len(times_s) != len(values):
        raise ValueError(f"there are {len(times_s)} times of {len(values)} values")
    held_s = [
        (value, min(until, stop_s) - max(since, start_s))
        for (since, until), value in zip(pairwise([*times_s, math.inf]), values, strict=True)
    ]
    held_s = [(value, seconds) for value, seconds in held_s if seconds > 0]
    if not held_s:
        raise ValueError(f"nothing held between {start_s} s and {stop_s} s")
    return held_s


def _check_times(times_s: Sequence[float]) -> None:
    if not all(math.isfinite(time) for time in times_s):
        raise ValueError("a time must be finite")
    if not all(earlier <= later for earlier, later in pairwise(times_s)):
        raise ValueError("a time must not be before the one in front of it")
