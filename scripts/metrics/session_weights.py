"""How far K of a session depends on the weights of its slots, and what scatter alone gives.

Corbel et al. (Fairness Measurement Procedure, IV-A) require weights that decrease strictly, and give none.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scripts.metrics.fairness import linear_weights, signed_unfairness

Slots = NDArray[np.float64]

WEIGHTS: dict[str, Callable[[Slots], Slots]] = {
    "nearly flat": lambda place: 1 - 0.01 * place,
    "1/sqrt(i)": lambda place: 1 / np.sqrt(1 + place * (place.size - 1)),
    "linear": lambda place: 1 - place * (place.size - 1) / place.size,
    "1/i": lambda place: 1 / (1 + place * (place.size - 1)),
    "exponential": lambda place: np.exp(-5 * place),
}
"""Weights that decrease strictly, before they get the sum 1. A place is 0 for the first slot, 1 for the last.

The exponential ones give the first fifth of a session 63 % of the weight.
"""

BLOCKS = 10
"""Slots next to each other are alike, because congestion control takes many round-trip times to turn.

A session is therefore divided into so many blocks. Their signs are independent if the flows are fair.
"""


def k_by_weights(slot_bytes_a: Sequence[float], slot_bytes_b: Sequence[float]) -> tuple[float, float]:
    """The lowest and the highest K of a session over all WEIGHTS.

    Args:
        slot_bytes_a: as for `scripts.metrics.fairness.fmp`.
        slot_bytes_b: likewise.

    Returns:
        (lowest, highest), in [-1/2, 1/2].

    Raises:
        ValueError: as `fmp`.
    """
    signed = signed_unfairness(slot_bytes_a, slot_bytes_b)
    place = np.linspace(0, 1, signed.size)
    found = [
        math.fsum((signed * (made / math.fsum(made)).tolist()).tolist())
        for made in (of(place) for of in WEIGHTS.values())
    ]
    return min(found), max(found)


def k_scatter(slot_bytes_a: Sequence[float], slot_bytes_b: Sequence[float]) -> float:
    """The |K| to be expected of two fair flows that scatter as much as these: with the linear weights.

    If the flows are fair, each block could as well have had the other sign. The sum of blocks with random
    signs is nearly normal, and the mean of its absolute value is sqrt(2 / pi) of its standard deviation.

    Args:
        slot_bytes_a: as for `scripts.metrics.fairness.fmp`.
        slot_bytes_b: likewise.

    Returns:
        A value in [0, 1/2]. A flow that dominates all the session has one below its |K|, by about
        sqrt(2 / (pi BLOCKS)).

    Raises:
        ValueError: as `fmp`.

    Source: the sign-flipping test of Fisher (Pitman 1937), with its normal approximation.
    """
    signed = signed_unfairness(slot_bytes_a, slot_bytes_b)
    weighted = signed * np.array(linear_weights(signed.size))
    blocks = [math.fsum(block.tolist()) for block in np.array_split(weighted, BLOCKS)]
    return math.sqrt(2 / math.pi) * math.hypot(*blocks)
