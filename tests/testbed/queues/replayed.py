"""What becomes of every packet at a queue and its link: by the switch's code, and by a second implementation.

That of a discipline is `reference_<name>.py`, written from the published rules alone. It has

    OPTIONS    the options to compare: a list of {key: value} as the switch takes them, the others by default,
    VERDICTS   the verdicts that the sequences must bring about, so that the comparison covers them,
    Reference  the queue: Reference(options, case), `len`, and
               enqueue(packet, now_ns) -> [(packet, verdict)], the packets dropped because of this one,
               dequeue(now_ns) -> ([(packet, verdict)] dropped, then (packet, verdict) delivered, or None).
"""

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

from tests.testbed.queues.sequences import Case, Packet

WORDS = {0: "forwarded", 1: "tail", 2: "aqm", 4: "marked"}
"""The verdicts of packet.h."""

OVERHEAD_BYTES = 24


class Event(NamedTuple):
    """What became of a packet, and when it left the queue or was dropped, ns; 0 if it did not."""

    number: int
    verdict: str
    departure_ns: int = 0
    dropped_ns: int = 0


def replay(program: Path, discipline: str, options: dict, case: Case) -> list[Event]:
    """The events of a case as testbed/queues/ gives them, by the program built from replay.cc."""
    setting = {"discipline": discipline, "discipline_options": options, "rate_bps": case.rate_bps}
    lines = [json.dumps(setting | {"seed": case.seed} | case.limit)]
    lines += [" ".join(str(int(value)) for value in packet[1:]) for packet in case.arrivals]
    done = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True)
    rows = (map(int, line.split()) for line in done.stdout.splitlines())
    return [Event(number, WORDS[verdict], *times) for number, verdict, *times in rows]


class Link:
    """A link of a whole rate, and the events of the queue before it. Time is in units of 1/rate ns, exact."""

    def __init__(self, queue, rate_bps: int) -> None:
        self.queue, self.rate_bps, self.free = queue, rate_bps, 0
        self.events: list[Event] = []

    def free_ns(self) -> int:
        """When the link is free, rounded up to whole ns."""
        return -(-self.free // self.rate_bps)

    def arrive(self, packet: Packet) -> None:
        """Let depart what is due, then enqueue. A link that was idle has asked for a packet in vain."""
        now_ns = packet.arrival_ns
        self.serve(now_ns)
        if len(self.queue) == 0 and self.free_ns() <= now_ns:
            self.queue.dequeue(self.free_ns())
            self.free = now_ns * self.rate_bps
        self.note_drops(self.queue.enqueue(packet, now_ns), now_ns)
        self.serve(now_ns)

    def serve(self, until_ns: float) -> None:
        """Send what leaves the queue until then."""
        while len(self.queue) > 0 and (now_ns := self.free_ns()) <= until_ns:
            drops, delivered = self.queue.dequeue(now_ns)
            self.note_drops(drops, now_ns)
            if delivered:
                packet, verdict = delivered
                self.events.append(Event(packet.number, verdict, departure_ns=now_ns))
                self.free += (packet.frame_bytes + OVERHEAD_BYTES) * 8 * 10**9

    def note_drops(self, drops, now_ns: int) -> None:
        """Add the drops of one call."""
        self.events += [Event(packet.number, verdict, dropped_ns=now_ns) for packet, verdict in drops]


def by_reference(queue, case: Case) -> list[Event]:
    """The events of a case as a second implementation gives them."""
    link = Link(queue, case.rate_bps)
    for packet in case.arrivals:
        link.arrive(packet)
    link.serve(float("inf"))
    return link.events
