"""Parquet files of the paper's size, drawn from a seed: two downloads share a full link."""

import json
from collections.abc import Sequence
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from scripts.base.files import write_text
from scripts.base.parquet import RowGroupWriter, write_rows
from scripts.extract.clients import CLIENTS_SCHEMA
from scripts.extract.flows import FLOWS_SCHEMA
from scripts.extract.packets import COUNTERS as PACKET_COUNTERS
from scripts.extract.packets import PACKETS_SCHEMA
from scripts.extract.qoe_table import QOE_SCHEMA
from scripts.extract.queue_log import COUNTERS as QUEUE_COUNTERS
from scripts.extract.queue_log import QUEUE_SCHEMA
from scripts.extract.sender_samples import SENDERS_SCHEMA
from scripts.model.campaign import Campaign
from scripts.model.link import OVERHEAD_BYTES
from scripts.model.pairs import members, pair_name
from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.trials import TrialKey
from scripts.tables.cycle_tables import PER_TRIAL
from tests.tables.campaigns import campaign, service

START_NS = 1_800_000_000_000_000_000
FRAME_BYTES, IP_BYTES, PAYLOAD_BYTES, ACK_BYTES = 1514, 1500, 1448, 66
RATE_MBPS, QUEUE_PACKETS, RTT_NS = 50, 1024, 50_000_000
SPACING_NS = (FRAME_BYTES + OVERHEAD_BYTES) * 8 * 1000 // RATE_MBPS
DROPPED = 0.01
CLIENTS = (1, 2)
BATCH = 1 << 18
SERVICES = [f"s{number:02d}" for number in range(1, 13)]
SETTINGS = ("50mbps", "8mbps")
TRIALS_A_PAIR = 10

Integers = NDArray[np.int64]


