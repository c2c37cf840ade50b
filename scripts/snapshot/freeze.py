"""Freeze a measured cycle, or some of its settings, into a snapshot.

Its files are hard links, and copies on another file system.
"""

import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import ROOT, link, read_json, write_text
from scripts.base.locks import scratch_folder
from scripts.base.records import read_record, write_record
from scripts.extract.published_files import link_published
from scripts.extract.trial_files import TRIAL_JSON, trial_files
from scripts.model.comparison import FOLDER as COMPARED
from scripts.model.comparison import NAMES
from scripts.model.plan_file import read_plan, write_plan_table
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.plan.registration import FILE as REGISTRATION_FILE
from scripts.plan.registration import read_registration
from scripts.plan.set_aside import FILE as SET_ASIDE_FILE
from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.code_archive import LOCK, commit_of_code, write_source
from scripts.snapshot.environment import write_environment
from scripts.snapshot.identity import (
    DESCRIPTION,
    IDENTITY,
    ArchivedCycle,
    Correction,
    Identity,
    archive_of,
    previous_of,
)
from scripts.snapshot.metadata import write_metadata
from scripts.snapshot.rebuild import rebuild, stage
from scripts.tables.cycle import keep_compared, tables_of
from scripts.tables.measured_trial import Products

SNAKEMAKE_STAMP = ".snakemake_timestamp"
"""Snakemake leaves this empty file in each folder that a rule made."""

SET_ASIDE = f"plan/{SET_ASIDE_FILE}"
REGISTRATION = f"plan/{REGISTRATION_FILE}"


def freeze(
    cycle: Path,
    snapshot: Path,
    settings: Sequence[str] = (),
    again: bool = False,
    revision: int = 1,
    correction: Correction | None = None,
) -> None:
    """Make `snapshot`, whole or not at all, from a cycle's directory.

    Args:
        cycle: data/<campaign>/<cycle>, with what the rules made. If `again` is True or `settings` are given,
            only plan/ and trials/ are needed.
        snapshot: the folder to make; it must not exist.
        settings: the settings to keep; all if it is empty.
        again: whether to publish the trials and to build tables and charts again.
        revision: 1, or the number of a correction.
        correction: why and when a later revision was made.

    Raises:
        UserError: the snapshot exists, a setting is unknown, or something of the cycle is missing.
    """
    if snapshot.exists():
        raise exists_already(snapshot)
    with scratch_folder(snapshot.parent) as scratch:
        made = scratch / "made"
        take(_rebuilt(cycle, scratch, settings) if again or settings else cycle, made)
        shutil.copyfile(ROOT / LOCK, made / LOCK)
        write_source(made)
        write_environment(made)
        named = read_record(ArchivedCycle, made / DESCRIPTION)
        identity = Identity(named.campaign, named.cycle, revision, correction, commit_of_code())
        seal(made, identity, snapshot, archive_of(cycle))
        made.rename(snapshot)


def exists_already(snapshot: Path) -> UserError:
    """The error about a name that is taken."""
    return UserError(f"{snapshot}: exists already and is never changed; give another name, or remove it")


def seal(made: Path, identity: Identity, snapshot: Path, archive: Path) -> Identity:
    """Write snapshot.json, the descriptions for other programs and SHA256SUMS into a folder.

    Args:
        made: the folder, with all other files of the snapshot.
        identity: what the snapshot is, without the one before.
        snapshot: where the snapshot will be. In the archive, it names the one before.
        archive: the archive of the cycle.

    Returns:
        The identity as it is written.
    """
    if snapshot.resolve().parent == archive:
        previous = previous_of(archive, identity.campaign, identity.cycle, identity.revision)
        identity = replace(identity, previous=previous)
    write_record(made / IDENTITY, identity)
    write_checksums(made, write_metadata(made))
    return identity


def _rebuilt(cycle: Path, scratch: Path, settings: Sequence[str]) -> Path:
    """A new folder of the cycle with the chosen settings: published trials, tables and charts.

    If the cycle has none of the tables that it was compared with, it is compared with none.
    """
    kept = scratch / "kept"
    for trial in _keep_plan(cycle, kept, settings):
        _publish(cycle, trial, kept)
    if (cycle / COMPARED).is_dir():
        shutil.copytree(cycle / COMPARED, kept / COMPARED)
    staged = stage(kept, scratch / "data")
    if not (staged / NAMES).is_file():
        keep_compared(staged)
    rebuild(staged)
    (kept / "trials").rename(staged / "published")
    return staged


