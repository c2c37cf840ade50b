"""Worlds in which a rule excludes trials, for what they measured or for nothing that they measured."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from scripts.tables.cycle_tables import build_summaries
from scripts.tables.table_schema import load_schema
from tests.truth.worlds import CAPACITY_MBPS, World, measure

RULE = "longest_stall_rtt"
LIMIT = 0.5
TABLES = ("solo", "trial_fmp", "trial_fairness", "exclusion_bias", "exclusion_tests", "threshold_sensitivity")

Stall = Callable[[np.random.Generator, float], float]
"""Draws the longest stall of a trial, from the share of its first client."""


def at_random(part: float) -> Stall:
    """Stalls that have nothing to do with shares; this part of them breaks the rule."""
    return lambda draw, share: float(draw.uniform(0, LIMIT / (1 - part)))


def when_low(limit: float) -> Stall:
    """Stalls that are longer the less the first service got: trials below this limit break the rule."""
    return lambda draw, share: float(LIMIT + limit - share + draw.normal(0, 0.05))


@dataclass(frozen=True)
class Measured:
    """A measured world."""

    world: World
    folder: Path

    def judged(
        self, stall: Stall, seed: int, only: tuple[str, ...] = TABLES
    ) -> dict[str, list[dict[str, Any]]]:
        """The rows of its tables if its trials of pairs had such stalls."""
        draw = np.random.default_rng(seed)
        rows = pq.read_table(self.folder / "trial_services.parquet").to_pylist()
        stalls = {
            _key(row): stall(draw, 2 * row["wire_rate_mbps"] / CAPACITY_MBPS)
            for row in rows
            if row["client"] == "c1" and row["clients"] > 1
        }
        for row in rows:
            row["valid"] = stalls.get(_key(row), 0) <= LIMIT
        rules = [
            dict(zip(("setting", "pair", "trial"), key, strict=True))
            | {"rule": RULE, "class": "testbed", "figure": max(0.0, figure), "threshold": LIMIT}
            | {"valid": figure <= LIMIT}
            for key, figure in stalls.items()
        ]
        copy = self.folder.with_name(f"{self.folder.name}-judged")
        copy.mkdir(exist_ok=True)
        for table, content in (("trial_services", rows), ("validity", rules), ("trial_series", [])):
            pq.write_table(pa.Table.from_pylist(content, load_schema(table).arrow), copy / f"{table}.parquet")
        build_summaries(copy, self.world.campaign, only=only)
        return {table: pq.read_table(copy / f"{table}.parquet").to_pylist() for table in only}


def measured(world: World, seed: int, folder: Path) -> Measured:
    """Measure a cycle of a world; all its trials are valid."""
    return Measured(world, measure(world, seed, folder, only=()))


def _key(row: dict[str, Any]) -> tuple[str, str, int]:
    return row["setting"], row["pair"], row["trial"]
