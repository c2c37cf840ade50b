"""Whether the first of many figures is truly the first, and how far chance alone put it there.

The lowest of many medians is lower than its truth: it is the lowest partly by chance. `rank_intervals` says
which figures may be the first, and `shrink` gives each figure without the chance that put it there.
"""

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

RESAMPLES = 1000
CONFIDENCE = 0.95
FEWEST = 3
"""With fewer figures their spread says nothing about how far one of them may lie from the others."""


@dataclass(frozen=True)
class Median:
    """One median that a figure is made of.

    Attributes:
        pair: whose trials these are. Parts of one pair are resampled alike: what one service gains, the other
            loses.
        trials: the values, in the order of the trials.
        solo, alone: the same of what the median is a multiple of; empty if it is no multiple.
    """

    pair: str
    trials: tuple[float, ...]
    solo: str = ""
    alone: tuple[float, ...] = ()


Medians = Sequence[Median]
"""A figure is the median of its parts: the share of a cell has one, the contentiousness of a service many."""


@dataclass(frozen=True)
class Ranked:
    """The ranks that a figure may have, at 95 %, and the figure without chance, with its 95 % interval.

    The last three are NaN where too few figures tell that.
    """

    rank_low: int
    rank_high: int
    shrunk: float
    shrunk_low: float
    shrunk_high: float


def leads_of(values: Sequence[float], figures: Sequence[Medians]) -> list[Ranked]:
    """The lead of every figure of a setting; rank 1 is the lowest value.

    Args:
        values: the figures, >= 0.
        figures: their parts, in the same order; each has six trials or more.
    """
    found, samples = np.asarray(values, dtype=np.float64), resampled(figures)
    ranks = rank_intervals(found, samples)
    shrunk = [(math.nan, math.nan, math.nan)] * len(found)
    if len(found) >= FEWEST:
        pairs = {part.pair for figure in figures for part in figure}
        trials = np.array([min(len(part.trials) for part in figure) for figure in figures], dtype=np.float64)
        errors = moderated(samples.std(axis=0), trials)
        shrunk = shrink(found, errors, min(1, len(pairs) / len(found)))
    return [Ranked(*rank, *figure) for rank, figure in zip(ranks, shrunk, strict=True)]


def resampled(figures: Sequence[Medians]) -> Vector:
    """Every figure in RESAMPLES bootstrap samples of the trials of each pair.

    Returns:
        An array with a row a sample and a column a figure. The seed is fixed.

    Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, 6.
    """
    return np.column_stack([np.median([_part(part) for part in figure], axis=0) for figure in figures])


def _part(part: Median) -> Vector:
    medians = _medians(part.pair, part.trials)
    return medians / _medians(part.solo, part.alone) if part.alone else medians


@lru_cache(maxsize=10_000)
def _medians(pair: str, trials: tuple[float, ...]) -> Vector:
    """The median of every bootstrap sample. Cached, because a cell is a part of several figures."""
    draw = np.random.default_rng([zlib.crc32(pair.encode()), len(trials)])
    chosen = draw.integers(len(trials), size=(RESAMPLES, len(trials)))
    medians: Vector = np.median(np.asarray(trials)[chosen], axis=1)
    return medians


def rank_intervals(values: Vector, samples: Vector) -> list[tuple[int, int]]:
    """The lowest and the highest rank that each figure may have, at 95 %; rank 1 is the lowest value.

    A figure is behind another if their difference, in standard errors, exceeds what the largest of all its
    differences reaches by chance in 95 % of the samples. Whatever is not behind any other may be the first:
    the truly first figure is among these in at least 95 % of cycles.

    Args:
        values: the figures.
        samples: the same in bootstrap samples, from `resampled`.

    Source: Mogstad, Romano, Shaikh and Wilhelm 2024, Inference for Ranks, 3 (marginal confidence sets); Hsu
    1981 for the set of those that may be the first.
    """
    errors = samples - samples.mean(axis=0)
    variances = np.atleast_2d(np.cov(errors, rowvar=False))
    intervals = []
    for own in range(len(values)):
        spread = np.sqrt(np.maximum(variances[own, own] + np.diag(variances) - 2 * variances[own], 0))
        by_chance = np.abs(_over(errors[:, [own]] - errors, spread)).max(axis=1)
        most = np.quantile(by_chance, CONFIDENCE)
        apart = _over(values[own] - values, spread)
        intervals.append((1 + int((apart > most).sum()), len(values) - int((apart < -most).sum())))
    return intervals


def _over(differences: Vector, spread: Vector) -> Vector:
    """Differences in standard errors. Without a spread only equal values are not apart."""
    apart = np.where(np.abs(differences) > 1e-12, np.copysign(np.inf, differences), 0)
    return np.divide(differences, spread, out=apart, where=spread > 1e-12)