def write_trial(folder: Path, duration_s: int, seed: int = 1) -> int:
    """Write what scripts.extract would write for a trial of this length, without senders and QoE.

    A packet that the queue drops arrives again one RTT later.

    Returns:
        The number of rows.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    count = duration_s * 10**9 // SPACING_NS
    departure = START_NS + np.arange(1, count + 1) * SPACING_NS
    steps = rng.integers(-SPACING_NS // 2, SPACING_NS // 2 + 1, count)
    arrival = np.maximum.accumulate(departure - np.abs(np.cumsum(steps)) % (QUEUE_PACKETS * SPACING_NS))
    client = rng.integers(1, 3, count)
    again = np.flatnonzero((rng.random(count) < DROPPED) & (arrival > START_NS + 2 * RTT_NS))
    queue = {
        "arrival_ns": np.concatenate([arrival, arrival[again] - RTT_NS]),
        "departure_ns": np.concatenate([departure, np.zeros(len(again), dtype=np.int64)]),
        "client": np.concatenate([client, client[again]]),
    }
    queue["tcp_seq"] = _sequences(queue["arrival_ns"], queue["client"], again, count)
    verdict_ns = np.where(queue["departure_ns"] > 0, queue["departure_ns"], queue["arrival_ns"])
    order = np.argsort(verdict_ns, kind="stable")
    _write_queue(folder / "queue.parquet", {name: values[order] for name, values in queue.items()})
    acks = _write_packets(folder / "packets.parquet", departure, client, queue["tcp_seq"][:count])
    write_rows(folder / "flows.parquet", _flows())
    counts = [(int((client == one).sum()), int((client[again] == one).sum())) for one in CLIENTS]
    write_rows(folder / "clients.parquet", _clients(duration_s, counts))
    write_rows(folder / "senders.parquet", SENDERS_SCHEMA.empty_table())
    write_rows(folder / "qoe.parquet", QOE_SCHEMA.empty_table())
    return len(order) + count + acks


def paper_campaign(names: Sequence[str] = SERVICES) -> Campaign:
    """The campaign of the generated cycle."""
    services = (service(name, title=f"Service {name}") for name in names)
    return campaign(*services, precision_mbps={"50mbps": 1.5, "8mbps": 0.5})


def cycle_keys(names: Sequence[str] = SERVICES, trials_a_pair: int = TRIALS_A_PAIR) -> list[TrialKey]:
    """All pairs and solos of these services, so many times in two settings: 1,800 trials in the paper."""
    pairs = [*map(pair_name, combinations_with_replacement(names, 2)), *names]
    return [TrialKey(*key) for key in product(SETTINGS, pairs, range(1, trials_a_pair + 1))]


def write_cycle(trial: Path, folder: Path, count: int) -> int:
    """Write the plan and the rows of `count` trials of the paper's cycle; returns `count`.

    The rules take the cycle as measured.
    """
    record = {"campaign": folder.parent.name, "cycle": folder.name, "status": "completed", "programs": {}}
    record |= {"start_ns": START_NS, "stop_ns": START_NS, "host": None, "bottleneck": {}}
    for key in cycle_keys()[:count]:
        write_text(folder / "plan/specs" / key.path.with_suffix(".json"), "{}")
        write_text(folder / "stamps" / key.path, "")
        write_text(folder / "trials" / key.path / "trial.json", json.dumps(record))
    return write_rows_of(cycle_keys()[:count], trial, folder)


def write_rows_of(keys: Sequence[TrialKey], trial: Path, folder: Path) -> int:
    """Write the plan and the rows of trials, from the tables of one trial; returns their number."""
    tables = {table: pq.read_table(trial / f"{table}.parquet") for table in PER_TRIAL}
    for key in keys:
        rows = folder / "rows" / key.path
        rows.mkdir(parents=True)
        for table, original in tables.items():
            pq.write_table(_renamed(original, key), rows / f"{table}.parquet")
    lines = [PlanLine(order, 1, key, 600) for order, key in enumerate(keys, start=1)]
    (folder / "plan").mkdir(exist_ok=True)
    write_plan_table(lines, folder / "plan/plan.csv")
    return len(keys)


def _renamed(table: pa.Table, key: TrialKey) -> pa.Table:
    """The same rows for another trial, all valid, in the types of the table. A solo has one client's."""
    services = members(key.pair)
    values: dict[str, pa.Scalar | pa.Array] = {
        "setting": pa.scalar(key.setting),
        "pair": pa.scalar(key.pair),
        "trial": pa.scalar(key.number),
        "valid": pa.scalar(True),
        "clients": pa.scalar(len(services)),
        "able": pa.scalar(True if len(services) == 1 else None, pa.bool_()),
        "self_pair": pa.scalar(len(set(services)) < len(services)),
    }
    if "client" in table.column_names:
        table = table.filter(pc.is_in(table["client"], pa.array(["c1", "c2"][: len(services)])))
        is_first = pc.equal(table["client"], "c1")
        contenders = (services[-1], services[0]) if len(services) > 1 else ("", "")
        instances = ("worse_off", "better_off") if len(set(services)) < len(services) else ("first", "first")
        values |= {
            name: pc.if_else(is_first, *of_clients)
            for name, of_clients in (
                ("service", (services[0], services[-1])),
                ("contender", contenders),
                ("instance", instances),
            )
        }
    columns = []
    for field in table.schema:
        value = values.get(field.name, table[field.name])
        if isinstance(value, pa.Scalar):
            value = pa.repeat(value, len(table))
        columns.append(value.cast(field.type))
    return pa.table(columns, schema=table.schema)


def _sequences(arrival: Integers, client: Integers, again: Integers, count: int) -> Integers:
    """Sequence numbers in order of arrival; a packet that arrives again keeps its number."""
    numbers = np.zeros(len(arrival), dtype=np.int64)
    first = np.ones(len(arrival), dtype=bool)
    first[again] = False
    for one in CLIENTS:
        mine = np.flatnonzero(first & (client == one))
        numbers[mine[np.argsort(arrival[mine], kind="stable")]] = np.arange(len(mine))
    numbers[again] = numbers[count:]
    return numbers * PAYLOAD_BYTES % 2**32


def _write_queue(path: Path, queue: dict[str, Integers]) -> None:
    with RowGroupWriter(path, QUEUE_SCHEMA, QUEUE_COUNTERS) as writer:
        for start in range(0, len(queue["client"]), BATCH):
            part = {name: values[start : start + BATCH] for name, values in queue.items()}
            dropped = part["departure_ns"] == 0
            found = np.where(
                dropped, QUEUE_PACKETS, (part["departure_ns"] - part["arrival_ns"]) // SPACING_NS
            )
            writer.write(
                _batch(
                    QUEUE_SCHEMA,
                    arrival_ns=part["arrival_ns"],
                    departure_ns=pa.array(part["departure_ns"], mask=dropped),
                    flow=part["client"] - 1,
                    tcp_seq=part["tcp_seq"],
                    frame_bytes=np.full(len(found), FRAME_BYTES),
                    ip_bytes=np.full(len(found), IP_BYTES),
                    backlog_packets=found,
                    backlog_bytes=found * FRAME_BYTES,
                    verdict=_words(dropped.astype(np.int8), ["forwarded", "tail"]),
                    client=_words(part["client"] - 1, ["c1", "c2"]),
                    dropped_ns=pa.array(part["arrival_ns"], mask=~dropped),
                )
            )


