"""Loss upstream, distinguished from drops, reordering and retransmissions, on streams drawn from seeds."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.extract.clients import CLIENTS_SCHEMA
from scripts.extract.queue_log import QUEUE_SCHEMA
from scripts.tables.database import build, connect
from tests.tables.tcp_streams import RTT_NS, stream


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
