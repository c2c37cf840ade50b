"""A small made-up cycle for the tests of the charts and of the site.

Two settings, three services (six pairs and three solos), two trials each; one trial is invalid and one
failed. Everything is drawn from a seed, so the same call writes the same bytes.
"""

import random
import statistics
from itertools import combinations_with_replacement

import pyarrow as pa

from scripts.tables.schema import check, load_schema

SERVICES = ("iperf-bbr", "iperf-cubic", "iperf-reno")
RATES_MBPS = {"8mbps": 8, "50mbps": 50}
STRENGTH = {"iperf-bbr": 1.0, "iperf-cubic": 2.2, "iperf-reno": 1.4}
INVALID = ("8mbps", "iperf-bbr~iperf-cubic", 2)
FAILED = ("50mbps", "iperf-reno", 2)
INVALID_REASON = "capture_missing_packets: 3 > 0"
TABLES = ("validity", "trial_services", "trial_series", "solo", "pairs")
FAILED_REASON = "iperf3 of c1 ended before its window did"
SLOTS, DURATION_S, WINDOW_S = 110, 11, 7


def trial_rows(rng: random.Random, setting: str, pair: str, trial: int) -> list[dict]:
    """The rows of one trial in `trial_services`."""
    key, services = (setting, pair, trial), pair.split("~")
    reason = {INVALID: INVALID_REASON, FAILED: FAILED_REASON}.get(key)
    rate, weights = RATES_MBPS[setting], [STRENGTH[s] * rng.uniform(0.9, 1.1) for s in services]
    rows = []
    for number, (service, weight) in enumerate(zip(services, weights, strict=True), start=1):
        row = {
            "setting": setting,
            "pair": pair,
            "trial": trial,
            "client": f"c{number}",
            "service": service,
            "contender": "~".join(services[: number - 1] + services[number:]),
            "clients": len(services),
            "self_pair": len(services) > len(set(services)),
            "status": "failed" if key == FAILED else "completed",
            "valid": reason is None,
            "reason": reason,
            "cca": service.removeprefix("iperf-"),
            "rate_mbps": float(rate),
        }
        if key != FAILED:
            row |= measured(rng, rate, 0.985 * weight / sum(weights))
        rows.append(row)
    return rows


