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
from scripts.base.files import digest, free_bytes
from scripts.base.locks import exclusive
from scripts.extract.byte_progress import SHOWN_S, ByteProgress, roughly
from scripts.snapshot.about import DATAPACKAGE, parse_datapackage
from scripts.snapshot.checksums import PUBLISHED_WITHOUT_CHECKSUM, read_listing
from scripts.snapshot.file_threads import AddBytes, work_through
from scripts.snapshot.http_reader import CONNECTIONS
from scripts.snapshot.identity import CHECKSUMS, IDENTITY
from scripts.snapshot.source import (
    CHUNK_BYTES,
    Folder,
    SnapshotAddress,
    Source,
    check_size,
    read,
    read_if_there,
)

SPARE_BYTES = 100_000_000
"""What stays free on the disk."""

OPTIONAL = PUBLISHED_WITHOUT_CHECKSUM[1:]
"""All but SHA256SUMS: not every snapshot has them."""
DESCRIPTIONS = tuple(map(PurePosixPath, (IDENTITY, DATAPACKAGE)))


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
    with exclusive(folder):
        missing = _missing(folder, sorted(paths), sums, sizes)
        left = {path: max(0, sizes[path] - _part_bytes(folder / path)) for path in missing}
        total = sum(left.values())
        if total + SPARE_BYTES > (free := free_bytes(folder)):
            sizes_mb = f"{total / 1e6:,.1f} MB are to be fetched, and {free / 1e6:,.1f} MB are free"
            raise UserError(f"{folder}: {sizes_mb}; make room, or fetch less")

        def one(path: PurePosixPath, add_bytes: AddBytes) -> None:
            _fetch_file(address, folder, path, sums[path], sizes[path], add_bytes)

        with ByteProgress(total, "fetched", elsewhere_s=SHOWN_S) as transfer:
            transfer.begin(f"{len(missing)} files", total)
            work_through(one, missing, CONNECTIONS, transfer.show)
    return Fetched(len(missing), total)


def part_file(path: Path) -> Path:
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
    here = [
        path
        for path in paths
        if (file := folder / path).is_file() and not file.is_symlink() and file.stat().st_size == sizes[path]
    ]

    def one(path: PurePosixPath, add_bytes: AddBytes) -> None:
        if digest(folder / path) == sums[path]:
            right.add(path)
        add_bytes(sizes[path])

    with ByteProgress(sum(sizes[path] for path in here), "checked", elsewhere_s=SHOWN_S) as transfer:
        transfer.begin("already here", sum(sizes[path] for path in here))
        work_through(one, here, os.cpu_count() or 1, transfer.show)
    return [path for path in paths if path not in right]


def _fetch_file(
    address: SnapshotAddress, folder: Path, path: PurePosixPath, checksum: str, size: int, add_bytes: AddBytes
) -> None:
    """Fetch a file, and again if what came is wrong: a part of it may be from an earlier run."""
    file = folder / path
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        for _ in range(2):
            if _receive(address, path, part_file(file), size, add_bytes) == checksum:
                part_file(file).replace(file)
                return
            part_file(file).unlink()
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


def _receive(
    address: SnapshotAddress, path: PurePosixPath, part: Path, size: int, add_bytes: AddBytes
) -> str:
    """Complete the part of a file, and return the SHA-256 of the whole."""
    computed = hashlib.sha256()
    with part.open("a+b") as stream:
        if stream.tell() > size:
            stream.truncate(0)
        stream.seek(0)
        while known := stream.read(CHUNK_BYTES):
            computed.update(known)
            add_bytes(0)
        if stream.tell() < size:
            for new in address.stream(path, stream.tell(), size):
                stream.write(new)
                stream.flush()
                computed.update(new)
                add_bytes(len(new))
    return computed.hexdigest()


