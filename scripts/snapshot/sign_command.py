"""The command `sign`: sign a snapshot with the operator's key."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from scripts.snapshot.chain import FORM
from scripts.snapshot.sign import sign
from scripts.snapshot.signers import FILE, read_signers


def add_options(command: argparse.ArgumentParser) -> None:
    """What to sign, and with which key."""
    command.add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="a folder in data/snapshots")
    command.add_argument("--key", type=Path, required=True, help="the private key, outside the repository")
    now = datetime.now(UTC).replace(microsecond=0)
    command.add_argument("--date", type=moment, default=now, metavar="TIME", help="UTC; default: now")
    add_signers(command)


def add_signers(command: argparse.ArgumentParser) -> None:
    """Which keys are trusted."""
    meaning = "the keys that are trusted; default: config/signers/allowed_signers"
    command.add_argument("--signers", type=Path, default=FILE, metavar="FILE", help=meaning)


def moment(text: str) -> datetime:
    """A time in the form 2026-11-23T00:12:53Z."""
    return datetime.strptime(text, f"{FORM[:-1]}%z")


def run(given: argparse.Namespace) -> str:
    """Sign, and tell what was written."""
    return sign(given.snapshot, given.key, given.date, read_signers(given.signers))
