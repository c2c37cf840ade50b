"""The snapshots of the sample of the site: one cycle of the campaign `sample-one`, ten of `sample`."""

import json
import os
import shutil
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pyarrow as pa

from scripts.base.files import ROOT, digest
from scripts.base.records import to_json
from scripts.charts.__main__ import main as make_charts
from scripts.snapshot.checksums import files_of, write_checksums
from scripts.snapshot.identity import Correction, Identity
from scripts.snapshot.metadata import write_metadata
from scripts.tables.cycle_tables import PER_TRIAL
from tests.charts.sample_cycle import summarised
from tests.charts.sample_files import with_every, write_tables
from tests.site.panel.panel_campaign import ALL, PARTS, Kind, campaign_of, panel_config
from tests.site.panel.panel_trials import panel_rows

CYCLES = 10
FIRST = date(2026, 11, 21)
TRIAL_S = 15
FULL = Kind(("8mbps", "50mbps"), ALL, seed=1)
SMALL = tuple(Kind(("8mbps",), services, seed) for seed, services in enumerate(PARTS, start=2))
CAPTURED = ROOT / "data/snapshots/reference/trials/8mbps/iperf-bbr~iperf-cubic/01"
"""A real trial: its files stand for those of every made-up one, as hard links to one copy."""

CAPTURES = ".captures"
"""The folder of this copy, beside the snapshots."""


@dataclass(frozen=True)
class Planned:
    """One cycle of the sample. Its snapshot is written after that of the cycle before it."""

    campaign: str
    day: date
    kind: Kind
    before: str | None = None

    @property
    def cycle(self) -> str:
        """The name of the cycle."""
        return self.day.isoformat()

    @property
    def folder(self) -> str:
        """The name of its snapshot."""
        return f"{self.campaign}-{self.cycle}"

    @property
    def start_ns(self) -> int:
        """When its first trial began."""
        return round(datetime(*self.day.timetuple()[:3], 6, tzinfo=UTC).timestamp()) * 10**9


def planned(cycles: int = CYCLES) -> list[Planned]:
    """Every cycle of the sample, in the order of time. The last of `sample` has all services."""
    found = [Planned("sample-one", FIRST - timedelta(days=7), FULL)]
    before: str | None = None
    for number in range(cycles):
        kind = FULL if number == cycles - 1 else SMALL[number % len(SMALL)]
        found.append(Planned("sample", FIRST + timedelta(days=14 * number), kind, before))
        before = found[-1].cycle
    return found


def write_panel(folder: Path, cycles: int = CYCLES) -> list[Path]:
    """Write the snapshots of the sample into `folder`."""
    todo, rows = planned(cycles), {}
    shutil.copytree(CAPTURED, folder / CAPTURES)
    for cycle in todo:
        if cycle.kind not in rows:
            campaign = campaign_of(panel_config(cycle.campaign, cycle.kind))
            rows[cycle.kind] = panel_rows(campaign, cycle.kind.seed)
        _write_cycle(folder, cycle, rows[cycle.kind])
    _draw(folder, todo)
    snapshots = [_sealed(folder / cycle.folder, cycle.campaign, cycle.cycle) for cycle in todo]
    return [*snapshots, _corrected(folder, todo[1])]


def _write_cycle(folder: Path, cycle: Planned, rows: dict[str, list[dict]]) -> None:
    """Tables, trials, configuration and provenance of a cycle, with the layout of a snapshot."""
    config = panel_config(cycle.campaign, cycle.kind)
    earlier = folder / f"{cycle.campaign}-{cycle.before}/tables/trial_services.parquet"
    every = {name: rows.get(name, []) for name in PER_TRIAL}
    tables = summarised(every, campaign_of(config), earlier if cycle.before else None)
    snapshot = folder / cycle.folder
    write_tables(with_every(tables), snapshot / "tables")
    count = _write_trials(tables, snapshot / "trials", cycle.start_ns)
    (snapshot / "plan").mkdir()
    (snapshot / "plan/config.json").write_text(json.dumps(config))
    provenance = {
        "campaign": cycle.campaign,
        "cycle": cycle.cycle,
        "trials_planned": count,
        "first_start_ns": cycle.start_ns,
        "last_stop_ns": cycle.start_ns + count * TRIAL_S * 10**9,
        "host": {"kernel": "6.1.0", "cpus": 2},
        "programs": {"iperf3": "3.12", "dumpcap": "4.0.17"},
        "bottlenecks": [{"backend": "embedded", "version": "1.0.0", "trials": count}],
        "compared_with": cycle.before,
    }
    (snapshot / "tables/cycle.json").write_text(json.dumps(provenance))