def _check_paths(folder: Path, paths: Collection[PurePosixPath]) -> None:
    """Raise UserError if a file would be written elsewhere than into the folder."""
    for path in paths:
        if path.is_absolute() or ".." in path.parts:
            raise UserError(f"{path}: leads out of the snapshot; do not trust this snapshot")
    for parent in {parent for path in paths for parent in path.parents}:
        if (folder / parent).is_symlink() and parent.parts:
            raise UserError(f"{folder / parent}: is a symbolic link; remove it, or name another folder")


def _part_bytes(file: Path) -> int:
    """How much of a file came before."""
    part = part_file(file)
    return part.stat().st_size if part.is_file() else 0


def fetch_metadata(address: SnapshotAddress, folder: Path) -> dict[PurePosixPath, str]:
    """Fetch SHA256SUMS, tombstone.json, their signatures, snapshot.json and datapackage.json into a folder.

    Verify SHA256SUMS there before anything else is fetched.

    Returns:
        The files in SHA256SUMS, and their checksums.

    Raises:
        UserError: there is no snapshot at the address, or the folder holds something else.
    """
    try:
        checksums = read(address, PurePosixPath(CHECKSUMS))
    except FileNotFoundError:
        raise UserError(
            f"{address.title}: has no {CHECKSUMS}, so it is no snapshot; check the address"
        ) from None
    _check_folder(folder, checksums, address)
    _write(folder / CHECKSUMS, checksums)
    for name in OPTIONAL:
        if (content := read_if_there(address, PurePosixPath(name))) is not None:
            _write(folder / name, content)
    sums = read_listing(Folder(folder))
    present = [path for path in DESCRIPTIONS if path in sums]
    sizes = asked_sizes(address, present, {})
    for path, size in sizes.items():
        check_size(address, path, size)
    fetch(address, folder, present, sums, sizes)
    return sums


def sizes_of(source: Source, sums: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, int]:
    """The bytes of the files of a snapshot, as datapackage.json has them.

    Raises:
        UserError: datapackage.json is missing, wrong, or not what SHA256SUMS lists.
    """
    where = f"{source.title}/{DATAPACKAGE}"
    try:
        content = read(source, PurePosixPath(DATAPACKAGE))
    except FileNotFoundError:
        raise UserError(f"{where}: is missing; fetch the snapshot again") from None
    if hashlib.sha256(content).hexdigest() != sums.get(PurePosixPath(DATAPACKAGE)):
        raise UserError(f"{where}: does not match {CHECKSUMS}; fetch the snapshot again")
    return {PurePosixPath(file.path): file.bytes for file in parse_datapackage(content, where)}


def asked_sizes(
    address: SnapshotAddress, paths: Collection[PurePosixPath], sizes: Mapping[PurePosixPath, int]
) -> dict[PurePosixPath, int]:
    """The bytes of these files. The server is asked for those that datapackage.json lacks.

    Raises:
        UserError: the server does not add_bytes, or lacks a file.
    """
    files = {path: sizes[path] for path in paths if path in sizes}

    def one(path: PurePosixPath, add_bytes: AddBytes) -> None:
        try:
            size = address.size(path)
        except FileNotFoundError as error:
            raise UserError(f"{error}: is not there, although {CHECKSUMS} lists it; tell its owner") from None
        if size is None:
            raise UserError(f"{address.title}/{path}: the server does not tell its size; tell its owner")
        files[path] = size
        add_bytes(0)

    work_through(one, [path for path in paths if path not in sizes], CONNECTIONS, lambda _: None)
    return files


def _check_folder(folder: Path, checksums: bytes, address: SnapshotAddress) -> None:
    """Raise UserError if a folder has other files than those of this snapshot."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: is no folder; give another name")
    if (folder / CHECKSUMS).is_file():
        if (folder / CHECKSUMS).read_bytes() != checksums:
            raise UserError(f"{folder}: is another snapshot than {address.title}; name another folder")
    elif folder.is_dir() and any(not path.name.startswith(".") for path in folder.iterdir()):
        raise UserError(f"{folder}: has files, and is no snapshot; name another folder")


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; what a killed process left of it is used again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part_file(path).write_bytes(content)
    os.replace(part_file(path), path)
