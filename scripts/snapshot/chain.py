"""chain.jsonl of an archive: what was published and taken back, in order.

    {"previous": …, "date": …, "kind": "snapshot" or "tombstone", "folder": …, "sha256": …}

`previous` is the SHA-256 of the line before or null, `sha256` that of SHA256SUMS, or of tombstone.json.
chain.jsonl.sig is its signature. So no snapshot can vanish from the archive or change unseen.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.files import parse_json
from scripts.base.records import from_json, to_json
from scripts.snapshot.checksums import RefusedError
from scripts.snapshot.identity import SIGNATURE
from scripts.snapshot.signatures import CHAIN, Signers
from scripts.snapshot.source import Source, read_if_there

CHAIN_FILE = "chain.jsonl"
FORM = "%Y-%m-%dT%H:%M:%SZ"
LATER = re.compile(r"(?P<first>.+)-r(?P<revision>[0-9]+)")

ChainEvent = Literal["snapshot", "tombstone"]


def moment_of(text: str) -> datetime:
    """A time in the form 2026-11-23T00:12:53Z.

    Raises:
        ValueError: it has another form.
    """
    return datetime.strptime(text, f"{FORM[:-1]}%z")


@dataclass(frozen=True)
class ChainEntry:
    """A line. `previous` is the SHA-256 of the line before, `date` the time of the signature (UTC)."""

    previous: str | None
    date: str
    kind: ChainEvent
    folder: str
    sha256: str

    @property
    def moment(self) -> datetime:
        """The date."""
        return moment_of(self.date)

    @property
    def line(self) -> bytes:
        """The line, with its end."""
        return json.dumps(to_json(self), ensure_ascii=False).encode() + b"\n"


@dataclass(frozen=True)
class Chain:
    """The lines of a chain."""

    entries: tuple[ChainEntry, ...] = ()

    @property
    def content(self) -> bytes:
        """The file."""
        return b"".join(entry.line for entry in self.entries)

    def snapshot(self, folder: str) -> ChainEntry | None:
        """The line of a snapshot by its folder."""
        return next(
            (entry for entry in self.entries if (entry.kind, entry.folder) == ("snapshot", folder)), None
        )

    def snapshot_of(self, checksum: str) -> ChainEntry | None:
        """The line of a snapshot by the SHA-256 of its SHA256SUMS."""
        return next(
            (entry for entry in self.entries if (entry.kind, entry.sha256) == ("snapshot", checksum)), None
        )

    def tombstones(self, folder: str) -> list[ChainEntry]:
        """The tombstones of a snapshot, the last one last."""
        return [entry for entry in self.entries if (entry.kind, entry.folder) == ("tombstone", folder)]

    def later(self, first: str, revision: int) -> str | None:
        """The folder of the latest revision after this one; `first` is the folder of the first revision."""
        revisions = {1: first} | {
            int(match["revision"]): entry.folder
            for entry in self.entries
            if (match := LATER.fullmatch(entry.folder)) and match["first"] == first
        }
        return revisions[max(revisions)] if max(revisions) > revision else None

    def numbered(self, entry: ChainEntry) -> str:
        """The place of a line, in words."""
        return f"line {self.entries.index(entry) + 1} of {len(self.entries)} of {CHAIN_FILE}"

    def with_event(self, kind: ChainEvent, folder: str, checksum: str, when: datetime) -> "Chain":
        """The chain with one more line.

        Raises:
            UserError: the line before is of a later time.
        """
        last = self.entries[-1] if self.entries else None
        if last is not None and when < last.moment:
            raise UserError(
                f"{CHAIN_FILE}: its last line is of {last.date}, which is later; look at the clock"
            )
        previous = sha256(last.line).hexdigest() if last is not None else None
        return Chain((*self.entries, ChainEntry(previous, when.strftime(FORM), kind, folder, checksum)))


def parse_chain(content: bytes, file: str) -> Chain:
    """Read the lines of a chain.

    Raises:
        RefusedError: a line is damaged, or does not follow the one before.
    """
    entries: list[ChainEntry] = []
    for number, line in enumerate(content.splitlines(keepends=True), start=1):
        try:
            entry = from_json(ChainEntry, parse_json(line, file, "fetch it again"), file)
            follows = _follows(entry, entries) and entry.line == line
        except (ValueError, UserError):
            follows = False
        if not follows:
            text = f"line {number} is damaged, or does not follow the line before; fetch it again"
            raise RefusedError("flipped", file, text)
        entries.append(entry)
    return Chain(tuple(entries))


def _follows(entry: ChainEntry, before: Sequence[ChainEntry]) -> bool:
    if not before:
        return entry.previous is None and entry.moment is not None
    return entry.previous == sha256(before[-1].line).hexdigest() and before[-1].moment <= entry.moment


def read_chain(archive: Source, signers: Signers, when: datetime) -> Chain | None:
    """The chain of an archive, signed by a key that is valid at a time; None if it has none.

    Raises:
        RefusedError: it is damaged, or its signature is missing or refused.
    """
    file = f"{archive.title.rstrip('/')}/{CHAIN_FILE}"
    if (content := read_if_there(archive, PurePosixPath(CHAIN_FILE))) is None:
        return None
    signature = read_if_there(archive, PurePosixPath(CHAIN_FILE + SIGNATURE))
    if signature is None:
        raise RefusedError("unsigned", file, f"has no signature {CHAIN_FILE}{SIGNATURE}; fetch it again")
    signers.check(content, signature, CHAIN, when, file + SIGNATURE)
    return parse_chain(content, file)
