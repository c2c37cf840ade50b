"""Completed cycles for tests of retention: snapshots, working folders that share files, published copies."""

import json
import os
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import digest
from scripts.operate.context import Clock, Context
from scripts.operate.records import CycleRecord, write_cycle
from scripts.operate.settings import read_settings
from scripts.snapshot.checksums import write_checksums

TRIAL = "trials/8mbps/a~b/01"
CAPTURE, RECORD = f"{TRIAL}/client-c1.pcapng.zst", f"{TRIAL}/trial.json"
CAPTURE_BYTES = 100_000
CYCLES = ["2026-12-07", "2026-12-21", "2027-01-04"]


class Kept:
    """Data, with a folder of published copies.

    Attributes:
        context: the run; trials of two cycles and the working folder of one are kept.
        read: the files that were read back, by every call.
    """

    def __init__(self, root: Path, remote: str | None = None) -> None:
        settings = read_settings()
        publication = replace(settings.publish, remote=remote or str(root / "published"))
        self.context = Context(
            replace(settings, publish=publication),
            root / "data",
            root / "public",
            Clock(datetime(2027, 1, 20, tzinfo=UTC)),
        )
        self.copies = root / "copies"
        self.read: list[set[str]] = []

    def add(self, cycle: str, completed: bool = True, revision: int = 1, campaign: str = "watchdog") -> Path:
        """Measure, freeze and publish a cycle; returns its snapshot."""
        label = cycle if revision == 1 else f"{cycle}.r{revision}"
        work = self.context.data / campaign / cycle
        snapshot = self.context.snapshots / f"{campaign}-{label.replace('.', '-')}"
        for name, size in ((CAPTURE, CAPTURE_BYTES), (RECORD, 1000), ("tables/pairs.csv", 10)):
            source = work / name.replace("trials", "published")
            source.parent.mkdir(parents=True, exist_ok=True)
            if not source.exists():
                source.write_bytes(os.urandom(size))
            (snapshot / name).parent.mkdir(parents=True, exist_ok=True)
            os.link(source, snapshot / name)
        identity = {"campaign": campaign, "cycle": cycle, "revision": revision}
        (snapshot / "snapshot.json").write_text(json.dumps(identity))
        write_checksums(snapshot)
        shutil.copytree(snapshot, self.copies / snapshot.name)
        done = "2027-01-01T00:00:00Z" if completed else None
        write_cycle(self.context.folder, CycleRecord(campaign, label, completed=done))
        return snapshot

    def work(self, cycle: str) -> Path:
        """The working folder of a cycle."""
        return self.context.data / "watchdog" / cycle

    def read_back(self, _context: Context, files) -> None:
        """Compare the copies of these files with their checksums."""
        names = {path.relative_to(self.context.snapshots) for path in files}
        self.read.append({str(name) for name in names})
        for path, checksum in files.items():
            copy = self.copies / path.relative_to(self.context.snapshots)
            if not copy.is_file() or digest(copy) != checksum:
                raise UserError(f"{copy}: is not what was published")
