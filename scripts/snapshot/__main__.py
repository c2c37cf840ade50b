"""Freeze a cycle; sign, verify or fetch a snapshot; rebuild its figures; or take back what was published.

    python -m scripts.snapshot freeze CYCLE_DIR [-o SNAPSHOT | --once] [--lean | --rebuild]
        [--setting NAME …]
        [--revision N --reason TEXT [--date YYYY-MM-DD]]
    python -m scripts.snapshot resume SNAPSHOT [CYCLE_DIR]
    python -m scripts.snapshot unpack FILE [-o DIR]
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

With --lean it keeps tables, SVGs, plan and registration, and leaves captures and logs out (lean.py). The
cycle may be incomplete, and CYCLE_DIR may be a snapshot. Without -o the lean snapshot is one file,
data/snapshots/lean/<campaign>-<cycle>.tar.zst. It replaces an earlier one of the same cycle that was not
complete. `resume`, `verify`, `reproduce` and `freeze` read such a file as they read a folder. `unpack` makes
the folder, so that `make site` has its pages.

`resume` makes the folder of a cycle from its lean snapshot, and `make cycle` goes on there: finished trials
are not measured again. A cycle that was resumed is always frozen lean.

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
from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import get_args

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.plain import plain, plain_lines
from scripts.model.resumed import FOLDER as RESUMED
from scripts.snapshot.absent import read_tombstone, remove, withdraw
from scripts.snapshot.asked import Asked, Start
from scripts.snapshot.chain import moment_of
from scripts.snapshot.checksums import files_of
from scripts.snapshot.fetch import fetch, plan_of
from scripts.snapshot.identity import (
    IDENTITY,
    Correction,
    Identity,
    archive_of,
    cycle_of,
    place_in_archive,
    published_already,
    read_identity,
    revisions_of,
)
from scripts.snapshot.packed import SUFFIX, is_packed, repacked, unpack, unpacked
from scripts.snapshot.policy import add_policy, add_signers, policy_of
from scripts.snapshot.provision import open_snapshot
from scripts.snapshot.sign import sign
from scripts.snapshot.signatures import read_signers
from scripts.snapshot.source import SnapshotAddress, open_source
from scripts.snapshot.verify import told, verify


def _freeze(given: argparse.Namespace) -> str:
    """Make a snapshot; with --once only if the cycle has none."""
    from scripts.snapshot.freeze import freeze  # the charts that it may draw take long to load

    if given.once:
        named = cycle_of(given.cycle)
        published = revisions_of(archive_of(given.cycle), named)
        if published:
            return published_already(published, named)
    if given.revision < 1 or (given.revision > 1) != (given.reason is not None):
        raise UserError("--revision: a later revision needs a --reason, the first one has none")
    correction = None if given.reason is None else Correction(given.date, given.reason)
    if given.lean or (given.cycle / RESUMED).is_dir():
        return _freeze_lean(given, correction)
    snapshot = given.output or place_in_archive(given.cycle, given.revision)
    freeze(given.cycle, snapshot, given.setting, given.rebuild, given.revision, correction)
    return f"{snapshot}: {len(files_of(snapshot))} files frozen"


def _freeze_lean(given: argparse.Namespace, correction: Correction | None) -> str:
    """Make a lean snapshot: as one file in data/snapshots/lean, or at the end of a cycle in the archive."""
    from scripts.snapshot.lean import FOLDER, freeze_lean, size_words

    if given.setting:
        raise UserError("--setting: a lean snapshot has all settings; name some of them without --lean")
    if given.output:
        snapshot = given.output
    elif is_packed(given.cycle) or (given.cycle / IDENTITY).is_file():
        raise UserError(f"{given.cycle}: is a snapshot; name the lean one by -o")
    elif given.lean:
        named = cycle_of(given.cycle)
        folder = Identity(named.campaign, named.cycle, given.revision).folder
        snapshot = archive_of(given.cycle) / FOLDER / f"{folder}{SUFFIX}"
    else:
        snapshot = place_in_archive(given.cycle, given.revision)
    with unpacked(given.cycle) as cycle, repacked(snapshot) as made:
        progress = freeze_lean(cycle, made, given.revision, correction).incomplete
    so_far = f"{progress.measured} of {progress.planned} trials planned so far; " if progress else ""
    return f"{snapshot}: lean: {so_far}{size_words(snapshot)} frozen"


def _resume(given: argparse.Namespace) -> str:
    """Make the folder of a cycle from a lean snapshot."""
    from scripts.snapshot.resume import resume

    with unpacked(given.snapshot) as snapshot:
        named = read_identity(snapshot)
        cycle = given.cycle or Path("data", named.campaign, named.cycle)
        progress = resume(snapshot, cycle).incomplete
    so_far = f"{progress.measured} of {progress.planned} trials planned so far" if progress else "complete"
    return f"{cycle}: resumed: {so_far}; go on with: make cycle CAMPAIGN={named.campaign} cycle={named.cycle}"


def _unpack(given: argparse.Namespace) -> str:
    """Make the folder of a packed snapshot."""
    folder = unpack(given.file, given.output)
    return f"{folder}: {len(files_of(folder))} files unpacked"


def _fetch(given: argparse.Namespace) -> str:
    """Fetch, and tell what came."""
    snapshot = open_snapshot(given.address, given.captures, given.output, policy_of(given))
    address = snapshot.source
    if not isinstance(address, SnapshotAddress):
        raise UserError(f"{given.address}: is a folder; fetch is for an address (https://…)")
    removed = {PurePosixPath(one.path) for one in snapshot.tombstone.removed}
    paths = _chosen(snapshot.listed.keys() - removed, given.path, snapshot.title)
    sizes = snapshot.sizes(paths)
    print(plain(f"{snapshot.title}: {plan_of(paths, sizes, address.rate())}"), file=sys.stderr)
    done = fetch(address, given.output, paths, snapshot.listed, sizes)
    also = f"; {len(paths) - done.files} were there already" if len(paths) > done.files else ""
    return f"{given.output}: {done.files} files ({done.bytes / 1e6:,.1f} MB) fetched and checked{also}"


def _chosen(listed: Collection[PurePosixPath], patterns: Sequence[str], title: str) -> list[PurePosixPath]:
    """The files that patterns name, or that are in folders that they name; all without a pattern.

    Raises:
        UserError: a pattern names nothing.
    """
    if not patterns:
        return sorted(listed)
    found: set[PurePosixPath] = set()
    for pattern in patterns:
        named = {
            path
            for path in listed
            if any(fnmatchcase(str(one), pattern.rstrip("/")) for one in (path, *path.parents[:-1]))
        }
        if not named:
            raise UserError(f"{title}: has no {pattern}; SHA256SUMS lists its files")
        found |= named
    return sorted(found)


def _sign(given: argparse.Namespace) -> str:
    """Sign, and tell what was written."""
    return sign(given.snapshot, given.key, given.date, read_signers(given.signers))


def _verify(given: argparse.Namespace) -> str:
    """Verify, and tell what was found."""
    with unpacked(given.snapshot) as snapshot:
        source = open_source(snapshot, given.captures)
        return told(source, verify(source, policy_of(given)))


def _reproduce(given: argparse.Namespace) -> str:
    """Rebuild and compare; other bytes with the same values have an exit status of their own."""
    from scripts.snapshot.comparing import SAME_VALUES  # what draws and compares takes long to load
    from scripts.snapshot.reproduce import reproduce

    asked = Asked(given.only, given.table, given.chart, given.start)
    with unpacked(given.snapshot) as snapshot:
        found, same = reproduce(snapshot, asked, policy_of(given), given.work, given.captures)
    given.status = 0 if same else SAME_VALUES
    return found


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
    for name, run, add_options, purpose in (
        ("freeze", _freeze, _add_freeze_options, "make a snapshot of a measured cycle"),
        ("resume", _resume, _add_resume_options, "make the folder of a cycle from its lean snapshot"),
        ("unpack", _unpack, _add_unpack_options, "make the folder of a lean snapshot that is one file"),
        ("fetch", _fetch, _add_fetch_options, "bring a published snapshot, or some of it, into a folder"),
        ("sign", _sign, _add_sign_options, "sign a snapshot, and write it into the chain"),
        ("verify", _verify, _add_verify_options, "check who signed a snapshot, the chain, and every file"),
        ("reproduce", _reproduce, _add_reproduce_options, "rebuild tables and charts and compare every byte"),
        ("remove", _remove, _add_remove_options, "delete files of trials from a published snapshot"),
        ("withdraw", _withdraw, _add_withdraw_options, "mark a published snapshot as withdrawn"),
    ):
        command = commands.add_parser(name, help=purpose)
        command.set_defaults(run=run)
        add_options(command)
    return parser


def _add_freeze_options(freezing: argparse.ArgumentParser) -> None:
    """What to freeze, and where to."""
    freezing.add_argument("cycle", type=Path, metavar="CYCLE_DIR", help="data/<campaign>/<cycle>")
    where = freezing.add_mutually_exclusive_group()
    where.add_argument("-o", "--output", type=Path, metavar="SNAPSHOT", help="the folder to make")
    where.add_argument("--once", action="store_true", help="do nothing if the cycle has a snapshot")
    how = freezing.add_mutually_exclusive_group()
    how.add_argument(
        "--lean", action="store_true", help="without captures and logs, for git; the cycle may be incomplete"
    )
    how.add_argument(
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
    _add_reason(freezing, required=False)


def _add_resume_options(command: argparse.ArgumentParser) -> None:
    """What to go on from, and where."""
    command.add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="a lean snapshot: file or folder")
    command.add_argument(
        "cycle", type=Path, nargs="?", metavar="CYCLE_DIR", help="default: data/<campaign>/<cycle>"
    )


def _add_unpack_options(command: argparse.ArgumentParser) -> None:
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


def _add_fetch_options(command: argparse.ArgumentParser) -> None:
    """What to fetch, from where, and where to."""
    command.add_argument("address", metavar="URL", help="such as https://host/snapshots/watchdog-2026-11-21/")
    command.add_argument(
        "path", nargs="*", metavar="PATH", help="a file, a folder or a pattern such as 'trials/8mbps/*'"
    )
    command.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the folder to make")
    command.add_argument("--captures", metavar="URL", help="where the trials are, if not beside the snapshot")
    add_policy(command)


def _add_sign_options(command: argparse.ArgumentParser) -> None:
    """What to sign, and with which key."""
    command.add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="a folder in data/snapshots")
    command.add_argument("--key", type=Path, required=True, help="the private key, outside the repository")
    now = datetime.now(UTC).replace(microsecond=0)
    command.add_argument("--date", type=moment_of, default=now, metavar="TIME", help="UTC; default: now")
    add_signers(command)


def _add_verify_options(command: argparse.ArgumentParser) -> None:
    """What to verify, and what is asked of it."""
    command.add_argument(
        "snapshot", metavar="DIR|URL", help="such as https://host/snapshots/watchdog-2026-12-07/"
    )
    command.add_argument(
        "--captures", metavar="DIR|URL", help="where the trials are, if not beside the snapshot"
    )
    add_policy(command)


def _add_reproduce_options(command: argparse.ArgumentParser) -> None:
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
    command.add_argument(
        "--captures", metavar="DIR|URL", help="where the trials are, if not beside the snapshot"
    )
    add_policy(command)


def _add_remove_options(command: argparse.ArgumentParser) -> None:
    """What to remove, and why."""
    _add_withdraw_options(command)
    command.add_argument("path", nargs="+", metavar="PATH", help="such as trials/8mbps/a~b/01")


def _add_withdraw_options(command: argparse.ArgumentParser) -> None:
    """Which snapshot, and why."""
    command.add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="its folder")
    _add_reason(command, required=True)


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
