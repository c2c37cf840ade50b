"""The command `fetch`: a whole snapshot, or some of its files, from its address."""

import argparse
import sys
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.plain import plain
from scripts.snapshot.address import SnapshotAddress
from scripts.snapshot.fetch import fetch, plan_of
from scripts.snapshot.provision import open_snapshot
from scripts.snapshot.verify_command import add_policy, policy_of


def add_options(command: argparse.ArgumentParser) -> None:
    """What to fetch, from where, and where to."""
    command.add_argument("address", metavar="URL", help="such as https://host/snapshots/watchdog-2026-11-21/")
    command.add_argument(
        "path", nargs="*", metavar="PATH", help="a file, a folder or a pattern such as 'trials/8mbps/*'"
    )
    command.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the folder to make")
    command.add_argument("--captures", metavar="URL", help="where the trials are, if not beside the snapshot")
    add_policy(command)


def run(given: argparse.Namespace) -> str:
    """Fetch, and tell what came."""
    snapshot = open_snapshot(given.address, given.captures, given.output, policy_of(given))
    address = snapshot.source
    if not isinstance(address, SnapshotAddress):
        raise UserError(f"{given.address}: is a folder; fetch is for an address (https://…)")
    removed = {PurePosixPath(one.path) for one in snapshot.tombstone.removed}
    paths = chosen(snapshot.listed.keys() - removed, given.path, snapshot.title)
    sizes = snapshot.sizes(paths)
    print(plain(f"{snapshot.title}: {plan_of(paths, sizes, address.rate())}"), file=sys.stderr)
    done = fetch(address, given.output, paths, snapshot.listed, sizes)
    also = f"; {len(paths) - done.files} were there already" if len(paths) > done.files else ""
    return f"{given.output}: {done.files} files ({done.bytes / 1e6:,.1f} MB) fetched and checked{also}"


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
