"""Rebuild a part of a snapshot: its tables by the rules, or from published rows of trials, and its charts."""

import os
import shutil
from collections.abc import Callable, Collection
from pathlib import Path

import pyarrow.dataset as ds
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.files import link
from scripts.charts.cycle_files import write_cycle_charts, write_named_charts
from scripts.charts.trial_charts import chosen_of, draw_trial, write_trial_charts
from scripts.model.campaign import Campaign, read_campaign
from scripts.model.comparison import BEFORE, OTHER_BOTTLENECK, bottleneck_of, kept_comparison
from scripts.model.trials import TrialKey
from scripts.snapshot.part import CYCLE_CHARTS, TRIAL_CHARTS, TRIAL_LEVEL, SnapshotPart, closure
from scripts.snapshot.rebuild import rebuild, stage
from scripts.tables.cycle_tables import SUMMARIES, build_summaries
from scripts.tables.equivalence_table import BACKENDS, build_equivalence
from scripts.tables.output import write_table
from scripts.tables.plan_table import plan_table
from scripts.tables.table_list import EXTRACTED

DESCRIPTION = "tables/cycle.json"
BY_RULES = ("plan", "equivalence", "calibration")
"""The tables with a rule of their own; one rule makes all others."""

JOBS = os.cpu_count() or 1

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
    if part.start == "rows":
        _build_from_rows(part, snapshot, cycle)
    else:
        if part.start == "parquet":
            _reuse_extracted(cycle, chosen)
        rebuild(cycle, None if part.whole else _targets(part), lambda: tell(_done(cycle, chosen)))
    if not part.whole:
        shutil.copyfile(snapshot / DESCRIPTION, cycle / DESCRIPTION)
        _draw(part, cycle)
    return cycle


def _targets(part: SnapshotPart) -> list[str]:
    """The tables that the rules must make."""
    found = [table for table in BY_RULES if table in part.tables]
    if part.charts or {*part.tables} - {*BY_RULES}:
        found.append("trial_services")
    return [f"tables/{table}.parquet" for table in found]


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


def _build_from_rows(part: SnapshotPart, snapshot: Path, cycle: Path) -> None:
    """The tables of level cycle from the published rows of the trials.

    A snapshot from before a table has neither its rows nor what is made from them.
    """
    tables, campaign = cycle / "tables", read_campaign(cycle / "plan/config.json")
    tables.mkdir()
    needed = part.made_from & {*TRIAL_LEVEL}
    missing = {table for table in needed if not (snapshot / f"tables/{table}.parquet").is_file()}
    for table in sorted(needed - missing):
        _take_rows(part, snapshot / f"tables/{table}.parquet", tables / f"{table}.parquet")
    compared = kept_comparison(cycle)
    earlier = cycle / BEFORE if compared.before is not None else None
    made = {table for table in part.made_from & {*SUMMARIES} if not closure((table,)) & missing}
    build_summaries(tables, campaign, earlier, made)
    rows = tables / "trial_services.parquet"
    if "plan" in part.tables:
        write_table([plan_table(campaign, cycle / "plan/plan.csv", rows)], "plan", tables, with_csv=True)
    if "equivalence" in part.tables:
        both = dict.fromkeys(BACKENDS, cycle / OTHER_BOTTLENECK) | {str(bottleneck_of(cycle)): rows}
        build_equivalence(both, campaign, tables)


def _take_rows(part: SnapshotPart, published: Path, target: Path) -> None:
    """The rows of the part's trials in a table of level trial, which are its first rows' input."""
    chosen = part.rows_of(pq.read_schema(published).names)
    if chosen is None:
        link(published, target)
    else:
        pq.write_table(ds.dataset(published).to_table(filter=chosen), target)


def _draw(part: SnapshotPart, cycle: Path) -> None:
    """Draw the charts of a part."""
    tables, campaign = cycle / "tables", read_campaign(cycle / "plan/config.json")
    if part.draws_all:
        write_cycle_charts(tables, campaign, cycle / CYCLE_CHARTS, JOBS)
        write_trial_charts(tables, campaign, cycle / TRIAL_CHARTS, JOBS)
        return
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
