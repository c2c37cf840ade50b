"""Fetches what tells what a snapshot is: the first files of it in a folder."""

import hashlib
import os
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.snapshot.address import SnapshotAddress
from scripts.snapshot.checksums import NAME as CHECKSUMS
from scripts.snapshot.checksums import read_checksums
from scripts.snapshot.crew import Tell, work_through
from scripts.snapshot.fetch import fetch, part_of
from scripts.snapshot.http_requests import CONNECTIONS
from scripts.snapshot.identity import NAME as IDENTITY
from scripts.snapshot.listing import PUBLISHED_UNLISTED
from scripts.snapshot.resources import NAME as PACKAGE
from scripts.snapshot.resources import resources_in
from scripts.snapshot.source import Source, check_size, read

OPTIONAL = PUBLISHED_UNLISTED[1:]
"""All but SHA256SUMS: not every snapshot has them."""
DESCRIPTIONS = tuple(map(PurePosixPath, (IDENTITY, PACKAGE)))


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
        try:
            _write(folder / name, read(address, PurePosixPath(name)))
        except FileNotFoundError:
            continue
    sums = {PurePosixPath(path): checksum for path, checksum in read_checksums(folder).items()}
    present = [path for path in DESCRIPTIONS if path in sums]
    sizes = asked_sizes(address, present, {})
    for path, size in sizes.items():
        check_size(address, path, size)
    fetch(address, folder, present, sums, sizes)
    return sums


def sizes_of(source: Source, sums: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, int]:
    """The bytes of the files of a snapshot, as datapackage.json tells them.

    Raises:
        UserError: datapackage.json is missing, wrong, or not what SHA256SUMS lists.
    """
    where = f"{source.title}/{PACKAGE}"
    try:
        content = read(source, PurePosixPath(PACKAGE))
    except FileNotFoundError:
        raise UserError(f"{where}: is missing; fetch the snapshot again") from None
    if hashlib.sha256(content).hexdigest() != sums.get(PurePosixPath(PACKAGE)):
        raise UserError(f"{where}: does not match {CHECKSUMS}; fetch the snapshot again")
    return {PurePosixPath(one.path): one.bytes for one in resources_in(content, where)}


def asked_sizes(
    address: SnapshotAddress, paths: Collection[PurePosixPath], sizes: Mapping[PurePosixPath, int]
) -> dict[PurePosixPath, int]:
    """The bytes of these files. What datapackage.json does not tell, such as its own, is asked for.

    Raises:
        UserError: the server does not tell, or lacks a file.
    """
    found = {path: sizes[path] for path in paths if path in sizes}

    def one(path: PurePosixPath, tell: Tell) -> None:
        try:
            size = address.size(path)
        except FileNotFoundError as error:
            raise UserError(f"{error}: is not there, although {CHECKSUMS} lists it; tell its owner") from None
        if size is None:
            raise UserError(f"{address.title}/{path}: the server does not tell its size; tell its owner")
        found[path] = size
        tell(0)

    work_through(one, [path for path in paths if path not in sizes], CONNECTIONS, lambda _: None)
    return found


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
    part_of(path).write_bytes(content)
    os.replace(part_of(path), path)
