"""Loss upstream, distinguished from drops, reordering and retransmissions, on streams drawn from seeds."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.extract.clients import CLIENTS_SCHEMA
from scripts.extract.queue_log import QUEUE_SCHEMA
from scripts.tables.database import build, connect

RTT_NS, SPACING_NS, PAYLOAD = 50_000_000, 1_000_000, 1448
SEGMENTS = 4000


def stream(rng, flow, lose, drop, overtake):
    """Rows of one flow, and how many packets it lost upstream; a lost packet is sent again an RTT later."""
    base, rows, lost = rng.randrange(2**32), [], 0
    waiting = [(number * SPACING_NS + flow, number, 0) for number in range(SEGMENTS)]
    while waiting:
        time_ns, number, tries = waiting.pop()
        again = (time_ns + RTT_NS + rng.randrange(RTT_NS), number, tries + 1)
        if tries == 0 and number < SEGMENTS - 200 and rng.random() < lose:
            lost += 1
            waiting.append(again)
            continue
        if tries == 0 and rng.random() < overtake:
            time_ns += rng.randrange(2, 20) * SPACING_NS
        dropped = rng.random() < drop
        if dropped:
            waiting.append(again)
        rows.append(
            {
                "arrival_ns": time_ns,
                "departure_ns": None if dropped else time_ns + rng.randrange(RTT_NS),
                "flow": flow,
                "tcp_seq": (base + number * PAYLOAD) % 2**32,
                "ip_bytes": PAYLOAD + 52,
                "verdict": "tail" if dropped else "forwarded",
                "client": f"c{flow + 1}",
            }
        )
    return rows, lost


def measured(tmp_path, rows):
    """The lost packets of each client, according to the table."""
    rng = random.Random(0)
    rng.shuffle(rows)
    clients = [
        {"setting": "8mbps", "pair": "a~b", "trial": 1, "client": client, "service": service}
        | {"status": "completed", "rtt_ms": RTT_NS / 1e6}
        for client, service in (("c1", "a"), ("c2", "b"))
    ]
    pq.write_table(pa.Table.from_pylist(clients, schema=CLIENTS_SCHEMA), tmp_path / "clients.parquet")
    pq.write_table(pa.Table.from_pylist(rows, schema=QUEUE_SCHEMA), tmp_path / "queue.parquet")
    with connect() as connection:
        paths = {name: tmp_path / f"{name}.parquet" for name in ("clients", "queue")}
        found = build(connection, "upstream_loss", paths).to_pylist()
    return [row["lost_packets"] for row in found]


@pytest.mark.parametrize("seed", range(5))
def test_drops_and_overtaking_are_no_loss(tmp_path, seed):
    rng = random.Random(seed)
    rows = [row for flow in (0, 1) for row in stream(rng, flow, lose=0, drop=0.05, overtake=0.05)[0]]
    assert measured(tmp_path, rows) == [0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_every_packet_lost_upstream_is_counted(tmp_path, seed):
    rng = random.Random(seed)
    first, lost_of_first = stream(rng, 0, lose=0.01, drop=0.02, overtake=0.03)
    second, lost_of_second = stream(rng, 1, lose=0.001, drop=0.02, overtake=0)
    assert lost_of_first > 0
    assert measured(tmp_path, first + second) == [lost_of_first, lost_of_second]
