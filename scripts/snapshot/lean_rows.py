"""The rows of trials in a lean snapshot: as small as they get, and by seconds.

- trial_series has a row for each second, with the first of its slots. Bytes and drops are sums. Throughput,
  and the length and the delay of the queue, are means, or maxima, of its slots, to whole packets and 0.1 ms.
- trial_senders has RTTs to 0.1 ms, and times to 0.1 s.
- Of a complete cycle, both leave out trials that do not count, except in cells where none does.

Every table of level cycle but trial_fmp follows from these rows as from the full ones. K in that table is
made of the bytes of each 100 ms in the steady window, and depends on the services alone, which may come
later. So while a cycle goes on, trial_series keeps the slots of the steady windows of trials with several
clients.

The Parquet files are not compressed: together, as one file (packed.py), they are smaller so.
"""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.files import replacing
from scripts.tables.database import connect

SHOWN = """
shown as (
    select distinct setting, pair, trial
    from services
    where not $complete or valid or (setting, pair) not in (select (setting, pair) from services where valid)
)
"""
"""The trials whose rows are kept."""

SERIES = f"""
with
{SHOWN},

windows as (
    select
        setting,
        pair,
        trial,
        floor(min(window_start_s)) * 10 as first,
        ceil(max(window_stop_s)) * 10 as last
    from services
    where clients > 1 and not $complete
    group by setting, pair, trial
),

timed as (
    select
        rows.*,
        slot // 10 as second,
        case when slot >= first and slot < last then slot % 10 else 0 end as part
    from rows
    semi join shown using (setting, pair, trial)
    left join windows using (setting, pair, trial)
)

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
    case when part = 0 then round(avg(avg(backlog_packets_mean)) over a_second) end
        as backlog_packets_mean,
    case when part = 0 then max(max(backlog_packets_max)) over a_second end as backlog_packets_max,
    case when part = 0 then round(avg(avg(queueing_delay_mean_ms)) over a_second, 1) end
        as queueing_delay_mean_ms,
    sum(ip_bytes)::bigint as ip_bytes
from timed
group by setting, pair, trial, client, service, second, part
window a_second as (partition by setting, pair, trial, client, second)
order by setting, pair, trial, client, slot
"""
"""trial_series by seconds; while the cycle goes on, with the slots of the steady windows, and the queue of
each second in its first slot. Done again, it changes nothing."""

SENDERS = f"""
with {SHOWN}

select * replace (
    round(time_s, 1) as time_s,
    round(srtt_ms, 1) as srtt_ms,
    round(bbr_min_rtt_ms, 1) as bbr_min_rtt_ms
)
from rows
semi join shown using (setting, pair, trial)
order by setting, pair, trial, client, at_s
"""

QUERIES = {"trial_series": SERIES, "trial_senders": SENDERS}
"""The tables whose rows become fewer or shorter."""


def pack_rows(path: Path, complete: bool) -> None:
    """Write the rows of a table of level trial again, for a lean snapshot.

    Args:
        path: the table, beside trial_services.
        complete: whether the cycle is.
    """
    rows = pq.read_table(path)
    if path.stem in QUERIES:
        services = pq.read_table(path.with_name("trial_services.parquet"))
        rows = lean_rows(path.stem, rows, services, complete)
    with replacing(path) as packed:
        pq.write_table(rows, packed, compression="none")


def lean_rows(table: str, rows: pa.Table, services: pa.Table, complete: bool) -> pa.Table:
    """The rows of one of QUERIES for a lean snapshot, with the rows of trial_services of the same trials."""
    with connect() as database:
        database.register("rows", rows)
        database.register("services", services)
        found: pa.Table = database.execute(QUERIES[table], {"complete": complete}).to_arrow_table()
    return found.cast(rows.schema.remove_metadata())
