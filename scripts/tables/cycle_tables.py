"""Build the tables of level trial and of level cycle from those of the trials, and `equivalence`.

The folder of a trial holds what scripts.tables.trial_tables wrote.

Another cycle may have stored its rows of trial_services with an earlier version of the observatory.

Columns are only added (scripts/site/data/contract.py). A table that lacks one is read with nulls: the queries
of `changes` and `equivalence` join the rows by the names of the columns.
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.model.campaign import Campaign
from scripts.model.plan_file import read_plan
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.output import write_table
from scripts.tables.parameters import bind_parameters
from scripts.tables.table_list import EARLIER, names_of
from scripts.tables.table_schema import check_columns, load_schema

PER_TRIAL = names_of("trial")
SUMMARIES = names_of("cycle")
EQUIVALENCE, BACKENDS = "equivalence", ("bess", "embedded")

# The number of trials held in memory at once: in the paper's cycle each has 12,000 rows of trial_series.
TRIALS_AT_ONCE = 25


def build_cycle(
    trials: list[Path],
    output: Path,
    campaign: Campaign,
    earlier: Path | None = None,
    only: Collection[str] = (*PER_TRIAL, *SUMMARIES),
) -> None:
    """Write the cycle's tables.

    Args:
        trials: the folders of the trials' tables, in any order.
        output: the folder for the cycle's tables.
        campaign: the merged configuration.
        earlier: trial_services.parquet of the previous cycle, if there is one.
        only: the tables to write. Those that they are made from are among them, or there already.

    Raises:
        UserError: a table is missing or cannot be compared with, or a trial is listed twice.
    """
    folders = _in_key_order(trials)
    for table in [table for table in PER_TRIAL if table in only]:
        write_table(_parts(folders, table), table, output, with_csv=True)
    build_summaries(output, campaign, earlier, only)


def build_summaries(
    folder: Path, campaign: Campaign, earlier: Path | None = None, only: Collection[str] = SUMMARIES
) -> None:
    """Write the tables of level cycle beside those of level trial.

    Args:
        folder: holds the tables of level trial, over all trials.
        campaign: the merged configuration.
        earlier: trial_services.parquet of the previous cycle; without it `changes` has no rows.
        only: the tables to write. Those that they are made from are among them, or there already.

    Raises:
        UserError: a table is missing, or that of the previous cycle cannot be compared with.
    """
    if earlier is not None:
        check_stored(earlier)
    with connect() as connection:
        add_formulas(connection)
        for table in [table for table in SUMMARIES if table in only]:
            schema = load_schema(table)
            paths = {source: folder / f"{source}.parquet" for source in schema.sources}
            if EARLIER in paths and earlier is None:
                write_table([], table, folder, with_csv=True)
                continue
            if EARLIER in paths and earlier is not None:
                paths[EARLIER] = earlier
            parameters = bind_parameters(schema.parameters, campaign)
            write_table([build(connection, table, {**paths, **parameters})], table, folder, with_csv=True)


def build_equivalence(rows: Mapping[str, Path], campaign: Campaign, output: Path) -> None:
    """Write the table.

    Args:
        rows: trial_services.parquet of the cycle over each bottleneck.
        campaign: the merged configuration.
        output: the folder for the table.

    Raises:
        UserError: a table is missing, or its columns are not known.
    """
    for path in rows.values():
        check_stored(path)
    inputs = {f"{backend}_trial_services": path for backend, path in rows.items()}
    parameters = bind_parameters(load_schema(EQUIVALENCE).parameters, campaign)
    with connect() as connection:
        add_formulas(connection)
        table = build(connection, EQUIVALENCE, {**inputs, **parameters})
    write_table([table], EQUIVALENCE, output, with_csv=True)


def _in_key_order(trials: list[Path]) -> list[Path]:
    """The folders sorted by setting, pair and trial, so that their tables follow in the order of the key."""
    folders: dict[tuple[str, str, int], Path] = {}
    for folder in trials:
        row = _read([folder], "validity").slice(0, 1).to_pylist()[0]
        key = (row["setting"], row["pair"], row["trial"])
        if key in folders:
            raise UserError(f"{folder}: is the same trial as {folders[key]}; list it once")
        folders[key] = folder
    return [folders[key] for key in sorted(folders)]


def _parts(folders: list[Path], table: str) -> Iterator[pa.Table]:
    """The tables of some trials after those of others. Their values were checked when each was built."""
    schema = load_schema(table)
    for first in range(0, len(folders), TRIALS_AT_ONCE):
        part = _read(folders[first : first + TRIALS_AT_ONCE], table)
        check_columns(part, schema)
        yield part


def _read(folders: list[Path], table: str) -> pa.Table:
    """The rows of these trials in their order."""
    return pa.concat_tables(_read_one(folder / f"{table}.parquet") for folder in folders)


def _read_one(path: Path) -> pa.Table:
    """The rows of one trial. Threads would cost more than they save on so few rows."""
    if not path.is_file():
        raise UserError(f"{path}: is missing; build the tables of the trial first")
    with pq.ParquetFile(path) as file:
        return file.read(use_threads=False)


def planned_folders(plan: Path, rows: Path) -> list[Path]:
    """The folder of every trial of a plan.

    Raises:
        UserError: the plan is missing or empty.
    """
    if not plan.is_file():
        raise UserError(f"{plan}: no such file; name the plan.csv of the cycle")
    folders = [rows / line.key.path for line in read_plan(plan)]
    if not folders:
        raise UserError(f"{plan}: has no trials; plan some first")
    return folders


TABLE = "trial_services"
NEEDED = ("setting", "pair", "service", "contender", "instance", "clients", "valid", "throughput_mbps")
"""The columns without which rows cannot be compared."""


def check_stored(path: Path) -> None:
    """Check the columns of a stored table.

    Raises:
        UserError: there is no such file, a needed column is missing, or a column is unknown or has another
            type.
    """
    if not path.is_file():
        raise UserError(f"{path}: no such file; name {TABLE}.parquet of a cycle")
    stored, known = pq.read_schema(path), load_schema(TABLE).arrow
    if missing := [name for name in NEEDED if name not in stored.names]:
        raise UserError(f"{path}: has no column {', '.join(missing)}; build the tables of that cycle again")
    other = [
        f"{column.name} {column.type}"
        for column in stored
        if column.name not in known.names or column.type != known.field(column.name).type
    ]
    if other:
        raise UserError(
            f"{path}: this version does not know the columns {', '.join(other)}; "
            "use the version of the observatory that made the table, or a newer one"
        )
