"""What part of a link each of several clients should get, if services keep the ratios of their pairs."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def parts_from_pairs(
    services: Sequence[str], fractions: Sequence[float], lows: Sequence[float], highs: Sequence[float]
) -> list[tuple[float, float, float]]:
    """The part of every client, with its interval.

    The weight of a client is the geometric mean of its ratios to all clients. These weights fit all ratios
    best, in least squares of the logarithms. A part is a weight over the sum of all weights.

    Args:
        services: the service of every client.
        fractions: what the service of each client gets of what it and the service of each client get together
            in their pair, in (0, 1), row by row; 1/2 for two clients of one service.
        lows: the low ends of their intervals, in [0, 1]; NaN where there is none.
        highs: the high ends likewise.

    Returns:
        (low, part, high) of every client, in [0, 1]. The pairs are independent, so the distances by which the
        ends of the interval of each pair move a part add up as the root of their squares. Both ends are NaN
        if a pair has no interval, or one that says nothing of the ratio, because an end is 0 or 1.

    Raises:
        ValueError: the numbers of fractions and clients do not match, or a fraction is not in (0, 1).

    Source: Zou and Donner 2008, Construction of confidence limits about effect measures (the interval).
    """
    clients = len(services)
    if not clients**2 == len(fractions) == len(lows) == len(highs):
        raise ValueError(f"{clients} clients have {clients**2} fractions, not {len(fractions)}")
    if not all(0 < fraction < 1 for fraction in fractions):
        raise ValueError("a fraction must be above 0 and below 1")
    ratios, low, high = (_log_ratios(values, clients) for values in (fractions, lows, highs))
    parts = _parts(ratios)
    down, up = np.zeros(clients), np.zeros(clients)
    named = np.array(services)
    for one, other in combinations(sorted({*services}), 2):
        ours = np.outer(named == one, named == other)
        ends = [_parts(np.select([ours, ours.T], turned, ratios)) for turned in ([low, high], [high, low])]
        down = np.hypot(down, parts - np.minimum(parts, np.minimum(*ends)))
        up = np.hypot(up, np.maximum(parts, np.maximum(*ends)) - parts)
    found = np.clip([parts - down, parts, parts + up], 0, 1)
    return [(low, part, high) for low, part, high in found.T.tolist()]


def _log_ratios(fractions: Sequence[float], clients: int) -> Matrix:
    """The logarithms of the ratios; NaN for a ratio of 0 or infinity."""
    inside = [math.log(one / (1 - one)) if 0 < one < 1 else math.nan for one in fractions]
    return np.array(inside).reshape(clients, clients)


def _parts(ratios: Matrix) -> Matrix:
    weights = np.exp(ratios.mean(axis=1))
    parts: Matrix = weights / weights.sum()
    return parts
