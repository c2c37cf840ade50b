"""The rows of trials in a lean snapshot: as small as they get, and the queue by seconds.

trial_series keeps the bytes and the drops of each 100 ms, so every table follows from it as from the full
one. The length and the delay of the queue are means, or maxima, of the slots of a second. They stand in the
first slot of that second, and are null in the others.
"""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.files import replacing
from scripts.tables.database import connect

SERIES, COUNTER, TIME = "trial_series", "slot", "time_s"
"""A table, its column of growing numbers, and its column with the same values again for every client."""
LEVEL = 19
"""The level of zstd. It costs a second, once."""

THINNED = """
select * replace (
    case when slot % 10 = 0 then round(avg(backlog_packets_mean) over a_second, 1) end
        as backlog_packets_mean,
    case when slot % 10 = 0 then max(backlog_packets_max) over a_second end as backlog_packets_max,
    case when slot % 10 = 0 then round(avg(queueing_delay_mean_ms) over a_second, 2) end
        as queueing_delay_mean_ms
)
from series
window a_second as (partition by setting, pair, trial, client, slot // 10)
order by setting, pair, trial, client, slot
"""
"""trial_series with the queue of each second. Done again, it changes nothing."""


def pack_rows(path: Path) -> None:
    """Write the rows of a table of level trial again, for a lean snapshot."""
    rows = thinned(pq.read_table(path)) if path.stem == SERIES else pq.read_table(path)
    counters = [COUNTER] if COUNTER in rows.column_names else []
    plain = {*counters, TIME}
    with replacing(path) as packed:
        pq.write_table(
            rows,
            packed,
            compression="zstd",
            compression_level=LEVEL,
            use_dictionary=[name for name in rows.column_names if name not in plain],
            column_encoding=dict.fromkeys(counters, "DELTA_BINARY_PACKED") or None,
        )


def thinned(series: pa.Table) -> pa.Table:
    """The rows of trial_series with the queue of each second (THINNED)."""
    with connect() as database:
        database.register("series", series)
        rows: pa.Table = database.execute(THINNED).to_arrow_table()
    return rows.cast(series.schema.remove_metadata())
