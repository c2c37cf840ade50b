"""Whatever competition does to two services, no trial is excluded; what the testbed does excludes it."""

import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.extract.clients import CLIENTS_SCHEMA
from scripts.extract.packets import PACKETS_SCHEMA
from scripts.extract.qoe_table import qoe_table
from scripts.extract.queue_log import QUEUE_SCHEMA
from scripts.extract.sender_samples import SENDERS_SCHEMA
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_trial_formulas
from scripts.tables.parameters import bind_parameters
from scripts.tables.table_schema import load_schema
from tests.tables.tcp_streams import PAYLOAD, RTT_NS, stream
from tests.tables.test_cases import CAMPAIGN

SECOND_NS = 1_000_000_000
STOP_NS = 20 * SECOND_NS
MAXIMUM_BYTES = 33_554_432
PROTOCOL = {"protocol": 6, "frame_bytes": 54, "payload_bytes": 0}
TESTBED = {"rate_mbps": 8.0, "rtt_ms": RTT_NS / 1e6, "capture_status": "ok", "overhead_bytes": 24} | {
    "receive_window_maximum_bytes": MAXIMUM_BYTES,
    "lateness_p99_ns": 100_000,
    "longest_stall_ns": 5_000_000,
    "sender_wait_fraction": 0.01,
    "client_wait_fraction": 1.0,
    "trial_start_ns": 0,
    "trial_stop_ns": STOP_NS,
    "window_start_ns": SECOND_NS,
    "window_stop_ns": STOP_NS - SECOND_NS,
}
NOTHING = dict.fromkeys(
    [
        *("capture_dropped", "capture_cut_headers", "capture_time_jumps", "capture_zero_length"),
        *("left_packets", "left_bytes", "lost_before_packets", "write_errors", "log_lost", "clock_step_ns"),
        *(
            "device_dropped_packets",
            "uplink_arrived_packets",
            "uplink_forwarded_packets",
            "uplink_left_packets",
        ),
    ],
    0,
)


def handshake(rng, client, loss):
    """The SYNs of a client and the SYN-ACKs at the bottleneck, until one is forwarded; five at most."""
    syns, syn_acks = [], []
    flow = 10 + int(client[1:])
    for attempt in range(5):
        sent_ns = (2**attempt - 1) * SECOND_NS
        arrival_ns, dropped = sent_ns + RTT_NS // 2, rng.random() < loss
        syns.append(PROTOCOL | {"client": client, "time_ns": sent_ns, "direction": "up", "flow": flow})
        syns[-1] |= {"tcp_seq": 1, "tcp_flags": 2}
        wait_ns = rng.randrange(200) * 1_000_000
        syn_acks.append(
            {"client": client, "flow": flow, "tcp_seq": 99, "frame_bytes": 74, "ip_bytes": 60}
            | {"arrival_ns": arrival_ns, "departure_ns": None if dropped else arrival_ns + wait_ns}
            | {"verdict": "tail" if dropped else "forwarded"}
        )
        if not dropped:
            break
    return syns, syn_acks


def captured(row):
    """A forwarded packet in the client's capture."""
    is_answer = row["tcp_seq"] == 99 and row["frame_bytes"] == 74
    return {
        "client": row["client"],
        "time_ns": row["departure_ns"] + RTT_NS // 2,
        "direction": "down",
        "flow": row["flow"],
        "protocol": 6,
        "frame_bytes": row["frame_bytes"],
        "payload_bytes": 0 if is_answer else PAYLOAD,
        "tcp_seq": row["tcp_seq"],
        "tcp_flags": 18 if is_answer else 16,
    }


def samples(rng, client):
    """A sender that is limited for any part of its time by a window below the maximum."""
    limited_us, rows = 0, []
    for second in range(20):
        rows.append(
            {"client": client, "time_ns": second * SECOND_NS, "source": "s", "source_port": 1}
            | {"destination": "d", "destination_port": 2, "bytes_sent": second * 200_000}
            | {"rwnd_limited_us": limited_us, "sndbuf_limited_us": 0}
            | {"snd_wnd_bytes": rng.randrange(MAXIMUM_BYTES)}
        )
        limited_us += rng.randrange(1_000_000)
    return rows


