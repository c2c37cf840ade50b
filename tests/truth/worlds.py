"""Worlds whose truth is known: cycles of equal services, or of services of which some lose.

Every setting of a world is the same link of 8 Mbps, so each setting is one draw of the same cycle. In a
trial of `a~b` the service a gets a drawn share of its fair half, and b gets what is left of both halves. The
share may change within the steady window. The planner decides how many trials each cell has, in rounds, as in
a cycle.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from scripts.model.campaign import Campaign, TrialNumbers
from scripts.model.link import FULL_FRAME_BYTES, OVERHEAD_BYTES
from scripts.model.pairs import contender_name, is_solo, members, pair_name
from scripts.model.trials import TrialKey
from scripts.plan.planner import next_trials
from scripts.plan.trial_services import TrialService
from scripts.tables.cycle_tables import PER_TRIAL, SUMMARIES, build_summaries
from scripts.tables.table_schema import load_schema
from tests.model.campaigns import NUMBERS
from tests.tables.campaigns import campaign, service

CAPACITY_MBPS = 8.0
WIRE = (FULL_FRAME_BYTES + OVERHEAD_BYTES) / (FULL_FRAME_BYTES - 14)
"""Wire rate over IP rate of full frames."""
PRECISION_MBPS = 0.5
WINDOW_S = 360.0
TRIAL_S = 618
"""What a trial of the paper takes, with its overhead."""

Scatter = Callable[[np.random.Generator], float]
"""Draws what a trial adds to the true share of the first client."""


def normal(sd: float) -> Scatter:
    """Trials scatter normally around the truth."""
    return lambda draw: float(draw.normal(0, sd))


def two_modes(distance: float, sd: float = 0.05) -> Scatter:
    """Trials fall around two outcomes at ± `distance`, each as often as the other."""
    return lambda draw: float(draw.choice([-distance, distance]) + draw.normal(0, sd))


@dataclass(frozen=True)
class World:
    """A world.

    Attributes:
        scatter: of the trials of every pair.
        shares: the true share of the first service of a pair, by the pair's name; 1 for all others.
        services, draws: how many there are.
        first_draw: the number of the first draw, so that a world may be measured in portions.
        numbers: the campaign's numbers of trials.
        day_sd: how far the days of a pair scatter: what the trials of one day share. With None, nobody knows
            when a trial started.
        noisy: the pairs whose trials and days scatter; None: all.
        climb: how much the share of the first service of every pair climbs through the steady window, evenly.
            Its mean over the second half is higher by half of this than over the first.
        drift: what a trial adds to this difference of the two halves; None: nothing.
    """

    scatter: Scatter
    shares: Mapping[str, float] = field(default_factory=dict)
    services: int = 12
    draws: int = 10
    first_draw: int = 0
    numbers: TrialNumbers = NUMBERS
    day_sd: float | None = None
    noisy: Sequence[str] | None = None
    climb: float = 0.0
    drift: Scatter | None = None

    @property
    def names(self) -> list[str]:
        """The services: s01, s02, …"""
        return [f"s{number:02d}" for number in range(1, self.services + 1)]

    @property
    def pairs(self) -> list[str]:
        """All pairs, with the self-pairs."""
        return [pair_name(pair) for pair in combinations_with_replacement(self.names, 2)]

    @property
    def campaign(self) -> Campaign:
        """The campaign that measures this world."""
        plain = (service(name, title=name, category="File transfer") for name in self.names)
        settings = {
            f"draw-{number}": PRECISION_MBPS
            for number in range(self.first_draw, self.first_draw + self.draws)
        }
        return replace(
            campaign(*plain, precision_mbps=settings), pairs=tuple(self.pairs), trials=self.numbers
        )


def measure(world: World, seed: int, folder: Path, only: Sequence[str] = SUMMARIES) -> Path:
    """Measure a cycle of this world and build the tables of it that `only` names, with those of level trial.

    Returns:
        The folder of the tables.
    """
    folder.mkdir(parents=True)
    campaign = world.campaign
    rows = [
        row
        for name, setting in campaign.settings.items()
        for row in _measured(replace(campaign, settings={name: setting}), world, seed)
    ]
    for table in PER_TRIAL:
        content = rows if table == "trial_services" else []
        pq.write_table(pa.Table.from_pylist(content, load_schema(table).arrow), folder / f"{table}.parquet")
    build_summaries(folder, campaign, only=only)
    return folder


def _measured(campaign: Campaign, world: World, seed: int) -> list[dict[str, Any]]:
    """The rows of trial_services of all trials that the planner wants in the campaign's only setting."""
    rows: list[dict[str, Any]] = []
    planned, start_s = next_trials(campaign, []), 0
    while planned:
        # Round 1 lasts as long as the paper's, in which trials of more pairs and another setting lie between.
        step_s = TRIAL_S if rows else 1800 * TRIAL_S // len(planned)
        for key in planned:
            rows += _clients(key, world, seed, start_s)
            start_s += step_s
        planned = next_trials(campaign, map(_as_planned, rows))
    return rows