def measured(rng: random.Random, rate_mbps: float, fraction: float) -> dict:
    """What one client of a completed trial got of the link."""
    packets = round(fraction * rate_mbps * 1e6 * WINDOW_S / 8 / 1538)
    dropped = round(packets * rng.uniform(0.001, 0.03))
    delay = 0.6 * 4 * 50 * rng.uniform(0.8, 1.2)
    wire, ip = packets * 1538, packets * 1500
    return {
        "window_s": float(WINDOW_S),
        "arrived_packets": packets + dropped,
        "forwarded_packets": packets,
        "dropped_packets": dropped,
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
        rows.append(
            dict(
                {name: row[name] for name in ("setting", "pair", "trial", "client", "service")},
                slot=slot,
                time_s=slot / 10,
                throughput_mbps=level * min(1.0, slot / 12) * rng.uniform(0.8, 1.2),
                dropped_packets=int(backlog > 120),
                backlog_packets_mean=backlog,
                backlog_packets_max=min(128, int(backlog) + 3),
                queueing_delay_mean_ms=1.5 * backlog,
            )
        )
    return rows


def summary(prefix: str, values: list[float], suffix: str = "") -> dict:
    """Median and quartiles; no interval, as two trials have none."""
    low, median, high = (
        statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    )
    found = {"median": median, "q25": low, "q75": high, "low": None, "high": None}
    return {f"{prefix}_{name}{suffix}": value for name, value in found.items()}


def pair_rows(setting: str, trials: list[dict]) -> list[dict]:
    """The rows of `pairs`: each pair in both directions, a self-pair once."""
    allocation, rows = RATES_MBPS[setting] / 2, []
    for a in SERVICES:
        for b in SERVICES:
            both = [t for t in trials if (t["service"], t["contender"]) == (a, b)]
            both = [t for t in both if not t["self_pair"] or t["client"] == "c1"]
            good = [t for t in both if t["valid"]]
            columns = {
                "share": [t["wire_rate_mbps"] / allocation for t in good],
                "throughput_mbps": [t["throughput_mbps"] for t in good],
                "wire_rate_mbps": [t["wire_rate_mbps"] for t in good],
                "loss_rate": [t["loss_rate"] for t in good],
                "queueing_delay_ms": [t["queueing_delay_mean_ms"] for t in good],
                "utilization": [t["utilization"] for t in good],
                "jain": [0.9 for _ in good],
            }
            row = {
                "setting": setting,
                "pair": "~".join(sorted((a, b))),
                "incumbent": a,
                "contender": b,
                "self_pair": a == b,
                "n": len(good),
                "excluded": len(both) - len(good),
                "allocation_mbps": allocation,
                "trials": ",".join(str(t["trial"]) for t in good),
            }
            rows.append(row | {k: v for m, values in columns.items() for k, v in summary(m, values).items()})
    return rows


def solo_rows(setting: str, trials: list[dict]) -> list[dict]:
    """The rows of `solo`."""
    rows = []
    for service in SERVICES:
        good = [t for t in trials if t["pair"] == service and t["valid"]]
        rows.append(
            dict(
                setting=setting,
                service=service,
                n=len(good),
                limited=False,
                demand_mbps=None,
                throughput_median_mbps=statistics.median(t["throughput_mbps"] for t in good),
                loss_rate_median=statistics.median(t["loss_rate"] for t in good),
                queueing_delay_median_ms=statistics.median(t["queueing_delay_mean_ms"] for t in good),
                utilization_median=statistics.median(t["utilization"] for t in good),
                trials=",".join(str(t["trial"]) for t in good),
                **summary("wire_rate", [t["wire_rate_mbps"] for t in good], "_mbps"),
            )
        )
    return rows


def validity_rows(trial: dict) -> list[dict]:
    """Three rules a trial; the invalid one breaks the second, the failed one has the first alone."""
    key = (trial["setting"], trial["pair"], trial["trial"])
    figures = {"completed": (float(key == FAILED), 0.0)}
    if key != FAILED:
        figures["capture_missing_packets"] = (3.0 * (key == INVALID), 0.0)
        figures["rtt_error_ms"] = (0.2, 1.0)
    return [
        dict(
            zip(("setting", "pair", "trial"), key, strict=True),
            rule=rule,
            figure=figure,
            threshold=threshold,
            valid=figure <= threshold,
        )
        for rule, (figure, threshold) in figures.items()
    ]


def sample_tables(seed: int = 1) -> dict[str, pa.Table]:
    """Every table of the cycle, by name."""
    rng, rows = random.Random(seed), {name: [] for name in TABLES}
    names = ["~".join(p) for p in combinations_with_replacement(SERVICES, 2)] + list(SERVICES)
    for setting in sorted(RATES_MBPS):
        trials = [
            row for pair in sorted(names) for nn in (1, 2) for row in trial_rows(rng, setting, pair, nn)
        ]
        measured_rows = [row for row in trials if row["status"] == "completed"]
        rows["trial_services"] += trials
        rows["trial_series"] += [slot for row in measured_rows for slot in series_rows(rng, row)]
        rows["validity"] += [v for row in trials if row["client"] == "c1" for v in validity_rows(row)]
        rows["pairs"] += pair_rows(setting, trials)
        rows["solo"] += solo_rows(setting, trials)
    tables = {
        name: pa.Table.from_pylist(found, schema=load_schema(name).arrow) for name, found in rows.items()
    }
    for name, table in tables.items():
        check(table, load_schema(name))
    return tables
