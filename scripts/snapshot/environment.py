"""environment.json: what made the tables and charts of a snapshot, and what measured its trials.

The Python packages are in requirements.lock, the code is in source.tar.zst (source_archive.py).
"""

import json
import platform
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from scripts.base.files import write_text
from scripts.base.packages import installed_version
from scripts.base.records import read_record, to_json
from scripts.extract.trial_files import TRIAL_JSON
from scripts.extract.trial_json import public_versions
from scripts.snapshot.trial_runs import read_run

NAME = "environment.json"
PROGRAMS = ("hugo", "snakemake")


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
class Version:
    """A version that measured this number of trials."""

    version: str
    trials: int


@dataclass(frozen=True)
class Testbed:
    """What measured the trials and calibrations: every version, the one of most trials first."""

    kernel: tuple[Version, ...] = ()
    bottlenecks: dict[str, tuple[Version, ...]] = field(default_factory=dict)
    programs: dict[str, tuple[Version, ...]] = field(default_factory=dict)


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
    found = [read_run(path).testbed for path in trials.glob(f"*/*/*/{TRIAL_JSON}")]
    return Testbed(
        _counted(one.kernel for one in found),
        _by_name({one.backend: one.version} for one in found if one.backend),
        _by_name(public_versions(dict(one.programs)) for one in found),
    )


def write_environment(snapshot: Path) -> None:
    """Write environment.json of a snapshot that is being made."""
    content = to_json(Environment(builder(), measured_by(snapshot / "trials")))
    write_text(snapshot / NAME, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def read_environment(snapshot: Path) -> Environment:
    """Read environment.json.

    Raises:
        UserError: the file is missing or wrong.
    """
    return read_record(Environment, snapshot / NAME)


def _by_name(
    found: Iterable[dict[str, str | None]] | Iterable[dict[str, str]],
) -> dict[str, tuple[Version, ...]]:
    """The versions of every name, by name."""
    versions: dict[str, list[str | None]] = {}
    for one in found:
        for name, version in one.items():
            versions.setdefault(name, []).append(version)
    return {name: _counted(versions[name]) for name in sorted(versions)}


def _counted(versions: Iterable[str | None]) -> tuple[Version, ...]:
    """How many trials each version measured, most first."""
    counts = Counter(version for version in versions if version is not None)
    return tuple(Version(*item) for item in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
