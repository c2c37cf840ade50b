"""A host on which every step is faked: its files are as a real run leaves them, as small as possible."""

import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.operate.context import Clock, Context, moment_of
from scripts.operate.health import HealthCheck
from scripts.operate.publishing import Published
from scripts.operate.run import run
from scripts.operate.settings import CycleSchedule, read_settings
from scripts.operate.step_actions import StepActions

CAMPAIGN = "watchdog"
ANCHOR = "2026-12-07"
PUBLISHED = "remote"


class SetClock(Clock):
    """A clock that stands still until it is set."""

    def __init__(self, text: str) -> None:
        self.moment = moment_of(text)

    def now(self) -> datetime:
        return self.moment.astimezone(UTC)

    def wait(self, **duration: float) -> None:
        self.moment += timedelta(**duration)


class Host:
    """Data, site and remote in a folder. `broken` names steps that fail, each with what it raises."""

    def __init__(self, folder: Path, now: str = f"{ANCHOR}T03:00:00Z", days: float = 12.5) -> None:
        self.folder, self.clock, self.days = folder, SetClock(now), days
        self.broken: dict[str, Exception] = {}
        self.calls: list[str] = []
        self.phases: list[str] = []
        self.events: Counter[str] = Counter()
        settings = replace(read_settings(), campaign=CAMPAIGN, schedule=CycleSchedule(ANCHOR, 14, 21))
        self.context = Context(settings, folder / "data", folder / "public", self.clock)
        self.actions = StepActions(
            check=self._check,
            watch=lambda context: None,
            canaries=self._canaries,
            measure=self._measure,
            build=self._build,
            publish=self._publish,
            verify=self._verify,
            prune=self._prune,
            write_status=self._write_status,
            tell_stale=lambda context, status: None,
            run_hooks=self._hook,
        )

    def run(self) -> int:
        """A firing of the timer."""
        return run(self.context, self.actions)

    def begin(self, cycle: str) -> None:
        """A cycle with a trial."""
        (self.context.cycle(cycle) / "trials/8mbps/a~b/01").mkdir(parents=True, exist_ok=True)

    def freeze(self, cycle: str, revision: int = 1) -> None:
        """The snapshot of a cycle."""
        suffix = "" if revision == 1 else f"-r{revision}"
        snapshot = self.context.snapshots / f"{CAMPAIGN}-{cycle}{suffix}"
        snapshot.mkdir(parents=True, exist_ok=True)
        identity = {"campaign": CAMPAIGN, "cycle": cycle, "revision": revision}
        (snapshot / "snapshot.json").write_text(json.dumps(identity))

    def records(self) -> dict[str, dict]:
        """The records of cycles, by cycle."""
        found = [json.loads(path.read_text()) for path in (self.context.folder / "cycles").glob("*.json")]
        return {record["cycle"]: record for record in sorted(found, key=lambda record: record["cycle"])}

    def completed(self) -> list[str]:
        """The cycles that are complete, in their order."""
        return [cycle for cycle, record in self.records().items() if record.get("completed")]

    def seam(self, name: str) -> None:
        """Where a step begins and ends. It fails here if it is broken."""
        self.calls.append(name)
        if name in self.broken:
            raise self.broken[name]

    def _check(self, context: Context, cycle: str) -> list[HealthCheck]:
        self.seam("health")
        return [HealthCheck("disk", "passed", "enough")]

    def _canaries(self, context: Context, cycle: str) -> dict[str, str]:
        self.seam("canary")
        return {}

    def _measure(self, context: Context, cycle: str, during: object) -> str:
        self.begin(cycle)
        self.seam("measure")
        self.clock.wait(days=self.days)
        self.freeze(cycle)
        self.seam("measured")
        return "frozen"

    def _build(self, context: Context) -> str:
        self.seam("site")
        for snapshot in context.snapshots.glob("*"):
            revision = "" if snapshot.name[-3:-1] != "-r" else f"r{snapshot.name[-1]}/"
            cycle = snapshot.name.removeprefix(f"{CAMPAIGN}-").removesuffix(f"-{revision[:-1]}")
            pages = context.public / f"cycles/{CAMPAIGN}/{cycle}/{revision}"
            if pages.is_dir():
                continue
            pages.mkdir(parents=True)
            pq.write_table(pa.table({"bytes": pa.array([3, 4], pa.int64())}), pages / "manifest.parquet")
            (pages / "summary.json").write_text("{}")
        self.seam("built")
        return "built"

    def _publish(self, context: Context) -> Published:
        self.seam("publish")
        for pages in context.public.glob("cycles/*/**/manifest.parquet"):
            target = self.folder / PUBLISHED / pages.relative_to(context.public)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(pages.read_bytes())
        self.seam("published")
        return Published(1, 7, 0.5)

    def _verify(self, context: Context, cycle: str) -> str:
        self.seam("verify")
        address = cycle.replace(".", "/")
        if not (self.folder / PUBLISHED / f"cycles/{CAMPAIGN}/{address}/manifest.parquet").is_file():
            raise UserError(f"{cycle}: is not published")
        return "2 files read back"

    def _write_status(self, context: Context, phase: str, cycle: str | None) -> SimpleNamespace:
        self.phases.append(phase)
        return SimpleNamespace(stale=False)

    def _prune(self, context: Context) -> str:
        self.seam("prune")
        return "nothing to prune"

    def _hook(self, context: Context, event: str, facts: object) -> list[str]:
        self.events[event] += 1
        self.seam(f"hook {event}")
        return []
