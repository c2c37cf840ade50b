"""A second HHF for comparison, from what Linux documents of `hhf` and from Estan and Varghese 2002."""

from collections import deque

from tests.testbed.queues.reference_fq_codel import mix

OPTIONS = [
    {},
    {"admit_bytes": 20_000, "evict_timeout_ns": 20_000_000, "quantum_bytes": 300, "non_hh_weight": 5},
    {
        "admit_bytes": 3000,
        "reset_timeout_ns": 5_000_000,
        "evict_timeout_ns": 100_000_000,
        "hh_flows_limit": 2,
    },
]
VERDICTS = {"forwarded", "tail"}
DEFAULTS = {
    "admit_bytes": 131_072,
    "reset_timeout_ns": 40_000_000,
    "evict_timeout_ns": 1_000_000_000,
    "hh_flows_limit": 2048,
    "non_hh_weight": 2,
    "quantum_bytes": 1514,
}


class Filter:
    """The counters by array and place (absent: 0), and when heavy hitters were seen last, by their number."""

    def __init__(self, options: dict, seed: int) -> None:
        self.options, self.seed = options, seed
        self.counters: dict[tuple[int, int], int] = {}
        self.seen: dict[int, int] = {}
        self.reset_ns = None

    def is_heavy(self, packet, now_ns: int) -> bool:
        """Whether a packet that arrives now belongs to a heavy hitter."""
        if self.reset_ns is None or self.reset_ns + self.options["reset_timeout_ns"] < now_ns:
            self.counters, self.reset_ns = {}, now_ns
        timeout_ns = self.options["evict_timeout_ns"]
        self.seen = {number: ns for number, ns in self.seen.items() if ns + timeout_ns >= now_ns}
        number = mix(packet.flow_hash ^ self.seed) & 0xFFFFFFFF
        is_known = number in self.seen
        has_room = len(self.seen) < self.options["hh_flows_limit"]
        is_heavy = is_known or (self.exceeds(number, packet.frame_bytes) and has_room)
        if is_heavy:
            self.seen[number] = now_ns
        return is_heavy

    def exceeds(self, number: int, frame_bytes: int) -> bool:
        """Whether the packet brings all four counters above the threshold. If not, it is counted."""
        places = self.places(number)
        total = min(self.counters.get(place, 0) for place in places) + frame_bytes
        if total > self.options["admit_bytes"]:
            return True
        self.counters |= {place: total for place in places if self.counters.get(place, 0) < total}
        return False

    @staticmethod
    def places(number: int) -> list[tuple[int, int]]:
        """Array and place of each of a flow's counters."""
        digits = [number >> shift & 1023 for shift in (0, 10, 20, 30)]
        digits[3] ^= digits[0] ^ digits[1] ^ digits[2]
        return list(enumerate(digits))


class Bucket:
    """Packets that are served together, with `quantum` bytes a round."""

    def __init__(self, quantum: int) -> None:
        self.packets: deque = deque()
        self.quantum, self.deficit = quantum, 0


class Reference:
    """Two buckets under weighted deficit round robin; those in `new` are served before those in `old`."""

    def __init__(self, options: dict, case) -> None:
        chosen = DEFAULTS | options
        self.holds, self.filter = case.holds, Filter(chosen, case.seed)
        self.heavy = Bucket(chosen["quantum_bytes"])
        self.light = Bucket(chosen["quantum_bytes"] * chosen["non_hh_weight"])
        self.new: list[Bucket] = []
        self.old: list[Bucket] = []

    def __len__(self) -> int:
        return len(self.heavy.packets) + len(self.light.packets)

    def bytes(self) -> int:
        return sum(packet.frame_bytes for packet in [*self.heavy.packets, *self.light.packets])

    def enqueue(self, packet, now_ns: int) -> list:
        is_heavy = self.filter.is_heavy(packet, now_ns)
        bucket = self.heavy if is_heavy else self.light
        bucket.packets.append(packet)
        if bucket not in self.new + self.old:
            (self.old if is_heavy else self.new).append(bucket)
            bucket.deficit = bucket.quantum
        drops = []
        while not self.holds(len(self), self.bytes()):
            drops.append(((self.heavy.packets or self.light.packets).popleft(), "tail"))
        return drops

    def dequeue(self, now_ns: int) -> tuple:
        while self.new or self.old:
            chosen = self.new or self.old
            bucket = chosen[0]
            if bucket.deficit <= 0:
                bucket.deficit += bucket.quantum
                self.old.append(chosen.pop(0))
            elif bucket.packets:
                packet = bucket.packets.popleft()
                bucket.deficit -= packet.frame_bytes
                return [], (packet, "forwarded")
            else:
                chosen.pop(0)
                if chosen is self.new and self.old:
                    self.old.append(bucket)
        return [], None
