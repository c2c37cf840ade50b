"""From distances to an answer: a family of controllers, or that it is unknown.

The distance to a family is that to its nearest trace. The nearest family is the answer unless

- the distance is above the limit of that trace: the LIMIT_QUANTILE of the distances between the traces of its
  implementation, which is a controller of a stack, of different days (`limits_of`), or
- the next family is less than MARGIN times as far.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scripts.recognition.families import UNKNOWN
from scripts.recognition.traces import Numbers

LIMIT_QUANTILE, MARGIN = 0.99, 1.2
SHOWN = 3
"""How many of the nearest traces an answer names."""

TOO_FAR = "far from every family"
NOT_CLEAR = "two families are near"
NOTHING_NEAR = "no labelled traces of two families on this link"


@dataclass(frozen=True)
class Answer:
    """What a trace is taken for.

    Attributes:
        family: a family, or UNKNOWN.
        reason: why it is unknown; None if it is not.
        distance, limit: the distance to the nearest trace, and the largest that still names its family.
        nearest_family, second: the nearest family and the next one.
        margin: the distance to the second over that to the nearest.
        nearest: the places of the nearest traces of the nearest family, nearest first.
    """

    family: str
    reason: str | None = None
    distance: float | None = None
    limit: float | None = None
    nearest_family: str | None = None
    second: str | None = None
    margin: float | None = None
    nearest: tuple[int, ...] = ()


def answer_of(distances: Numbers, families: Sequence[str], limits: Sequence[float]) -> Answer:
    """The answer for one trace.

    Args:
        distances: its distance to each labelled trace of the link.
        families: the family of each of them.
        limits: the largest distance at which each of them gives its family (`limits_of`).
    """
    names = np.asarray(families)
    nearest = {family: float(distances[names == family].min()) for family in sorted({*families})}
    if len(nearest) < 2:
        return Answer(UNKNOWN, NOTHING_NEAR)
    first, second = sorted(nearest, key=lambda family: nearest[family])[:2]
    own = np.flatnonzero(names == first)
    places = own[np.argsort(distances[own], kind="stable")][:SHOWN]
    distance, limit = nearest[first], limits[places[0]]
    margin = nearest[second] / max(distance, 1e-9)
    reason = TOO_FAR if distance > limit else NOT_CLEAR if margin < MARGIN else None
    family = UNKNOWN if reason else first
    return Answer(family, reason, distance, limit, first, second, margin, tuple(map(int, places)))


def limits_of(distances: Numbers, implementations: Sequence[str], days: Sequence[str]) -> dict[str, float]:
    """The largest distance at which the traces of each implementation give their family.

    It is the LIMIT_QUANTILE of the distances between its traces of different days, or between all of them if
    they are of one day. An implementation with a single trace has the limit 0.

    Args:
        distances: between all labelled traces of a link, square.
        implementations: the implementation of each of them.
        days: the day of each of them.
    """
    names, when = np.asarray(implementations), np.asarray(days)
    limits = {}
    for name in sorted({*implementations}):
        own = np.flatnonzero(names == name)
        others = when[own][:, None] != when[own][None, :]
        if not others.any():
            others = ~np.eye(len(own), dtype=bool)
        among = distances[np.ix_(own, own)][others]
        limits[name] = float(np.quantile(among, LIMIT_QUANTILE, method="higher")) if len(among) else 0.0
    return limits
