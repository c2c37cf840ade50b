"""Freeze a cycle, complete or not, into a lean snapshot: rows and pictures without captures.

A lean snapshot is small enough for git (FEW_BYTES). It has:

    plan/                whole, with the rounds, so that the cycle can go on elsewhere (resume.py)
    trials/              trial.json of each trial
    tables/              every table as Parquet
    charts/              every chart as SVG
    left_out.json        every file that a full snapshot would have besides, with size, checksum and reason
    snapshot.json        the commit of the code, in place of source.tar.zst and requirements.lock. These stay
                         if no commit has the code as it is here

All charts, and the tables of level cycle except trial_fmp, are made from the rows as the snapshot has them
(lean_trials.py), so `reproduce` makes them again. trial_fmp, `recognition`, `calibration` and the tables of
level trial follow from captures only.

Of a cycle that is not complete it has the trials so far, and no verdicts (trials_so_far.py).
In git it is one file (lean_format.py).
"""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.exchange import exchange
from scripts.base.files import ROOT, digest, link, readable_bytes, write_text
from scripts.base.locks import scratch_folder
from scripts.base.records import read_record
from scripts.extract.trial_files import TRIAL_JSON
from scripts.model.comparison import FOLDER as COMPARED
from scripts.model.comparison import RECOGNITION, kept_comparison
from scripts.model.plan_file import read_plan, write_plan_table
from scripts.model.resumed import FOLDER as RESUMED
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.plan.registration import LENGTH
from scripts.plan.set_aside import FILE as SET_ASIDE
from scripts.snapshot.checksums import files_of
from scripts.snapshot.code_archive import LOCK, SOURCE_ARCHIVE, commit_of_code, write_source
from scripts.snapshot.environment import write_environment
from scripts.snapshot.freeze import calibrations, copy_registration, exists_already, seal
from scripts.snapshot.identity import (
    DESCRIPTION,
    IDENTITY,
    ArchivedCycle,
    Correction,
    Identity,
    Incomplete,
    archive_of,
    read_identity,
)
from scripts.snapshot.lean_format import (
    LeftOutGroup,
    group_of,
    is_packed,
    left_out_file,
    unpacked,
    write_left_out,
)
from scripts.snapshot.lean_trials import pack_rows, take_trials
from scripts.snapshot.part import CYCLE_LEVEL, FMP, TRIAL_LEVEL, closure
from scripts.snapshot.rebuild import write_all_charts
from scripts.snapshot.resume import cycle_from
from scripts.snapshot.trials_so_far import mark_provisional
from scripts.tables.cycle import make_tables
from scripts.tables.describe_cycle import describe_cycle

FEW_BYTES = 3_000_000

PLAN = "plan/plan.csv"


def freeze_lean(
    cycle: Path,
    snapshot: Path,
    revision: int = 1,
    correction: Correction | None = None,
) -> Identity:
    """Make the lean snapshot `snapshot`, whole or not at all, and return its identity.

    A lean snapshot of the same cycle that is not complete is replaced, if the new one has all its trials.

    Args:
        cycle: data/<campaign>/<cycle>, complete or not; or a snapshot, lean or full.
        snapshot: the folder to make.
        revision: 1, or the number of a correction.
        correction: why and when a later revision was made.

    Raises:
        UserError: no trial of the cycle is measured, something of it is missing, or `snapshot` exists and is
            not to be replaced.
    """
    refuse_existing(snapshot)
    with scratch_folder(snapshot.parent) as scratch:
        archive = archive_of(cycle)
        if (cycle / IDENTITY).is_file():
            named = read_identity(cycle)
            cycle = cycle_from(cycle, scratch / named.campaign / named.cycle)
        made = scratch / "made"
        incomplete = _take_plan(cycle, made)
        measured = [line.key for line in read_plan(made / PLAN)]
        groups = take_trials(cycle, [*measured, *map(TrialKey.of, calibrations(cycle))], made)
        _make_results(cycle, made, incomplete is not None)
        commit = commit_of_code()
        write_left_out(made, [*groups, _drop_tables_as_text(made), *drop_code(made, commit)])
        write_environment(made)
        of = read_record(ArchivedCycle, made / DESCRIPTION)
        identity = Identity(
            of.campaign, of.cycle, revision, correction, commit, kind="lean", incomplete=incomplete
        )
        identity = seal(made, identity, snapshot, archive)
        put_in_place(made, snapshot, scratch)
    return identity


def size_words(snapshot: Path) -> str:
    """How large a lean snapshot is, in words; with its largest files if it is too large for git."""
    with unpacked(snapshot) as folder:
        sizes = {path: (folder / path).stat().st_size for path in files_of(folder)}
    total = snapshot.stat().st_size if is_packed(snapshot) else sum(sizes.values())
    words = f"{len(sizes)} files, {readable_bytes(total)}"
    if total <= FEW_BYTES:
        return words
    largest = sorted(sizes, key=lambda path: -sizes[path])[:3]
    named = ", ".join(f"{path} {readable_bytes(sizes[path])}" for path in largest)
    return f"{words}: much for git; the largest: {named}"


