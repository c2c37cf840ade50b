"""The bottleneck's report, made from the counters of the BESS modules and ports.

It has the form of the embedded switch's report (testbed/embedded/report.h). The queue counts the packets that
arrive and that are dropped. The client's port counts those that are forwarded. The packets that are left are
in the queue, in the delay lines, or refused by the port. A port counts the packets it refuses but not their
bytes: these are the bytes that left the delay line without being sent. On the uplink, packets arrive at the
delay line. A packet that a port missed has not arrived.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scripts.base.errors import UserError
from scripts.base.records import Json, from_json, to_json
from scripts.model.trial_record import Counters, Downlink, UplinkCounters
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
        return PortCounts(**{name: count - vars(before)[name] for name, count in vars(self).items()})


@dataclass(frozen=True)
class DelayLine:
    """The packets that entered a delay line, left it, and remain in it."""

    in_packets: int
    in_bytes: int
    out_bytes: int
    left_packets: int
    left_bytes: int


@dataclass(frozen=True)
class DelayReport:
    """The report of ObservatoryDelay: two lines for each client, down and up.

    `lateness_ns` has the form of the embedded switch's.
    """

    lines: tuple[DelayLine, ...]
    lateness_ns: dict[str, int | list[int] | None]


@dataclass(frozen=True)
class QueueReport:
    """What is read of the report of ObservatoryQueue. The rest is passed on."""

    downlink: Downlink
    parameters: dict[str, object]


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

    Raises:
        UserError: the modules report something else, or about other clients.
    """
    downlink = from_json(QueueReport, queue, "the report of ObservatoryQueue").downlink
    if not 2 * len(downlink.clients) == len(delay.lines) == 2 * len(ports):
        raise UserError("bessd: its modules report about other clients than the trial's; restart the daemon")
    clients = [
        _downlink(client, delay.lines[2 * number], counts[port.client.name], counts[port.service.name])
        for number, (client, port) in enumerate(zip(downlink.clients, ports, strict=True))
    ]
    uplinks = [
        _uplink(client, delay.lines[2 * number + 1], counts[port.client.name], counts[port.service.name])
        for number, (client, port) in enumerate(zip(downlink.clients, ports, strict=True))
    ]
    return queue | {
        "downlink": _totals(clients) | {"clients": to_json(clients)},
        "uplink": {"clients": to_json(uplinks)},
        "write_errors": sum(port.refused for port in counts.values()),
        "lateness_ns": to_json(delay.lateness_ns),
    }


def _downlink(queue: Counters, line: DelayLine, client: PortCounts, service: PortCounts) -> Counters:
    """The counters of one client's downlink: the queue's, its delay line's and its ports'."""
    return replace(
        queue,
        forwarded_packets=client.packets,
        forwarded_bytes=client.bytes,
        left_packets=(queue.left_packets or 0) + line.left_packets + client.refused,
        left_bytes=(queue.left_bytes or 0) + line.left_bytes + line.out_bytes - client.bytes,
        missed_packets=service.missed,
    )


def _uplink(queue: Counters, line: DelayLine, client: PortCounts, service: PortCounts) -> UplinkCounters:
    """The counters of one client's uplink: its delay line's and its ports'."""
    return UplinkCounters(
        name=str(queue.name),
        packets=service.packets,
        bytes=service.bytes,
        arrived_packets=line.in_packets,
        arrived_bytes=line.in_bytes,
        left_packets=line.left_packets + service.refused,
        left_bytes=line.left_bytes + line.out_bytes - service.bytes,
        missed_packets=client.missed,
    )


def _totals(clients: Sequence[Counters]) -> dict[str, Json]:
    """The sums of the counters that all clients have."""
    counts = {name: [getattr(client, name) for client in clients] for name in vars(clients[0])}
    return {name: sum(found) for name, found in counts.items() if all(isinstance(one, int) for one in found)}
