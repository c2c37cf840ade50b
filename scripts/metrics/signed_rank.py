"""The exact signed-rank test of Wilcoxon, and how many trials it needs for one discovery among many tests.

A trial gives one difference. Without an effect its sign is as likely plus as minus, so each of the 2^n ways
to sign the n differences is equally likely. Ties are exact too: equal distances from 0 get their mean rank.
A difference of 0 has no sign and is left out.
"""

import math
from collections.abc import Sequence

import numpy as np


def signed_rank_p(differences: Sequence[float]) -> float:
    """Two-sided p of the signed-rank test: whether differences are spread evenly around 0.

    Args:
        differences: one for each trial, in any order and unit.

    Returns:
        p, in (0, 1]: twice the probability of a sum of the positive ranks as extreme as this one on the same
        side. It is 1 if no difference is other than 0.

    Raises:
        ValueError: a difference is not finite.

    Source: Wilcoxon 1945; with ties and zeros: Lehmann, Nonparametrics, 3.2 (midranks).
    """
    from scipy.stats import rankdata  # takes most of a second, and a plan seldom needs it

    sample = np.asarray(differences, dtype=np.float64)
    if not np.isfinite(sample).all():
        raise ValueError(f"a difference must be finite: {list(differences)}")
    signed = sample[sample != 0]
    ranks = np.rint(2 * rankdata(np.abs(signed))).astype(int)  # twice the ranks: midranks are whole then
    positive = int(ranks[signed > 0].sum())
    chance = np.ones(1)  # of each sum of the positive ranks so far
    for rank in ranks:
        with_it = np.concatenate([np.zeros(rank), chance])
        chance = (with_it + np.concatenate([chance, np.zeros(rank)])) / 2
    tail = float(chance[: min(positive, int(ranks.sum()) - positive) + 1].sum())
    return min(1.0, 2 * tail)


def smallest_signed_rank_p(n: int) -> float:
    """The smallest p that n trials can give: all differences have the same sign.

    Args:
        n: the number of trials, >= 1.
    """
    return 2.0 ** (1 - n)


def trials_for_one(tests: int, level: float) -> int:
    """The fewest trials that can give one discovery among many tests: 2^(1 - n) <= level / tests.

    Args:
        tests: the number of tests of the family, >= 1.
        level: the false discovery rate of the family, in (0, 1).

    Returns:
        n >= log2(2 tests / level): at 5 % 7, 10 and 12 trials for 3, 15 and 66 tests.

    Source: Benjamini and Hochberg 1995: the smallest of m p values is a discovery from level / m down.
    """
    return math.ceil(math.log2(2 * tests / level))