FREEDOM = 2
"""The bootstrap variance of a median is as uncertain as a variance of so many times fewer trials."""


def moderated(errors: Vector, trials: Vector) -> Vector:
    """Standard errors that are drawn towards those of the other figures.

    The error of a median of ten trials is itself uncertain, and a cell that closes early may have trials that
    agree by chance. The more alike the errors of all are, the more each is drawn.

    Args:
        errors: the standard errors, >= 0.
        trials: the number of trials of each, >= 6.

    Source: Smyth 2004, Linear models and empirical Bayes methods, 6.2.
    """
    from scipy.optimize import brentq
    from scipy.special import digamma, polygamma

    variances = errors**2 * trials
    typical = np.median(variances)
    if typical == 0:
        return errors
    freedom = (trials - 1) / FREEDOM
    logs = np.log(np.maximum(variances, 1e-5 * typical)) - digamma(freedom / 2) + np.log(freedom / 2)
    excess = float(logs.var(ddof=1) - polygamma(1, freedom / 2).mean())
    alike = 1e4
    if excess > polygamma(1, alike):
        alike = float(brentq(lambda half: polygamma(1, half) - excess, 1e-3, alike))
    common = np.exp(logs.mean() + digamma(alike) - np.log(alike))
    drawn: Vector = np.sqrt((2 * alike * common + freedom * variances) / (2 * alike + freedom) / trials)
    return drawn


TAILS = 4
"""Degrees of freedom of the t distribution: a single pair may lie far from all others."""


def shrink(values: Vector, errors: Vector, independent: float = 1) -> list[tuple[float, float, float]]:
    """Every figure, drawn towards the others as far as its scatter may have carried it away from them.

    The true values follow a normal or a t distribution of unknown centre and scale, whose priors are flat,
    and a figure lies normally around its truth. The interval of such a posterior keeps its confidence if the
    figure was chosen because it is the lowest.

    Args:
        values: the figures, at least FEWEST, >= 0.
        errors: their standard errors, >= 0.
        independent: the fraction of the figures that are independent: 0.5 if each has a mirror image.

    Returns:
        The value of each with the ends of its 95 % interval, none below 0, to six digits, since processors
        differ in the last ones.

    Source: Efron and Morris 1975 (empirical Bayes); Gelman 2006 (flat prior of the scale); Gelman et al.
    2013, Bayesian Data Analysis, 17 (a t distribution leaves outliers where they are).
    """
    reach = float(np.ptp(values))
    if reach == 0:
        return [(value, value, value) for value in values.tolist()]
    centres, scales, prior, factors, weights = _hyperparameters(values, reach)
    # Axes: figure, hyperparameters, and the normal distributions that their distribution mixes.
    own, others = errors[:, None, None] ** 2, scales[:, None] ** 2 * factors
    total, away = own + others, values[:, None, None] - centres[:, None]
    density = weights * np.exp(-(away**2) / (2 * total)) / np.sqrt(total)
    likely = np.maximum(density.sum(axis=2), 1e-300)
    fit = np.log(prior) + independent * np.log(likely).sum(axis=0)
    posterior = np.exp(fit - fit.max())
    mixture = density / likely[:, :, None] * (posterior / posterior.sum())[:, None]
    means = (values[:, None, None] * others + centres[:, None] * own) / total
    mean = (mixture * means).sum(axis=(1, 2))
    variance = (mixture * (own * others / total + (means - mean[:, None, None]) ** 2)).sum(axis=(1, 2))
    half = 1.96 * np.sqrt(variance)
    return [
        (_digits(value), _digits(max(value - width, 0)), _digits(value + width))
        for value, width in zip(mean.tolist(), half.tolist(), strict=True)
    ]


def _digits(value: float) -> float:
    return float(f"{value:.6g}")


def _hyperparameters(values: Vector, reach: float) -> tuple[Vector, Vector, Vector, Vector, Vector]:
    """What the distribution of the true values may be.

    Returns:
        Its centres, its scales and their prior weights; the factors of the variances of the normal
        distributions that it mixes, and their weights: a t distribution in the first half of the rows, a
        normal one in the second.
    """
    from scipy.stats import invgamma

    steps = (np.arange(25) + 0.5) / 25
    near = 4 * float(values.std()) / len(values) ** 0.5 * np.linspace(-1, 1, 9)
    centres, roots = (grid.ravel() for grid in np.meshgrid(float(np.median(values)) + near, steps))
    factors = np.append(np.geomspace(0.1, 1000, 14), 1)
    of_t = invgamma.pdf(factors, TAILS / 2, scale=TAILS / 2) * factors * (np.arange(15) < 14)
    weights = np.repeat([of_t / of_t.sum(), np.arange(15) == 14], len(centres), axis=0)
    return np.tile(centres, 2), np.tile(reach * roots**2, 2), np.tile(roots, 2), factors, weights
