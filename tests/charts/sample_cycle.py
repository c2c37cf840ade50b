"""A small made-up cycle for the tests of the charts and the site.

It has two settings, three services (six pairs and three solos) and two trials each. One trial is invalid, one
failed. All values come from a seed, so the same call writes the same bytes.
"""

import random
import tempfile
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.model.campaign import Campaign
from scripts.model.pairs import contender_name, members, pair_name
from scripts.tables.cycle_tables import PER_TRIAL, SUMMARIES, build_summaries
from scripts.tables.database import checked
from scripts.tables.output import write_table
from tests.charts.sample_campaign import RATES_MBPS, SERVICES, WINDOW_S, campaign_of, merged_config

STRENGTH = {"iperf-bbr": 1.0, "iperf-cubic": 2.2, "iperf-reno": 1.4}
INVALID = ("8mbps", "iperf-bbr~iperf-cubic", 2)
FAILED = ("50mbps", "iperf-reno", 2)
INVALID_REASON = "capture_missing_packets: 3 > 0"
FAILED_REASON = "iperf3 of c1 ended before its window did"
CALIBRATION_WARNING = "added delay off by 0.700 ms at p99, tolerance 0.3"
CLIENT_KEY = ("setting", "pair", "trial", "client", "service")
SLOTS = 110
WINDOW_START_S = 3.0


def trial_rows(rng: random.Random, setting: str, pair: str, trial: int) -> list[dict]:
    """The rows of one trial in `trial_services`."""
    key, services = (setting, pair, trial), members(pair)
    reason = {INVALID: INVALID_REASON, FAILED: FAILED_REASON}.get(key)
    rate, weights = RATES_MBPS[setting], [STRENGTH.get(s, 1.0) * rng.uniform(0.9, 1.1) for s in services]
    rows = []
    for number, (service, weight) in enumerate(zip(services, weights, strict=True), start=1):
        row = {
            "setting": setting,
            "pair": pair,
            "trial": trial,
            "client": f"c{number}",
            "service": service,
            "contender": contender_name(services[: number - 1] + services[number:]),
            "clients": len(services),
            "self_pair": len(services) > len(set(services)),
            "status": "failed" if key == FAILED else "completed",
            "valid": reason is None,
            "reason": reason,
            "cca": service.removeprefix("iperf-"),
            "rate_mbps": float(rate),
            "rtt_ms": 50.0,
            "able": None if len(services) > 1 else True,
            **measured_by(trial),
            "instance": "further" if service in services[: number - 1] else "first",
        }
        if key != FAILED:
            row |= measured(rng, rate, 0.985 * weight / sum(weights))
        rows.append(row)
    if len(services) > 1 and len(set(services)) == 1:
        by_rate = sorted(rows, key=lambda row: (row.get("wire_rate_mbps", 0), row["client"]))
        by_rate[0]["instance"], by_rate[-1]["instance"] = "worse_off", "better_off"
    return rows


def measured_by(number: int) -> dict:
    """One of two hosts, its kernel and its switch."""
    return {"host": f"node-{number}", "kernel": f"6.12.{number}", "switch": "embedded 9.9.0"}


def measured(rng: random.Random, rate_mbps: float, fraction: float) -> dict:
    """The figures of one client of a completed trial."""
    packets = round(fraction * rate_mbps * 1e6 * WINDOW_S / 8 / 1538)
    dropped = round(packets * rng.uniform(0.001, 0.03))
    delay = 0.6 * 4 * 50 * rng.uniform(0.8, 1.2)
    wire, ip = packets * 1538, packets * 1500
    return {
        "window_s": float(WINDOW_S),
        "window_start_s": WINDOW_START_S,
        "window_stop_s": WINDOW_START_S + WINDOW_S,
        "arrived_packets": packets + dropped,
        "forwarded_packets": packets,
        "dropped_packets": dropped,
        "loss_events": dropped // 4,
        "wire_bytes": wire,
        "ip_bytes": ip,
        "wire_rate_mbps": wire * 8 / WINDOW_S / 1e6,
        "throughput_mbps": ip * 8 / WINDOW_S / 1e6,
        "goodput_mbps": packets * 1448 * 8 / WINDOW_S / 1e6,
        "loss_rate": dropped / (packets + dropped),
        "queueing_delay_mean_ms": delay,
        "queueing_delay_p50_ms": delay,
        "queueing_delay_p95_ms": 1.4 * delay,
        "queueing_delay_p99_ms": 1.6 * delay,
        "utilization": 0.985,
    }


