"""Sequences of arrivals at the boundaries of HHF's rules, and of flows that share counters of its filter."""

from dataclasses import dataclass
from random import Random

from tests.testbed.queues.sequences import Case, Packet

SEED = 5
ADMIT_BYTES = 3000
RESET_NS, EVICT_NS = 40_000_000, 1_000_000_000

A, B, OTHER = 1 | 2 << 10 | 3 << 20, 4 | 5 << 10 | 6 << 20, 7 | 8 << 10 | 9 << 20
"""Numbers of flows (heavy_hitters.h) that share no counter: their fourth counters are 0, 7 and 6."""

NEIGHBOURS = [
    1 | 20 << 10 | 30 << 20,
    10 | 2 << 10 | 40 << 20,
    11 | 21 << 10 | 3 << 20,
    12 | 21 << 10 | 25 << 20,
]
"""Flow n shares with A the counter of array n, and no other: 12 ^ 21 ^ 25 is 0, as 1 ^ 2 ^ 3 of A."""

COLLISION_OPTIONS = {"admit_bytes": 20_000, "reset_timeout_ns": 15_000_000, "evict_timeout_ns": 8_000_000}


@dataclass(frozen=True)
class Boundary:
    """Packets (ns, number of the flow, bytes) that fill the queue, and a last one, which is too many.

    The first packet keeps the link busy for longer than the sequence, and the others fill the queue. If the
    last packet is a heavy hitter's, it is the only such one in the queue, and is dropped. If not, the oldest
    packet in the queue is.
    """

    name: str
    before: list[tuple[int, int, int]]
    last: tuple[int, int, int]
    is_heavy: bool
    options: dict[str, int]

    def case(self) -> Case:
        """The sequence."""
        arrivals = [*self.before, self.last]
        packets = [
            Packet(number, now_ns, flow_hash(flow, SEED), frame_bytes, False)
            for number, (now_ns, flow, frame_bytes) in enumerate(arrivals)
        ]
        return Case(self.name, packets, 8_000, SEED, {"queue_packets": len(self.before) - 1})


def boundaries() -> list[Boundary]:
    """One ns or byte before each boundary, at it and after it; flows that raise counters of others."""
    two_in_a_row = [(0, A, 2000), (0, OTHER, 60)]
    is_one = [(0, A, 3001), (0, OTHER, 60)]
    raised = [(0, A, 2000), *((0, flow, 1000) for flow in NEIGHBOURS)]
    taken = [(0, OTHER, 60), *((0, flow, 3000) for flow in NEIGHBOURS)]
    found = []
    for off in (-1, 0, 1):
        found += [
            _boundary(f"reset {off:+} ns", two_in_a_row, (RESET_NS + off, A, 2000), off <= 0),
            _boundary(f"evict {off:+} ns", is_one, (EVICT_NS + off, A, 60), off <= 0),
            _boundary(f"full table {off:+} ns", is_one, (EVICT_NS + off, B, 3001), off > 0, hh_flows_limit=1),
            _boundary(f"admit {off:+} bytes", two_in_a_row, (0, A, 1000 + off), off > 0),
            _boundary(f"conservative update {off:+} bytes", raised, (0, A, 1000 + off), off > 0),
        ]
    return [
        *found,
        _boundary("all counters raised by others", taken, (0, A, 60), True),
        _boundary("three counters raised by others", taken[:-1], (0, A, 60), False),
    ]


def _boundary(name: str, before: list, last: tuple, is_heavy: bool, **options: int) -> Boundary:
    return Boundary(name, before, last, is_heavy, {"admit_bytes": ADMIT_BYTES} | options)


def collisions() -> list[Case]:
    """Four sequences of 60 flows whose counters are among the first four of every array."""
    return [_collision(seed) for seed in range(4)]


def _collision(seed: int) -> Case:
    random = Random(seed)
    flows = [sum(random.randrange(4) << shift for shift in (0, 10, 20, 30)) for _ in range(60)]
    now_ns, packets = 0, []
    for number in range(800):
        now_ns += random.choice([0, 0, 150_000, 300_000, 600_000])
        flow = random.choice(flows[:3] if random.random() < 0.3 else flows)
        packets.append(Packet(number, now_ns, flow_hash(flow, seed), random.randrange(60, 1515), False))
    return Case(f"collisions {seed}", packets, 20_000_000, seed, {"queue_packets": 50})


def flow_hash(number: int, seed: int) -> int:
    """A hash of a flow that gets this number: the inverse of perturbation.h."""
    value = number
    for factor in (0xC4CEB9FE1A85EC53, 0xFF51AFD7ED558CCD):
        value ^= value >> 33
        value = value * pow(factor, -1, 1 << 64) % (1 << 64)
    return value ^ value >> 33 ^ seed
