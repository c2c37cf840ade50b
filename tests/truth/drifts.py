"""Worlds in which shares change within the steady window: what the table pairs calls settled."""

from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq

from tests.truth.claims import needed
from tests.truth.cycle_pairs import exactly
from tests.truth.worlds import World, measure, normal

Words = Counter[str | None]
"""How many cells are called each word, or none."""


def drifting(
    climb: float, spread: float, trials: int, services: int = 5, draws: int = 4, day_sd: float | None = None
) -> World:
    """A world of so many trials a pair, whose shares climb through the window.

    Args:
        climb: from its beginning to its end, in fair shares.
        spread: the standard deviation over the trials, both of the share and of the difference of its halves.
        trials: of every pair.
        services: how many there are.
        draws: of the cycle.
        day_sd: as in World; None: nobody knows the days, so that intervals are by trials.
    """
    return World(
        normal(spread),
        services=services,
        draws=draws,
        numbers=exactly(trials),
        day_sd=day_sd,
        climb=climb,
        drift=normal(spread),
    )


def words(world: World, seed: int, folder: Path) -> Words:
    """What the cells of two services are called. One side of each pair counts: the other changes as much."""
    tables = measure(world, seed, folder / "cycle", needed())
    rows = pq.read_table(tables / "pairs.parquet").to_pylist()
    return Counter(row["settled"] for row in rows if row["incumbent"] < row["contender"])


def rate(found: Words, word: str) -> float:
    """The fraction of the cells that are called so."""
    return found[word] / found.total()
