"""A flow of Reno whose loss events are known: its window grows by a packet a round trip, an event halves it.

With one event at each peak W of the window, a cycle has W/2 round trips and 3/8 W² packets. The throughput is
then sqrt(3/2) MSS / (RTT sqrt(p)), p being the events per packet (Mathis et al. 1997, section 2).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from scripts.extract.clients import CLIENTS_SCHEMA
from scripts.extract.packets import PACKETS_SCHEMA
from scripts.extract.queue_log import QUEUE_SCHEMA
from scripts.model.link import FULL_FRAME_BYTES, OVERHEAD_BYTES, PACKET_BYTES, PAYLOAD_BYTES
from scripts.tables.table_schema import load_schema

CONSTANT = math.sqrt(3 / 2)
RTT_S, QUEUED_S = 0.1, 0.05
RATE_MBPS = 8.0


@dataclass(frozen=True)
class Flow:
    """A Reno flow.

    Attributes:
        peak: the mean window at which packets are lost.
        within: the standard deviation of these windows in a trial, as a part of the mean.
        between: that of the mean windows of trials.
        rounds: the round trips of a trial.
    """

    peak: float = 40
    within: float = 0.1
    between: float = 0.0
    rounds: int = 600


def windows(flow: Flow, draw: np.random.Generator) -> list[tuple[int, bool]]:
    """The packets of each round trip of a trial, and whether a loss event ends it."""
    mean = max(8.0, draw.normal(flow.peak, flow.between * flow.peak))
    peak = _peak(flow, mean, draw)
    window = draw.uniform(peak / 2, peak)
    found = []
    for _ in range(flow.rounds):
        lost = window >= peak
        found.append((round(window), bool(lost)))
        window = window / 2 if lost else window + 1
        peak = _peak(flow, mean, draw) if lost else peak
    return found


def _peak(flow: Flow, mean: float, draw: np.random.Generator) -> float:
    return float(max(6.0, draw.normal(mean, flow.within * mean)))


def client(trial: int, rounds: list[tuple[int, bool]]) -> dict[str, object]:
    """The row of trial_services that a trial would have."""
    packets, events = sum(size for size, _ in rounds), sum(lost for _, lost in rounds)
    seconds = RTT_S * len(rounds)
    return {
        "setting": "8mbps",
        "pair": "reno",
        "trial": trial,
        "client": "c1",
        "service": "reno",
        "contender": "",
        "clients": 1,
        "self_pair": True,
        "instance": "first",
        "status": "completed",
        "valid": True,
        "rate_mbps": RATE_MBPS,
        "rtt_ms": 1e3 * (RTT_S - QUEUED_S),
        "queueing_delay_mean_ms": 1e3 * QUEUED_S,
        "window_s": seconds,
        "arrived_packets": packets,
        "loss_events": events,
        "goodput_mbps": packets * PAYLOAD_BYTES * 8 / 1e6 / seconds,
    }


def extracted(trial: int, rounds: list[tuple[int, bool]], draw: np.random.Generator) -> dict[str, pa.Table]:
    """The tables of a trial as scripts.extract writes them, with one to five drops in a loss event.

    The queue always holds QUEUED_S of packets. The drops of an event lie in the second half of a round trip.
    """
    queue = [record for place, one in enumerate(rounds) for record in _round(place, *one, draw)]
    forwarded = [record for record in queue if record["departure_ns"] is not None]
    packets = [
        {
            "client": "c1",
            "direction": "down",
            "protocol": 6,
            "time_ns": record["departure_ns"],
            "payload_bytes": PAYLOAD_BYTES,
        }
        for record in forwarded
    ]
    own = {"trial_start_ns": 0, "window_start_ns": 0, "window_stop_ns": round(1e9 * RTT_S * len(rounds))}
    own |= {"overhead_bytes": OVERHEAD_BYTES, "capture_status": "ok"}
    named = {name: value for name, value in client(trial, rounds).items() if name in CLIENTS_SCHEMA.names}
    rule = {
        "setting": "8mbps",
        "pair": "reno",
        "trial": trial,
        "rule": "cca",
        "class": "testbed",
        "valid": True,
    }
    return {
        "queue": pa.Table.from_pylist(queue, QUEUE_SCHEMA),
        "packets": pa.Table.from_pylist(packets, PACKETS_SCHEMA),
        "clients": pa.Table.from_pylist([named | own], CLIENTS_SCHEMA),
        "validity": pa.Table.from_pylist([rule], load_schema("validity").arrow),
    }


def _round(place: int, size: int, lost: bool, draw: np.random.Generator) -> Iterator[dict[str, object]]:
    """The records of the packets of a round trip, evenly over it."""
    second_half = np.arange(size // 2, size)
    drops = {*draw.choice(second_half, size=min(draw.integers(1, 6), len(second_half)), replace=False)}
    backlog = round(QUEUED_S * RATE_MBPS * 1e6 / 8 / (FULL_FRAME_BYTES + OVERHEAD_BYTES))
    for number in range(size):
        arrival_ns = round(1e9 * RTT_S * (place + number / size))
        dropped = lost and number in drops
        yield {
            "client": "c1",
            "flow": 0,
            "arrival_ns": arrival_ns,
            "departure_ns": None if dropped else arrival_ns + round(1e9 * QUEUED_S),
            "dropped_ns": arrival_ns if dropped else None,
            "verdict": "tail" if dropped else "forwarded",
            "frame_bytes": FULL_FRAME_BYTES,
            "ip_bytes": PACKET_BYTES,
            "backlog_packets": backlog,
            "backlog_bytes": backlog * FULL_FRAME_BYTES,
        }
