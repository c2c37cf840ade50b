"""Intervals of a difference that hold at every look at growing samples, not only at one.

Whoever looks at a test several times, and stops when it is clear, errs more often than a single look does.
So each look gets a part of the error, and its interval is wider than that of a single look.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtrit  # scipy.stats takes most of a second to load

Sample = NDArray[np.float64]

NODES = 200
"""The places at which a density is known; enough for looks that are 1 % of all trials apart."""
REACH = 8.0
"""The standard deviations below the mean beyond which a density counts as 0. Above it, a boundary ends it."""
HIGHEST = 37.0
"""The highest boundary, in standard deviations: beyond it, probabilities are too small for a computer."""


def spent(fraction: float, tail: float) -> float:
    """The error that may be spent until a look: little at the beginning, all at the end.

    Args:
        fraction: the part of the planned trials that the look has, in (0, 1].
        tail: the error of all looks on one side, in (0, 0.25].

    Returns:
        A probability in [0, tail].

    Source: Lan and DeMets 1983, the spending function α₁*, which resembles the boundaries of O'Brien and
    Fleming 1979.
    """
    return 2 * float(ndtr(ndtri(tail / 2) / math.sqrt(fraction)))


@lru_cache(maxsize=64)
def boundaries(fractions: tuple[float, ...], tail: float) -> tuple[float, ...]:
    """How many standard errors from its mean a normal estimate may be at each look.

    Without an effect, it is farther to one side at any of the looks with the probability `spent` at the last
    one. The estimates of the looks are a Brownian motion at the times `fractions`. Its density inside all
    boundaries so far is carried from look to look by numerical integration (Gauss and Legendre's nodes).

    Args:
        fractions: the part of the planned trials that each look has, rising, in (0, 1].
        tail: the error of all looks on one side, in (0, 0.25].

    Returns:
        One for each look, > 0.

    Raises:
        ValueError: the fractions do not rise within (0, 1], or the error is not in (0, 0.25].

    Source: Armitage, McPherson and Rowe 1969; Jennison and Turnbull 2000, Group Sequential Methods, chapters
    7 (error spending) and 19 (computation).
    """
    if not fractions or sorted({0.0, *fractions}) != [0.0, *fractions]:
        raise ValueError(f"looks must come one after another: {fractions}")
    if fractions[-1] > 1 or not 0 < tail <= 0.25:
        raise ValueError(f"the fractions must be in (0, 1], the error in (0, 0.25]: {fractions}, {tail}")
    places, masses = np.zeros(1), np.ones(1)
    time, error = 0.0, 0.0
    found = []
    for fraction in fractions:
        step, deviation = math.sqrt(fraction - time), math.sqrt(fraction)
        edge = _edge(places, masses, step, spent(fraction, tail) - error, deviation)
        places, masses = _inside(places, masses, step, -REACH * deviation, edge)
        time, error = fraction, spent(fraction, tail)
        found.append(edge / deviation)
    return tuple(found)


def _edge(places: Sample, masses: Sample, step: float, error: float, deviation: float) -> float:
    """The edge that a normal step from these places, which have these masses, crosses with this error."""
    from scipy.optimize import brentq

    def excess(edge: float) -> float:
        return float(masses @ ndtr((places - edge) / step)) - error

    highest = HIGHEST * deviation
    return highest if excess(highest) >= 0 else float(brentq(excess, -REACH * deviation, highest))


def _inside(places: Sample, masses: Sample, step: float, low: float, high: float) -> tuple[Sample, Sample]:
    """Places between two edges, and the masses that they have after a normal step."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    inside = (low + high + (high - low) * nodes) / 2
    apart = (inside[:, np.newaxis] - places) / step
    density = np.exp(-(apart**2) / 2) @ masses / (step * math.sqrt(2 * math.pi))
    return inside, density * weights * (high - low) / 2


def welch(base: Sample, candidate: Sample) -> tuple[Sample, Sample, Sample]:
    """The difference of two means, its standard error and its degrees of freedom.

    Args:
        base: values of one sample along the last axis, two at least. Further axes hold further samples.
        candidate: values of the other, in the same unit. The samples may differ in size and in spread.

    Returns:
        The mean of `candidate` minus that of `base`, the standard error and the degrees of freedom, without
        the last axis. The last is NaN if no value differs from the others of its sample.

    Source: Welch 1947, The generalization of Student's problem when several different population variances
    are involved; the degrees of freedom as Satterthwaite 1946.
    """
    parts = [np.var(sample, axis=-1, ddof=1) / sample.shape[-1] for sample in (base, candidate)]
    together = parts[0] + parts[1]
    with np.errstate(invalid="ignore"):
        freedom = together**2 / (
            parts[0] ** 2 / (base.shape[-1] - 1) + parts[1] ** 2 / (candidate.shape[-1] - 1)
        )
    return candidate.mean(axis=-1) - base.mean(axis=-1), np.sqrt(together), freedom


def student_boundary(freedom: Sample | float, fractions: tuple[float, ...], tail: float) -> Sample:
    """How many estimated standard errors from its mean an estimate may be at the last of these looks.

    The boundary of the normal distribution is replaced by that of Student's with the same probability beyond
    it. This is exact for one look at normal values whose spread has these degrees of freedom. For several
    looks, unequal spreads and other values, the error of all looks is only about `tail`.

    Args:
        freedom: the degrees of freedom of the standard error, > 0.
        fractions: as for `boundaries`, which also tells the errors.
        tail: as for `boundaries`.

    Returns:
        A number > 0 for each value of `freedom`, in its shape.

    Source: Pocock 1977; Jennison and Turnbull 2000, Group Sequential Methods (tests of Student's t at the
    significance levels of the normal ones).
    """
    # Where the quantile is beyond all numbers, SciPy returns infinity without its sign.
    quantile: Sample = np.abs(stdtrit(freedom, ndtr(-boundaries(fractions, tail)[-1])))
    return quantile


def repeated_interval(
    base: Sample, candidate: Sample, fractions: tuple[float, ...], tail: float
) -> tuple[Sample, Sample]:
    """The interval of the difference of two means at a look, which holds at this and all earlier looks.

    It is as exact as `student_boundary`. If trials of both arms took turns, what a drift adds to both widens
    the interval but does not move it.

    Args:
        base: as for `welch`, all values until this look.
        candidate: the same of the other sample.
        fractions: the part of the planned trials that each look until this one has, rising, in (0, 1].
        tail: the probability that an interval of any look lies above the true difference; the same below it.

    Returns:
        (low, high), in the unit of the samples; NaN where `welch` has no degrees of freedom.

    Raises:
        ValueError: as for `boundaries`.

    Source: Jennison and Turnbull 2000, Group Sequential Methods, chapter 9 (repeated confidence intervals).
    """
    difference, error, freedom = welch(base, candidate)
    width = error * student_boundary(freedom, fractions, tail)
    return difference - width, difference + width
