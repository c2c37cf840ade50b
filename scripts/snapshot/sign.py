"""Sign a snapshot, and write it into the chain of its archive.

A repeat writes only what is missing: the signature of a new tombstone.json, its line of the chain, or a
signature by a key that is valid now. Everything is made and checked before the first file is written.
chain.jsonl is written before its signature. If a kill falls between the two, the next call drops the lines
that the signature does not cover, and writes them again.
"""

import os
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.locks import locked
from scripts.snapshot.absent import read_pruned, verify_checksums
from scripts.snapshot.chain import CHAIN_FILE, Chain, ChainEvent, parse_chain
from scripts.snapshot.checksums import TOMBSTONE, RefusedError
from scripts.snapshot.identity import CHECKSUMS, IDENTITY, SIGNATURE, read_identity
from scripts.snapshot.signatures import CHAIN, SNAPSHOT, Signers, sign_content
from scripts.snapshot.source import Folder, read_if_there

TEMPORARY = ".signing"
"""A file is written in the archive under this name, and moved."""

TRIED = b"a trial of a key"

MOST_NEW_LINES = 2
"""A call adds a snapshot and a tombstone at most."""


def sign(snapshot: Path, key: Path, when: datetime, signers: Signers) -> str:
    """Sign a snapshot, its tombstone and the chain with a key.

    Args:
        snapshot: a folder in an archive.
        key: the private key, or its public half if ssh-agent has the private one. Outside the repository.
        when: the time.
        signers: the keys that are trusted.

    Returns:
        What was done, in one line.

    Raises:
        UserError: the key must not sign, a file does not match SHA256SUMS, or the chain has something else
            of this snapshot.
    """
    if snapshot.is_file():
        raise UserError(f"{snapshot}: is one file; unpack it, and sign the folder")
    folder = snapshot.resolve()
    archive = folder.parent
    require_key(key, archive)
    verify_checksums(folder)
    with locked(archive):
        (archive / TEMPORARY).unlink(missing_ok=True)
        files = _Signing(folder, key, when.replace(microsecond=0), signers).files()
        for path, content in files.items():
            (archive / TEMPORARY).write_bytes(content)
            os.replace(archive / TEMPORARY, path)
    names = ", ".join(path.name for path in files)
    return f"{snapshot}: {f'written: {names}' if files else 'was signed already'}"


