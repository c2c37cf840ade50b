"""Builds the program of a stack from locked sources.

cargo and go fetch these from the registry that they are set up for. They compare every package with its
checksum in go.sum, or in versions.lock, which is a Cargo.lock without the address of the registry.
"""

import os
import shutil
import tomllib
from pathlib import Path

from scripts.base.files import ROOT
from scripts.base.processes import run_to_end

STACKS = ROOT / "services/stacks"
PROGRAM = "endpoint"
WORK = ROOT / "build/stacks"
"""Where the logs are."""

TARGET = WORK / "cargo"
"""Where cargo compiles. Stacks share it, because they share packages."""

LOCK, CARGO_LOCK = "versions.lock", "Cargo.lock"


class BuildError(Exception):
    """A stack cannot be built. The message says what failed, and where to read more."""


def folders() -> dict[str, Path]:
    """The folders of the stacks that are built, by name, sorted."""
    manifests = (*STACKS.glob("*/Cargo.toml"), *STACKS.glob("*/go.mod"))
    return {path.parent.name: path.parent for path in sorted(manifests)}


def built_program(folder: Path) -> Path:
    """Where the built program of a stack is."""
    return folder / "build" / PROGRAM


def is_built(folder: Path) -> bool:
    """Whether the program of a stack is there, and no older than its sources."""
    program = built_program(folder)
    return program.is_file() and all(
        path.stat().st_mtime_ns <= program.stat().st_mtime_ns for path in sources(folder)
    )


def sources(folder: Path) -> list[Path]:
    """The files from which the program of a stack is built. Versions of a stack share a program."""
    if (folder / "go.mod").is_file():
        return [folder / "go.mod", folder / "go.sum", *sorted(folder.glob("*.go"))]
    manifest = folder / "Cargo.toml"
    (binary,) = tomllib.loads(manifest.read_text(encoding="utf-8"))["bin"]
    beside = (folder / binary["path"]).parent.glob("*.rs")
    return [manifest, folder / LOCK, *sorted(beside), *sorted((STACKS / "shared").glob("*.rs"))]


def build(folder: Path) -> None:
    """Build the program of a stack.

    Raises:
        BuildError: a tool failed.
    """
    WORK.mkdir(parents=True, exist_ok=True)
    program = built_program(folder)
    program.parent.mkdir(exist_ok=True)
    if (folder / "go.mod").is_file():
        _run(folder, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", str(program), ".")
        return
    write_cargo_lock(folder)
    _run(folder, "cargo", "build", "--release", "--locked", "--target-dir", str(TARGET))
    shutil.copyfile(TARGET / "release" / PROGRAM, program)
    program.chmod(0o755)


def write_cargo_lock(folder: Path) -> None:
    """Write Cargo.lock: versions.lock with the address that this cargo writes into a lock of its own.

    Raises:
        BuildError: cargo failed.
    """
    lock = folder / CARGO_LOCK
    lock.unlink(missing_ok=True)
    _run(folder, "cargo", "generate-lockfile")
    source = next(line for line in lock.read_text(encoding="utf-8").splitlines() if line.startswith("source"))
    locked = (folder / LOCK).read_text(encoding="utf-8")
    lock.write_text(locked.replace("\nchecksum", f"\n{source}\nchecksum"), encoding="utf-8")


def _run(folder: Path, *command: str) -> None:
    """Run a tool in the folder of a stack. Its output goes to a log.

    Raises:
        BuildError: it failed.
    """
    log = WORK / f"{folder.name}.log"
    # Go would download another toolchain, and link with the C library.
    environment = {**os.environ, "GOTOOLCHAIN": "local", "CGO_ENABLED": "0"}
    with log.open("wb") as file:
        ended = run_to_end(command, cwd=folder, env=environment, stdout=file, stderr=file)
    if ended.returncode != 0:
        what = " ".join(command[:2])
        raise BuildError(f"{what} ended with status {ended.returncode}; see {log.relative_to(ROOT)}")
