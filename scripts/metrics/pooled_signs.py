"""A test of whether some trials of many cells lie on one side of the medians of their cells."""

from collections.abc import Sequence
from math import comb


def pooled_sign_p(
    below: Sequence[int], above: Sequence[int], chosen: Sequence[int], chosen_above: Sequence[int]
) -> float:
    """Two-sided p of the chosen trials lying on one side of their cells' medians, over all cells.

    If the choice has nothing to do with the values, all trials of a cell are equally likely to be chosen. The
    number above is then hypergeometric in each cell, and the sum over the cells is their convolution. This is
    exact for any number of trials, however many of a cell were chosen. With one chosen trial in each cell of
    an even number of trials it is the sign test: binomial with probability 1/2.

    Args:
        below: for each cell, how many of its trials are below its median. Trials equal to it count nowhere.
        above: how many are above it.
        chosen: how many of both were chosen.
        chosen_above: how many of the chosen ones are above it.

    Returns:
        p in (0, 1]: twice the probability of as many chosen trials above, or as few; 1 without any cell.

    Raises:
        ValueError: the lengths differ, or a cell has fewer trials than were chosen of it.

    Source: Mantel and Haenszel 1959, exact as Mehta, Patel and Gray 1985, for Mood's median test.
    """
    ways, total = [1], 0
    for under, over, number, higher in zip(below, above, chosen, chosen_above, strict=True):
        least, most = max(0, number - under), min(number, over)
        if not least <= higher <= most:
            raise ValueError(
                f"{higher} of {number} chosen trials cannot be above: {under} below, {over} above"
            )
        cell = [comb(over, k) * comb(under, number - k) for k in range(least, most + 1)]
        ways = _convolved(ways, cell)
        total += higher - least
    tail = min(sum(ways[: total + 1]), sum(ways[total:]))
    return min(1.0, 2 * tail / sum(ways))


def _convolved(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """In how many ways two numbers have each sum, given in how many each has every value from 0 on."""
    sums = [0] * (len(one) + len(other) - 1)
    for place, first in enumerate(one):
        for further, second in enumerate(other, start=place):
            sums[further] += first * second
    return sums
