"""Compares the files of a snapshot with its SHA256SUMS, after it was found to be trusted (trust.py).

`verify` compares all of them, in a folder or at an address. `open_snapshot` gives a part of them to a rebuild
or a fetch: those of a folder are compared, those at an address are fetched and compared.
"""

import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.files import readable_bytes
from scripts.base.plain import plain
from scripts.extract.byte_progress import SHOWN_S, ByteProgress
from scripts.snapshot.absent import Removed, Tombstone, pruned_files, read_pruned
from scripts.snapshot.checksums import MOST_NAMED, file_problems, refuse
from scripts.snapshot.fetch import asked_sizes, fetch, fetch_metadata, plan_of, sizes_of
from scripts.snapshot.file_threads import AddBytes
from scripts.snapshot.identity import CHECKSUMS, read_identity
from scripts.snapshot.lean_format import LEFT_OUT, read_left_out
from scripts.snapshot.source import TRIALS, Folder, SnapshotAddress, Source, open_source
from scripts.snapshot.trust import ALLOWS, Policy, Trusted, name_of, trusted


@dataclass(frozen=True)
class VerifiedSnapshot:
    """A verified snapshot.

    Attributes:
        trusted: its signature, its place in the chain, what was taken back.
        files: how many files were compared.
        pruned: how many are not on this disk.
        unsigned: why it is trusted if nobody signed it, in words.
        notes: what was not looked for, what is allowed, and which keys do not come with the checkout.
    """

    trusted: Trusted
    files: int
    pruned: int
    unsigned: str
    notes: tuple[str, ...]


def verify(source: Source, policy: Policy) -> VerifiedSnapshot:
    """Verify a snapshot, and show the progress on standard error.

    Args:
        source: where it is.
        policy: what a reader asks of it.

    Raises:
        UserError: it must not be used; the message names the files and the kinds of problems, at most ten.
    """
    trust = trusted(source, policy)
    pruned = frozenset[PurePosixPath]()  # only a folder of this machine may lack files
    if isinstance(source, Folder):
        pruned = frozenset(pruned_files(source, trust.listed) - trust.removed)
        _refuse_left_out(source.path, trust.listed)
    compared = trust.listed.keys() - trust.removed - pruned
    with _shown_check(_total(source, compared, trust.listed)) as show:
        problems = file_problems(source, trust.listed, trust.removed, pruned, show)
    refuse(problems)
    unsigned = "not signed" if policy.sums is None else f"{CHECKSUMS} is the one that was named"
    return VerifiedSnapshot(trust, len(compared), len(pruned), unsigned, tuple(_notes(source, policy, trust)))


def describe(source: Source, verdict: VerifiedSnapshot) -> str:
    """A verdict in words: one line for the snapshot, one for each note."""
    trust = verdict.trusted
    signed = f"signed by {trust.signer}" if trust.signer is not None else verdict.unsigned
    if trust.entry is not None:
        signed += f" on {trust.entry.date}, {trust.chain.numbered(trust.entry)}"
    other = f"is {trust.folder}; " if trust.folder != name_of(source) else ""
    parts = [f"{source.title}: {other}{signed}", f"{verdict.files} files match {CHECKSUMS}"]
    if isinstance(source, Folder):
        parts += _lean_words(source.path)
    if trust.removed:
        parts.append(f"removed since: {len(trust.removed)} (tombstone.json)")
    if trust.tombstone.withdrawn is not None:
        withdrawn = trust.tombstone.withdrawn
        parts.append(f"withdrawn on {withdrawn.date}: {withdrawn.reason}")
    if verdict.pruned and isinstance(source, Folder) and (pruned := read_pruned(source.path)) is not None:
        where = f"published at {pruned.remote}"
        parts.append(f"{verdict.pruned} files are not on this disk (pruned.json): {where}")
    return "\n".join(map(plain, ["; ".join(parts), *(f"note: {note}" for note in verdict.notes)]))


def _refuse_left_out(snapshot: Path, listed: Collection[PurePosixPath]) -> None:
    """Raise UserError if a lean snapshot has a file that it says was left out."""
    both = {path for path in map(PurePosixPath, read_left_out(snapshot).by_path) if path in listed}
    if both:
        raise UserError(f"{snapshot}: {LEFT_OUT} names {min(both)}, which {CHECKSUMS} has; do not trust it")


def _lean_words(snapshot: Path) -> list[str]:
    """What a lean snapshot lacks, and how far its cycle was; nothing for another one."""
    if not (snapshot / LEFT_OUT).exists():
        return []
    count, size = read_left_out(snapshot).count_and_bytes
    words = [f"lean: {count} files ({readable_bytes(size)}) were left out ({LEFT_OUT})"] if count else []
    if (progress := read_identity(snapshot).incomplete) is not None:
        words.append(f"not complete: {progress.words}")
    return words