def _keep_plan(cycle: Path, kept: Path, settings: Sequence[str]) -> list[Path]:
    """Keep the plan of the chosen settings; returns its trials and calibrations."""
    config = read_json(cycle / "plan/config.json")
    for setting in settings:
        if setting not in config["settings"]:
            raise UserError(f"{cycle}: has no setting {setting}; it has: {', '.join(config['settings'])}")
    chosen = [key for key in config["settings"] if not settings or key in settings]
    trials = [trial for trial in (*planned_trials(cycle), *calibrations(cycle)) if trial.parts[0] in chosen]
    config["settings"] = {key: config["settings"][key] for key in chosen}
    write_text(kept / "plan/config.json", json.dumps(config, indent=1, ensure_ascii=False) + "\n")
    if (cycle / SET_ASIDE).is_file():
        shutil.copyfile(cycle / SET_ASIDE, kept / SET_ASIDE)
    copy_registration(cycle, kept)
    lines = [line for line in read_plan(cycle / "plan/plan.csv") if line.key.setting in chosen]
    write_plan_table(lines, kept / "plan/plan.csv")
    for trial in trials:
        specification = kept / "plan/specs" / trial.with_suffix(".json")
        specification.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile((cycle / "plan/specs" / trial).with_suffix(".json"), specification)
    return trials


def _publish(cycle: Path, name: Path, kept: Path) -> None:
    """The published form of a trial: that of the cycle, or a new one if it has none."""
    trial = cycle / "trials" / name
    if not trial.is_dir():
        raise UserError(f"{trial}: was not measured yet; complete the cycle first")
    published, copy = cycle / "published" / name, kept / "trials" / name
    if (published / TRIAL_JSON).is_file():
        link_published(trial_files(published), copy)
        return
    with tempfile.TemporaryDirectory(dir=kept) as scratch:
        places = copy, Path(scratch, "parquet"), Path(scratch, "rows")
        Products(trial, *places, cycle / "plan/config.json", cycle / "private/pseudonyms.key").make()


def take(cycle: Path, made: Path) -> None:
    """Make the folder `made` with the layout of a snapshot from what the rules made of a complete cycle.

    Args:
        cycle: a folder with plan/, published/, compared/, tables/ and charts/.
        made: the new folder.

    Raises:
        UserError: a file or folder is missing.
    """
    trials = planned_trials(cycle)
    for name in ("plan/config.json", "plan/plan.csv", *_tables(cycle)):
        _take(cycle / name, made / name)
    if (cycle / SET_ASIDE).is_file():
        _take(cycle / SET_ASIDE, made / SET_ASIDE)
    copy_registration(cycle, made)
    for name in (COMPARED, "charts/cycle", "charts/trials"):
        _take(cycle / name, made / name)
    for trial in (*trials, *calibrations(cycle)):
        specification = Path("plan/specs", trial).with_suffix(".json")
        _take(cycle / specification, made / specification)
        _take(cycle / "published" / trial, made / "trials" / trial)


def copy_registration(cycle: Path, made: Path) -> None:
    """Copy the registration, if there is one. It is no link: the cycle may add lines later.

    Raises:
        UserError: it is damaged.
    """
    if read_registration(cycle / "plan"):
        shutil.copyfile(cycle / REGISTRATION, made / REGISTRATION)


def planned_trials(cycle: Path) -> list[Path]:
    """<setting>/<pair>/<nn> of every trial in the plan of a complete cycle.

    Raises:
        UserError: the cycle has no complete plan.
    """
    plan = cycle / "plan/plan.csv"
    if not plan.is_file():
        todo = "complete the cycle first (make cycle), or keep what is measured by freeze --lean"
        raise UserError(f"{plan}: is missing; {todo}")
    return [line.key.path for line in read_plan(plan)]


def calibrations(cycle: Path) -> list[Path]:
    """<setting>/calibration/<nn> of every calibration that was measured or published."""
    folders = (cycle / "trials", cycle / "published")
    return sorted(
        {path.relative_to(folder) for folder in folders for path in folder.glob(f"*/{CALIBRATION}/[0-9]*")}
    )


def _tables(cycle: Path) -> Iterator[str]:
    """The files in tables/. A table with very many rows has no CSV (scripts/tables/output.py)."""
    yield "tables/cycle.json"
    for table in tables_of(cycle):
        yield f"tables/{table}.parquet"
        if (cycle / f"tables/{table}.csv").is_file():
            yield f"tables/{table}.csv"


def _take(source: Path, target: Path) -> None:
    """Link a file, or all files of a folder."""
    if not source.exists():
        raise UserError(
            f"{source}: is missing; complete the cycle first (make cycle), or freeze it with --rebuild"
        )
    if source.is_file():
        link(source, target)
        return
    ignored = shutil.ignore_patterns(SNAKEMAKE_STAMP)
    shutil.copytree(source, target, copy_function=link, ignore=ignored)
