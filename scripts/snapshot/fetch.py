"""Fetches files of a published snapshot into a folder, which then holds a part of it, or all of it.

A file gets its name when its SHA-256 is right. Before that it is `.<name>.part`, and the next run goes on
where that ends.
"""

import hashlib
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.files import free_bytes
from scripts.snapshot.address import SnapshotAddress
from scripts.snapshot.checksums import NAME as CHECKSUMS
from scripts.snapshot.checksums import digest
from scripts.snapshot.crew import Tell, work_through
from scripts.snapshot.folders import alone
from scripts.snapshot.http_requests import CONNECTIONS
from scripts.snapshot.source import CHUNK_BYTES
from scripts.snapshot.transfer import Transfer, roughly

SPARE_BYTES = 100_000_000
"""What stays free on the disk."""

SHOWN_S = 30.0
"""How often progress is told without a terminal."""


@dataclass(frozen=True)
class Fetched:
    """How many files, and how many bytes, came over the network."""

    files: int
    bytes: int


def plan_of(
    paths: Collection[PurePosixPath], sizes: Mapping[PurePosixPath, int], rate: float | None = None
) -> str:
    """How much there is to fetch, in words; `rate` are bytes a second, None if nothing was measured."""
    total = sum(sizes[path] for path in paths)
    words = f"{len(paths):,} file{'' if len(paths) == 1 else 's'}, {total / 1e6:,.1f} MB"
    if rate is None:
        return words
    return f"{words}, {roughly(total / rate)} at {rate / 1e6:,.1f} MB/s"


def fetch(
    address: SnapshotAddress,
    folder: Path,
    paths: Collection[PurePosixPath],
    sums: Mapping[PurePosixPath, str],
    sizes: Mapping[PurePosixPath, int],
) -> Fetched:
    """Fetch files of a snapshot into a folder; those that are there already and right are not fetched again.

    Args:
        address: where the snapshot is published.
        folder: the folder, which is made if it is missing.
        paths: the files, relative to the snapshot.
        sums: the SHA-256 of each of them, from a verified SHA256SUMS.
        sizes: the bytes of each of them.

    Raises:
        UserError: a file is missing at the address, is not what SHA256SUMS lists, or cannot be written; or
            the disk is too small. What came is kept.
    """
    _check_paths(folder, paths)
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder):
        missing = _missing(folder, sorted(paths), sums, sizes)
        left = {path: max(0, sizes[path] - _part_bytes(folder / path)) for path in missing}
        total = sum(left.values())
        _check_room(folder, total)

        def one(path: PurePosixPath, tell: Tell) -> None:
            _fetch_file(address, folder, path, sums[path], sizes[path], tell)

        with Transfer(total, "fetched", elsewhere_s=SHOWN_S) as transfer:
            transfer.begin(f"{len(missing)} files", total)
            work_through(one, missing, CONNECTIONS, transfer.show)
    return Fetched(len(missing), total)


def part_of(path: Path) -> Path:
    """The name of a file while it is fetched."""
    return path.with_name(f".{path.name}.part")


def _missing(
    folder: Path,
    paths: Collection[PurePosixPath],
    sums: Mapping[PurePosixPath, str],
    sizes: Mapping[PurePosixPath, int],
) -> list[PurePosixPath]:
    """The files that are not there yet, or are not what they should be."""
    right: set[PurePosixPath] = set()
    here = [path for path in paths if _has_size(folder / path, sizes[path])]

    def one(path: PurePosixPath, tell: Tell) -> None:
        if digest(folder / path) == sums[path]:
            right.add(path)
        tell(sizes[path])

    with Transfer(sum(sizes[path] for path in here), "checked", elsewhere_s=SHOWN_S) as transfer:
        transfer.begin("already here", sum(sizes[path] for path in here))
        work_through(one, here, os.cpu_count() or 1, transfer.show)
    return [path for path in paths if path not in right]


def _fetch_file(
    address: SnapshotAddress, folder: Path, path: PurePosixPath, checksum: str, size: int, tell: Tell
) -> None:
    """Fetch a file, and again if what came is wrong: a part of it may be from an earlier run."""
    file = folder / path
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        for _ in range(2):
            if _receive(address, path, part_of(file), size, tell) == checksum:
                part_of(file).replace(file)
                return
            part_of(file).unlink()
    except FileNotFoundError as error:
        problem = "is not there, although SHA256SUMS lists it"
        raise UserError(
            f"{error}: {problem}; name the captures' address (--captures), or tell its owner"
        ) from None
    except OSError as error:
        raise UserError(f"{file}: cannot be written: {error.strerror}; mend that and run it again") from error
    raise UserError(
        f"{address.title}/{path}: is not what {CHECKSUMS} lists; the copy is damaged, tell its owner"
    )


def _receive(address: SnapshotAddress, path: PurePosixPath, part: Path, size: int, tell: Tell) -> str:
    """Complete the part of a file, and return the SHA-256 of the whole."""
    computed = hashlib.sha256()
    with part.open("a+b") as stream:
        if stream.tell() > size:
            stream.truncate(0)
        stream.seek(0)
        while known := stream.read(CHUNK_BYTES):
            computed.update(known)
            tell(0)
        if stream.tell() < size:
            for new in address.rest(path, stream.tell(), size):
                stream.write(new)
                stream.flush()
                computed.update(new)
                tell(len(new))
    return computed.hexdigest()


def _check_paths(folder: Path, paths: Collection[PurePosixPath]) -> None:
    """Raise UserError if a file would be written elsewhere than into the folder."""
    for path in paths:
        if path.is_absolute() or ".." in path.parts:
            raise UserError(f"{path}: leads out of the snapshot; do not trust this snapshot")
    for parent in {parent for path in paths for parent in path.parents}:
        if (folder / parent).is_symlink() and parent.parts:
            raise UserError(f"{folder / parent}: is a symbolic link; remove it, or name another folder")


def _check_room(folder: Path, total: int) -> None:
    free = free_bytes(folder)
    if total + SPARE_BYTES > free:
        raise UserError(
            f"{folder}: {total / 1e6:,.1f} MB are to be fetched, and {free / 1e6:,.1f} MB are free; make "
            "room, or fetch less"
        )


def _has_size(file: Path, size: int) -> bool:
    return file.is_file() and not file.is_symlink() and file.stat().st_size == size


def _part_bytes(file: Path) -> int:
    """How much of a file came before."""
    part = part_of(file)
    return part.stat().st_size if part.is_file() else 0
