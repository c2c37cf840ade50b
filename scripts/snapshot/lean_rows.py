"""The rows of trials in a lean snapshot: as small as they get; of a complete cycle, by seconds.

While a cycle goes on, its rows stay as they are: K is made of slots of 100 ms, and depends on the services
alone, which may be measured later (scripts/tables/trial_fmp.sql). A complete cycle has its K, and then

- trial_series has a row for each second, with the first of its slots. Bytes and drops are sums. Throughput,
  and the length and the delay of the queue, are means, or maxima, of its slots, to whole packets and 0.1 ms.
- trial_senders has RTTs to 0.1 ms, and times to 10 ms.

Every other table of level cycle follows from these rows as from the full ones.
"""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.files import replacing
from scripts.tables.database import connect

COUNTER, TIME = "slot", "time_s"
"""A column of growing numbers, and one with the same values again for every client."""
LEVEL = 19
"""The level of zstd. It costs a second, once."""

BY_SECONDS = {
    "trial_series": """
select
    setting,
    pair,
    trial,
    client,
    service,
    min(slot)::integer as slot,
    min(time_s) as time_s,
    round(avg(throughput_mbps), 6) as throughput_mbps,
    sum(dropped_packets)::bigint as dropped_packets,
    round(avg(backlog_packets_mean)) as backlog_packets_mean,
    max(backlog_packets_max) as backlog_packets_max,
    round(avg(queueing_delay_mean_ms), 1) as queueing_delay_mean_ms,
    sum(ip_bytes)::bigint as ip_bytes
from rows
group by setting, pair, trial, client, service, slot // 10
order by setting, pair, trial, client, slot
""",
    "trial_senders": """
select * replace (
    round(time_s, 2) as time_s,
    round(srtt_ms, 1) as srtt_ms,
    round(bbr_min_rtt_ms, 1) as bbr_min_rtt_ms
)
from rows
order by setting, pair, trial, client, at_s
""",
}
"""The rows of these tables by seconds. Done again, it changes nothing."""


def pack_rows(path: Path, by_seconds: bool) -> None:
    """Write the rows of a table of level trial again, for a lean snapshot."""
    rows = pq.read_table(path)
    if by_seconds and path.stem in BY_SECONDS:
        rows = in_seconds(rows, path.stem)
    counters = [COUNTER] if COUNTER in rows.column_names else []
    plain = {*counters, TIME} if counters else set()
    with replacing(path) as packed:
        pq.write_table(
            rows,
            packed,
            compression="zstd",
            compression_level=LEVEL,
            use_dictionary=[name for name in rows.column_names if name not in plain],
            column_encoding=dict.fromkeys(counters, "DELTA_BINARY_PACKED") or None,
        )


def in_seconds(rows: pa.Table, table: str) -> pa.Table:
    """The rows of a table by seconds (BY_SECONDS)."""
    with connect() as database:
        database.register("rows", rows)
        found: pa.Table = database.execute(BY_SECONDS[table]).to_arrow_table()
    return found.cast(rows.schema.remove_metadata())
