"""The command `sign`: sign a snapshot with the operator's key."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from scripts.snapshot.chain import moment_of
from scripts.snapshot.sign import sign
from scripts.snapshot.signers import FILE, read_signers


def add_options(command: argparse.ArgumentParser) -> None:
    """What to sign, and with which key."""
    command.add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="a folder in data/snapshots")
    command.add_argument("--key", type=Path, required=True, help="the private key, outside the repository")
    now = datetime.now(UTC).replace(microsecond=0)
    command.add_argument("--date", type=moment_of, default=now, metavar="TIME", help="UTC; default: now")
    add_signers(command)


def add_signers(command: argparse.ArgumentParser) -> None:
    """Which keys are trusted."""
    meaning = "the keys that are trusted; default: config/signers/allowed_signers"
    command.add_argument("--signers", type=Path, default=FILE, metavar="FILE", help=meaning)


def run(given: argparse.Namespace) -> str:
    """Sign, and tell what was written."""
    return sign(given.snapshot, given.key, given.date, read_signers(given.signers))
