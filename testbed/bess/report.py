"""The bottleneck's report, made from the counters of the BESS modules and ports.

It has the form of the embedded switch's report (testbed/embedded/report.h). The queue counts the packets that
arrive and that are dropped. The client's port counts those that are forwarded. The packets that are left are
in the queue, in the delay lines, or refused by the port. A port counts the packets it refuses but not their
bytes: these are the bytes that left the delay line without being sent.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scripts.base.records import Json, Number, from_json, to_json
from scripts.model.trial_record import Counters, Downlink
from testbed.bess.client import BessClient
from testbed.bottleneck import Port


@dataclass(frozen=True)
class PortCounts:
    """The counters of a port: sent, refused by its device, and missed because the kernel had no room."""

    packets: int
    bytes: int
    refused: int
    missed: int

    def since(self, before: "PortCounts") -> "PortCounts":
        """The difference of two readings."""
        return PortCounts(
            self.packets - before.packets,
            self.bytes - before.bytes,
            self.refused - before.refused,
            self.missed - before.missed,
        )


@dataclass(frozen=True)
class DelayLine:
    """What left a delay line, and what is left in it."""

    out_bytes: int
    left_packets: int
    left_bytes: int


@dataclass(frozen=True)
class DelayReport:
    """The report of ObservatoryDelay: two lines for each client, down and up."""

    lines: tuple[DelayLine, ...]
    lateness_ns: dict[str, Number]


def read_port(client: BessClient, name: str) -> PortCounts:
    """A port's counters now."""
    statistics = client.port_statistics(name)
    sent, received = statistics.out, statistics.inc
    return PortCounts(sent.packets, sent.bytes, sent.dropped, received.dropped)


def complete(
    queue: dict[str, Json], delay: DelayReport, counts: dict[str, PortCounts], ports: Sequence[Port]
) -> dict[str, Json]:
    """The report of one run.

    Args:
        queue: the report of ObservatoryQueue.
        delay: the report of ObservatoryDelay.
        counts: the counters over the run, by port.
        ports: the hosts, in the order of the clients.
    """
    downlink = from_json(Downlink, queue["downlink"], "the report of ObservatoryQueue")
    clients = [
        _client(client, delay.lines[2 * number], counts[port.client.name])
        for number, (client, port) in enumerate(zip(downlink.clients, ports, strict=True))
    ]
    uplinks: list[Json] = [
        {
            "name": client.name,
            "packets": counts[port.service.name].packets,
            "bytes": counts[port.service.name].bytes,
        }
        for client, port in zip(clients, ports, strict=True)
    ]
    return queue | {
        "downlink": _totals(clients) | {"clients": to_json(clients)},
        "uplink": {"clients": uplinks},
        "write_errors": sum(port.refused for port in counts.values()),
        "port_missed_packets": sum(port.missed for port in counts.values()),
        "lateness_ns": delay.lateness_ns,
    }


def _client(queue: Counters, line: DelayLine, port: PortCounts) -> Counters:
    """The counters of one client's downlink: the queue's, its delay line's and its port's."""
    return replace(
        queue,
        forwarded_packets=port.packets,
        forwarded_bytes=port.bytes,
        left_packets=(queue.left_packets or 0) + line.left_packets + port.refused,
        left_bytes=(queue.left_bytes or 0) + line.left_bytes + line.out_bytes - port.bytes,
    )


def _totals(clients: Sequence[Counters]) -> dict[str, Json]:
    """The sums over all clients of the counters that the backend reports."""
    names = [name for name, value in vars(clients[0]).items() if isinstance(value, int)]
    return {name: sum(getattr(client, name) for client in clients) for name in names}
