"""What the sizes and gaps of generated flows are drawn from.

- `fixed`: the given values in turn, and from the first again. Nothing is random.
- `exponential`: gaps of a Poisson process, with this mean.
- `lognormal_pareto`: lognormal with this median and `sigma`, the standard deviation of the natural logarithm.
  From `tail_from` on its place is taken by a Pareto tail of the index `tail_index`, which ends at `most`. The
  tail has the probability that the lognormal has there.
- `empirical`: a measured distribution, linear between its points (scripts/model/empirical.py).

A random value is the quantile at a number of random.Random. Python keeps the sequence of a seed across
versions. Logarithms and normal quantiles of two machines may differ in the last of 16 digits, which whole
bytes and microseconds do not show.
"""

import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle, pairwise, repeat
from random import Random
from statistics import NormalDist

from scripts.model.services import Distribution

STEPS = 10_000
"""The mean of a random distribution is that of so many quantiles, evenly spaced."""

LEAST = 2.0**-54
"""Stands for the random number 0, where a lognormal has no quantile."""


def quantile(distribution: Distribution, p: float) -> float:
    """The value that a fraction `p` of all random values does not exceed, in the distribution's unit.

    Args:
        distribution: a distribution of any kind but `fixed`, which is not random.
        p: a fraction, 0 < p < 1.

    Source: inverse distribution functions, Devroye 1986, Non-Uniform Random Variate Generation, II.2.
    """
    return _QUANTILES[distribution.kind](distribution, p)


def draws(distribution: Distribution, random: Random) -> Iterator[float]:
    """Values of the distribution without end, in its unit."""
    if distribution.kind == "fixed":
        yield from cycle(distribution.values)
    while True:
        yield quantile(distribution, max(random.random(), LEAST))


def typical(distribution: Distribution) -> Iterator[float]:
    """The values if chance had no part: the given ones of `fixed`, else the mean again and again."""
    if distribution.kind == "fixed":
        return cycle(distribution.values)
    return repeat(mean(distribution))


@cache
def mean(distribution: Distribution) -> float:
    """The mean of a random distribution, in its unit."""
    return math.fsum(quantile(distribution, (step + 0.5) / STEPS) for step in range(STEPS)) / STEPS


def _exponential(distribution: Distribution, p: float) -> float:
    assert distribution.mean is not None
    return -distribution.mean * math.log1p(-p)


def _lognormal_pareto(distribution: Distribution, p: float) -> float:
    assert distribution.median is not None and distribution.sigma is not None
    body = NormalDist(math.log(distribution.median), distribution.sigma)
    if distribution.tail_from is None:
        return math.exp(body.inv_cdf(p))
    below = body.cdf(math.log(distribution.tail_from))
    return math.exp(body.inv_cdf(p)) if p <= below else _tail(distribution, (p - below) / (1 - below))


def _tail(distribution: Distribution, p: float) -> float:
    """The quantile of the Pareto tail alone, which ends at `most`."""
    start, index, end = distribution.tail_from, distribution.tail_index, distribution.most
    assert start is not None and index is not None and end is not None
    beyond = (start / end) ** index
    return start * float((1 - p * (1 - beyond)) ** (-1 / index))


def _empirical(distribution: Distribution, p: float) -> float:
    for (low, before), (high, after) in pairwise(distribution.points):
        if p <= after:
            return low + (high - low) * max(0.0, (p - before) / (after - before))
    raise ValueError(f"the points of an empirical distribution end at 1, and {p} is more")


_QUANTILES: dict[str, Callable[[Distribution, float], float]] = {
    "exponential": _exponential,
    "lognormal_pareto": _lognormal_pareto,
    "empirical": _empirical,
}
