"""Freeze a cycle; sign, verify or fetch a snapshot; rebuild its figures; or take back what was published.

    python -m scripts.snapshot freeze CYCLE_DIR [-o SNAPSHOT | --once] [--rebuild] [--setting NAME …]
        [--revision N --reason TEXT [--date YYYY-MM-DD]]
    python -m scripts.snapshot sign SNAPSHOT --key KEY [--date TIME] [--signers FILE]
    python -m scripts.snapshot verify DIR|URL [--allow NAME …] [--signers FILE] [--chain DIR|URL]
        [--sums SHA256]
    python -m scripts.snapshot reproduce DIR|URL [--only CELL | --table NAME | --chart NAME]
        [--from captures|parquet|rows] [--work DIR] [--allow NAME …] …
    python -m scripts.snapshot fetch URL [PATH …] -o DIR [--captures URL] [--allow NAME …]
    python -m scripts.snapshot remove SNAPSHOT PATH … --reason TEXT [--date YYYY-MM-DD]
    python -m scripts.snapshot withdraw SNAPSHOT --reason TEXT [--date YYYY-MM-DD]

`freeze` takes what the rules made of a complete cycle, as hard links. With --rebuild it needs only plan/ and
trials/, and makes the rest again. Without -o the snapshot is data/snapshots/<campaign>-<cycle>, beside the
campaign's folder. A snapshot is never changed: a correction is a later revision, whose folder ends with -r2.

`fetch` brings a published snapshot, or some of its files, into a folder. It checks signature and chain first,
and then every file. After Ctrl-C or a lost connection, the same command goes on where it was.

`sign` signs SHA256SUMS and tombstone.json by ssh-keygen, and writes a line into chain.jsonl of the archive.
Sign again after `remove` and `withdraw`. `verify` checks the signature, the chain, what was taken back and
every file. An address must give the snapshot of its name; of a folder under another name, `verify` says
which snapshot it is. docs/signing.md is about keys.

--sums names the SHA-256 of SHA256SUMS, which then needs neither signature nor chain.

`reproduce` rebuilds tables and charts and compares them: all, or a cell, a table or a chart. It checks the
signature, says how much it needs and how long that takes, and checks each file before it uses it. From an
address it fetches only what it needs. It needs no root, and no network after the fetch. With --work an
interrupted fetch goes on, and --from parquet skips the extraction.

`remove` deletes files below trials/ from a published snapshot and records them in tombstone.json. SHA256SUMS
stays. `withdraw` marks the whole cycle as withdrawn.

Exit status: 0 done; 2 the snapshot could not be made, is damaged, or has other values when rebuilt; 3 it has
the same values in other bytes when rebuilt.
"""

import argparse
import sys
from datetime import UTC, date, datetime
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.plain import plain_lines
from scripts.snapshot import fetch_command, reproduce_command, sign_command, verify_command
from scripts.snapshot.absent import read_tombstone
from scripts.snapshot.archive import already, archive_of, cycle_of, place_in_archive, revisions_of
from scripts.snapshot.checksums import files_of
from scripts.snapshot.freeze import freeze
from scripts.snapshot.identity import Correction
from scripts.snapshot.removal import remove, withdraw


def _freeze(given: argparse.Namespace) -> str:
    """Make a snapshot; with --once only if the cycle has none."""
    if given.once:
        named = cycle_of(given.cycle)
        published = revisions_of(archive_of(given.cycle), named)
        if published:
            return already(published, named)
    if given.revision < 1 or (given.revision > 1) != (given.reason is not None):
        raise UserError("--revision: a later revision needs a --reason, the first one has none")
    correction = None if given.reason is None else Correction(given.date, given.reason)
    snapshot = given.output or place_in_archive(given.cycle, given.revision)
    freeze(given.cycle, snapshot, given.setting, given.rebuild, given.revision, correction)
    return f"{snapshot}: {len(files_of(snapshot))} files frozen"


