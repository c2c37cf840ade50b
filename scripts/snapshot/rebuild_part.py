"""Rebuild a part of a snapshot: its tables, from trials or from published rows of trials, and its charts."""

import shutil
from collections.abc import Callable, Collection
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.files import link
from scripts.charts.cycle_files import write_named_charts
from scripts.charts.trial_charts import chosen_of, draw_trial
from scripts.model.campaign import Campaign, read_campaign
from scripts.model.trials import TrialKey
from scripts.snapshot.part import CYCLE_CHARTS, TRIAL_CHARTS, TRIAL_LEVEL, SnapshotPart
from scripts.snapshot.rebuild import extract_rows, rebuild, stage, write_all_charts
from scripts.tables.cycle import make_tables
from scripts.tables.table_list import EXTRACTED

DESCRIPTION = "tables/cycle.json"

Tell = Callable[[Collection[TrialKey]], None]
"""Takes the trials that are done, now and then."""


def rebuild_part(part: SnapshotPart, snapshot: Path, work: Path, tell: Tell = lambda done: None) -> Path:
    """Rebuild a part of a snapshot.

    Args:
        part: the part.
        snapshot: its folder; only the files that the part needs must be there.
        work: the folder to work in. What was extracted stays in it.
        tell: is told which trials are done.

    Returns:
        The folder with tables/ and charts/.

    Raises:
        UserError: a rule failed, or what was extracted before is missing.
    """
    chosen = {*part.trials, *part.calibrations}
    cycle = stage(snapshot, work, chosen)
    if part.start == "parquet":
        _reuse_extracted(cycle, chosen)
    if part.whole:
        rebuild(cycle, lambda: tell(_done(cycle, chosen)))
        return cycle
    made = part.made_from
    if part.start == "rows":
        made = made - {*TRIAL_LEVEL}
        _take_rows(part, snapshot / "tables", cycle / "tables")
    else:
        extract_rows(cycle, lambda: tell(_done(cycle, chosen)))
    make_tables(cycle, made)
    shutil.copyfile(snapshot / DESCRIPTION, cycle / DESCRIPTION)
    _draw(part, cycle)
    return cycle


def _done(cycle: Path, chosen: Collection[TrialKey]) -> list[TrialKey]:
    """The trials whose rows are made."""
    names = ("trial_services.parquet", "calibration.parquet")
    return [key for key in chosen if any((cycle / "rows" / key.path / name).exists() for name in names)]


def _reuse_extracted(cycle: Path, chosen: Collection[TrialKey]) -> None:
    """Make what was extracted before newer than the plan and the code, so that no rule extracts again."""
    for key in sorted(chosen):
        for table in EXTRACTED:
            path = cycle / "parquet" / key.path / f"{table}.parquet"
            if not path.is_file():
                first = "run the same with --from captures and this --work first, which extracts it"
                raise UserError(f"{path}: is missing; {first}")
            path.touch()


def _take_rows(part: SnapshotPart, published: Path, tables: Path) -> None:
    """The published rows of the part's trials in the tables of level trial that it is made from."""
    tables.mkdir()
    for table in sorted(part.made_from & {*TRIAL_LEVEL}):
        source, target = (folder / f"{table}.parquet" for folder in (published, tables))
        if not source.is_file():
            raise UserError(f"{source}: is missing; rebuild from captures, or with the code of the snapshot")
        chosen = part.rows_of(pq.read_schema(source).names)
        if chosen is None:
            link(source, target)
        else:
            pq.write_table(ds.dataset(source).to_table(filter=chosen), target)


def _draw(part: SnapshotPart, cycle: Path) -> None:
    """Draw the charts of a part."""
    if part.draws_all:
        write_all_charts(cycle)
        return
    tables, campaign = cycle / "tables", read_campaign(cycle / "plan/config.json")
    if part.draws(CYCLE_CHARTS):
        names = {path.stem for path in part.charts if CYCLE_CHARTS in path.parents}
        write_named_charts(tables, campaign, cycle / CYCLE_CHARTS, names)
    if part.draws(TRIAL_CHARTS):
        _draw_trials(part, tables, campaign, cycle / TRIAL_CHARTS)


def _draw_trials(part: SnapshotPart, tables: Path, campaign: Campaign, output: Path) -> None:
    """Draw the charts of a trial, or of the typical and the worst trial of the first pair."""
    keys = part.trials
    if part.number is None:
        keys = tuple(key for cell in chosen_of(tables) if cell.pair == part.pairs[0] for key in cell.keys)
    for key in keys:
        draw_trial(tables, campaign, output, key)
