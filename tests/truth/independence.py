"""Worlds in which days differ, the distances between trials of a cell, and the places of clients: rates."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from scripts.metrics.statistics import median_ci
from scripts.model.pairs import is_solo
from scripts.model.trials import TrialKey
from scripts.plan.planner import Cell, in_turns
from tests.truth.worlds import CAPACITY_MBPS, WIRE, World, measure, normal

SD = 0.3
"""Of the shares of a noisy pair within a day: its interval is still too wide at twenty trials."""
NOISY = ("s01~s02", "s01~s03", "s02~s04", "s03~s05", "s04~s05")
"""The pairs of which rounds 2 and 3 consist."""
HALF_MBPS = CAPACITY_MBPS / 2 / WIRE
"""The true median of every service."""


def coverage(day_sd: float, draws: int, folder: Path) -> tuple[float, float]:
    """The fraction of cells with 30 trials whose interval contains the truth: by trials, and published."""
    world = World(normal(SD), services=5, draws=draws, day_sd=day_sd, noisy=NOISY)
    measure(world, 1, folder, only=["stability"])
    cells = [
        row
        for row in pq.read_table(folder / "stability.parquet").to_pylist()
        if row["pair"] in NOISY and row["n"] == 30 and row["incumbent"] < row["contender"]
    ]
    assert len(cells) > 4 * draws, "most noisy pairs need all trials"
    assert all(row["days"] >= 10 for row in cells)
    values: dict[tuple[str, str], list[float]] = {}
    for row in pq.read_table(folder / "trial_services.parquet").to_pylist():
        if row["client"] == "c1":
            values.setdefault((row["setting"], row["pair"]), []).append(row["throughput_mbps"])
    by_trials = [median_ci(values[row["setting"], row["pair"]]) for row in cells]
    return (
        _fraction(low <= HALF_MBPS <= high for low, _, high in by_trials),
        _fraction(row["low_mbps"] <= HALF_MBPS <= row["high_mbps"] for row in cells),
    )


def small_p(draws: int, folder: Path) -> float:
    """The fraction of settings whose sign test of c1 against c2 has p < 0.05, of places that are equal."""
    measure(World(normal(0.1), services=3, draws=draws), 1, folder, only=["positions"])
    rows = pq.read_table(folder / "positions.parquet").to_pylist()
    assert draws == len(rows)
    return _fraction(row["p"] < 0.05 for row in rows)


def least_distance(rounds: Sequence[Sequence[TrialKey]], turn: Sequence[int]) -> float:
    """The least distance between two trials of a pair, in turns of the later one's round, over all rounds.

    Args:
        rounds: the trials of every round, in the order of running.
        turn: how many cells each round has.
    """
    last: dict[Cell, int] = {}
    found = []
    for place, (key, cells) in enumerate(
        (key, cells) for keys, cells in zip(rounds, turn, strict=True) for key in keys
    ):
        cell = Cell(key.setting, key.pair)
        if cell in last and not is_solo(key.pair):
            found.append((place - last[cell]) / cells)
        last[cell] = place
    return min(found)


def three_rounds(world: World, open_pairs: Sequence[str]) -> list[list[TrialKey]]:
    """The first round of a cycle, and two more in which only these pairs are open."""
    campaign = world.campaign

    def numbers(number: int, cell: Cell) -> Sequence[int]:
        wanted = number == 1 or cell.pair in open_pairs
        return range(10 * number - 9, 10 * number + 1) if wanted else ()

    return [in_turns(campaign, lambda cell, one=number: numbers(one, cell), "c") for number in (1, 2, 3)]


def followers(keys: Iterable[TrialKey]) -> dict[Cell, set[Cell]]:
    """The cells that follow each cell."""
    found: dict[Cell, set[Cell]] = {}
    for one, other in pairwise(Cell(key.setting, key.pair) for key in keys):
        found.setdefault(one, set()).add(other)
    return found


def _fraction(flags: Iterable[bool]) -> float:
    return float(np.mean(list(flags)))
