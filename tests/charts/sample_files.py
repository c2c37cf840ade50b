"""The files of the made-up cycle: its tables on disk, its published trials, and what says how it was made."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from scripts.tables.table_schema import check, load_schema
from tests.charts.sample_cycle import DURATION_S, RATES_MBPS, SERVICES, sample_tables

DISCIPLINES = {
    "8mbps": {"discipline": "droptail"},
    "50mbps": {
        "discipline": "codel",
        "discipline_options": {"target_ms": 5, "interval_ms": 100, "ecn": False},
        "random_loss": 0.001,
        "clients": [{}, {"start_s": 1, "rtt_ms": 20, "access": {"delay_ms": 3}}],
    },
}
"""One setting like the paper's, one unlike it."""

FIRST_START_NS = 1_795_255_200_000_000_000


def write_tables(tables: dict[str, pa.Table], folder: Path) -> Path:
    """Write each table as Parquet and CSV into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        pq.write_table(table, folder / f"{name}.parquet")
        pa_csv.write_csv(table, folder / f"{name}.csv")
    return folder


CLIENTS = [
    {"client": "c1", "start_offset_s": 0.25, "rtt_ms": 50.0, "access": None},
    {"client": "c2", "start_offset_s": 1.5, "rtt_ms": 23.0, "access": {"delay_ms": 3}},
]
"""As a trial of that setting writes it down; earlier ones wrote nothing of it."""


def merged_config() -> dict:
    """The campaign's merged configuration."""
    titles = {"8mbps": "Highly constrained", "50mbps": "Moderately constrained"}
    return {
        "campaign": "demo",
        "title": "Three congestion controls on two links",
        "bottleneck": "embedded",
        "settings": {
            name: {
                "title": titles[name],
                "rate_mbps": rate,
                "rtt_ms": 50,
                "queue_bdp": 4,
                "queue_packets": {8: 128, 50: 1024}[rate],
                "precision_mbps": 0.5,
                **DISCIPLINES[name],
            }
            for name, rate in RATES_MBPS.items()
        },
        "trial": {"duration_s": DURATION_S, "ignore_first_s": 3, "ignore_last_s": 1},
        "services": {
            name: {
                "name": name,
                "title": f"iPerf ({title})",
                "category": "Baseline",
                "flows": 1,
                "cca": name.removeprefix("iperf-"),
                "driver": "iperf",
            }
            for name, title in zip(SERVICES, ("BBR", "Cubic", "NewReno"), strict=True)
        },
        "calibration": {
            "rate_error_fraction": 0.001,
            "capacity_error_packets": 0,
            "empty_queue_loss_packets": 0,
            "delay_error_p50_ms": 0.05,
            "delay_error_p99_ms": 0.3,
            "sender_late_p99_ms": 1.0,
        },
        "validity": {"capture_missing_packets": 0, "rtt_error_ms": 1.0},
    }


def cycle_json() -> dict:
    """Where the cycle came from."""
    return {
        "campaign": "demo",
        "cycle": "2026-11-21",
        "trials_planned": 36,
        "first_start_ns": FIRST_START_NS,
        "last_stop_ns": FIRST_START_NS + 36 * 15 * 10**9,
        "host": {"kernel": "6.1.0", "cpus": 2},
        "programs": {"iperf3": "3.12", "dumpcap": "4.0.17"},
    }


def write_published(tables: dict[str, pa.Table], folder: Path) -> Path:
    """Stand-ins for the published trials; the failed one left neither captures nor a log."""
    for number, row in enumerate(tables["trial_services"].to_pylist()):
        trial = folder / row["setting"] / row["pair"] / f"{row['trial']:02d}"
        trial.mkdir(parents=True, exist_ok=True)
        start = FIRST_START_NS + number * 15 * 10**9
        if row["client"] == "c1":
            record = {"schema": 1, "start_ns": start}
            if row["setting"] == "50mbps":
                record["clients"] = CLIENTS
            (trial / "trial.json").write_text(json.dumps(record))
        if row["status"] == "completed":
            for name in (f"client-{row['client']}.pcapng.zst", "queue.bin.zst", "flows.json", "qoe.json"):
                (trial / name).write_bytes(name.encode())
    for row in tables["calibration"].to_pylist():
        trial = folder / row["setting"] / "calibration" / f"{row['trial']:02d}"
        trial.mkdir(parents=True)
        (trial / "trial.json").write_text(json.dumps({"schema": 1, "start_ns": FIRST_START_NS}))
        (trial / "queue.bin.zst").write_bytes(b"queue")
    return folder


def equivalence() -> pa.Table:
    """BESS and the embedded switch: a service that differs, one that does not, one seen too rarely."""
    cells = [
        ("iperf-bbr~iperf-cubic", "iperf-bbr", "iperf-cubic", 6, (5.0, 4.8, 5.2), (4.0, 3.8, 4.2), True),
        ("iperf-bbr~iperf-cubic", "iperf-cubic", "iperf-bbr", 6, (3.0, 2.8, 3.2), (3.1, 2.9, 3.3), False),
        ("iperf-reno", "iperf-reno", None, 2, (7.5, None, None), (7.5, None, None), None),
    ]
    rows = [
        {"setting": "8mbps", "pair": pair, "service": service, "contender": contender, "differs": differs}
        | _median("bess", n, *bess)
        | _median("embedded", n, *embedded)
        | {"difference_mbps": bess[0] - embedded[0]}
        for pair, service, contender, n, bess, embedded, differs in cells
    ]
    schema = load_schema("equivalence")
    table = pa.Table.from_pylist(rows, schema=schema.arrow)
    check(table, schema)
    return table


def _median(backend: str, n: int, median: float, low: float | None, high: float | None) -> dict:
    return {
        f"{backend}_n": n,
        f"{backend}_median_mbps": median,
        f"{backend}_low_mbps": low,
        f"{backend}_high_mbps": high,
    }


def write_cycle(folder: Path) -> Path:
    """Everything the site is made from but the charts: tables/, published/, merged.json, cycle.json."""
    tables = sample_tables()
    write_tables(tables | {"equivalence": equivalence()}, folder / "tables")
    write_published(tables, folder / "published")
    (folder / "merged.json").write_text(json.dumps(merged_config()))
    (folder / "cycle.json").write_text(json.dumps(cycle_json()))
    return folder