def _remove(given: argparse.Namespace) -> str:
    """Remove files of trials."""
    linked = remove(given.snapshot, given.path, given.reason, given.date)
    count = len(read_tombstone(given.snapshot).removed)
    others = f"; still elsewhere, such as in the cycle's published/: {len(linked)}" if linked else ""
    return f"{given.snapshot}: files removed so far: {count}{others}; build the site again"


def _withdraw(given: argparse.Namespace) -> str:
    """Mark a snapshot as withdrawn."""
    mark = withdraw(given.snapshot, given.reason, given.date)
    return f"{given.snapshot}: withdrawn on {mark.date}: {mark.reason}; build the site again"


def _day(text: str) -> str:
    """A date in the form YYYY-MM-DD."""
    return date.fromisoformat(text).isoformat()


def _parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = parser_of("scripts.snapshot", __doc__)
    parser.set_defaults(status=0)
    commands = parser.add_subparsers(required=True)
    freezing = commands.add_parser("freeze", help="make a snapshot of a measured cycle")
    freezing.set_defaults(run=_freeze)
    _add_freeze_options(freezing)
    fetching = commands.add_parser("fetch", help="bring a published snapshot, or some of it, into a folder")
    fetching.set_defaults(run=fetch_command.run)
    fetch_command.add_options(fetching)
    signing = commands.add_parser("sign", help="sign a snapshot, and write it into the chain")
    signing.set_defaults(run=sign_command.run)
    sign_command.add_options(signing)
    verifying = commands.add_parser("verify", help="check who signed a snapshot, the chain, and every file")
    verifying.set_defaults(run=verify_command.run)
    verify_command.add_options(verifying)
    rebuilding = commands.add_parser("reproduce", help="rebuild tables and charts and compare every byte")
    rebuilding.set_defaults(run=reproduce_command.run)
    reproduce_command.add_options(rebuilding)
    of_snapshots = {}
    for name, run, purpose in (
        ("remove", _remove, "delete files of trials from a published snapshot"),
        ("withdraw", _withdraw, "mark a published snapshot as withdrawn"),
    ):
        of_snapshots[name] = commands.add_parser(name, help=purpose)
        of_snapshots[name].add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="its folder")
        of_snapshots[name].set_defaults(run=run)
    removing = of_snapshots["remove"]
    removing.add_argument("path", nargs="+", metavar="PATH", help="such as trials/8mbps/a~b/01")
    for command in (freezing, removing, of_snapshots["withdraw"]):
        _add_reason(command, required=command is not freezing)
    return parser


def _add_freeze_options(freezing: argparse.ArgumentParser) -> None:
    """What to freeze, and where to."""
    freezing.add_argument("cycle", type=Path, metavar="CYCLE_DIR", help="data/<campaign>/<cycle>")
    where = freezing.add_mutually_exclusive_group()
    where.add_argument("-o", "--output", type=Path, metavar="SNAPSHOT", help="the folder to make")
    where.add_argument("--once", action="store_true", help="do nothing if the cycle has a snapshot")
    freezing.add_argument(
        "--rebuild", action="store_true", help="publish the trials and make tables and charts again"
    )
    freezing.add_argument(
        "--setting",
        action="append",
        default=[],
        metavar="NAME",
        help="keep this setting only; may be repeated; implies --rebuild",
    )
    freezing.add_argument("--revision", type=int, default=1, metavar="N", help="2 or more: a correction")


def _add_reason(command: argparse.ArgumentParser, required: bool) -> None:
    """Why something published is corrected or taken back, and when."""
    today = datetime.now(UTC).date().isoformat()
    command.add_argument("--reason", required=required, help="why, for the readers")
    command.add_argument("--date", type=_day, default=today, metavar="YYYY-MM-DD", help="default: today")


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    given = _parser().parse_args(argv)
    try:
        print(plain_lines(given.run(given)))
    except KeyboardInterrupt:
        print("interrupted: the same command goes on", file=sys.stderr)
        return 130
    return int(given.status)


if __name__ == "__main__":
    sys.exit(main())