def counted(rows):
    """The bottleneck's counters of these packets."""
    kinds = {"arrived": rows}
    kinds["forwarded"] = [row for row in rows if row["departure_ns"] is not None]
    kinds["dropped"] = [row for row in rows if row["departure_ns"] is None]
    packets = {f"{kind}_packets": len(some) for kind, some in kinds.items()}
    return packets | {
        f"{kind}_bytes": sum(row["frame_bytes"] for row in some) for kind, some in kinds.items()
    }


def seen(rng):
    """What the client's user saw: any part of the pictures, and perhaps no video."""
    shown, dropped = rng.randrange(1000), rng.randrange(1000)
    facts = {"received_bytes": 0, "frames": {"shown": shown, "dropped": dropped}}
    return facts | ({"unmet": "the video did not start within 30 s"} if rng.random() < 0.5 else {})


def write_trial(folder, rng, **changes):
    """Write what was extracted from a trial of two services; `changes` replaces columns of its clients."""
    pair = rng.choice(("a~a", "a~b"))
    clients, packets, queue, senders, qoe = [], [], [], [], {}
    for number, service in enumerate(pair.split("~"), 1):
        client, loss = f"c{number}", rng.choice((0, 0.2, 0.7, 1))
        syns, rows = handshake(rng, client, loss)
        answered = rows[-1]["departure_ns"] is not None
        if answered:
            rows = rows + stream(rng, number - 1, lose=0, drop=rng.random() / 3, overtake=0)[0]
        packets += syns + [captured(row) for row in rows if row["departure_ns"] is not None]
        queue += rows
        senders += samples(rng, client) if answered else []
        qoe[client] = seen(rng)
        clients.append(
            {"setting": "8mbps", "pair": pair, "trial": 1, "client": client, "service": service, "clients": 2}
            | {"contender": pair.split("~")[2 - number], "self_pair": pair == "a~a", "status": "completed"}
            | {"cca_asked": "cubic", "cca": "cubic" if answered else None, "self_hosted": True}
            | {"service_sent_packets": len(rows), "service_device_dropped_packets": 0}
            | TESTBED | NOTHING | counted(rows) | changes
        )  # fmt: skip
    (folder / "qoe.json").write_text(json.dumps(qoe))
    tables = {
        "clients": pa.Table.from_pylist(clients, CLIENTS_SCHEMA),
        "packets": pa.Table.from_pylist(packets, PACKETS_SCHEMA),
        "queue": pa.Table.from_pylist(queue, QUEUE_SCHEMA),
        "senders": pa.Table.from_pylist(senders, SENDERS_SCHEMA),
        "qoe": qoe_table(folder / "qoe.json"),
    }
    for name, table in tables.items():
        pq.write_table(table, folder / f"{name}.parquet")


def judged(folder):
    """The tables of the trial, from loss upstream to the excluded trials."""
    tables = {}
    with connect() as connection:
        add_trial_formulas(connection)
        for table in ("upstream_loss", "validity", "trial_services", "excluded"):
            schema = load_schema(table)
            sources = {source: folder / f"{source}.parquet" for source in schema.sources}
            tables[table] = build(
                connection, table, {**sources, **bind_parameters(schema.parameters, CAMPAIGN)}
            )
            pq.write_table(tables[table], folder / f"{table}.parquet")
    return {table: rows.to_pylist() for table, rows in tables.items()}


@pytest.mark.parametrize("seed", range(12))
def test_no_outcome_of_competition_excludes_a_trial(tmp_path, seed):
    write_trial(tmp_path, random.Random(seed))
    tables = judged(tmp_path)
    assert [] == tables["excluded"]
    assert all(row["valid"] and row["reason"] is None for row in tables["trial_services"])
    broken = [row for row in tables["validity"] if not row["valid"]]
    assert broken and {"outcome"} == {row["class"] for row in broken}


@pytest.mark.parametrize(
    ("rule", "changes"),
    [
        ("longest_stall_rtt", {"longest_stall_ns": 10_000_001}),
        ("lateness_p99_fraction", {"lateness_p99_ns": 1_538_001}),
        ("device_dropped_packets", {"device_dropped_packets": 1}),
        ("uplink_conservation_packets", {"uplink_arrived_packets": 1}),
        ("buffer_limited_fraction", {"receive_window_maximum_bytes": 1}),
    ],
)
def test_what_the_testbed_did_excludes_it(tmp_path, rule, changes):
    write_trial(tmp_path, random.Random(0), **changes)
    assert [rule] == [row["rule"] for row in judged(tmp_path)["excluded"]]
