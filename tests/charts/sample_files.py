"""The files of the made-up cycle, with the layout of a snapshot."""

import fcntl
import hashlib
import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

from scripts.base.files import ROOT
from scripts.base.records import to_json
from scripts.charts import cycle_files
from scripts.charts.__main__ import main as make_charts
from scripts.charts.cycle_files import write_cycle_charts
from scripts.charts.origin import ChartOrigin
from scripts.charts.render import FORMS, write_chart
from scripts.charts.theme import AnyChart
from scripts.model.campaign import read_campaign
from scripts.model.pairs import pair_name
from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.identity import Correction, Identity
from scripts.snapshot.metadata import write_metadata
from scripts.tables.table_list import OPTIONAL, every_table
from scripts.tables.table_schema import load_schema
from tests.charts.sample_campaign import merged_config
from tests.charts.sample_cycle import checked, sample_tables

KEY = ["setting", "pair", "trial"]
DRAWN = ROOT / "build/charts"
FIRST_START_NS = 1_795_255_200_000_000_000


def write_tables(tables: dict[str, pa.Table], folder: Path) -> Path:
    """Write each table as Parquet and CSV into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        pq.write_table(table, folder / f"{name}.parquet")
        pa_csv.write_csv(table, folder / f"{name}.csv")
    return folder


def with_every(tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
    """These tables, and without rows all others that a cycle has."""
    return {
        name: load_schema(name).arrow.empty_table() for name in every_table() if name not in OPTIONAL
    } | tables


CLIENTS = [
    {"client": "c1", "start_offset_s": 0.25, "rtt_ms": 50.0, "access": None},
    {"client": "c2", "start_offset_s": 1.5, "rtt_ms": 23.0, "access": {"delay_ms": 3}},
]
"""The clients in the trial.json of the second setting. Those of the first tell nothing of them."""


def cycle_json(cycle: str = "2026-11-21", campaign: str = "demo") -> dict:
    """The provenance of the cycle."""
    return {
        "campaign": campaign,
        "cycle": cycle,
        "trials_planned": 36,
        "first_start_ns": FIRST_START_NS,
        "last_stop_ns": FIRST_START_NS + 36 * 15 * 10**9,
        "host": {"kernel": "6.1.0", "cpus": 2},
        "programs": {"iperf3": "3.12", "dumpcap": "4.0.17"},
        "bottlenecks": [{"backend": "embedded", "version": "9.9.0", "trials": 36}],
    }


def write_published(tables: dict[str, pa.Table], folder: Path) -> Path:
    """Stand-ins for the published trials. The failed one has neither captures nor a log."""
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


def write_charts(cycle: Path, *kinds: str) -> Path:
    """The charts of a cycle's folder, in its subfolder charts/ as the rules write them.

    `kinds` are "cycle" and "trials", by default both. Charts that were drawn before from the same tables by
    the same code are copied from build/charts/: many tests need them, and a cycle takes 20 s to draw.
    """
    for kind in kinds or ("cycle", "trials"):
        drawn = DRAWN / _digest(cycle, kind)
        drawn.parent.mkdir(parents=True, exist_ok=True)
        with drawn.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # tests that run in parallel share the folder
            if not drawn.is_dir():
                config = ["--config", str(cycle / "plan/config.json"), "-o", f"{drawn}.part", "--jobs", "1"]
                assert make_charts([kind, str(cycle / "tables"), *config]) == 0
                Path(f"{drawn}.part").rename(drawn)
        shutil.copytree(drawn, cycle / "charts" / kind)
    return cycle / "charts"


def write_stand_ins(cycle: Path) -> Path:
    """Files with the names of the charts of a cycle, all with one chart, for tests that look at no chart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cycle_files, "write_chart", _write_stand_in)
        write_cycle_charts(
            cycle / "tables", read_campaign(cycle / "plan/config.json"), cycle / "charts/cycle"
        )
    return cycle / "charts"


def _write_stand_in(
    chart: AnyChart, folder: Path, name: str, origin: ChartOrigin, picture_only: bool = False
) -> None:
    first = next(folder.glob("*.json"), None)
    if first is None:
        write_chart(chart, folder, name, origin)
    else:
        for form in FORMS:
            shutil.copy(first.with_suffix(f".{form}"), folder / f"{name}.{form}")


def _digest(cycle: Path, kind: str) -> str:
    """A digest of everything that charts are drawn from."""
    files = [*(cycle / "tables").iterdir(), cycle / "plan/config.json"]
    files += [*(ROOT / "scripts").rglob("*.py"), ROOT / "requirements.lock"]
    digest = hashlib.sha256(kind.encode())
    for file in sorted(files):
        digest.update(hashlib.sha256(file.name.encode() + b"\0" + file.read_bytes()).digest())
    return digest.hexdigest()[:32]


