"""Whether a snapshot is what its owner published: its signature, its place in the chain, what was taken back.

Nothing of a snapshot may be used before this. verify.py compares the files themselves.
"""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.files import parse_json
from scripts.base.records import from_json
from scripts.snapshot.absent import Tombstone, removed_files
from scripts.snapshot.chain import Chain, ChainEntry, read_chain
from scripts.snapshot.checksums import (
    TOMBSTONE,
    FileProblem,
    ProblemKind,
    RefusedError,
    parse_listing,
    read_sums,
    refuse,
)
from scripts.snapshot.identity import CHECKSUMS, IDENTITY, SIGNATURE, parse_identity
from scripts.snapshot.signatures import SNAPSHOT, Signer, Signers, with_successors
from scripts.snapshot.source import Folder, Source, read_if_there

Allowed = Literal["unsigned", "superseded", "unchained"]

ALLOWS: dict[Allowed, str] = {
    "unsigned": "the snapshot has no signature, and need not be in the chain",
    "superseded": "the chain has a later revision",
    "unchained": "the snapshot need not be in the chain; its key must be valid now",
}


@dataclass(frozen=True)
class Policy:
    """What a reader asks of a snapshot.

    Attributes:
        signers: the keys that are trusted.
        now: the time.
        allowed: what is accepted although it is a problem.
        archive: where the chain is; None for the folder or address in which the snapshot is.
        sums: the SHA-256 that its SHA256SUMS must have. Then neither signature nor chain is needed.
        name: the name that it must have; None for that of its address, or of a folder beside its chain.
    """

    signers: Signers
    now: datetime
    allowed: frozenset[Allowed] = frozenset()
    archive: Source | None = None
    sums: str | None = None
    name: str | None = None

    @property
    def needs_chain(self) -> bool:
        """Whether the snapshot must be in the chain."""
        return self.sums is None and not self.allowed & {"unsigned", "unchained"}


@dataclass(frozen=True)
class Trusted:
    """What is known of a snapshot before its files are compared.

    Attributes:
        listed: SHA256SUMS.
        folder: which snapshot it is, by the chain, or else by snapshot.json.
        tombstone: what was taken back.
        removed: the files of that.
        signer: who signed SHA256SUMS; None if it is not signed.
        fetched_keys: the lists of keys that come from the archive and not from this checkout.
        entry: its line of the chain; None if it has none.
        chain: the chain; empty if there is none.
    """

    listed: dict[PurePosixPath, str]
    folder: str
    tombstone: Tombstone
    removed: frozenset[PurePosixPath]
    signer: Signer | None
    fetched_keys: tuple[str, ...]
    entry: ChainEntry | None
    chain: Chain


def trusted(source: Source, policy: Policy) -> Trusted:
    """Check everything of a snapshot but its files.

    Raises:
        UserError: it must not be used. The message has every problem, or those of the list of files only, if
            that is refused.
    """
    return _Examination(source, policy, read_sums(source)).run()


