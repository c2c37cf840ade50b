"""The options of the commands in this package. Commands elsewhere that read snapshots take `add_policy`."""

import argparse
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import get_args
from urllib.parse import urljoin

from scripts.snapshot.chain import CHAIN_FILE, moment_of
from scripts.snapshot.identity import Start
from scripts.snapshot.signatures import SIGNERS, read_signers
from scripts.snapshot.source import SCHEME, Folder, SnapshotAddress, Source
from scripts.snapshot.trust import ALLOWS, Policy


def add_freeze(command: argparse.ArgumentParser) -> None:
    """What to freeze, and where to."""
    command.add_argument("cycle", type=Path, metavar="CYCLE_DIR", help="data/<campaign>/<cycle>")
    where = command.add_mutually_exclusive_group()
    where.add_argument("-o", "--output", type=Path, metavar="SNAPSHOT", help="the folder to make")
    where.add_argument("--once", action="store_true", help="do nothing if the cycle has a snapshot")
    how = command.add_mutually_exclusive_group()
    how.add_argument(
        "--lean", action="store_true", help="without captures and logs, for git; the cycle may be incomplete"
    )
    how.add_argument(
        "--rebuild", action="store_true", help="publish the trials and make tables and charts again"
    )
    command.add_argument(
        "--setting",
        action="append",
        default=[],
        metavar="NAME",
        help="keep this setting only; may be repeated; implies --rebuild",
    )
    command.add_argument("--revision", type=int, default=1, metavar="N", help="2 or more: a correction")
    _add_reason(command, required=False)


def add_resume(command: argparse.ArgumentParser) -> None:
    """What to go on from, and where."""
    command.add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="a lean snapshot: file or folder")
    command.add_argument(
        "cycle", type=Path, nargs="?", metavar="CYCLE_DIR", help="default: data/<campaign>/<cycle>"
    )


def add_unpack(command: argparse.ArgumentParser) -> None:
    """What to unpack, and where to."""
    command.add_argument("file", type=Path, metavar="FILE", help="such as data/snapshots/lean/a-1.tar.zst")
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("data/snapshots"),
        metavar="DIR",
        help="where its folder goes (data/snapshots)",
    )


def add_fetch(command: argparse.ArgumentParser) -> None:
    """What to fetch, from where, and where to."""
    command.add_argument("address", metavar="URL", help="such as https://host/snapshots/watchdog-2026-11-21/")
    command.add_argument(
        "path", nargs="*", metavar="PATH", help="a file, a folder or a pattern such as 'trials/8mbps/*'"
    )
    command.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the folder to make")
    _add_captures(command, "URL")
    add_policy(command)


def add_sign(command: argparse.ArgumentParser) -> None:
    """What to sign, and with which key."""
    command.add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="a folder in data/snapshots")
    command.add_argument("--key", type=Path, required=True, help="the private key, outside the repository")
    now = datetime.now(UTC).replace(microsecond=0)
    command.add_argument("--date", type=moment_of, default=now, metavar="TIME", help="UTC; default: now")
    add_signers(command)


def add_verify(command: argparse.ArgumentParser) -> None:
    """What to verify, and what a reader asks of it."""
    command.add_argument(
        "snapshot", metavar="DIR|URL", help="such as https://host/snapshots/watchdog-2026-12-07/"
    )
    _add_captures(command, "DIR|URL")
    add_policy(command)


def add_reproduce(command: argparse.ArgumentParser) -> None:
    """What to rebuild, from what, and where to work."""
    command.add_argument("snapshot", metavar="DIR|URL", help="its folder, or its address (https://…)")
    part = command.add_mutually_exclusive_group()
    part.add_argument(
        "--only",
        metavar="CELL",
        help="pairs/<setting>/<a~b>, solos/<setting>/<a> or trials/<setting>/<pair>/<nn>",
    )
    part.add_argument("--table", metavar="NAME", help="a table, such as pairs")
    part.add_argument("--chart", metavar="NAME", help="a chart, such as share-8mbps")
    command.add_argument(
        "--from",
        dest="start",
        choices=get_args(Start),
        help="captures: the published packets and logs (default); parquet: what an earlier run with the "
        "same --work extracted from them; rows: the published rows of each trial, all that a lean one has",
    )
    command.add_argument("--work", type=Path, metavar="DIR", help="keep what is fetched and extracted here")
    _add_captures(command, "DIR|URL")
    add_policy(command)


def add_remove(command: argparse.ArgumentParser) -> None:
    """What to remove, and why."""
    add_withdraw(command)
    command.add_argument("path", nargs="+", metavar="PATH", help="such as trials/8mbps/a~b/01")


def add_withdraw(command: argparse.ArgumentParser) -> None:
    """Which snapshot, and why."""
    command.add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="its folder")
    _add_reason(command, required=True)


def add_policy(command: argparse.ArgumentParser) -> None:
    """What a reader asks of a snapshot (`Policy`)."""
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


def policy_of(arguments: argparse.Namespace) -> Policy:
    """The policy that the options describe.

    Raises:
        UserError: the file of the signers is missing or wrong.
    """
    archive = _archive(arguments.chain) if arguments.chain is not None else None
    signers, now = read_signers(arguments.signers), datetime.now(UTC)
    return Policy(signers, now, frozenset(arguments.allow), archive, arguments.sums)


def _add_captures(command: argparse.ArgumentParser, form: str) -> None:
    """Where the trials are."""
    command.add_argument("--captures", metavar=form, help="where the trials are, if not beside the snapshot")


def _add_reason(command: argparse.ArgumentParser, required: bool) -> None:
    """Why something published is corrected or taken back, and when."""
    today = datetime.now(UTC).date().isoformat()
    command.add_argument("--reason", required=required, help="why, for the readers")
    command.add_argument("--date", type=_day, default=today, metavar="YYYY-MM-DD", help="default: today")


def _day(text: str) -> str:
    """A date in the form YYYY-MM-DD."""
    return date.fromisoformat(text).isoformat()


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
