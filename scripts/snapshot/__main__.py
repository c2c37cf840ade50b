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
the folder, so that `make site` has its pages beside other cycles.

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
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.plain import plain, plain_lines
from scripts.model.resumed import FOLDER as RESUMED
from scripts.snapshot import options
from scripts.snapshot.absent import read_tombstone, remove, withdraw
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
from scripts.snapshot.lean_format import LEAN_FOLDER, SUFFIX, is_packed, repacked, unpack, unpacked
from scripts.snapshot.options import policy_of
from scripts.snapshot.sign import sign
from scripts.snapshot.signatures import read_signers
from scripts.snapshot.source import SnapshotAddress, open_source
from scripts.snapshot.verify import describe, open_snapshot, verify


def _freeze(arguments: argparse.Namespace) -> str:
    """Make a snapshot; with --once only if the cycle has none."""
    from scripts.snapshot.freeze import freeze  # the charts that it may draw take long to load

    if not arguments.cycle.exists():
        raise UserError(f"{arguments.cycle}: is missing; name the folder of a cycle, as data/demo/2026-12-05")
    if arguments.once:
        named = cycle_of(arguments.cycle)
        published = revisions_of(archive_of(arguments.cycle), named)
        if published:
            return published_already(published, named)
    if arguments.revision < 1 or (arguments.revision > 1) != (arguments.reason is not None):
        raise UserError("--revision: a later revision needs a --reason, the first one has none")
    correction = None if arguments.reason is None else Correction(arguments.date, arguments.reason)
    if arguments.lean or (arguments.cycle / RESUMED).is_dir():
        return _freeze_lean(arguments, correction)
    snapshot = arguments.output or place_in_archive(arguments.cycle, arguments.revision)
    freeze(arguments.cycle, snapshot, arguments.setting, arguments.rebuild, arguments.revision, correction)
    return f"{snapshot}: {len(files_of(snapshot))} files frozen"


def _freeze_lean(arguments: argparse.Namespace, correction: Correction | None) -> str:
    """Make a lean snapshot: as one file in data/snapshots/lean, or at the end of a cycle in the archive."""
    from scripts.snapshot.lean import freeze_lean, size_words

    if arguments.setting:
        raise UserError("--setting: a lean snapshot has all settings; name some of them without --lean")
    if arguments.output:
        snapshot = arguments.output
    elif is_packed(arguments.cycle) or (arguments.cycle / IDENTITY).is_file():
        raise UserError(f"{arguments.cycle}: is a snapshot; name the lean one by -o")
    elif arguments.lean:
        named = cycle_of(arguments.cycle)
        folder = Identity(named.campaign, named.cycle, arguments.revision).folder
        snapshot = archive_of(arguments.cycle) / LEAN_FOLDER / f"{folder}{SUFFIX}"
    else:
        snapshot = place_in_archive(arguments.cycle, arguments.revision)
    with unpacked(arguments.cycle) as cycle, repacked(snapshot) as made:
        progress = freeze_lean(cycle, made, arguments.revision, correction).incomplete
    so_far = f"{progress.words}; " if progress else ""
    return f"{snapshot}: lean: {so_far}{size_words(snapshot)} frozen"


def _resume(arguments: argparse.Namespace) -> str:
    """Make the folder of a cycle from a lean snapshot."""
    from scripts.snapshot.resume import resume

    with unpacked(arguments.snapshot) as snapshot:
        named = read_identity(snapshot)
        cycle = arguments.cycle or Path("data", named.campaign, named.cycle)
        progress = resume(snapshot, cycle).incomplete
    so_far = progress.words if progress else "complete"
    data = cycle.absolute().parents[1]
    place = "" if data == Path("data").absolute() else f" data={data}"
    names = f"CAMPAIGN={named.campaign} cycle={named.cycle}{place}"
    return f"{cycle}: resumed: {so_far}; go on with: make cycle {names}"


def _unpack(arguments: argparse.Namespace) -> str:
    """Make the folder of a packed snapshot."""
    folder = unpack(arguments.file, arguments.output)
    return f"{folder}: {len(files_of(folder))} files unpacked"


