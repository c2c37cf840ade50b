"""Cycles whose truth is known: trials drawn from known distributions, as rows of the tables of a trial.

Every setting of a cycle is the same link of 8 Mbps, so each setting is one draw of the same small campaign:

    bimodal   gets 3.6 to 4.2 Mbps of steady, but 1.3 to 1.7 Mbps in one trial of five
    capped    is limited to 2 Mbps by its catalogue file and gets 1.8 to 2 Mbps of steady
    noisy     gets 3.2 to 4.6 Mbps of steady, so that its interval is narrow enough in some draws only
    starved   gets nothing of steady in three trials of five, and 3 to 4 Mbps in the others
    steady    fills the link, alone and beside others; beside itself, c1 gets its half ± 0.3 Mbps
    page      loads in 38 s beside steady (median); half of the variance of its loads is between the trials

The planner decides how many trials each cell has. Rates are of IP packets in full frames.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.model.campaign import Campaign, TrialNumbers
from scripts.model.pairs import contender_name, is_solo, members
from scripts.model.services import Origin
from scripts.model.trials import TrialKey
from scripts.plan.planner import next_trials
from scripts.plan.trial_services import TrialService
from scripts.tables.cycle_tables import PER_TRIAL, build_summaries
from scripts.tables.table_schema import load_schema
from tests.tables.campaigns import campaign, service

CAPACITY_MBPS = 8.0
WIRE = 1538 / 1500
"""Wire rate over IP rate of full frames."""
FULL_MBPS = CAPACITY_MBPS / WIRE
CAP_MBPS = 2.0
PRECISION_MBPS = 0.5
WINDOW_S = 360.0

LOADS, LOAD_S, SPREAD_S, LIMIT_S = 10, 38.0, 5.0, 45.0
"""The loads of a page in a trial, their median, their spread between and within trials, and their limit."""


@dataclass(frozen=True)
class Mode:
    """With this probability a throughput is uniform between two rates."""

    low_mbps: float
    high_mbps: float
    probability: float = 1.0


Modes = tuple[Mode, ...]
"""The modes of a distribution, in order of their rates, which do not overlap."""

TRUTH: Mapping[str, Modes] = {
    "bimodal~steady": (Mode(1.3, 1.7, 0.2), Mode(3.6, 4.2, 0.8)),
    "capped~steady": (Mode(1.8, 2.0),),
    "noisy~steady": (Mode(3.2, 4.6),),
    "page~steady": (Mode(0.5, 1.0),),
    "starved~steady": (Mode(0, 0, 0.6), Mode(3.0, 4.0, 0.4)),
    "steady~steady": (Mode(FULL_MBPS / 2 - 0.3, FULL_MBPS / 2 + 0.3),),
}
"""The throughput of the first client of each pair. The second client gets the rest of the link."""

EARLIER: Mapping[str, Modes] = {
    **TRUTH,
    "capped~steady": (Mode(1.5, 1.7),),
    "starved~steady": (Mode(3.0, 4.0),),
}
"""An earlier truth, in which capped got less and starved was not starved yet."""


def median_mbps(modes: Modes) -> float:
    """The median of a distribution."""
    below = 0.0
    for mode in modes:
        if below + mode.probability >= 0.5:
            inside = (0.5 - below) / mode.probability
            return mode.low_mbps + inside * (mode.high_mbps - mode.low_mbps)
        below += mode.probability
    raise ValueError("the probabilities of the modes sum to less than one half")


def drawn_mbps(modes: Modes, draw: random.Random) -> float:
    """One value of a distribution."""
    (mode,) = draw.choices(modes, [mode.probability for mode in modes])
    return draw.uniform(mode.low_mbps, mode.high_mbps)


def truth_campaign(draws: int, numbers: TrialNumbers) -> Campaign:
    """The campaign with so many settings."""
    plain = {
        name: service(name, category="File transfer") for name in ("bimodal", "noisy", "starved", "steady")
    }
    capped = service("capped", category="File transfer", origin=Origin("h2", cap_mbps=CAP_MBPS))
    page = service("page", category="Web", driver="page", metric="web", cca=None)
    return replace(
        campaign(
            *plain.values(),
            capped,
            page,
            precision_mbps={f"draw-{number}": PRECISION_MBPS for number in range(draws)},
        ),
        pairs=tuple(TRUTH),
        trials=numbers,
    )


def measure(campaign: Campaign, truth: Mapping[str, Modes], seed: int, folder: Path) -> Path:
    """Measure a cycle of this truth, and write its tables of level trial.

    Returns:
        The folder, for `build_summaries`.
    """
    parts: dict[str, list[pa.Table]] = {table: [] for table in PER_TRIAL}
    for name, setting in campaign.settings.items():
        rows = _measured_setting(replace(campaign, settings={name: setting}), truth, seed)
        for table in PER_TRIAL:
            parts[table].append(pa.Table.from_pylist(rows.get(table, []), load_schema(table).arrow))
    folder.mkdir(parents=True)
    for table in PER_TRIAL:
        pq.write_table(pa.concat_tables(parts[table]), folder / f"{table}.parquet")
    return folder


def summarised(folder: Path, campaign: Campaign, earlier: Path | None = None) -> Path:
    """Build the cycle's tables beside those of its trials; `earlier` is the folder of an earlier cycle."""
    build_summaries(folder, campaign, earlier / "trial_services.parquet" if earlier else None)
    return folder


