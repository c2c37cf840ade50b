"""The command `fetch`: a whole snapshot, or some of its files, from its address."""

import argparse
import sys
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.snapshot.address import Address, open_source
from scripts.snapshot.fetch import fetch, plan_of
from scripts.snapshot.fetched_metadata import asked_sizes, fetch_metadata, sizes_of
from scripts.snapshot.source import Folder
from scripts.snapshot.tombstone import read_tombstone


def add_options(command: argparse.ArgumentParser) -> None:
    """What to fetch, from where, and where to."""
    command.add_argument("address", metavar="URL", help="such as https://host/snapshots/watchdog-2026-11-21/")
    command.add_argument(
        "path", nargs="*", metavar="PATH", help="a file, a folder or a pattern such as 'trials/8mbps/*'"
    )
    command.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the folder to make")
    command.add_argument("--captures", metavar="URL", help="where the trials are, if not beside the snapshot")


def run(given: argparse.Namespace) -> str:
    """Fetch, and tell what came."""
    address = open_source(given.address, given.captures)
    if not isinstance(address, Address):
        raise UserError(f"{given.address}: is a folder; fetch is for an address (https://…)")
    sums = fetch_metadata(address, given.output)
    removed = {PurePosixPath(one.path) for one in read_tombstone(given.output).removed}
    paths = chosen(sums.keys() - removed, given.path, address.title)
    sizes = asked_sizes(address, paths, sizes_of(Folder(given.output), sums))
    print(f"{address.title}: {plan_of(paths, sizes, address.rate())}", file=sys.stderr)
    done = fetch(address, given.output, paths, sums, sizes)
    also = f"; {len(paths) - done.files} were there already" if len(paths) > done.files else ""
    count = f"{done.files} files ({done.bytes / 1e6:,.1f} MB) fetched, each as SHA256SUMS lists it{also}"
    return f"{given.output}: {count}; check the signature by verify"


def chosen(listed: Collection[PurePosixPath], patterns: Sequence[str], title: str) -> list[PurePosixPath]:
    """The files that patterns name, or that are in folders that they name; all without a pattern.

    Raises:
        UserError: a pattern names nothing.
    """
    if not patterns:
        return sorted(listed)
    found: set[PurePosixPath] = set()
    for pattern in patterns:
        named = {path for path in listed if _matches(path, pattern.rstrip("/"))}
        if not named:
            raise UserError(f"{title}: has no {pattern}; SHA256SUMS lists its files")
        found |= named
    return sorted(found)


def _matches(path: PurePosixPath, pattern: str) -> bool:
    """Whether a pattern names a file or a folder above it."""
    return any(fnmatchcase(str(one), pattern) for one in (path, *path.parents[:-1]))