def _write_packets(path: Path, departure: Integers, client: Integers, sequence: Integers) -> int:
    """The clients' captures: every packet that left the queue, and an acknowledgement of every second one."""
    acks = 0
    with RowGroupWriter(path, PACKETS_SCHEMA, PACKET_COUNTERS) as writer:
        for one in CLIENTS:
            mine = np.flatnonzero(client == one)
            for start in range(0, len(mine), BATCH):
                rows = np.repeat(
                    mine[start : start + BATCH], np.arange(len(mine[start : start + BATCH])) % 2 + 1
                )
                up = np.concatenate([[False], rows[1:] == rows[:-1]])
                acks += int(up.sum())
                writer.write(
                    _batch(
                        PACKETS_SCHEMA,
                        client=_words(np.zeros(len(rows)), [f"c{one}"]),
                        time_ns=departure[rows] + RTT_NS // 2,
                        direction=_words(up.astype(np.int8), ["down", "up"]),
                        flow=np.full(len(rows), one - 1),
                        protocol=np.full(len(rows), 6),
                        source_port=np.where(up, 40_000, 5201),
                        destination_port=np.where(up, 5201, 40_000),
                        frame_bytes=np.where(up, ACK_BYTES, FRAME_BYTES),
                        ip_bytes=np.where(up, ACK_BYTES - 14, IP_BYTES),
                        payload_bytes=np.where(up, 0, PAYLOAD_BYTES),
                        tcp_seq=np.where(up, 1, sequence[rows]),
                        tcp_ack=np.where(up, (sequence[rows] + PAYLOAD_BYTES) % 2**32, 1),
                        tcp_flags=np.full(len(rows), 16),
                    )
                )
    return acks


def _batch(schema: pa.Schema, **columns: Integers | pa.Array) -> pa.RecordBatch:
    """Rows with these columns; the others are null."""
    rows = len(next(iter(columns.values())))
    arrays = [
        pa.array(columns[field.name]).cast(field.type)
        if field.name in columns
        else pa.nulls(rows, field.type)
        for field in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _words(codes: NDArray[np.generic], words: list[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(codes.astype(np.int8), words)


def _flows() -> pa.Table:
    rows = [
        {
            "flow": one - 1,
            "client": f"c{one}",
            "protocol": 6,
            "source": f"198.18.{one}.10",
            "source_port": 5201,
            "destination": f"198.18.{one}.2",
            "destination_port": 40_000,
        }
        for one in CLIENTS
    ]
    return pa.Table.from_pylist(rows, schema=FLOWS_SCHEMA)


def _clients(duration_s: int, counts: list[tuple[int, int]]) -> pa.Table:
    """The clients of a sound trial; the middle three fifths are its steady window, as in the paper."""
    stop = START_NS + duration_s * 10**9
    rows = [
        {
            "setting": "50mbps",
            "pair": "a~b",
            "trial": 1,
            "client": f"c{one}",
            "service": "ab"[one - 1],
            "contender": "ba"[one - 1],
            "clients": len(CLIENTS),
            "self_pair": False,
            "status": "completed",
            "trial_start_ns": START_NS,
            "trial_stop_ns": stop,
            "window_start_ns": START_NS + duration_s * 10**9 // 5,
            "window_stop_ns": stop - duration_s * 10**9 // 5,
            "rate_mbps": float(RATE_MBPS),
            "rtt_ms": RTT_NS / 1e6,
            "capture_dropped": 0,
            "arrived_packets": forwarded + dropped,
            "arrived_bytes": (forwarded + dropped) * FRAME_BYTES,
            "forwarded_packets": forwarded,
            "forwarded_bytes": forwarded * FRAME_BYTES,
            "dropped_packets": dropped,
            "dropped_bytes": dropped * FRAME_BYTES,
            "left_packets": 0,
            "left_bytes": 0,
            "write_errors": 0,
            "log_lost": 0,
            "clock_step_ns": 0,
            "capture_status": "ok",
            "capture_cut_headers": 0,
            "capture_time_jumps": 0,
            "capture_zero_length": 0,
            "overhead_bytes": OVERHEAD_BYTES,
        }
        for one, (forwarded, dropped) in zip(CLIENTS, counts, strict=True)
    ]
    return pa.Table.from_pylist(rows, schema=CLIENTS_SCHEMA)
