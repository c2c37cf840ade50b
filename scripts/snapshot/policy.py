"""What a reader asks of a snapshot, which problems are accepted, and the options that say so."""

import argparse
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal
from urllib.parse import urljoin

from scripts.snapshot.chain import CHAIN_FILE
from scripts.snapshot.signatures import SIGNERS, Signers, read_signers
from scripts.snapshot.source import SCHEME, Folder, SnapshotAddress, Source

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


def add_policy(command: argparse.ArgumentParser) -> None:
    """What is asked of a snapshot."""
    allowed = "; ".join(f"{name}: {meaning}" for name, meaning in ALLOWS.items())
    command.add_argument(
        "--allow",
        action="append",
        default=[],
        choices=list(ALLOWS),
        help=f"accept what is refused otherwise; may be repeated. {allowed}",
    )
    command.add_argument(
        "--sums",
        type=_checksum,
        metavar="SHA256",
        help="accept the snapshot whose SHA256SUMS has this SHA-256, without signature and chain",
    )
    add_signers(command)
    command.add_argument(
        "--chain", metavar="DIR|URL", help=f"the archive with {CHAIN_FILE}; default: the one of the snapshot"
    )


def add_signers(command: argparse.ArgumentParser) -> None:
    """Which keys are trusted."""
    meaning = "the keys that are trusted; default: config/signers/allowed_signers"
    command.add_argument("--signers", type=Path, default=SIGNERS, metavar="FILE", help=meaning)


def policy_of(given: argparse.Namespace) -> Policy:
    """What the options ask of a snapshot.

    Raises:
        UserError: the file of the signers is missing or wrong.
    """
    archive = _archive(given.chain) if given.chain is not None else None
    signers, now = read_signers(given.signers), datetime.now(UTC)
    return Policy(signers, now, frozenset(given.allow), archive, given.sums)


def _checksum(text: str) -> str:
    """A SHA-256 in hexadecimal."""
    if re.fullmatch(r"[0-9a-f]{64}", text) is None:
        raise argparse.ArgumentTypeError("write the 64 hexadecimal digits that sha256sum prints")
    return text


def _archive(where: str) -> Source:
    """The archive in a folder or at an address; the name of its chain may be named, too."""
    if SCHEME.match(where):
        return SnapshotAddress(urljoin(where, ".") if where.endswith(f"/{CHAIN_FILE}") else where)
    path = Path(where)
    return Folder(path.parent if path.name == CHAIN_FILE else path)
