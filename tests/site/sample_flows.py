"""A small made-up cycle of generated flows: web flows beside a bulk flow, and one flow beside its like.

The pair of web flows and bulk flow has six trials and thus intervals; everything else has one trial. The
slowdowns are made up one by one, so that tests know what a page must show.
"""

import random
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pyarrow as pa

from scripts.metrics.completion import optimal_fct
from scripts.model.pairs import is_solo, pair_name
from scripts.plan.registration import register
from scripts.site.data.expectation import CheckSummary, ExpectationSummary, NotComparable
from tests.charts.sample_campaign import campaign_of, merged_config
from tests.charts.sample_cycle import measured, per_trial_rows, summarised, trial_rows
from tests.charts.sample_files import FIRST_START_NS, write_unsealed

SETTING = "8mbps"
CUBIC, ONE, WEB = "iperf-cubic", "flow-60mb-bbr", "flows-web-cubic"
BESIDE, AGAINST_ITSELF = pair_name([WEB, CUBIC]), pair_name([ONE, ONE])
TRIALS = {BESIDE: 6}
TITLES = {CUBIC: "iPerf (Cubic)", ONE: "One flow of 60 MB (BBR)", WEB: "Generated web flows (Cubic)"}

CHARTS = ("slowdown-beside", f"completion-{SETTING}")
EXPECTED = ExpectationSummary(
    "slow",
    "The slowest flow takes at least ten times its shortest time.",
    "zapletal Fig 5",
    "came out",
    (CheckSummary("maximum slowdown", "at least 10", "came out", 6, 13.5, 11, 16, 16),),
    "after",
    "Added after measurement: stated, 2026-11-26 05:41 UTC, when 4 of its 6 trials had begun.",
)
MOVING = ExpectationSummary(
    "half",
    "Cubic gets less than half.",
    "a paper",
    "not comparable",
    (
        CheckSummary(
            "share",
            "below 0.5",
            "not comparable",
            6,
            0.4,
            0.3,
            0.45,
            why=NotComparable("not settled", "still moving"),
        ),
    ),
)

RATE_MBPS, RTT_MS = 8.0, 50.0
SIZES_BYTES = {WEB: (1_000, 20_000, 200_000), ONE: (60_000_000,)}
ALONE = {WEB: (2.0, 1.5, 1.2), ONE: (1.5,)}
IDEAL = 1.25
LATE_MS = 0.5
TENTH = 0.1
"""The part of the link that the web flows alone take."""

KEY = ("setting", "pair", "trial", "client", "service", "contender", "valid")


def slowdowns(row: dict) -> tuple[float, ...]:
    """The slowdowns of a client's flows. Beside the bulk flow, that of the smallest grows with the trials."""
    if row["pair"] == BESIDE:
        return (10.0 + row["trial"], 3.0, 2.0)
    if row["pair"] == AGAINST_ITSELF:
        return (2.0,) if row["client"] == "c1" else (3.0,)
    return ALONE[row["service"]]


def flow_rows(row: dict) -> list[dict]:
    """The flows of one client. In the sixth trial beside the bulk flow, the smallest flow did not end."""
    rows = []
    for flow, (size, slowdown) in enumerate(zip(SIZES_BYTES[row["service"]], slowdowns(row), strict=True)):
        optimal_ms = 1e3 * optimal_fct(size, RATE_MBPS * 1e6, RTT_MS / 1e3)
        rows.append(
            {name: row[name] for name in KEY}
            | {"flow": flow, "flow_group": flow, "size_bytes": size, "rate_mbps": RATE_MBPS, "rtt_ms": RTT_MS}
            | {"planned_s": 4.0 + flow, "late_ms": LATE_MS, "handshake_ms": RTT_MS, "received_bytes": size}
            | {"started_ns": FIRST_START_NS + flow * 10**9, "retransmissions": 3 if flow == 0 else 0}
            | {"fct_ms": slowdown * optimal_ms, "data_ms": slowdown * optimal_ms - 2 * RTT_MS / 1.5}
            | {"optimal_ms": optimal_ms, "slowdown": slowdown, "counted": True}
            | {"censored": flow == 0 and row["pair"] == BESIDE and row["trial"] == 6}
        )
    return rows


def ideal_row(flow: dict) -> dict:
    """The row of srpt of a flow."""
    kept = {name: flow[name] for name in (*KEY, "flow", "size_bytes")}
    return kept | {"counted": True, "fct_ms": IDEAL * flow["optimal_ms"], "slowdown": IDEAL}


def flows_config() -> dict:
    """The campaign's merged configuration."""
    config = merged_config()
    generated = {
        name: {
            "name": name,
            "title": TITLES[name],
            "category": "Flows",
            "driver": "flows",
            "metric": "completion",
        }
        | {"cca": name.rpartition("-")[2], "probe": {"port": 5203}, "generator": _generator(name)}
        for name in (ONE, WEB)
    }
    return config | {
        "title": "Generated flows",
        "services": {CUBIC: config["services"][CUBIC], **generated},
        "settings": {SETTING: config["settings"][SETTING]},
        "pairs": [BESIDE, AGAINST_ITSELF],
    }


def _generator(name: str) -> dict:
    fixed = {"kind": "fixed", "values": [SIZES_BYTES[name][0]]}
    return {"sizes_bytes": fixed, "gaps_s": {"kind": "fixed", "values": [1]}}


@cache
def flows_tables(alone: bool = False) -> dict[str, pa.Table]:
    """Every table of the cycle, by name; `alone`: without pairs. Those of level cycle come from their SQL."""
    rng = random.Random(3)
    names = [name for name in (BESIDE, AGAINST_ITSELF, CUBIC, ONE, WEB) if is_solo(name) or not alone]
    counts = [(name, number) for name in sorted(names) for number in range(1, TRIALS.get(name, 1) + 1)]
    trials = [row for name, number in counts for row in trial_rows(rng, SETTING, name, number)]
    for row in trials:
        if row["pair"] == WEB:
            row |= measured(rng, RATE_MBPS, TENTH)
    rows = per_trial_rows(rng, [trials])
    rows["trial_completions"] = [flow for row in trials if row["service"] != CUBIC for flow in flow_rows(row)]
    rows["srpt"] = [ideal_row(flow) for flow in rows["trial_completions"]]
    return summarised(rows, campaign_of(flows_config()))


def write_flows(folder: Path, alone: bool = False) -> Path:
    """The cycle as a snapshot without charts and checksums; `alone`: without pairs."""
    config = flows_config() | ({"pairs": []} if alone else {})
    write_unsealed(folder, flows_tables(alone), config)
    register(folder / "plan", datetime(2026, 11, 26, 5, 41, tzinfo=UTC))
    return folder


def with_stand_ins(folder: Path) -> Path:
    """The snapshot with CHARTS, which are copies of another chart."""
    some = min((folder / "charts/cycle").glob("*.svg"))
    for name in CHARTS:
        for form in (".svg", ".json"):
            (some.parent / f"{name}{form}").write_bytes(some.with_suffix(form).read_bytes())
    return folder