class _Examination:
    """The examination of one snapshot; collects problems."""

    def __init__(self, source: Source, policy: Policy, checksums: bytes) -> None:
        self.source, self.policy, self.problems = source, policy, list[FileProblem]()
        self.archive = policy.archive or source.archive()
        self.signers = with_successors(policy.signers, self.archive, policy.now)
        self.base = source.title.rstrip("/")
        # Read once: a server may answer otherwise the second time.
        self.checksums, self.listed = checksums, dict[PurePosixPath, str]()
        self.chain, self.folder = Chain(), policy.name or name_of(source)
        self.entry: ChainEntry | None = None

    def run(self) -> Trusted:
        """Check the list of files, by its signature and chain or by its checksum; revision and tombstone."""
        signer = None
        if self.policy.sums is not None:
            self._compare_sums(self.policy.sums)
        else:
            self._find_entry()
            signer = self._signer(CHECKSUMS, self.checksums, self.entry)
        self._refuse()  # now: the list may be as long as a stranger likes
        self.listed = parse_listing(self.checksums, f"{self.base}/{CHECKSUMS}")
        self._check_identity()
        tombstone, removed = self._tombstone()
        self._refuse()
        keys = self.signers.fetched
        return Trusted(self.listed, self.folder, tombstone, removed, signer, keys, self.entry, self.chain)

    def _compare_sums(self, wanted: str) -> None:
        """Refuse another SHA256SUMS than the one that was named."""
        if (checksum := sha256(self.checksums).hexdigest()) != wanted:
            text = f"has the SHA-256 {checksum}, not {wanted}; do not use this snapshot"
            self._add("flipped", f"{self.base}/{CHECKSUMS}", text)

    def _find_entry(self) -> None:
        """Find the snapshot in the chain."""
        try:
            self.chain = read_chain(self.archive, self.signers, self.policy.now) or Chain()
        except RefusedError as error:
            if self.policy.needs_chain:
                self.problems.append(error.problem)
            return
        self.entry = self.chain.snapshot_of(sha256(self.checksums).hexdigest())
        if self.entry is None:
            self._tell_unchained()
        else:
            beside = isinstance(self.source, Folder) and self.policy.archive is None
            self._compare_name(self.entry.folder, "in the chain", beside)

    def _compare_name(self, known: str, where: str, beside: bool = False) -> None:
        """Refuse another snapshot than the one of its address, or of its place beside the chain."""
        must = beside or not isinstance(self.source, Folder) or self.policy.name is not None
        if must and known != self.folder:
            text = f"is {known} {where}, and not {self.folder}; give it that name, or tell its owner"
            self._add("renamed", self.base, text)
        self.folder = known

    def _tell_unchained(self) -> None:
        """Add the reason why the chain does not have the snapshot."""
        if self.chain.snapshot(self.folder) is not None:
            text = f"differs from what the chain has as {self.folder}; fetch it again"
            self._add("flipped", f"{self.base}/{CHECKSUMS}", text)
        elif self.policy.needs_chain:
            there = self.chain.entries
            where = f"is not in the chain of {self.archive.title}" if there else "has no chain beside it"
            text = f"{where}; name the archive that has one by --chain, or allow this by --allow unchained"
            self._add("not in the chain", self.base, text)

    def _tell_unsigned(self, file: str) -> None:
        """Add that a signature is missing. Of a snapshot without a chain, this says enough."""
        if not self.chain.entries:
            self.problems = [one for one in self.problems if one.kind != "not in the chain"]
        todo = (
            "fetch it; if nobody signed the snapshot, allow that by --allow unsigned (make: ALLOW=unsigned)"
        )
        self._add("unsigned", file, f"is missing; {todo}")

    def _signer(self, name: str, content: bytes, entry: ChainEntry | None) -> Signer | None:
        """Who signed a file, at the time of its line of the chain, or now."""
        file = f"{self.base}/{name}{SIGNATURE}"
        try:
            signature = read_if_there(self.source, PurePosixPath(name + SIGNATURE))
            if signature is None:
                if "unsigned" not in self.policy.allowed:
                    self._tell_unsigned(file)
                return None
            when = entry.moment if entry is not None else self.policy.now
            return self.signers.check(content, signature, SNAPSHOT, when, file)
        except RefusedError as error:
            self.problems.append(error.problem)
        except UserError as error:
            self._add("unreadable", file, str(error))
        return None

    def _check_identity(self) -> None:
        """Refuse a revision that has a later one, and a snapshot whose predecessor vanished or changed."""
        path = PurePosixPath(IDENTITY)
        content = read_if_there(self.source, path) if path in self.listed else None
        if content is None or sha256(content).hexdigest() != self.listed[path]:
            return  # it is reported with the other files
        file = f"{self.base}/{IDENTITY}"
        identity = parse_identity(parse_json(content, file, "fetch it again"), file)
        if self.entry is None:
            self._compare_name(identity.folder, f"by its {IDENTITY}")
        first = f"{identity.campaign}-{identity.cycle}"
        later = self.chain.later(first, identity.revision)
        if later is not None and "superseded" not in self.policy.allowed:
            text = f"has a later revision: {later}; use that, or allow this one by --allow superseded"
            self._add("old revision", self.base, text)
        if identity.previous is not None and self.chain.entries and self.policy.needs_chain:
            known = self.chain.snapshot(identity.previous.folder)
            if known is None or known.sha256 != identity.previous.sha256:
                text = f"the snapshot before it, {identity.previous.folder}, is not in the chain as it was"
                self._add("not in the chain", f"{self.base}/{IDENTITY}", text)

    def _tombstone(self) -> tuple[Tombstone, frozenset[PurePosixPath]]:
        """What was taken back, by a tombstone that is signed, and the last one of the chain."""
        file, entries = f"{self.base}/{TOMBSTONE}", self.chain.tombstones(self.folder)
        content = read_if_there(self.source, PurePosixPath(TOMBSTONE))
        if content is None:
            if entries or read_if_there(self.source, PurePosixPath(TOMBSTONE + SIGNATURE)) is not None:
                self._add("missing", file, "is missing, although it was published; fetch it again")
            return Tombstone(), frozenset()
        checksum = sha256(content).hexdigest()
        entry = next((entry for entry in entries if entry.sha256 == checksum), None)
        if entry is None and self.policy.needs_chain and self.entry is not None:
            self._add("not in the chain", file, "is not in the chain; fetch it again, or sign it")
        elif entry is not None and entry != entries[-1]:
            self._add("old tombstone", file, f"the chain has a later one, of {entries[-1].date}; fetch that")
        self._signer(TOMBSTONE, content, entry)
        try:
            tombstone = from_json(Tombstone, parse_json(content, file, "fetch it again"), file)
            if entry is None and tombstone.snapshot != sha256(self.checksums).hexdigest():
                self._add("flipped", file, "belongs to another snapshot; fetch it again")
            return tombstone, frozenset(removed_files(tombstone, self.listed, self.base))
        except UserError as error:
            self._add("flipped", file, str(error))
            return Tombstone(), frozenset()

    def _refuse(self) -> None:
        refuse(tuple(dict.fromkeys(self.problems)))

    def _add(self, kind: ProblemKind, file: str, text: str) -> None:
        self.problems.append(FileProblem(kind, file, text))


def name_of(source: Source) -> str:
    """The name under which a snapshot was found: that of its folder, or the last one of its address."""
    if isinstance(source, Folder):
        return source.path.resolve().name
    return source.title.rstrip("/").rpartition("/")[2]
