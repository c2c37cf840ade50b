"""Verify a snapshot in a folder or at an address: who signed it, its place in the chain, and every file."""

import sys
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TextIO

from scripts.base.errors import UserError
from scripts.base.files import readable_bytes
from scripts.base.plain import plain
from scripts.snapshot.absent import pruned_files, read_pruned
from scripts.snapshot.checksums import file_problems, refuse
from scripts.snapshot.fetch import sizes_of
from scripts.snapshot.identity import CHECKSUMS, read_identity
from scripts.snapshot.lean_format import LEFT_OUT, read_left_out
from scripts.snapshot.source import Folder, Source
from scripts.snapshot.transfer import SHOWN_S, Transfer
from scripts.snapshot.trust import ALLOWS, Policy, Trusted, name_of, trusted


@dataclass(frozen=True)
class Verdict:
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


def verify(source: Source, policy: Policy, stream: TextIO = sys.stderr) -> Verdict:
    """Verify a snapshot.

    Args:
        source: where it is.
        policy: what a reader asks of it.
        stream: shows the progress.

    Raises:
        UserError: it must not be used; the message names the files and the kinds of problems, at most ten.
    """
    found = trusted(source, policy)
    pruned = frozenset[PurePosixPath]()  # only a folder of this machine may lack files
    if isinstance(source, Folder):
        pruned = frozenset(pruned_files(source.path, found.listed) - found.removed)
    compared = found.listed.keys() - found.removed - pruned
    total = _total(source, compared, found.listed)
    with Transfer(total, "checked", stream, SHOWN_S) as progress:
        progress.begin("checksums", total)
        problems = file_problems(source, found.listed, found.removed, pruned, progress.show)
    refuse(problems)
    unsigned = "not signed" if policy.sums is None else f"{CHECKSUMS} is the one that was named"
    return Verdict(found, len(compared), len(pruned), unsigned, tuple(_notes(source, policy, found)))


def describe(source: Source, verdict: Verdict) -> str:
    """A verdict in words: one line for the snapshot, one for each note."""
    found = verdict.trusted
    signed = f"signed by {found.signer}" if found.signer is not None else verdict.unsigned
    if found.entry is not None:
        signed += f" on {found.entry.date}, {found.chain.numbered(found.entry)}"
    other = f"is {found.folder}; " if found.folder != name_of(source) else ""
    parts = [f"{source.title}: {other}{signed}", f"{verdict.files} files match {CHECKSUMS}"]
    if isinstance(source, Folder):
        parts += _lean_words(source.path)
    if found.removed:
        parts.append(f"removed since: {len(found.removed)} (tombstone.json)")
    if found.tombstone.withdrawn is not None:
        withdrawn = found.tombstone.withdrawn
        parts.append(f"withdrawn on {withdrawn.date}: {withdrawn.reason}")
    if verdict.pruned and isinstance(source, Folder) and (pruned := read_pruned(source.path)) is not None:
        where = f"published at {pruned.remote}"
        parts.append(f"{verdict.pruned} files are not on this disk (pruned.json): {where}")
    return "\n".join(map(plain, ["; ".join(parts), *(f"note: {note}" for note in verdict.notes)]))


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


def _notes(source: Source, policy: Policy, found: Trusted) -> list[str]:
    """What was not looked for, what is allowed, and which keys do not come with the checkout."""
    notes = [f"{one}: has keys that did not come with this checkout" for one in found.fetched_keys]
    notes += [f"allowed: {name}: {ALLOWS[name]}" for name in sorted(policy.allowed)]
    if source.names() is None:
        notes.append("files at an address cannot be listed: additional files were not looked for")
    return notes
