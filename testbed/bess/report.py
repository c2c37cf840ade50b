"""The bottleneck's report, put together from the modules' and the ports' own counters.

It has the form of the embedded switch's (testbed/embedded/report.h). Each counter is read where it is kept:
arrived and dropped at the queue, forwarded at the client's port, left in queue and delay lines or refused by
the port. A port counts the packets it refuses, but not their bytes: those are what its delay line let out and
the port did not send.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from testbed.bess.client import BessClient
from testbed.bottleneck import Port


@dataclass(frozen=True)
class Sent:
    """What a port sent since it was made, and what its device refused or the kernel had no room for."""

    packets: int
    bytes: int
    refused: int
    missed: int

    def since(self, before: "Sent") -> "Sent":
        """The difference of two readings."""
        return Sent(
            self.packets - before.packets,
            self.bytes - before.bytes,
            self.refused - before.refused,
            self.missed - before.missed,
        )


def read_port(client: BessClient, name: str) -> Sent:
    """A port's counters now."""
    statistics = client.port_statistics(name)
    return Sent(statistics.out.packets, statistics.out.bytes, statistics.out.dropped, statistics.inc.dropped)


def complete(
    queue: dict[str, Any], delay: dict[str, Any], sent: dict[str, Sent], ports: Sequence[Port]
) -> dict[str, Any]:
    """The report of a run.

    Args:
        queue: what ObservatoryQueue reported.
        delay: what ObservatoryDelay reported.
        sent: each port's counters over the run.
        ports: the hosts, in the order of the clients.
    """
    clients, uplinks = [], []
    for number, port in enumerate(ports):
        counts = dict(queue["downlink"]["clients"][number])
        under_way = delay["lines"][2 * number]
        to_client, to_service = sent[port.client.name], sent[port.service.name]
        counts |= {"forwarded_packets": to_client.packets, "forwarded_bytes": to_client.bytes}
        counts["left_packets"] += under_way["left_packets"] + to_client.refused
        counts["left_bytes"] += under_way["left_bytes"] + under_way["out_bytes"] - to_client.bytes
        clients.append(counts)
        uplinks.append({"name": counts["name"], "packets": to_service.packets, "bytes": to_service.bytes})
    totals = {key: sum(counts[key] for counts in clients) for key in queue["downlink"] if key != "clients"}
    return queue | {
        "downlink": totals | {"clients": clients},
        "uplink": {"clients": uplinks},
        "write_errors": sum(port.refused for port in sent.values()),
        "port_missed_packets": sum(port.missed for port in sent.values()),
        "lateness_ns": delay["lateness_ns"],
    }
