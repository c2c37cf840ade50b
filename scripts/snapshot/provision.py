"""The files that a rebuild needs: those of a folder are checked, those at an address are fetched."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.plain import plain
from scripts.snapshot.address import Address, open_source
from scripts.snapshot.checksums import pruned_files
from scripts.snapshot.contents import file_problems
from scripts.snapshot.fetch import SHOWN_S, fetch, plan_of
from scripts.snapshot.fetched_metadata import asked_sizes, fetch_metadata, sizes_of
from scripts.snapshot.problems import refuse
from scripts.snapshot.pruned import read_pruned
from scripts.snapshot.source import Folder
from scripts.snapshot.tombstone import Removed, Tombstone
from scripts.snapshot.transfer import Transfer
from scripts.snapshot.trust import Policy, name_of, trusted

MOST_NAMED = 10
"""How many removed files of one reason are named."""


@dataclass(frozen=True)
class Provision:
    """A snapshot that is used, maybe only in part.

    Attributes:
        title: its folder or address.
        folder: the folder where its files are, or come to be.
        listed: SHA256SUMS.
        tombstone: what was taken back.
        address: where they come from; None if they are in the folder.
    """

    title: str
    folder: Path
    listed: Mapping[PurePosixPath, str]
    tombstone: Tombstone
    address: Address | None = None

    def sizes(self, paths: Collection[PurePosixPath]) -> dict[PurePosixPath, int]:
        """The bytes of these files.

        Raises:
            UserError: one of them was taken back, or is not there.
        """
        self._refuse_removed(paths)
        if self.address is not None:
            return asked_sizes(self.address, paths, sizes_of(Folder(self.folder), self.listed))
        self._refuse_pruned(paths)
        return {path: (self.folder / path).stat().st_size for path in self._present(paths)}

    def words(self, sizes: Mapping[PurePosixPath, int]) -> str:
        """How much of the snapshot is needed, in words."""
        if self.address is None:
            return f"{plan_of(sizes, sizes)}, of {len(self.listed):,} files that the snapshot has"
        return f"fetches {plan_of(sizes, sizes, self.address.rate())}, of {len(self.listed):,} files"

    def bring(self, sizes: Mapping[PurePosixPath, int], alone: bool = False) -> None:
        """See to it that these files are in the folder, each as SHA256SUMS lists it.

        Args:
            sizes: the files, with their bytes.
            alone: whether no other file may be in a folder that nothing is fetched into.

        Raises:
            UserError: a file is not.
        """
        if self.address is not None:
            fetch(self.address, self.folder, sizes.keys(), self.listed, sizes)
            return
        total = sum(sizes.values())
        source = Folder(self.folder) if alone else _Opened(self.folder)
        with Transfer(total, "checked", elsewhere_s=SHOWN_S) as progress:
            progress.begin("checksums", total)
            listed = {path: self.listed[path] for path in sizes}
            refuse(file_problems(source, listed, show=progress.show))

    def _present(self, paths: Collection[PurePosixPath]) -> list[PurePosixPath]:
        """The files, if all of them are in the folder."""
        for path in sorted(paths):
            if not (self.folder / path).is_file():
                raise UserError(f"{self.folder / path}: is missing; fetch the snapshot again")
        return sorted(paths)

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

    def names(self) -> None:  # type: ignore[override]
        """None: they are not listed."""


def open_snapshot(where: str, captures: str | None, into: Path, policy: Policy) -> Provision:
    """The snapshot in a folder or at an address, if its signature and its place in the chain are right.

    Args:
        where: the folder or the address.
        captures: the address of the trials, if it is another one.
        into: the folder that what is fetched goes into.
        policy: what is asked of the snapshot.

    Raises:
        UserError: there is no snapshot, or it must not be used.
    """
    source = open_source(where, captures)
    if not isinstance(source, Address):
        found = trusted(source, policy)
        return Provision(where, Path(where), found.listed, found.tombstone)
    fetch_metadata(source, into)
    archive = policy.archive or source.beside()
    found = trusted(Folder(into), replace(policy, archive=archive, name=name_of(source)))
    return Provision(source.title, into, found.listed, found.tombstone, source)


def _why(removed: Collection[Removed]) -> str:
    """What was removed, by day and reason."""
    paths: dict[str, list[str]] = {}
    for one in removed:
        paths.setdefault(plain(f"(on {one.date}: {one.reason})"), []).append(one.path)
    return "; ".join(f"{_some(found)} {why}" for why, found in paths.items())


def _some(paths: list[str]) -> str:
    """The first paths, in words."""
    others = f" and {len(paths) - MOST_NAMED} others" if len(paths) > MOST_NAMED else ""
    return ", ".join(paths[:MOST_NAMED]) + others