def equivalence() -> pa.Table:
    """BESS and the embedded switch: a service that differs, an equivalent one, one with too few trials."""
    cells = [
        ("iperf-bbr", "iperf-cubic", 6, (5.0, 4.8, 5.2), (4.0, 3.8, 4.2), (0.7, 1.3)),
        ("iperf-cubic", "iperf-bbr", 6, (3.0, 2.8, 3.2), (3.1, 2.9, 3.3), (-0.3, 0.1)),
        ("iperf-reno", None, 2, (7.5, None, None), (7.5, None, None), (None, None)),
    ]
    rows = [
        {"setting": "8mbps", "pair": pair_name(filter(None, (service, contender)))}
        | {"service": service, "contender": contender}
        | _median("bess", n, *bess)
        | _median("embedded", n, *embedded)
        | {
            "difference_mbps": bess[0] - embedded[0],
            "difference_low_mbps": interval[0],
            "difference_high_mbps": interval[1],
            "margin_mbps": 0.5,
            "verdict": verdict,
        }
        for (service, contender, n, bess, embedded, interval), verdict in zip(
            cells, ("different", "equivalent", "undecided"), strict=True
        )
    ]
    return checked("equivalence", rows)


def _median(backend: str, n: int, median: float, low: float | None, high: float | None) -> dict:
    return {
        f"{backend}_n": n,
        f"{backend}_median_mbps": median,
        f"{backend}_low_mbps": low,
        f"{backend}_high_mbps": high,
    }


def hosts() -> pa.Table:
    """Two hosts: equivalent in a pair, different in a service alone, with too few trials of another."""
    cells = [
        ("iperf-bbr~iperf-cubic", "iperf-bbr", "iperf-cubic", 6, (4.0, 4.1), (-0.3, 0.1), "equivalent"),
        ("iperf-cubic", "iperf-cubic", None, 6, (7.5, 5.5), (1.8, 2.2), "different"),
        ("iperf-reno", "iperf-reno", None, 2, (7.5, 7.5), (None, None), None),
    ]
    rows = [
        {"setting": "8mbps", "pair": pair, "service": service, "contender": contender}
        | {"control": True, "family": "control", "host": name, "set_aside": False}
        | {
            "host_n": n,
            "host_median_mbps": medians[side],
            "others_n": n,
            "others_median_mbps": medians[1 - side],
        }
        | {"difference_mbps": medians[side] - medians[1 - side], "margin_mbps": 0.5, "tested": 4}
        | dict(zip(("difference_low_mbps", "difference_high_mbps"), _seen_from(side, interval), strict=True))
        | {"verdict": verdict}
        for pair, service, contender, n, medians, interval, verdict in cells
        for side, name in enumerate(("node-1", "node-2"))
    ]
    return checked("hosts", rows)


def host_agreement() -> pa.Table:
    """The same hosts: one service gets the same on both over its pairs, one does not, one has few trials."""
    services = [
        ("iperf-bbr", 10, (-0.03, 0.02, 0.06), "equivalent"),
        ("iperf-cubic", 10, (-0.4, -0.3, -0.2), "different"),
        ("iperf-reno", 4, (-0.2, 0.1, 0.3), None),
    ]
    rows = [
        {"setting": "8mbps", "service": service, "control": True, "family": "control"}
        | {
            "host": "node-1",
            "other_host": "node-2",
            "set_aside": False,
            "pairs": 2,
            "host_n": n,
            "other_n": n,
        }
        | dict(zip(("shift_low", "shift", "shift_high"), shift, strict=True))
        | {"margin": 0.1, "tested": 2, "verdict": verdict}
        for service, n, shift, verdict in services
    ]
    return checked("host_agreement", rows)


def _seen_from(side: int, interval: tuple[float | None, float | None]) -> list[float | None]:
    """The interval of a difference, whose sign the second host turns around."""
    return [*interval] if side == 0 else [None if end is None else -end for end in reversed(interval)]


def write_cycle(folder: Path) -> Path:
    """The cycle as a snapshot without charts and checksums; `seal` adds these."""
    tables = sample_tables()
    more = {"equivalence": equivalence(), "hosts": hosts(), "host_agreement": host_agreement()}
    return write_unsealed(folder, tables | more, merged_config())


def write_unsealed(folder: Path, tables: dict[str, pa.Table], config: dict) -> Path:
    """Tables, trials, configuration and provenance in a folder with the layout of a snapshot."""
    write_tables(with_every(tables), folder / "tables")
    write_published(tables, folder / "trials")
    (folder / "plan").mkdir(exist_ok=True)
    (folder / "plan/config.json").write_text(json.dumps(config))
    (folder / "tables/cycle.json").write_text(json.dumps(cycle_json()))
    return folder


def seal(
    folder: Path,
    cycle: str = "2026-11-21",
    revision: int = 1,
    reason: str | None = None,
    campaign: str = "demo",
) -> Path:
    """Make a folder with tables, trials and charts a snapshot of this cycle, with checksums."""
    (folder / "tables/cycle.json").write_text(json.dumps(cycle_json(cycle, campaign)))
    correction = None if reason is None else Correction("2026-12-24", reason)
    identity = Identity(campaign, cycle, revision, correction, "0123456789abcdef0123456789abcdef01234567")
    (folder / "snapshot.json").write_text(json.dumps(to_json(identity)))
    write_checksums(folder, write_metadata(folder))
    return folder