def _write_trials(tables: dict[str, pa.Table], folder: Path, start_ns: int) -> int:
    """Write the published files of every trial; a failed one has only its record. Returns their number."""
    captures, count = folder.parent.parent / CAPTURES, 0
    for row in tables["trial_services"].select(["setting", "pair", "trial", "client", "status"]).to_pylist():
        trial = folder / row["setting"] / row["pair"] / f"{row['trial']:02d}"
        trial.mkdir(parents=True, exist_ok=True)
        if row["client"] == "c1":
            record = {"schema": 1, "start_ns": start_ns + count * TRIAL_S * 10**9}
            (trial / "trial.json").write_text(json.dumps(record))
            count += 1
        if row["status"] == "completed":
            for name in (f"client-{row['client']}.pcapng.zst", "queue.bin.zst", "flows.json", "qoe.json"):
                _link(captures / name, trial / name)
    for row in tables["calibration"].to_pylist():
        trial = folder / row["setting"] / "calibration" / f"{row['trial']:02d}"
        trial.mkdir(parents=True)
        (trial / "trial.json").write_text(json.dumps({"schema": 1, "start_ns": start_ns}))
        _link(captures / "queue.bin.zst", trial / "queue.bin.zst")
    return count


def _link(source: Path, path: Path) -> None:
    if not path.exists():
        os.link(source, path)


def _draw(folder: Path, cycles: list[Planned]) -> None:
    """Draw the charts of one cycle of each kind, the latest. The others get links to those they share."""
    donors = {cycle.kind: cycle for cycle in cycles}
    for cycle in donors.values():
        _charts(folder / cycle.folder, "cycle")
    _charts(folder / donors[FULL].folder, "trials")
    for cycle in cycles:
        if cycle is not donors[cycle.kind]:
            _link_charts(folder / donors[cycle.kind].folder, folder / cycle.folder, bool(cycle.before))


def _charts(snapshot: Path, what: str) -> None:
    """Draw the charts of a cycle, or those of its trials."""
    options = ["--config", str(snapshot / "plan/config.json"), "-o", str(snapshot / f"charts/{what}")]
    assert (
        make_charts([what, str(snapshot / "tables"), *options, *(["--jobs", "1"] * (what == "trials"))]) == 0
    )


def _link_charts(donor: Path, snapshot: Path, with_changes: bool) -> None:
    """Link every chart of another cycle; those of changes only if this cycle has changes."""
    for path in (donor / "charts").rglob("*"):
        if path.is_file() and (with_changes or not path.name.startswith("changes-")):
            target = snapshot / path.relative_to(donor)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.link(path, target)


def _sealed(snapshot: Path, campaign: str, cycle: str, correction: Correction | None = None) -> Path:
    """Add identity, description and checksums."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    identity = Identity(campaign, cycle, 2 if correction else 1, correction, commit)
    (snapshot / "snapshot.json").write_text(json.dumps(to_json(identity)))
    trials = snapshot / "trials"
    sums = {Path("trials") / path: digest(trials / path) for path in files_of(trials)}
    write_checksums(snapshot, write_metadata(snapshot, sums))
    return snapshot


def _corrected(folder: Path, cycle: Planned) -> Path:
    """A second revision of a cycle."""
    snapshot = folder / f"{cycle.folder}-r2"
    for part in ("plan", "tables"):
        shutil.copytree(folder / cycle.folder / part, snapshot / part)
    for part in ("trials", "charts"):
        shutil.copytree(folder / cycle.folder / part, snapshot / part, copy_function=os.link)
    correction = Correction(
        "2026-12-24", "made-up reason: the base RTT of the second client was 3 ms too low"
    )
    return _sealed(snapshot, cycle.campaign, cycle.cycle, correction)
