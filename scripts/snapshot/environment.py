"""What made a snapshot: the trials as runs of a testbed, and environment.json.

environment.json names what made tables and charts, and what measured the trials. The Python packages are in
requirements.lock, the code is in source.tar.zst (code_archive.py).
"""

import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from scripts.base.packages import installed_version, other_packages
from scripts.base.records import read_record, write_record
from scripts.extract.trial_files import TRIAL_JSON
from scripts.extract.trial_json import public_versions
from scripts.model.trials import TrialKey
from scripts.snapshot.about import SnapshotFile, moment
from scripts.snapshot.code_archive import LOCK

ENVIRONMENT = "environment.json"
PROGRAMS = ("hugo", "snakemake")


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
        return f"The testbed, {f'bottleneck {self.backend}' if self.backend else 'before a bottleneck ran'}"

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


def read_runs(snapshot: Path, files: Sequence[SnapshotFile]) -> list[TrialRun]:
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
    record = read_record(_RunTrial, path)
    bottleneck, host = record.bottleneck or _Bottleneck(), record.host or _Host()
    programs = tuple(sorted(record.programs.items()))
    return TrialRun(
        key=TrialKey.of(path.parent),
        testbed=RunTestbed(bottleneck.backend, bottleneck.version, host.kernel, programs),
        completed=record.status == "completed",
        reason=record.reason,
        start=moment(record.start_ns),
        stop=moment(record.stop_ns),
    )


@dataclass(frozen=True)
class Builder:
    """What made tables and charts. `programs` are versions, as their Python packages have them."""

    python: str
    implementation: str
    system: str
    machine: str
    libc: str
    programs: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class MeasuringVersion:
    """A version that measured this number of trials."""

    version: str
    trials: int


@dataclass(frozen=True)
class Testbed:
    """What measured the trials and calibrations: every version, the one of most trials first."""

    kernel: tuple[MeasuringVersion, ...] = ()
    bottlenecks: dict[str, tuple[MeasuringVersion, ...]] = field(default_factory=dict)
    programs: dict[str, tuple[MeasuringVersion, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Environment:
    """The content of environment.json."""

    builder: Builder
    testbed: Testbed


def builder() -> Builder:
    """The Python and the machine that this process runs on."""
    libc = " ".join(part for part in platform.libc_ver() if part)
    versions = {name: installed_version(name) for name in PROGRAMS}
    return Builder(
        platform.python_version(),
        platform.python_implementation(),
        platform.system(),
        platform.machine(),
        libc,
        {name: version for name, version in versions.items() if version is not None},
    )


def measured_by(trials: Path) -> Testbed:
    """What measured the published trials in a folder."""
    testbeds = [read_run(path).testbed for path in trials.glob(f"*/*/*/{TRIAL_JSON}")]
    return Testbed(
        _counted(testbed.kernel for testbed in testbeds),
        _by_name((testbed.backend, testbed.version) for testbed in testbeds if testbed.backend),
        _by_name(item for testbed in testbeds for item in public_versions(dict(testbed.programs)).items()),
    )


def write_environment(snapshot: Path) -> None:
    """Write environment.json of a snapshot that is being made."""
    write_record(snapshot / ENVIRONMENT, Environment(builder(), measured_by(snapshot / "trials")))


def read_environment(snapshot: Path) -> Environment:
    """Read environment.json.

    Raises:
        UserError: the file is missing or wrong.
    """
    return read_record(Environment, snapshot / ENVIRONMENT)


def other_environment(snapshot: Path) -> Iterator[tuple[PurePosixPath, str]]:
    """Another Python or other packages than those that made the snapshot; absent packages do not count."""
    if (before := read_environment(snapshot).builder.python) != (here := platform.python_version()):
        yield PurePosixPath(ENVIRONMENT), f"Python {here} here, {before} in the snapshot"
    if not (snapshot / LOCK).is_file():
        return
    others = [
        package for package in other_packages((snapshot / LOCK).read_text(encoding="utf-8")) if package.here
    ]
    if others:
        words = (
            f"{package.name} {package.here} here, {' or '.join(package.locked)} in the snapshot"
            for package in others
        )
        yield PurePosixPath(LOCK), "; ".join(words)


def _by_name(named: Iterable[tuple[str, str | None]]) -> dict[str, tuple[MeasuringVersion, ...]]:
    """The versions of every name, by name."""
    versions: dict[str, list[str | None]] = {}
    for name, version in named:
        versions.setdefault(name, []).append(version)
    return {name: _counted(versions[name]) for name in sorted(versions)}


def _counted(versions: Iterable[str | None]) -> tuple[MeasuringVersion, ...]:
    """How many trials each version measured, most first."""
    counts = Counter(version for version in versions if version is not None)
    return tuple(
        MeasuringVersion(*item) for item in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )
