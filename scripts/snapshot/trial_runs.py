"""The trials of a snapshot as runs of a testbed: when, with what, and what they left."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scripts.base.records import read_record
from scripts.extract.trial_files import TRIAL_JSON
from scripts.model.trials import TrialKey
from scripts.snapshot.about import File, moment


@dataclass(frozen=True)
class RunTestbed:
    """What measured a trial.

    Attributes:
        backend, version: the bottleneck; None if the trial failed before it began.
        kernel: the release of the host's kernel.
        programs: names and versions, sorted by name.
    """

    backend: str | None
    version: str | None
    kernel: str | None
    programs: tuple[tuple[str, str], ...]

    @property
    def title(self) -> str:
        """In words."""
        return (
            f"The testbed, bottleneck {self.backend}"
            if self.backend
            else "The testbed, before a bottleneck ran"
        )

    def program_entities(self) -> dict[str, tuple[str, str]]:
        """Name and version of every program, by its identifier in the crate."""
        return {
            f"#program/{name}/{version}".replace(" ", "_"): (name, version) for name, version in self.programs
        }


@dataclass(frozen=True)
class TrialRun:
    """A trial. Times are in the form of ISO 8601; None if it never began."""

    key: TrialKey
    testbed: RunTestbed
    completed: bool
    reason: str | None
    start: str | None
    stop: str | None

    @property
    def identifier(self) -> str:
        """Its identifier in the crate."""
        return f"#trial/{self.key.path.as_posix()}"

    @property
    def title(self) -> str:
        """The trial, as messages name it."""
        return f"Trial {self.key.title}"

    @property
    def folder(self) -> str:
        """What it left, relative to the snapshot."""
        return f"trials/{self.key.path.as_posix()}/"

    @property
    def specification(self) -> str:
        """What was to be measured, relative to the snapshot."""
        return f"plan/specs/{self.key.path.as_posix()}.json"


@dataclass(frozen=True)
class _Bottleneck:
    backend: str | None = None
    version: str | None = None


@dataclass(frozen=True)
class _Host:
    kernel: str | None = None


@dataclass(frozen=True)
class _RunTrial:
    """The part of trial.json that is read here."""

    status: str = "completed"
    reason: str | None = None
    start_ns: int | None = None
    stop_ns: int | None = None
    bottleneck: _Bottleneck | None = None
    host: _Host | None = None
    programs: dict[str, str] = field(default_factory=dict)


def read_runs(snapshot: Path, files: Sequence[File]) -> list[TrialRun]:
    """Every trial of a snapshot with these files, calibrations too, by setting, pair and number.

    Raises:
        UserError: a trial.json is wrong.
    """
    paths = [file.path for file in files if file.path.parts[0] == "trials" and file.path.name == TRIAL_JSON]
    return [read_run(snapshot / path) for path in sorted(paths)]


def read_run(path: Path) -> TrialRun:
    """Read a trial.json.

    Raises:
        UserError: it is wrong.
    """
    found = read_record(_RunTrial, path)
    bottleneck, host = found.bottleneck or _Bottleneck(), found.host or _Host()
    programs = tuple(sorted(found.programs.items()))
    return TrialRun(
        key=TrialKey.of(path.parent),
        testbed=RunTestbed(bottleneck.backend, bottleneck.version, host.kernel, programs),
        completed=found.status == "completed",
        reason=found.reason,
        start=moment(found.start_ns),
        stop=moment(found.stop_ns),
    )
