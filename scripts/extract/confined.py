"""Starts the worker, which reads what strangers sent (scripts/extract/worker.py), and takes what it made.

The worker runs in a Confinement: it has no privileges and no network, sees only its inputs, and writes only
in a folder of its own beside the output. Its memory and its time are limited. A user who cannot confine a
program, as in some containers, has no privileges to lose: there the worker runs with its limits only.
"""

import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from scripts.base.confinement import (
    READER,
    Confinement,
    Limits,
    forget_keys,
    make_folder_of,
    may_change_user,
    require_confinement,
    unprivileged_uid,
)
from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.processes import run_to_end
from scripts.extract.jobs import FAULT, MADE, ExtractionJob

ADDRESS_SPACE_BYTES = 4 << 30
"""Extraction of the longest trial takes 0.2 GB, tshark on handshakes of 20 MB 0.3 GB."""

SECONDS, SECONDS_A_MEGABYTE = 600, 10
"""The limit of the processor's time, and of the clock's. A compressed megabyte takes 0.1 s, 1000 names 6."""

OUTPUT_BYTES, OUTPUT_BYTES_A_BYTE = 1 << 30, 20
PROCESSES, OPEN_FILES = 256, 256
TIMED_OUT = 128 + signal.SIGKILL
FAULT_BYTES = 100


NameFilter = Callable[[str], bool]
"""Whether a file of this name may be there."""


class WorkerError(UserError):
    """The worker made something else than it had to."""


@contextmanager
def workshop(output: Path) -> Iterator[Path]:
    """A folder beside `output` that only the worker can use. It disappears in the end."""
    folder = output.absolute().with_name(f".{output.absolute().name}.partial")
    shutil.rmtree(folder, ignore_errors=True)
    make_folder_of(READER, folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_worker(
    job: ExtractionJob, inputs: Sequence[Path], folder: Path, worker: str = "scripts.extract.worker"
) -> int:
    """Run the worker until it ends, and return its exit status.

    Args:
        job: what it does.
        inputs: the files that it may read. It sees each of them at its place outside.
        folder: a workshop.
        worker: its module.

    Raises:
        UserError: this user is root and cannot confine it.
    """
    megabytes = sum(path.stat().st_size for path in inputs) / 1e6
    seconds = round(SECONDS + SECONDS_A_MEGABYTE * megabytes)
    limits = Limits(
        processes=PROCESSES if may_change_user() else None,
        open_files=OPEN_FILES,
        file_bytes=OUTPUT_BYTES + round(OUTPUT_BYTES_A_BYTE * megabytes * 1e6),
        address_space_bytes=ADDRESS_SPACE_BYTES,
        processor_s=seconds,
    )
    command = [sys.executable, "-m", worker, job.json()]
    forget_keys()
    if _can_confine():
        seen = {path.absolute(): _readable(path.absolute(), folder) for path in inputs}
        command = Confinement(folder, unprivileged_uid(READER), readable=seen, limits=limits).command(
            *command
        )
    else:
        command = [*limits.command(), *command]
    return _run(command, folder, seconds)


def require_ending(status: int, source: Path) -> None:
    """Raise UserError if the worker that read `source` did not end by itself."""
    if status > 2:
        raise UserError(
            f"{source}: the program that reads it ended with status {status}: it crashed, or needed more "
            "memory or time than it may (scripts/extract/confined.py); check the file"
        )


def made_by_worker(folder: Path, needed: Collection[str]) -> Path:
    """The folder of what the worker made. It now belongs to this user and holds regular files alone.

    Raises:
        WorkerError: a needed file is missing, or there is another one.
    """
    _take(folder, 0o700, stat.S_ISDIR)
    return _taken(folder / MADE, needed, lambda name: False)


def folders_by_worker(folder: Path, expected: Mapping[str, tuple[str, NameFilter]]) -> Path:
    """The folder of the folders that the worker made. They now belong to this user and hold regular files.

    Args:
        folder: a workshop.
        expected: of each folder the file that must be there, and which others may be.

    Raises:
        WorkerError: it made something else.
    """
    made = folder / MADE
    _take(folder, 0o700, stat.S_ISDIR)
    _take(made, 0o755, stat.S_ISDIR)
    if expected.keys() != {path.name for path in made.iterdir()}:
        raise WorkerError(f"{made}: does not hold what the worker had to make; try again")
    for name, (needed, allowed) in expected.items():
        _taken(made / name, [needed], allowed)
    return made


def fault_of_worker(folder: Path) -> str | None:
    """The name of the file that the worker could not read, as it says; None if it does not say."""
    with suppress(OSError, UnicodeDecodeError):
        descriptor = os.open(folder / FAULT, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            return file.read(FAULT_BYTES).decode("ascii")
    return None


def _taken(made: Path, needed: Collection[str], allowed: NameFilter) -> Path:
    """A folder of files that the worker made, which now belongs to this user; errors as above."""
    _take(made, 0o755, stat.S_ISDIR)
    names = {path.name for path in made.iterdir()}
    if not set(needed) <= names or not all(name in needed or allowed(name) for name in names):
        raise WorkerError(f"{made}: does not hold what the worker had to make; try again")
    for name in names:
        _take(made / name, 0o644)
    return made


def _can_confine() -> bool:
    """Whether this machine lets this user confine a program. Root must."""
    try:
        require_confinement()
    except UserError as error:
        if os.geteuid() == 0:
            raise
        print(f"warning: {error}; the captures are read with limits only", file=sys.stderr)
        return False
    return True


def _readable(path: Path, folder: Path) -> Path:
    """An input that the worker's user may read: the file itself, or a copy of a private one."""
    if not may_change_user() or path.stat().st_mode & stat.S_IROTH:
        return path
    copy = folder / f"input-{len(list(folder.iterdir()))}"
    shutil.copyfile(path, copy)
    uid = unprivileged_uid(READER)
    os.chown(copy, uid, uid)
    return copy


def _run(command: list[str], folder: Path, seconds: int) -> int:
    """Run a command in `folder` for this time at most, and kill all its processes in the end."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    try:
        return int(run_to_end(command, limit_s=seconds, cwd=folder, env=environment).returncode)
    except subprocess.TimeoutExpired:
        return TIMED_OUT


def _take(path: Path, mode: int, is_kind: Callable[[int], bool] = stat.S_ISREG) -> None:
    """Give a file of this kind to this user. The worker cannot replace it by a link meanwhile."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise WorkerError(f"{path}: is not what the worker had to make; try again") from error
    try:
        if not is_kind(os.fstat(descriptor).st_mode):
            raise WorkerError(f"{path}: is not what the worker had to make; try again")
        os.fchown(descriptor, os.geteuid(), os.getegid())
        os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)