def _fetch(arguments: argparse.Namespace) -> str:
    """Fetch files, and say how many."""
    snapshot = open_snapshot(arguments.address, arguments.captures, arguments.output, policy_of(arguments))
    address = snapshot.source
    if not isinstance(address, SnapshotAddress):
        raise UserError(f"{arguments.address}: is a folder; fetch is for an address (https://…)")
    paths = snapshot.matching(arguments.path)
    sizes = snapshot.sizes(paths)
    print(plain(f"{snapshot.title}: {plan_of(paths, sizes, address.rate())}"), file=sys.stderr)
    done = fetch(address, arguments.output, paths, snapshot.listed, sizes)
    also = f"; {len(paths) - done.files} were there already" if len(paths) > done.files else ""
    return f"{arguments.output}: {done.files} files ({done.bytes / 1e6:,.1f} MB) fetched and checked{also}"


def _sign(arguments: argparse.Namespace) -> str:
    """Sign a snapshot."""
    return sign(arguments.snapshot, arguments.key, arguments.date, read_signers(arguments.signers))


def _verify(arguments: argparse.Namespace) -> str:
    """Verify a snapshot."""
    with unpacked(arguments.snapshot) as snapshot:
        source = open_source(snapshot, arguments.captures)
        words = describe(source, verify(source, policy_of(arguments)))
        return words.replace(str(snapshot), str(arguments.snapshot))


def _reproduce(arguments: argparse.Namespace) -> str:
    """Rebuild and compare; other bytes with the same values have an exit status of their own."""
    from scripts.snapshot.choice import Choice  # the charts that it draws take long to load
    from scripts.snapshot.comparing import SAME_VALUES
    from scripts.snapshot.reproduce import reproduce

    choice = Choice(arguments.only, arguments.table, arguments.chart, arguments.start)
    with unpacked(arguments.snapshot) as snapshot:
        report, same = reproduce(snapshot, choice, policy_of(arguments), arguments.work, arguments.captures)
        report = report.replace(str(snapshot), str(arguments.snapshot))
    arguments.status = 0 if same else SAME_VALUES
    return report


def _remove(arguments: argparse.Namespace) -> str:
    """Remove files of trials."""
    linked = remove(arguments.snapshot, arguments.path, arguments.reason, arguments.date)
    count = len(read_tombstone(arguments.snapshot).removed)
    others = f"; still elsewhere, such as in the cycle's published/: {len(linked)}" if linked else ""
    return f"{arguments.snapshot}: files removed so far: {count}{others}; build the site again"


def _withdraw(arguments: argparse.Namespace) -> str:
    """Mark a snapshot as withdrawn."""
    mark = withdraw(arguments.snapshot, arguments.reason, arguments.date)
    return f"{arguments.snapshot}: withdrawn on {mark.date}: {mark.reason}; build the site again"


def _parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = parser_of("scripts.snapshot", __doc__)
    parser.set_defaults(status=0)
    commands = parser.add_subparsers(required=True)
    for name, run, add_options, purpose in (
        ("freeze", _freeze, options.add_freeze, "make a snapshot of a measured cycle"),
        ("resume", _resume, options.add_resume, "make the folder of a cycle from its lean snapshot"),
        ("unpack", _unpack, options.add_unpack, "make the folder of a lean snapshot that is one file"),
        ("fetch", _fetch, options.add_fetch, "bring a published snapshot, or some of it, into a folder"),
        ("sign", _sign, options.add_sign, "sign a snapshot, and write it into the chain"),
        ("verify", _verify, options.add_verify, "check who signed a snapshot, the chain, and every file"),
        ("reproduce", _reproduce, options.add_reproduce, "rebuild tables and charts and compare every byte"),
        ("remove", _remove, options.add_remove, "delete files of trials from a published snapshot"),
        ("withdraw", _withdraw, options.add_withdraw, "mark a published snapshot as withdrawn"),
    ):
        command = commands.add_parser(name, help=purpose, description=purpose)
        command.set_defaults(run=run)
        add_options(command)
    return parser


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    arguments = _parser().parse_args(argv)
    try:
        print(plain_lines(arguments.run(arguments)))
    except KeyboardInterrupt:
        print("interrupted: the same command goes on", file=sys.stderr)
        return 130
    return int(arguments.status)


if __name__ == "__main__":
    sys.exit(main())
