"""A second FQ for comparison, from the deficit round robin of Shreedhar and Varghese 1996, section 3."""

from collections import deque
from collections.abc import Iterator

OPTIONS = [{}, {"quantum_bytes": 300, "flow_fraction": 0.05}, {"quantum_bytes": 4000, "flow_fraction": 1}]
VERDICTS = {"forwarded", "tail"}
DEFAULTS = {"quantum_bytes": 1514, "flow_fraction": 0.2}


class Reference:
    """Active flows in the order of their turns, each with its queue and its deficit counter."""

    def __init__(self, options: dict, case) -> None:
        chosen = DEFAULTS | options
        self.quantum, self.holds = chosen["quantum_bytes"], case.holds
        self.flow_limit = {
            unit: int(chosen["flow_fraction"] * most + 0.5) for unit, most in case.limit.items()
        }
        self.active: dict[int, deque] = {}
        self.deficit: dict[int, int] = {}
        self.sending = self.turns()

    def __len__(self) -> int:
        return sum(map(len, self.active.values()))

    def enqueue(self, packet, now_ns: int) -> list:
        every = [packet, *(queued for queue in self.active.values() for queued in queue)]
        own = [queued for queued in every if queued.flow_hash == packet.flow_hash]
        used = {"queue_packets": len(own), "queue_bytes": sum(each.frame_bytes for each in own)}
        over = len(own) > 1 and any(used[unit] > most for unit, most in self.flow_limit.items())
        if over or not self.holds(len(every), sum(each.frame_bytes for each in every)):
            return [(packet, "tail")]
        self.active.setdefault(packet.flow_hash, deque()).append(packet)
        self.deficit.setdefault(packet.flow_hash, 0)
        return []

    def dequeue(self, now_ns: int) -> tuple:
        return [], (next(self.sending), "forwarded") if self.active else None

    def turns(self) -> Iterator:
        """What is sent in which order; asked for a packet only while there is one.

        A flow leaves with its last packet. If it returns before the next one is sent, it has a new queue.
        """
        while True:
            flow, queue = next(iter(self.active.items()))
            self.deficit[flow] += self.quantum
            while queue and queue[0].frame_bytes <= self.deficit[flow]:
                packet = queue.popleft()
                self.deficit[flow] -= packet.frame_bytes
                if not queue:
                    del self.active[flow], self.deficit[flow]
                yield packet
            if queue:
                self.active[flow] = self.active.pop(flow)  # to the end
