"""What a gate of a given size can show, before it runs.

Both functions count the last look alone, with equal arms and normal values. Earlier looks add a little.
"""

import math

from scipy.special import nctdtr, nctdtrinc

from scripts.gate.decision import ERROR, FEWEST, LOOKS
from scripts.gate.margins import Worse
from scripts.metrics.sequential import student_boundary

SCATTER = 0.16
"""The standard deviation from trial to trial, in the unit of the margin: 16 points of a share.

So much scattered 55 trials of 40 s in which Cubic competed with Cubic (Linux 6.18, 8 Mbps, 50 ms, 4 BDP).
Their other figures scattered by no more of their margins.
"""
POWER = 0.8
MOST = 10_000
"""The most trials of an arm that are tried."""


def smallest_failing(
    trials: int,
    margin: float,
    tests: int,
    scatter: float = SCATTER,
    looks: tuple[float, ...] = LOOKS,
    power: float = POWER,
) -> float:
    """The smallest difference, to the worse side, that a gate fails with this power.

    Args:
        trials: trials of each arm, all of the gate, 2 at least.
        margin: the margin of the figure, in its unit.
        tests: figures × contenders of the gate.
        scatter: the standard deviation of the trials of an arm, in the same unit, > 0.
        looks: as for `judge`, all of the gate.
        power: the probability that this figure fails, in (0.5, 1).

    Returns:
        A difference, candidate minus base, without its sign, above the margin.

    Source: Student's t is non-central with the difference beyond the margin over its standard error.
    """
    freedom = 2 * trials - 2
    beyond = nctdtrinc(freedom, 1 - power, float(student_boundary(freedom, looks, ERROR / tests / 2)))
    return margin + float(beyond) * _standard_error(trials, scatter)


def trials_to_pass(
    margin: float,
    worse: Worse = "either",
    figures: int = 1,
    scatter: float = SCATTER,
    looks: tuple[float, ...] = LOOKS,
    power: float = POWER,
) -> int:
    """The trials of each arm that a pass needs, if candidate and base do not differ.

    Args:
        margin: the margin of the figure, in its unit.
        worse: whether both sides have a margin, or one.
        figures: so many independent figures like this one must pass together.
        scatter: as for `smallest_failing`.
        looks: as for `smallest_failing`.
        power: the probability that all of them pass, in (0.5, 1).

    Returns:
        A number of trials, FEWEST at least.

    Raises:
        ValueError: more than MOST trials are needed.

    Source: as `smallest_failing`. With two sides, the probabilities to miss either are added.
    """
    sides = 2 if worse == "either" else 1
    missed = (1 - power ** (1 / figures)) / sides
    for trials in range(FEWEST, MOST + 1):
        freedom = 2 * trials - 2
        inside = margin / _standard_error(trials, scatter)
        if nctdtr(freedom, inside, student_boundary(freedom, looks, ERROR / 2)) <= missed:
            return trials
    raise ValueError(f"a margin of {margin} needs more than {MOST} trials at a scatter of {scatter}")


def _standard_error(trials: int, scatter: float) -> float:
    """That of the difference of two means."""
    return scatter * math.sqrt(2 / trials)
