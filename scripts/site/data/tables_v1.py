"""The tables of a published cycle at their stable addresses:

    data/v1/<table>/campaign=<campaign>/cycle=<label>/part.parquet, and part.csv below 5 million rows

Every row begins with the columns `campaign` and `cycle`; the other columns are those of the snapshot.
"""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.files import digest, replacing
from scripts.base.parquet import ROW_GROUP
from scripts.site.addresses import Place
from scripts.site.data.summary import FileSummary, TableSummary
from scripts.tables.database import connect
from scripts.tables.output import write_csv

TRIAL = ("setting", "pair", "trial")
"""The columns that identify a trial."""

BY_TRIAL = ("trial_series",)
"""Tables of which readers fetch single trials by ranges: their row groups hold whole trials."""

TRIALS_IN_GROUP = 10
"""More would make a reader fetch many rows for one trial; fewer would make a long footer."""


def write_tables(snapshot: Path, site: Path, place: Place) -> tuple[TableSummary, ...]:
    """Write every table of a snapshot into data/v1/ of the site.

    The rows are streamed, and keep their order. The same snapshot gives the same bytes.

    Args:
        snapshot: the snapshot of the cycle.
        site: the root of the site.
        place: the cycle.

    Returns:
        The tables, sorted by name.

    Raises:
        UserError: a table cannot be read.
    """
    return tuple(_table(path, site, place) for path in sorted((snapshot / "tables").glob("*.parquet")))


def _table(source: Path, site: Path, place: Place) -> TableSummary:
    """Write one table as Parquet, and as CSV if it has not too many rows."""
    parquet, csv = (site / place.table(source.stem, form) for form in ("parquet", "csv"))
    try:
        with pq.ParquetFile(source, pre_buffer=False) as table, replacing(parquet) as fresh:
            _write(table, source, fresh, place)
            rows: int = table.metadata.num_rows
    except pa.ArrowInvalid as error:
        raise UserError(f"{source}: not a Parquet table: {error}; verify the snapshot") from error
    write_csv(parquet)
    files = [path for path in (parquet, csv) if path.is_file()]
    return TableSummary(source.stem, rows, tuple(map(_file, files)))


def _file(path: Path) -> FileSummary:
    return FileSummary(path.suffix.removeprefix("."), path.stat().st_size, digest(path))


def _write(table: pq.ParquetFile, source: Path, path: Path, place: Place) -> None:
    """Copy the rows of a table, with its partition as first columns.

    Only the snapshot of an incomplete cycle has the column `provisional`.
    """
    names = [name for name in table.schema_arrow.names if name != "provisional"]
    own = {"campaign": place.campaign, "cycle": place.label}
    kept = [table.schema_arrow.field(name) for name in names]
    schema = pa.schema([*(pa.field(name, pa.string()) for name in own), *kept])
    by_trial, rows = source.stem in BY_TRIAL, table.metadata.num_rows
    sizes = _whole_trials(source) if by_trial else [ROW_GROUP] * (rows // ROW_GROUP) + [rows % ROW_GROUP]
    # Statistics of the other columns would make the footer long.
    options = {
        "compression": "zstd",
        "compression_level": 1,
        "write_statistics": [*TRIAL] if by_trial else True,
    }
    batches = table.iter_batches(ROW_GROUP, columns=names)
    with pq.ParquetWriter(path, schema, **options) as writer:
        waiting = schema.empty_table()
        for size in filter(None, sizes):
            while waiting.num_rows < size:
                batch = next(batches)
                of = (pa.repeat(value, batch.num_rows) for value in own.values())
                more = pa.Table.from_arrays([*of, *batch.columns], schema=schema)
                waiting = pa.concat_tables([waiting, more])
            writer.write_table(waiting.slice(0, size), row_group_size=ROW_GROUP)
            waiting = waiting.slice(size)


def _whole_trials(source: Path) -> Iterator[int]:
    """The rows of each row group, which ends with a trial.

    It has at most TRIALS_IN_GROUP trials and, unless one trial is longer, ROW_GROUP rows.
    """
    query = f"select count(*) from read_parquet($1, file_row_number = true) group by {', '.join(TRIAL)} "
    with connect() as connection:
        groups = connection.execute(query + "order by min(file_row_number)", [str(source)]).fetchall()
    group: list[int] = []
    for (rows,) in groups:
        if len(group) == TRIALS_IN_GROUP or (group and sum(group) + rows > ROW_GROUP):
            yield sum(group)
            group = []
        group.append(rows)
    if group:
        yield sum(group)
