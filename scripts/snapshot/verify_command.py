"""The command `verify`: a snapshot in a folder or at an address."""

import argparse
import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urljoin

from scripts.snapshot.address import SCHEME, SnapshotAddress, open_source
from scripts.snapshot.chain import NAME as CHAIN
from scripts.snapshot.policy import ALLOWS, Policy
from scripts.snapshot.sign_command import add_signers
from scripts.snapshot.signers import read_signers
from scripts.snapshot.source import Folder, Source
from scripts.snapshot.verify import told, verify


def add_options(command: argparse.ArgumentParser) -> None:
    """What to verify, and what is asked of it."""
    command.add_argument(
        "snapshot", metavar="DIR|URL", help="such as https://host/snapshots/watchdog-2026-12-07/"
    )
    command.add_argument(
        "--captures", metavar="DIR|URL", help="where the trials are, if not beside the snapshot"
    )
    add_policy(command)


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
        "--chain", metavar="DIR|URL", help=f"the archive with {CHAIN}; default: the one of the snapshot"
    )


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
        return SnapshotAddress(urljoin(where, ".") if where.endswith(f"/{CHAIN}") else where)
    path = Path(where)
    return Folder(path.parent if path.name == CHAIN else path)


def run(given: argparse.Namespace) -> str:
    """Verify, and tell what was found."""
    source = open_source(given.snapshot, given.captures)
    return told(source, verify(source, policy_of(given)))