def _measured_setting(campaign: Campaign, truth: Mapping[str, Modes], seed: int) -> dict[str, list[Any]]:
    """The rows of all trials that the planner wants in the campaign's only setting."""
    rows: dict[str, list[Any]] = {"trial_services": [], "qoe_web": []}
    while planned := next_trials(campaign, map(_as_planned, rows["trial_services"])):
        for key in planned:
            draw = random.Random(f"{seed}/{key.title}")
            rows["trial_services"] += _clients(key, truth, draw)
            rows["qoe_web"] += _loads(key, draw)
    return rows


def _as_planned(row: dict[str, Any]) -> TrialService:
    return TrialService(**{field.name: row[field.name] for field in fields(TrialService)})


def _clients(key: TrialKey, truth: Mapping[str, Modes], draw: random.Random) -> list[dict[str, Any]]:
    """The rows of a trial in trial_services."""
    names = members(key.pair)
    if is_solo(key.pair):
        rates, instances = [CAP_MBPS if key.pair == "capped" else FULL_MBPS], ["first"]
    else:
        first_mbps = drawn_mbps(truth[key.pair], draw)
        rates, instances = [first_mbps, FULL_MBPS - first_mbps], ["first", "first"]
    if len(set(names)) < len(names):
        instances = ["worse_off" if rate == min(rates) else "better_off" for rate in rates]
    return [
        _client(key, position, rate_mbps, instance)
        for position, (rate_mbps, instance) in enumerate(zip(rates, instances, strict=True))
    ]


def _client(key: TrialKey, position: int, rate_mbps: float, instance: str) -> dict[str, Any]:
    names = members(key.pair)
    ip_bytes = round(rate_mbps * 1e6 / 8 * WINDOW_S)
    return {
        **_named(key, position),
        "clients": len(names),
        "self_pair": len(names) > 1 and len(set(names)) == 1,
        "status": "completed",
        "able": True if len(names) == 1 else None,
        "rate_mbps": CAPACITY_MBPS,
        "rtt_ms": 50.0,
        "window_s": WINDOW_S,
        "window_start_s": 120.0,
        "window_stop_s": 120.0 + WINDOW_S,
        "wire_bytes": round(ip_bytes * WIRE),
        "ip_bytes": ip_bytes,
        "wire_rate_mbps": rate_mbps * WIRE,
        "throughput_mbps": rate_mbps,
        "loss_rate": 0.0,
        "queueing_delay_mean_ms": 100.0,
        "utilization": 1.0,
        "instance": instance,
    }


def _loads(key: TrialKey, draw: random.Random) -> Iterator[dict[str, Any]]:
    """The rows of a trial in qoe_web; none without a page."""
    names = members(key.pair)
    if "page" not in names:
        return
    of_trial_s = draw.gauss(LOAD_S, SPREAD_S)
    for load in range(1, LOADS + 1):
        true_s = of_trial_s + draw.gauss(0, SPREAD_S)
        times = dict.fromkeys(("visually_complete_s", "speed_index_s"), min(true_s, LIMIT_S))
        yield {**_named(key, names.index("page")), "load": load, "censored": true_s > LIMIT_S, **times}


def _named(key: TrialKey, position: int) -> dict[str, Any]:
    """The columns that identify a client of a trial, and its verdict."""
    names = members(key.pair)
    return {
        "setting": key.setting,
        "pair": key.pair,
        "trial": key.number,
        "client": f"c{position + 1}",
        "service": names[position],
        "contender": contender_name(names[:position] + names[position + 1 :]),
        "valid": True,
    }
