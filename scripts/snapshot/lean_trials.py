"""The trials in a lean snapshot: the record of each, fewer and shorter rows, and the list of omitted files.

- trial_series has a row for each second, with the first of its slots. Bytes and drops are sums. Throughput,
  and the length and the delay of the queue, are means, or maxima, of its slots, to whole packets and 0.1 ms.
- trial_senders has RTTs to 0.1 ms, and times to 0.1 s.
- Of a complete cycle, both leave out trials that do not count, except in cells where none does.

Every table of level cycle but trial_fmp follows from these rows as from the full ones. K in that table is
computed from the bytes of each 100 ms in the steady window, and depends on solos, which may come later. So
while a cycle goes on, trial_series keeps the slots of the steady windows of trials with several clients.

The Parquet files are not compressed: one compressed file of them all (lean_format.py) is smaller.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.files import link, replacing
from scripts.base.records import read_record
from scripts.extract.trial_files import TRIAL_JSON
from scripts.model.resumed import FOLDER as RESUMED
from scripts.model.resumed import resumed_from
from scripts.model.trials import TrialKey
from scripts.snapshot.about import moment
from scripts.snapshot.lean_format import LeftOutGroup, group_of, left_out_file, read_left_out
from scripts.tables.database import connect
from scripts.tables.measured_trial import LAST_ROWS, Products

FOLDERS = ("trials", "published", "parquet", "rows")
"""Where the rules put a trial, and what they make of it."""


def take_trials(cycle: Path, keys: Iterable[TrialKey], made: Path) -> list[LeftOutGroup]:
    """Take the record of each trial, and make its rows if an interrupted run did not.

    Args:
        cycle: data/<campaign>/<cycle>.
        keys: its measured trials and calibrations.
        made: the snapshot that is being made.

    Returns:
        What is left out of them. Trials that were measured before the cycle was resumed keep the reason that
        they had then.
    """
    own: list[TrialKey] = []
    for key in keys:
        if not (cycle / "rows" / key.path / LAST_ROWS).is_file():
            _products(cycle, key).make()
        link(cycle / "published" / key.path / TRIAL_JSON, made / "trials" / key.path / TRIAL_JSON)
        if resumed_from(cycle / "trials" / key.path) is None:
            own.append(key)
    before = [group for group in read_left_out(cycle / RESUMED).groups if group.of_trials]
    return [*before, *_left_out_of(cycle, own)]


def _products(cycle: Path, key: TrialKey) -> Products:
    """A trial, and where the rules put what they make of it."""
    trial, published, parquet, rows = (cycle / name / key.path for name in FOLDERS)
    config, pseudonyms = cycle / "plan/config.json", cycle / "private/pseudonyms.key"
    return Products(trial, published, parquet, rows, config, pseudonyms)


@dataclass(frozen=True)
class _MeasuredOn:
    name: str | None = None


@dataclass(frozen=True)
class _Measured:
    """The part of trial.json that says where and when a trial was measured."""

    host: _MeasuredOn | None = None
    start_ns: int | None = None


def _left_out_of(cycle: Path, keys: Sequence[TrialKey]) -> Iterator[LeftOutGroup]:
    """What is left out of the trials that were measured here, by the host that measured them."""
    records = {key: read_record(_Measured, cycle / "published" / key.path / TRIAL_JSON) for key in keys}
    for name in sorted({_name(record) for record in records.values()}):
        of_host = [key for key, record in records.items() if _name(record) == name]
        starts = [start for key in of_host if (start := records[key].start_ns) is not None]
        span = f" from {moment(min(starts))} to {moment(max(starts))}" if starts else ""
        by = f"of {len(of_host)} trials and calibrations that {name} measured{span}"
        published = [
            left_out_file(path, Path("trials", key.path, path.name))
            for key in of_host
            for path in sorted((cycle / "published" / key.path).iterdir())
            if path.name != TRIAL_JSON and not path.name.startswith(".")
        ]
        yield group_of(f"captures, logs and observations {by}: too large", published, of_trials=True)
        yield _never_published(
            f"raw files {by}, with payload and handshakes: never published", cycle, "trials", of_host
        )
        yield _never_published(
            f"packets as Parquet {by}: follow from the captures", cycle, "parquet", of_host
        )


def _name(record: _Measured) -> str:
    """The name of the host that measured a trial."""
    return record.host.name if record.host and record.host.name else "an unnamed host"


def _never_published(reason: str, cycle: Path, folder: str, keys: Sequence[TrialKey]) -> LeftOutGroup:
    """Files of trials that no full snapshot has: their number and bytes, without those that are published."""
    files = [path for key in keys for path in (cycle / folder / key.path).rglob("*") if path.is_file()]
    published = {path.stat().st_ino for key in keys for path in (cycle / "published" / key.path).iterdir()}
    sizes = [path.stat().st_size for path in files if path.stat().st_ino not in published]
    return LeftOutGroup(reason, len(sizes), sum(sizes), of_trials=True)


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
        kept: pa.Table = database.execute(QUERIES[table], {"complete": complete}).to_arrow_table()
    return kept.cast(rows.schema.remove_metadata())