class _Signing:
    """The files that the signing of one snapshot writes."""

    def __init__(self, folder: Path, key: Path, when: datetime, signers: Signers) -> None:
        self.folder, self.key, self.when, self.signers = folder, key, when, signers
        self.archive = folder.parent
        self.chain = _signed_chain(self.archive, signers)

    def files(self) -> dict[Path, bytes]:
        """The content of each file that is to be written, in the order of writing."""
        self._check_before()
        made: dict[Path, bytes] = {}
        chain = self._chained(self.chain, "snapshot", CHECKSUMS, made)
        if (self.folder / TOMBSTONE).is_file():
            chain = self._chained(chain, "tombstone", TOMBSTONE, made)
        elif self.chain.tombstones(self.folder.name):
            raise UserError(f"{self.folder / TOMBSTONE}: is missing, although the chain has it; restore it")
        path = self.archive / CHAIN_FILE
        if chain != self.chain or not path.is_file() or path.read_bytes() != chain.content:
            made[path] = chain.content
        self._signature(path, chain.content, CHAIN, self.when, made)
        return made

    def _chained(self, chain: Chain, kind: ChainEvent, name: str, made: dict[Path, bytes]) -> Chain:
        """The chain with the line of a file, whose signature is made if it is missing."""
        path = self.folder / name
        content = path.read_bytes()
        checksum = sha256(content).hexdigest()
        known = [entry for entry in chain.entries if (entry.kind, entry.folder) == (kind, self.folder.name)]
        if (
            known
            and checksum != known[-1].sha256
            and (kind == "snapshot" or checksum in {entry.sha256 for entry in known})
        ):
            raise UserError(f"{path}: differs from what {CHAIN_FILE} has of it; restore the published one")
        if kind == "snapshot" and not known and read_pruned(self.folder) is not None:
            problem = f"{self.folder}: its trials are not on this disk, so nobody can say what they were"
            raise UserError(f"{problem}; a snapshot is signed where it was frozen, before that")
        if not known or checksum != known[-1].sha256:
            chain = chain.with_event(kind, self.folder.name, checksum, self.when)
            known = [chain.entries[-1]]
        self._signature(path, content, SNAPSHOT, known[-1].moment, made)
        return chain

    def _signature(
        self, path: Path, content: bytes, namespace: str, when: datetime, made: dict[Path, bytes]
    ) -> None:
        """Make the signature of a file, unless it has one that is valid at this time.

        Raises:
            UserError: nobody could check the signature that was made.
        """
        file = path.with_name(path.name + SIGNATURE)
        if file.is_file():
            with suppress(RefusedError):
                self.signers.check(content, file.read_bytes(), namespace, when, str(file))
                return
        signature = sign_content(content, self.key, namespace)
        try:
            self.signers.check(content, signature, namespace, when, str(file))
        except RefusedError as error:
            problem = f"{self.key}: nobody could check what it signs: {error}"
            raise UserError(f"{problem}; nothing was written; see docs/signing.md") from error
        made[file] = signature

    def _check_before(self) -> None:
        """Refuse a snapshot whose predecessor is in the archive and not in the chain."""
        entry = self.chain.snapshot_of(sha256((self.folder / CHECKSUMS).read_bytes()).hexdigest())
        if entry is not None and entry.folder != self.folder.name:
            raise UserError(f"{self.folder}: is {entry.folder} in {CHAIN_FILE}; give it that name")
        before = read_identity(self.folder).previous if (self.folder / IDENTITY).is_file() else None
        if before is None:
            return
        known = self.chain.snapshot(before.folder)
        if known is None and (self.archive / before.folder).is_dir():
            raise UserError(
                f"{self.archive / before.folder}: is the snapshot before, and not signed; sign it first"
            )
        if known is not None and known.sha256 != before.sha256:
            raise UserError(
                f"{self.archive / before.folder}: is not the one before {self.folder.name}; restore it"
            )


def _signed_chain(archive: Path, signers: Signers) -> Chain:
    """The lines of the chain that its signature covers; its key was valid when the last one was written.

    Raises:
        UserError: the chain is damaged.
    """
    source, path = Folder(archive), archive / CHAIN_FILE
    content = read_if_there(source, PurePosixPath(CHAIN_FILE))
    signature = read_if_there(source, PurePosixPath(CHAIN_FILE + SIGNATURE))
    chain = parse_chain(content, str(path)) if content is not None else Chain()
    problem = f"{path}: is missing, although its signature is there"
    for left in range(MOST_NEW_LINES + 1):
        entries = chain.entries[: len(chain.entries) - left]
        if not entries:
            break
        if signature is None:
            problem = f"{path}: has no signature"
            continue
        try:
            signers.check(Chain(entries).content, signature, CHAIN, entries[-1].moment, f"{path}{SIGNATURE}")
            return Chain(entries)
        except RefusedError as error:
            problem = str(error) if left == 0 else problem
    if signature is None and len(chain.entries) <= MOST_NEW_LINES:
        return Chain()
    raise UserError(f"{problem}; restore both files from the published copy")


def try_key(key: Path, when: datetime, signers: Signers) -> None:
    """Sign something as snapshots and the chain are signed.

    Raises:
        UserError: the key cannot sign, or is not trusted at this time.
    """
    for namespace in (SNAPSHOT, CHAIN):
        signature = sign_content(TRIED, key, namespace)
        signers.check(TRIED, signature, namespace, when, f"what {key} signs")


def require_key(key: Path, archive: Path) -> None:
    """Refuse a key that does not exist, or that could be published."""
    if not key.is_file():
        raise UserError(f"{key}: no such key; see docs/signing.md")
    for folder in (ROOT, archive):
        if key.resolve().is_relative_to(folder.resolve()):
            raise UserError(
                f"{key}: is inside {folder}; move the key out of it, so that it is never published"
            )