def series_rows(rng: random.Random, row: dict) -> list[dict]:
    """The 100 ms slots of one client of one trial."""
    level, backlog, rows = row["throughput_mbps"], 0.0, []
    for slot in range(SLOTS):
        backlog = min(128.0, max(0.0, backlog + rng.uniform(-9, 11)))
        mbps = level * min(1.0, slot / 12) * rng.uniform(0.8, 1.2)
        rows.append(
            dict(
                {name: row[name] for name in CLIENT_KEY},
                slot=slot,
                time_s=slot / 10,
                throughput_mbps=mbps,
                dropped_packets=int(backlog > 120),
                backlog_packets_mean=backlog,
                backlog_packets_max=min(128, int(backlog) + 3),
                queueing_delay_mean_ms=1.5 * backlog,
                ip_bytes=round(mbps * 1e5 / 8),
            )
        )
    return rows


PROBE_RTT_S = 5
"""From this second on BBR's estimate of the RTT is that of a queue."""


def sender_rows(row: dict) -> list[dict]:
    """The seconds of the sender of one client of one trial. Its sample is in the middle of a second."""
    mbps, first = row["throughput_mbps"], {name: row[name] for name in CLIENT_KEY}
    bbr = row["cca"] == "bbr"
    return [
        first
        | {"at_s": second, "time_s": second + 0.5, "connections": 1, "cwnd_packets": 20 + second}
        | {"ssthresh_packets": None if second == 0 else 30, "srtt_ms": 90.0}
        | ({"bbr_bandwidth_mbps": mbps * (1.0 if second < PROBE_RTT_S else 1.2)} if bbr else {})
        | ({"bbr_min_rtt_ms": 50.0 if second < PROBE_RTT_S else 110.0} if bbr else {})
        | ({"bbr_pacing_gain": 1.25, "bbr_cwnd_gain": 2.0} if bbr else {})
        for second in range(SLOTS // 10)
    ]


def upstream_row(row: dict) -> dict:
    """Nothing was lost before the bottleneck."""
    kept = {name: row[name] for name in CLIENT_KEY}
    return kept | {"method": "tcp", "tcp_packets": row["arrived_packets"], "lost_packets": 0}


def flow_row(row: dict) -> dict:
    """The only connection of a client."""
    number = int(row["client"].removeprefix("c"))
    return {name: row[name] for name in CLIENT_KEY} | {
        "flow": number - 1,
        "protocol": "tcp",
        "source": f"198.18.{number}.10",
        "source_port": 5201,
        "destination": f"198.18.{number}.2",
        "destination_port": 40_000,
        "packets": row["forwarded_packets"],
        "ip_bytes": row["ip_bytes"],
        "payload_bytes": row["forwarded_packets"] * 1448,
        "first_ns": 1_795_255_200_000_000_000,
        "last_ns": 1_795_255_211_000_000_000,
        "retransmissions": row["dropped_packets"],
        "workload": True,
        "concurrent_flows": 1,
    }


def validity_rows(trial: dict) -> list[dict]:
    """Three rules for each trial. The invalid trial breaks the second, the failed one has only the first."""
    key = (trial["setting"], trial["pair"], trial["trial"])
    figures = {"completed": (float(key == FAILED), 0.0)}
    if key != FAILED:
        figures["capture_missing_packets"] = (3.0 * (key == INVALID), 0.0)
        figures["rtt_error_ms"] = (0.2, 1.0)
    return [
        dict(
            zip(("setting", "pair", "trial"), key, strict=True),
            **{"rule": rule, "class": "testbed"},
            figure=figure,
            threshold=threshold,
            valid=figure <= threshold,
        )
        for rule, (figure, threshold) in figures.items()
    ]


def calibration_row(setting: str) -> dict:
    """The figures of a calibration trial at 8 Mbps, or at 50 Mbps with the added delay out of tolerance."""
    late = setting == "50mbps"
    rate = float(RATES_MBPS.get(setting, 8))
    return {
        "setting": setting,
        "round": 1,
        "trial": 1,
        "status": "completed",
        "verdict": "warning" if late else "passed",
        "reason": CALIBRATION_WARNING if late else None,
        "rate_mbps": rate,
        "small_rate_mbps": rate,
        "medium_rate_mbps": None,
        "large_rate_mbps": rate * 1.0001,
        "rate_error_fraction": 0.0001,
        "discipline": "droptail",
        "queue_packets": 128,
        "capacity_packets": 128,
        "delay_ms": 25.0,
        "added_delay_p50_ms": 25.03,
        "added_delay_p99_ms": 25.7 if late else 25.1,
        "added_delay_max_ms": 26.0,
        "probes_sent": 200,
        "lost_probes": 0,
        "sender_late_p50_ms": 0.1,
        "sender_late_p99_ms": 0.2,
        "sender_late_max_ms": 0.3,
        "cpu_pressure_fraction": 0.05,
        **measured_by(2 if late else 1),
    }


@cache
def sample_tables(seed: int = 1) -> dict[str, pa.Table]:
    """Every table of the cycle, by name. Those of trials are made up here, the others come from their SQL."""
    rng, trials = random.Random(seed), []
    names = [pair_name(two) for two in combinations_with_replacement(SERVICES, 2)] + list(SERVICES)
    for setting in sorted(RATES_MBPS):
        trials.append(
            [row for pair in sorted(names) for nn in (1, 2) for row in trial_rows(rng, setting, pair, nn)]
        )
    return summarised(per_trial_rows(rng, trials), campaign_of(merged_config()))


def per_trial_rows(rng: random.Random, settings: list[list[dict]]) -> dict[str, list[dict]]:
    """The rows of the tables of trials, by table.

    Args:
        rng: the source of the made-up values.
        settings: the rows of `trial_services`, setting by setting.
    """
    rows: dict[str, list[dict]] = {name: [] for name in PER_TRIAL}
    for trials in settings:
        measured_rows = [row for row in trials if row["status"] == "completed"]
        rows["trial_services"] += trials
        rows["trial_series"] += [slot for row in measured_rows for slot in series_rows(rng, row)]
        rows["trial_senders"] += [
            second
            for row in measured_rows
            if row["service"].startswith("iperf-")
            for second in sender_rows(row)
        ]
        rows["trial_flows"] += [flow_row(row) for row in measured_rows]
        rows["upstream_loss"] += [upstream_row(row) for row in measured_rows]
        rows["validity"] += [v for row in trials if row["client"] == "c1" for v in validity_rows(row)]
    return rows


def summarised(
    rows: dict[str, list[dict]], campaign: Campaign, earlier: Path | None = None
) -> dict[str, pa.Table]:
    """These tables, and those that the SQL builds from them; `earlier` is as for build_summaries."""
    tables = {name: checked(name, found) for name, found in rows.items()}
    settings = sorted({row["setting"] for row in rows["trial_services"]})
    tables["calibration"] = checked("calibration", [calibration_row(setting) for setting in settings])
    with tempfile.TemporaryDirectory() as scratch:
        for name, table in tables.items():
            write_table([table], name, Path(scratch), with_csv=False)
        build_summaries(Path(scratch), campaign, earlier)
        return tables | {name: pq.read_table(Path(scratch) / f"{name}.parquet") for name in SUMMARIES}
