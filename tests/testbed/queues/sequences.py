"""Generated sequences of arrivals at a queue: bursts, silence, many flows, one heavy flow, overload."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

PACKETS = 800


class Packet(NamedTuple):
    """One arrival: its number from 0, ns, the hash of its flow, frame bytes, whether it can carry a mark."""

    number: int
    arrival_ns: int
    flow_hash: int
    frame_bytes: int
    ecn_capable: bool


@dataclass(frozen=True)
class Case:
    """A sequence of arrivals, and the queue and link that it meets. The limit: packets or frame bytes."""

    name: str
    arrivals: list[Packet]
    rate_bps: int
    seed: int
    limit: dict[str, int]

    def holds(self, packets: int, frame_bytes: int) -> bool:
        """Whether the limit allows so much in the queue."""
        used = {"queue_packets": packets, "queue_bytes": frame_bytes}
        return all(used[unit] <= most for unit, most in self.limit.items())


def cases() -> list[Case]:
    """36 sequences: six patterns, each with six seeds, links, limits and shares of ECN-capable flows."""
    rates_bps = [8_000_000, 50_000_000, 7_000_000, 1_500_000, 8_000_000, 20_000_000]
    limits = [
        *({"queue_packets": most} for most in (30, 300, 100, 1000)),
        *({"queue_bytes": most} for most in (60_000, 200_000)),
    ]
    return [
        Case(f"{name} {seed}", _arrivals(name, seed, rate_bps), rate_bps, 97 * seed, limit)
        for name in PATTERNS
        for seed, (rate_bps, limit) in enumerate(zip(rates_bps, limits, strict=True))
    ]


def _arrivals(name: str, seed: int, rate_bps: int) -> list[Packet]:
    random = Random(f"{name} {seed}")
    frame_ns = 1538 * 8 * 10**9 // rate_bps
    hashes = [random.getrandbits(64) for _ in range(80)]
    capable = [random.random() < (0, 1, 0.5)[seed % 3] for _ in hashes]
    now_ns, packets = 0, []
    pattern = PATTERNS[name](random)
    for number in range(PACKETS):
        gap_frames, flow, frame_bytes = next(pattern)
        now_ns += round(gap_frames * frame_ns)
        packets.append(Packet(number, now_ns, hashes[flow], frame_bytes, capable[flow]))
    return packets


Steps = Iterator[tuple[float, int, int]]
"""Of each packet: the gap before it in times of a full frame on the link, its flow, its frame bytes."""


def _bursts(random: Random) -> Steps:
    """Groups of packets at one time, of one flow each."""
    while True:
        flow = random.randrange(6)
        yield 80 * random.random(), flow, 1514
        for _ in range(random.randrange(90)):
            yield 0, flow, 1514


def _idle_gaps(random: Random) -> Steps:
    """Overload for some 200 packets, then up to four thousand packets' time of silence."""
    while True:
        yield random.choice([5, 300, 4000]) * random.random(), 0, 1514
        for _ in range(random.randrange(100, 300)):
            yield random.random(), random.randrange(3), 1514


def _many_flows(random: Random) -> Steps:
    """64 flows with two packets each in the queue, in turn; sometimes a pause."""
    while True:
        for flow in range(64):
            yield 30 * random.random() if random.random() < 0.005 else 0, flow, 1514
            yield 1.4 * random.random(), flow, random.choice([1514, 1514, 60])


def _one_heavy(random: Random) -> Steps:
    """One flow that alone overloads the link, and some sparse ones."""
    while True:
        sparse = random.random() < 0.1
        yield 1.6 * random.random(), random.randrange(1, 20) if sparse else 0, 200 if sparse else 1514


def _mixed_sizes(random: Random) -> Steps:
    """Frames of 60 to 1514 bytes at about the rate of the link."""
    while True:
        yield 1.02 * random.random(), random.randrange(12), random.randrange(60, 1515)


def _overload(random: Random) -> Steps:
    """Three times what the link carries, then a third of it, of four flows."""
    while True:
        for gap in (0.33, 3):
            for _ in range(200):
                yield 2 * gap * random.random(), random.randrange(4), 1514


PATTERNS = {
    "bursts": _bursts,
    "idle gaps": _idle_gaps,
    "many flows": _many_flows,
    "one heavy": _one_heavy,
    "mixed sizes": _mixed_sizes,
    "overload": _overload,
}
