"""A second FQ-CoDel for comparison, from RFC 8290, section 4, over the second CoDel."""

from tests.testbed.queues import reference_codel

OPTIONS = [
    {},
    {"ecn": True, "queues": 8},
    {"target_ns": 1_000_000, "interval_ns": 10_000_000, "queues": 2, "quantum_bytes": 300},
]
VERDICTS = reference_codel.VERDICTS
DEFAULTS = reference_codel.DEFAULTS | {"queues": 1024, "quantum_bytes": 1514}


def mix(value: int) -> int:
    """The finalizer of MurmurHash3 for 64 bits."""
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        value = (value ^ value >> 33) * factor % 2**64
    return value ^ value >> 33


class Flow(reference_codel.State):
    """One of the queues."""

    credits = 0


class Reference:
    """Queues by hash; those in `new` are served before those in `old`."""

    def __init__(self, options: dict, case) -> None:
        self.options, self.case = DEFAULTS | options, case
        self.flows: dict[int, Flow] = {}  # by number; a queue is made for its first packet
        self.new: list[Flow] = []
        self.old: list[Flow] = []

    def __len__(self) -> int:
        return sum(len(flow.packets) for flow in self.flows.values())

    def bytes(self) -> int:
        return sum(flow.bytes() for flow in self.flows.values())

    def enqueue(self, packet, now_ns: int) -> list:
        number = mix(packet.flow_hash ^ self.case.seed) % self.options["queues"]
        flow = self.flows.setdefault(number, Flow(self.options))
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

        Of several such queues the RFC names none; the switch takes the one with the lowest number.
        """
        _, fattest = min(self.flows.items(), key=lambda entry: (-entry[1].bytes(), entry[0]))
        count = min(64, max(1, len(fattest.packets) // 2))
        return [(fattest.packets.popleft(), "tail") for _ in range(count)]

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
            if chosen is self.new:
                self.old.append(flow)
        return drops, None