def refuse_existing(snapshot: Path) -> None:
    """Raise UserError if a folder exists that no later state of its cycle may replace."""
    if not snapshot.exists():
        return
    identity = read_identity(snapshot) if (snapshot / IDENTITY).is_file() else None
    if identity is None or identity.incomplete is None:
        raise exists_already(snapshot)


def _take_plan(cycle: Path, made: Path) -> Incomplete | None:
    """The plan with its rounds and specifications; plan.csv has the trials that are measured.

    Returns:
        How far the cycle is; None if it is complete.

    Raises:
        UserError: the cycle has no plan, or no trial is measured.
    """
    plan, joined = cycle / "plan", cycle / "plan/plan.csv"
    rounds = sorted(plan.glob("round-*.csv"))
    files = rounds or [file for file in [joined] if file.is_file()]
    planned = [line for file in files for line in read_plan(file)]
    measured = [line for line in planned if (cycle / "trials" / line.key.path).is_dir()]
    if not measured:
        raise UserError(f"{cycle}: has no measured trial yet; measure some first (make cycle)")
    for file in (plan / "config.json", plan / LENGTH, plan / SET_ASIDE, *rounds):
        if file.is_file():
            link(file, made / "plan" / file.name)
    shutil.copytree(plan / "specs", made / "plan/specs", copy_function=link)
    copy_registration(cycle, made)
    write_plan_table(measured, made / PLAN)
    # A complete cycle that was extended has more rounds than plan.csv knows.
    if joined.is_file() and len(measured) == len(planned) == len(read_plan(joined)):
        if (cycle / COMPARED).is_dir():
            shutil.copytree(cycle / COMPARED, made / COMPARED, copy_function=link)
        return None
    return Incomplete(len(measured), len(planned))


def _make_results(cycle: Path, made: Path, provisional: bool) -> None:
    """Tables and charts from the rows of the trials: first these rows, then what follows from them."""
    tables = made / "tables"
    make_tables(made, (*TRIAL_LEVEL, CALIBRATION), measured=cycle)
    for table in (FMP, RECOGNITION):
        kept = cycle / RESUMED / f"tables/{table}.parquet"
        if kept.is_file():
            shutil.copyfile(kept, tables / kept.name)
        else:
            make_tables(made, closure((table,)) - {*TRIAL_LEVEL})
    for table in TRIAL_LEVEL:
        pack_rows(tables / f"{table}.parquet", complete=not provisional)
    make_tables(made, CYCLE_LEVEL)
    described = describe_cycle(made / PLAN, made / "trials", kept_comparison(made))
    write_text(made / DESCRIPTION, json.dumps(described, indent=1) + "\n")
    if provisional:
        mark_provisional(tables)
    write_all_charts(made, pictures_only=True)


def _drop_tables_as_text(made: Path) -> LeftOutGroup:
    """Leave out the CSV of each table."""
    return _dropped(made, (made / "tables").glob("*.csv"), "tables as CSV: the Parquet files have the rows")


def drop_code(made: Path, commit: str | None) -> list[LeftOutGroup]:
    """Add the code and the list of its packages, or leave them out if a commit has them as they are here."""
    write_source(made)
    shutil.copyfile(ROOT / LOCK, made / LOCK)
    if commit is None or commit.endswith("+"):
        return []
    return [_dropped(made, [made / SOURCE_ARCHIVE, made / LOCK], f"code: commit {commit} has it")]


def _dropped(made: Path, paths: Iterable[Path], reason: str) -> LeftOutGroup:
    """Remove files, and list them."""
    files = [(path, left_out_file(path, path.relative_to(made))) for path in sorted(paths)]
    for path, _ in files:
        path.unlink()
    return group_of(reason, [file for _, file in files])


def put_in_place(made: Path, snapshot: Path, scratch: Path) -> None:
    """Give the snapshot its name, in place of an earlier state of the same cycle.

    Raises:
        UserError: the earlier one is of another cycle, or has trials that the new one lacks.
    """
    if not snapshot.exists():
        made.rename(snapshot)
        return
    before, now = read_identity(snapshot), read_identity(made)
    lost = _records(snapshot) - _records(made)
    if (before.campaign, before.cycle) != (now.campaign, now.cycle) or lost:
        why = f"has {len(lost)} trials that {now.folder} lacks" if lost else f"is {before.folder}"
        raise UserError(f"{snapshot}: {why}, so it is not replaced; give another name, or resume from it")
    if not exchange(made, snapshot):
        snapshot.rename(scratch / "before")
        made.rename(snapshot)


def _records(snapshot: Path) -> set[tuple[Path, str]]:
    """The record of each trial, by its place and content."""
    records = (snapshot / "trials").glob(f"*/*/*/{TRIAL_JSON}")
    return {(path.relative_to(snapshot), digest(path)) for path in records}
