"""The points of a line over time: every slot, thinned to what a picture can show, and the means of seconds.

site/common/assets/js/points.js makes the same points.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from statistics import fmean

SLOT_S = 0.1
MOST_MEANS, MOST_VALUES = 600, 600
PER_SECOND = 10

Slot = tuple[int, float | None]
"""The number of a slot, and its value; None if it is unknown."""

Point = tuple[float, float | None]
"""Seconds since the start of the trial, and a value."""


def means(slots: Sequence[Slot], count: int) -> list[Point]:
    """The mean of the known values of each second; of a trial of more than 600 s, of several seconds.

    Args:
        slots: in order.
        count: the slots of the trial.
    """
    group = PER_SECOND * max(1, -(-count // (MOST_MEANS * PER_SECOND)))
    return [(_middle(found), _mean(found)) for found in _grouped(slots, group)]


def extremes(slots: Sequence[Slot], count: int) -> list[Point]:
    """Every value. Of more than 600 slots, the lowest and the highest value of each group, in order of time.

    The arguments are those of `means`.
    """
    group = 1 if count <= MOST_VALUES else -(-2 * count // MOST_VALUES)
    return [
        (round(slot * SLOT_S, 1), value) for found in _grouped(slots, group) for slot, value in _ends(found)
    ]


def _grouped(slots: Iterable[Slot], group: int) -> list[list[Slot]]:
    return [list(found) for _, found in groupby(slots, lambda slot: slot[0] // group)]


def _middle(slots: list[Slot]) -> float:
    """The middle of the time that the slots cover; the last second of a trial may be short."""
    return round((slots[0][0] + slots[-1][0] + 1) / 2 * SLOT_S, 2)


def _mean(slots: list[Slot]) -> float | None:
    known = [value for _, value in slots if value is not None]
    return round(fmean(known), 3) if known else None


def _ends(slots: list[Slot]) -> list[Slot]:
    """The slots with the lowest and the highest known value; the first one if no value is known."""
    known = sorted((value, slot) for slot, value in slots if value is not None)
    if not known:
        return slots[:1]
    ends = sorted({(slot, value) for value, slot in (known[0], known[-1])})
    return [(slot, round(value, 3)) for slot, value in ends]
