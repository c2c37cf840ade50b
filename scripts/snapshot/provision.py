"""The files that a rebuild needs: those of a folder are checked, those at an address are fetched."""

import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.plain import plain
from scripts.snapshot.absent import Removed, Tombstone, pruned_files, read_pruned
from scripts.snapshot.checksums import MOST_NAMED, file_problems, refuse
from scripts.snapshot.fetch import asked_sizes, fetch, fetch_metadata, plan_of, sizes_of
from scripts.snapshot.source import TRIALS, Folder, SnapshotAddress, open_source
from scripts.snapshot.transfer import SHOWN_S, Transfer
from scripts.snapshot.trust import Policy, name_of, trusted


@dataclass(frozen=True)
class Provision:
    """A snapshot that is used, maybe only in part.

    Attributes:
        source: its folder or address.
        folder: the folder where its files are, or come to be.
        listed: SHA256SUMS.
        tombstone: what was taken back.
    """

    source: Folder | SnapshotAddress
    folder: Path
    listed: Mapping[PurePosixPath, str]
    tombstone: Tombstone

    @property
    def title(self) -> str:
        """The folder or the address, for messages."""
        return self.source.title

    def matching(self, patterns: Sequence[str]) -> list[PurePosixPath]:
        """The files that patterns name, or that are in folders that they name; all without a pattern.

        Raises:
            UserError: a pattern names nothing.
        """
        there = self.listed.keys() - {PurePosixPath(file.path) for file in self.tombstone.removed}
        chosen: set[PurePosixPath] = set()
        for pattern in patterns:
            named = {
                path
                for path in there
                if any(fnmatchcase(str(name), pattern.rstrip("/")) for name in (path, *path.parents[:-1]))
            }
            if not named:
                raise UserError(f"{self.title}: has no {pattern}; SHA256SUMS lists its files")
            chosen |= named
        return sorted(chosen if patterns else there)

    def sizes(self, paths: Collection[PurePosixPath]) -> dict[PurePosixPath, int]:
        """The bytes of these files.

        Raises:
            UserError: one of them was taken back, or is not there.
        """
        self._refuse_removed(paths)
        if isinstance(self.source, SnapshotAddress):
            return asked_sizes(self.source, paths, sizes_of(Folder(self.folder), self.listed))
        self._refuse_pruned(paths)
        return {path: _present(self.source, path).stat().st_size for path in sorted(paths)}

    def words(self, sizes: Mapping[PurePosixPath, int]) -> str:
        """How much of the snapshot is needed, in words."""
        if isinstance(self.source, SnapshotAddress):
            return f"fetches {plan_of(sizes, sizes, self.source.rate())}, of {len(self.listed):,} files"
        return f"{plan_of(sizes, sizes)}, of {len(self.listed):,} files that the snapshot has"

    def bring(self, sizes: Mapping[PurePosixPath, int], complete: bool = False) -> None:
        """Fetch files of a snapshot at an address; check those of a snapshot in a folder.

        Args:
            sizes: the files, with their bytes.
            complete: whether these are all files of the snapshot. Any other file in its folder is then an
                error.

        Raises:
            UserError: a file is missing, or is not what SHA256SUMS lists.
        """
        if isinstance(self.source, SnapshotAddress):
            fetch(self.source, self.folder, sizes.keys(), self.listed, sizes)
            return
        total = sum(sizes.values())
        source = self.source if complete else _Opened(self.source.path, self.source.trials)
        with Transfer(total, "checked", elsewhere_s=SHOWN_S) as progress:
            progress.begin("checksums", total)
            listed = {path: self.listed[path] for path in sizes}
            refuse(file_problems(source, listed, show=progress.show))

    def _refuse_removed(self, paths: Collection[PurePosixPath]) -> None:
        """Raise UserError if a file was taken back."""
        removed = [one for one in self.tombstone.removed if PurePosixPath(one.path) in paths]
        if removed:
            problem = f"{self.title}: cannot be rebuilt without the files that were removed"
            raise UserError(f"{problem}: {_why(removed)}")

    def _refuse_pruned(self, paths: Collection[PurePosixPath]) -> None:
        """Raise UserError if a file is published elsewhere only."""
        pruned = read_pruned(self.folder)
        if pruned is not None and not pruned_files(self.folder, self.listed).isdisjoint(paths):
            problem = f"{self.title}: cannot be rebuilt without files of its trials"
            raise UserError(
                f"{problem}, which are not on this disk (pruned.json); fetch them from {pruned.remote}, "
                "and remove pruned.json"
            )


class _Opened(Folder):
    """A folder in which other files do not matter."""

    def names(self) -> None:
        """None: they are not listed."""


def open_snapshot(where: str, captures: str | None, into: Path, policy: Policy) -> Provision:
    """The snapshot in a folder or at an address, if its signature and its place in the chain are right.

    Args:
        where: the folder or the address.
        captures: the folder or the address of the trials, if it is another one.
        into: the folder that what is fetched goes into. The links to folders that are apart are beside it.
        policy: what a reader asks of the snapshot.

    Raises:
        UserError: there is no snapshot, or it must not be used.
    """
    source = open_source(where, captures)
    if not isinstance(source, SnapshotAddress):
        found = trusted(source, policy)
        return Provision(source, _joined(source, into), found.listed, found.tombstone)
    fetch_metadata(source, into)
    archive = policy.archive or source.archive()
    found = trusted(Folder(into), replace(policy, archive=archive, name=name_of(source)))
    return Provision(source, into, found.listed, found.tombstone)


def _joined(source: Folder, into: Path) -> Path:
    """The folder of a snapshot with its trials. If these are apart, it is a new one, of links."""
    if source.trials is None:
        return source.path
    joined = into.with_name(f"{into.name}-joined")
    shutil.rmtree(joined, ignore_errors=True)
    joined.mkdir(parents=True)
    parts = {path.name: path for path in source.path.iterdir()} | {TRIALS: source.trials}
    for name, path in parts.items():
        (joined / name).symlink_to(path.resolve())
    return joined


def _present(source: Folder, path: PurePosixPath) -> Path:
    """A file of a folder, if it is there."""
    file = source.file(path)
    if not file.is_file():
        raise UserError(f"{file}: is missing; fetch the snapshot again")
    return file


def _why(removed: Collection[Removed]) -> str:
    """What was removed, by day and reason."""
    paths: dict[str, list[str]] = {}
    for one in removed:
        paths.setdefault(plain(f"(on {one.date}: {one.reason})"), []).append(one.path)
    told = []
    for why, found in paths.items():
        others = f" and {len(found) - MOST_NAMED} others" if len(found) > MOST_NAMED else ""
        told.append(f"{', '.join(found[:MOST_NAMED])}{others} {why}")
    return "; ".join(told)
