"""A second FQ-CoDel for comparison, over the second CoDel: from RFC 8290, section 4, and from Linux."""

from tests.testbed.queues import reference_codel
from tests.testbed.queues.reference_codel import State, state

OPTIONS = [
    {},
    {"ecn": True, "queues": 8},
    {"target_ns": 1_000_000, "interval_ns": 10_000_000, "queues": 2, "quantum_bytes": 300},
    {"as_linux": True, "ecn": True},
    {"as_linux": True, "target_ns": 1_000_000, "interval_ns": 10_000_000, "queues": 4},
]
VERDICTS = reference_codel.VERDICTS
DEFAULTS = reference_codel.DEFAULTS | {"queues": 1024, "quantum_bytes": 1514}


def mix(value: int) -> int:
    """The finalizer of MurmurHash3 for 64 bits."""
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        value = (value ^ value >> 33) * factor % 2**64
    return value ^ value >> 33


class Reference:
    """Queues by hash; those in `new` are served before those in `old`."""

    def __init__(self, options: dict, case) -> None:
        self.options, self.case = DEFAULTS | options, case
        self.as_linux = self.options["as_linux"]
        self.flows: dict[int, State] = {}  # by number; a queue is made for its first packet
        self.new: list[State] = []
        self.old: list[State] = []

    def __len__(self) -> int:
        return sum(len(flow.packets) for flow in self.flows.values())

    def bytes(self) -> int:
        return sum(flow.bytes() for flow in self.flows.values())

    def enqueue(self, packet, now_ns: int) -> list:
        number = mix(packet.flow_hash ^ self.case.seed) % self.options["queues"]
        flow = self.flows.setdefault(number, state(self.options))
        flow.backlog = self.bytes
        flow.packets.append(packet)
        if flow not in self.new and flow not in self.old:
            self.new.append(flow)
            flow.credits = self.options["quantum_bytes"]
        drops: list = []
        while not self.case.holds(len(self), self.bytes()):
            drops += self.drop_from_fattest()
        return drops

    def drop_from_fattest(self) -> list:
        """RFC 8290, 4.1.3: half the packets of the queue with the most bytes, at most 64, from its head.

        Linux drops half the bytes, and counts the drops. Of several such queues the RFC names none; the
        switch and Linux take the one with the lowest number.
        """
        _, fattest = min(self.flows.items(), key=lambda entry: (-entry[1].bytes(), entry[0]))
        if self.as_linux:
            half, drops = fattest.bytes() // 2, [fattest.packets.popleft()]
            while len(drops) < 64 and sum(packet.frame_bytes for packet in drops) < half:
                drops.append(fattest.packets.popleft())
            fattest.count += len(drops)
        else:
            count = min(64, max(1, len(fattest.packets) // 2))
            drops = [fattest.packets.popleft() for _ in range(count)]
        return [(packet, "tail") for packet in drops]

    def dequeue(self, now_ns: int) -> tuple:
        drops: list = []
        while self.new or self.old:
            chosen = self.new or self.old
            flow = chosen[0]
            if flow.credits <= 0:
                flow.credits += self.options["quantum_bytes"]
                self.old.append(chosen.pop(0))
                continue
            dropped, delivered = flow.dequeue(now_ns)
            drops += dropped
            if delivered:
                flow.credits -= delivered[0].frame_bytes
                return drops, delivered
            chosen.pop(0)
            if chosen is self.new and (self.old or not self.as_linux):
                self.old.append(flow)
        return drops, None