def _as_planned(row: dict[str, Any]) -> TrialService:
    return TrialService(**{one.name: row[one.name] for one in fields(TrialService)})


def _clients(key: TrialKey, world: World, seed: int, start_s: int) -> list[dict[str, Any]]:
    """The rows of a trial in trial_services."""
    start_ns = None if world.day_sd is None else start_s * 10**9
    if is_solo(key.pair):
        return [_client(key, 0, (CAPACITY_MBPS, CAPACITY_MBPS), "first", start_ns)]
    share, change = _share(key, world, seed, start_s // 86_400), _change(key, world, seed)
    first, second = (float(np.clip(share + part, 0, 2)) for part in (-change / 2, change / 2))
    instances = ["first", "first"]
    if len({*members(key.pair)}) == 1:
        instances = ["worse_off", "better_off"] if first + second <= 2 else ["better_off", "worse_off"]
    shares = [(first, second), (2 - first, 2 - second)]
    rates = [(one * CAPACITY_MBPS / 2, other * CAPACITY_MBPS / 2) for one, other in shares]
    return [_client(key, place, rates[place], instances[place], start_ns) for place in (0, 1)]


def _share(key: TrialKey, world: World, seed: int, day: int) -> float:
    """The share of the first client: the truth, with what the day and the trial add to it."""
    share = world.shares.get(key.pair, 1.0)
    if world.noisy is not None and key.pair not in world.noisy:
        return share
    cell = f"{key.setting}/{key.pair}"
    of_day = np.random.default_rng([seed, day, *cell.encode()])
    of_trial = np.random.default_rng([seed, *f"{cell}/{key.number}".encode()])
    return share + float(of_day.normal(0, world.day_sd or 0)) + world.scatter(of_trial)


def _change(key: TrialKey, world: World, seed: int) -> float:
    """By how much the share of the first client is higher in the second half of the window."""
    if world.drift is None:
        return world.climb / 2
    of_trial = np.random.default_rng([seed, *f"drift/{key.setting}/{key.pair}/{key.number}".encode()])
    return world.climb / 2 + world.drift(of_trial)


def _client(
    key: TrialKey, place: int, halves_mbps: tuple[float, float], instance: str, start_ns: int | None
) -> dict[str, Any]:
    """The row of a client with these wire rates in the two halves of the window."""
    names = members(key.pair)
    wire_rate_mbps = sum(halves_mbps) / 2
    wire_bytes = wire_rate_mbps * 1e6 / 8 * WINDOW_S
    first_half_wire_bytes = round(halves_mbps[0] * 1e6 / 8 * WINDOW_S / 2)
    return {
        "setting": key.setting,
        "pair": key.pair,
        "trial": key.number,
        "client": f"c{place + 1}",
        "service": names[place],
        "contender": contender_name(names[:place] + names[place + 1 :]),
        "instance": instance,
        "clients": len(names),
        "self_pair": len(names) > 1 and len(set(names)) == 1,
        "status": "completed",
        "valid": True,
        "able": True if len(names) == 1 else None,
        "rate_mbps": CAPACITY_MBPS,
        "rtt_ms": 50.0,
        "window_s": WINDOW_S,
        "window_start_s": 120.0,
        "window_stop_s": 120.0 + WINDOW_S,
        "wire_bytes": round(wire_bytes),
        "ip_bytes": round(wire_bytes / WIRE),
        "wire_rate_mbps": wire_rate_mbps,
        "throughput_mbps": wire_rate_mbps / WIRE,
        "loss_rate": 0.0,
        "queueing_delay_mean_ms": 100.0,
        "utilization": 1.0,
        "trial_start_ns": start_ns,
        "first_half_wire_bytes": first_half_wire_bytes,
        "second_half_wire_bytes": round(wire_bytes) - first_half_wire_bytes,
    }


def shares_in(world: World, seed: int) -> dict[str, tuple[float, ...]]:
    """The shares of the first service of every pair of two services in the trials of a world's first draw."""
    campaign = world.campaign
    first = next(iter(campaign.settings))
    rows = _measured(replace(campaign, settings={first: campaign.settings[first]}), world, seed)
    shares: dict[str, list[float]] = {}
    for row in rows:
        if row["client"] == "c1" and row["clients"] == 2 and not row["self_pair"]:
            shares.setdefault(row["pair"], []).append(row["wire_rate_mbps"] / CAPACITY_MBPS * 2)
    return {pair: tuple(values) for pair, values in shares.items()}
