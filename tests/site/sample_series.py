"""The pages of the sample cycle beside its published table trial_series, in which one trial is long."""

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from scripts.model.trials import TrialKey
from tests.charts.sample_cycle import INVALID
from tests.charts.sample_files import KEY
from tests.site.conftest import PLACE, built
from tests.site.pages_read import Site

TABLE = PLACE.table("trial_series", "parquet")
LONG, SHORT = TrialKey(*INVALID), TrialKey("50mbps", "iperf-bbr", 2)
"""Two trials that are drawn by the browser: of 1,320 slots and of 110."""
TIMES = 12


def rows_of(table: pa.Table, key: TrialKey) -> pa.Table:
    """The rows of a trial."""
    of_trial = (pc.field("setting") == key.setting) & (pc.field("pair") == key.pair)
    return table.filter(of_trial & (pc.field("trial") == key.number))


def lengthened(table: pa.Table) -> pa.Table:
    """The table with the rows of the trial LONG repeated, as a longer trial."""
    rows = rows_of(table, LONG)
    clients = [rows.filter(pc.field("client") == client) for client in ("c1", "c2")]
    longer = []
    for client in clients:
        count = len(client) * TIMES
        repeated = pa.concat_tables([client] * TIMES)
        for name, values in (("slot", np.arange(count)), ("time_s", np.arange(count) / 10)):
            place = repeated.schema.get_field_index(name)
            field = repeated.schema.field(place)
            repeated = repeated.set_column(place, field, pa.array(values, field.type))
        longer.append(repeated)
    first = row_of(table, LONG)
    return pa.concat_tables([table.slice(0, first), *longer, table.slice(first + len(rows))])


def row_of(table: pa.Table, key: TrialKey) -> int:
    """The number of a trial's first row."""
    return [TrialKey(*row.values()) for row in table.select(KEY).to_pylist()].index(key)


def write_published(table: pa.Table, path: Path) -> None:
    """The table at its address, with its first columns and small row groups."""
    for name in ("cycle", "campaign"):
        table = table.add_column(0, name, pa.repeat(getattr(PLACE, name), len(table)))
    path.parent.mkdir(parents=True)
    pq.write_table(table, path, compression="zstd", row_group_size=500)


def make_archive(cycle: Path, root: Path) -> Site:
    """A site with the pages of the cycle and its table trial_series."""
    source = Path(shutil.copytree(cycle, root / "snapshot"))
    table = lengthened(pq.read_table(source / "tables/trial_series.parquet"))
    pq.write_table(table, source / "tables/trial_series.parquet")
    write_published(table, root / "public" / TABLE)
    return built(root / "public", source)