def _total(source: Source, compared: AbstractSet[PurePosixPath], listed: Mapping[PurePosixPath, str]) -> int:
    """The bytes of the files that are to be compared, as far as they are known."""
    if isinstance(source, Folder):
        paths = (source.file(path) for path in compared)
        return sum(path.stat().st_size for path in paths if path.is_file())
    try:
        sizes = sizes_of(source, listed)
    except UserError:  # it is reported with the other files
        return 0
    return sum(sizes.get(path, 0) for path in compared)


def _notes(source: Source, policy: Policy, trust: Trusted) -> list[str]:
    """What was not looked for, what is allowed, and which keys do not come with the checkout."""
    notes = [f"{file}: has keys that did not come with this checkout" for file in trust.fetched_keys]
    notes += [f"allowed: {name}: {ALLOWS[name]}" for name in sorted(policy.allowed)]
    if source.names() is None:
        notes.append("files at an address cannot be listed: additional files were not looked for")
    return notes


@dataclass(frozen=True)
class OpenSnapshot:
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
        source = self.source if complete else _PartOfFolder(self.source.path, self.source.trials)
        with _shown_check(sum(sizes.values())) as show:
            problems = file_problems(source, {path: self.listed[path] for path in sizes}, show=show)
        refuse(problems)

    def _refuse_removed(self, paths: Collection[PurePosixPath]) -> None:
        """Raise UserError if a file was taken back."""
        removed = [file for file in self.tombstone.removed if PurePosixPath(file.path) in paths]
        if removed:
            problem = f"{self.title}: cannot be rebuilt without the files that were removed"
            raise UserError(f"{problem}: {_why(removed)}")

    def _refuse_pruned(self, paths: Collection[PurePosixPath]) -> None:
        """Raise UserError if a file is published elsewhere only."""
        pruned = read_pruned(self.folder)
        if pruned is not None and not pruned_files(Folder(self.folder), self.listed).isdisjoint(paths):
            problem = f"{self.title}: cannot be rebuilt without files of its trials"
            raise UserError(
                f"{problem}, which are not on this disk (pruned.json); fetch them from {pruned.remote}, "
                "and remove pruned.json"
            )


class _PartOfFolder(Folder):
    """A folder whose other files do not matter."""

    def names(self) -> None:
        """None: they are not listed."""


def open_snapshot(where: str, captures: str | None, into: Path, policy: Policy) -> OpenSnapshot:
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
        trust = trusted(source, policy)
        return OpenSnapshot(source, _joined(source, into), trust.listed, trust.tombstone)
    fetch_metadata(source, into)
    archive = policy.archive or source.archive()
    trust = trusted(Folder(into), replace(policy, archive=archive, name=name_of(source)))
    return OpenSnapshot(source, into, trust.listed, trust.tombstone)


@contextmanager
def _shown_check(total_bytes: int) -> Iterator[AddBytes]:
    """Shows how many bytes were compared so far."""
    with ByteProgress(total_bytes, "checked", elsewhere_s=SHOWN_S) as progress:
        progress.begin("checksums", total_bytes)
        yield progress.show


def _joined(source: Folder, into: Path) -> Path:
    """The folder of a snapshot with its trials. If these are apart, it is a new one.

    Its folders are links to those of both. Its files are copies: a file of a snapshot may be no link.
    """
    if source.trials is None:
        return source.path
    joined = into.with_name(f"{into.name}-joined")
    shutil.rmtree(joined, ignore_errors=True)
    joined.mkdir(parents=True)
    parts = {path.name: path for path in source.path.iterdir()} | {TRIALS: source.trials}
    for name, path in parts.items():
        if path.is_dir():
            (joined / name).symlink_to(path.resolve())
        else:
            shutil.copyfile(path, joined / name)
    return joined


def _present(source: Folder, path: PurePosixPath) -> Path:
    """A file of a folder, if it is there."""
    file = source.file(path)
    if not file.is_file():
        raise UserError(f"{file}: is missing; fetch the snapshot again")
    return file


def _why(removed: Collection[Removed]) -> str:
    """The removed files, by day and reason."""
    by_reason: dict[str, list[str]] = {}
    for file in removed:
        by_reason.setdefault(plain(f"(on {file.date}: {file.reason})"), []).append(file.path)
    words = []
    for reason, paths in by_reason.items():
        others = f" and {len(paths) - MOST_NAMED} others" if len(paths) > MOST_NAMED else ""
        words.append(f"{', '.join(paths[:MOST_NAMED])}{others} {reason}")
    return "; ".join(words)
