"""A host on which every step is faked, with submissions, and a remote that is a folder."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.model.submission import (
    PREFIX,
    Submission,
    folder_of,
    locked_submissions,
    read_submission,
    read_submissions,
    write_submission,
)
from scripts.operate.context import Context, iso
from scripts.operate.publishing import Published, mark_submissions
from scripts.operate.submissions.records import own_context
from scripts.operate.submissions.unlisted import publish_unlisted
from tests.operate.fake_actions import ANCHOR, PUBLISHED, Host
from tests.plan.definitions import write_definition

TRIALS = {"solo": 10, "solo_attempts": 10, "round": 10, "most": 10, "attempts": 10}
HOURS = 10.3
"""About the least that the cycle of a submission takes on this host."""
PANEL_DAYS = 2
TOKEN = "a1b2c3d4e5f60718" * 2
AFTER = "2026-12-10T03:00:00Z"
"""A time at which the panel's cycle is complete."""


class SubmissionHost(Host):
    """Submissions take `takes` hours; `silent` names those whose service does not answer."""

    def __init__(self, folder: Path, now: str = f"{ANCHOR}T03:00:00Z", hours: float = 48) -> None:
        super().__init__(folder, now, PANEL_DAYS)
        self.takes, self.silent, self.facts = 12.0, dict[str, str](), list[dict]()
        settings = self.context.settings
        publication = replace(settings.publish, remote=str(folder / PUBLISHED), rclone_config=None)
        submissions = replace(settings.submissions, hours=hours)
        settings = replace(settings, publish=publication, submissions=submissions)
        self.context = replace(self.context, settings=settings)
        self.actions = replace(self.actions, build_unlisted=self._build_unlisted, publish_unlisted=self._send)

    def submit(self, identity: str, state: str = "approved", **changes: object) -> Submission:
        """Add a submission, with its definition."""
        now = iso(self.clock.now())
        approved = None if state == "waiting" else now
        made = Submission(
            id=identity, name="Example", address="https://example.org/", shown_host="example.org",
            kind="download", workload=(), contact="me@example.org", code="c1", release="public",
            settings=("8mbps",), contenders=("iperf-cubic",), token=TOKEN, added=now, approved=approved,
        )  # fmt: skip
        made = replace(made, **changes)
        folder = folder_of(self.context.data, made)
        trial = {"trials": TRIALS}
        write_definition(folder / "definition", made.campaign, trial)
        self.store(made)
        return made

    def store(self, submission: Submission) -> None:
        """Write a record."""
        with locked_submissions(self.context.data):
            write_submission(self.context.data, submission)

    def change(self, identity: str, **changes: object) -> None:
        """Change a record, as the operator's commands do."""
        self.store(replace(read_submission(self.context.data, identity), **changes))

    def submission(self, identity: str) -> Submission:
        """A record as it is now."""
        return read_submission(self.context.data, identity)

    def states(self) -> dict[str, str]:
        """The state of every submission."""
        return {one.id: one.state for one in read_submissions(self.context.data)}

    def place(self, identity: str) -> Path:
        """The folder of a submission."""
        return folder_of(self.context.data, self.submission(identity))

    def own(self, identity: str) -> Context:
        """The context in which a submission is measured."""
        return own_context(self.context, self.submission(identity))

    def remote_files(self) -> list[str]:
        """What the remote has below unlisted/."""
        root = self.folder_of_remote
        return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())

    def named(self, name: str) -> list[Path]:
        """Every file whose path has a name, but for the records of submissions and the log."""
        files = [path for path in self.folder.rglob(f"*{name}*") if "definition" not in path.parts]
        return [path for path in files if "submissions" not in path.relative_to(self.folder).parts]

    @property
    def folder_of_remote(self) -> Path:
        return Path(self.context.settings.publish.remote) / "unlisted"

    def _canaries(self, context: Context, cycle: str) -> dict[str, str]:
        self.seam(f"canary {context.settings.campaign}" if context.definition else "canary")
        if context.definition and context.settings.campaign in self.silent:
            (context.cycle(cycle) / "canaries").mkdir(parents=True)
            (context.cycle(cycle) / "plan").mkdir(parents=True)
            (context.cycle(cycle) / "plan/set_aside.json").write_text("{}")
            return {context.settings.campaign: self.silent[context.settings.campaign]}
        return {}

    def _measure(self, context: Context, cycle: str, during: object) -> str:
        if not context.definition:
            return super()._measure(context, cycle, during)
        name = context.settings.campaign
        (context.cycle(cycle) / "trials/8mbps/a~b/01").mkdir(parents=True, exist_ok=True)
        self.seam(f"measure {name}")
        for _ in range(4):
            self.clock.wait(hours=self.takes / 4)
            self.seam(f"measuring {name}")
            during()
        snapshot = context.snapshots / f"{name}-{cycle}"
        snapshot.mkdir(parents=True, exist_ok=True)
        identity = {"campaign": name, "cycle": cycle, "revision": 1}
        (snapshot / "snapshot.json").write_text(json.dumps(identity))
        self.seam(f"measured {name}")
        return "frozen"

    def _build_unlisted(self, context: Context, folder: Path) -> str:
        submission = self.submission(folder.parent.name)
        self.seam(f"unlisted site {submission.id}")
        assert any(context.snapshots.glob(f"{submission.campaign}-*"))
        fresh = folder.with_name(".unlisted")
        (fresh / "cycles").mkdir(parents=True, exist_ok=True)
        (fresh / "index.html").write_text(submission.name)
        (fresh / "bundle.tar").write_text("captures")
        fresh.rename(folder)
        return f"built: {folder}"

    def _send(self, context: Context, wanted: object) -> str:
        self.seam("unlisted")
        done = publish_unlisted(context, wanted)
        self.seam("unlisted sent")
        return done

    def _build(self, context: Context) -> str:
        self.seam("site")
        for path in sorted(context.snapshots.glob("*/snapshot.json")):
            one = json.loads(path.read_text())
            if self._is_withdrawn(one["campaign"]):
                continue
            pages = context.public / f"cycles/{one['campaign']}/{one['cycle']}"
            pages.mkdir(parents=True, exist_ok=True)
            pq.write_table(pa.table({"bytes": pa.array([3, 4], pa.int64())}), pages / "manifest.parquet")
            (pages / "summary.json").write_text("{}")
        for pages in context.public.glob(f"cycles/{PREFIX}*"):
            if self._is_withdrawn(pages.name):
                shutil.rmtree(pages)
        self.seam("built")
        return "built"

    def _is_withdrawn(self, campaign: str) -> bool:
        submitted = campaign.startswith(PREFIX)
        return submitted and bool(self.submission(campaign.removeprefix(PREFIX)).withdrawn)

    def _publish(self, context: Context) -> Published:
        self.seam("publish")
        mark_submissions(context)
        return super()._publish(context)

    def _verify(self, context: Context, cycle: str) -> str:
        self.seam("verify")
        pages = f"cycles/{context.settings.campaign}/{cycle}"
        assert (self.folder / PUBLISHED / pages / "manifest.parquet").is_file()
        return "2 files read back"

    def _hook(self, context: Context, event: str, facts: object) -> list[str]:
        self.facts.append({"event": event, **facts})
        return super()._hook(context, event, facts)
