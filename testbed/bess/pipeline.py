"""The dumbbell as a BESS pipeline. Ports have the names of their hosts.

The downlink of client n: its service's port, gate n of the queue, under the rate limit, line 2 n of the
delay, its own port. Its uplink: its own port, line 2 n + 1 of the delay, its service's port.
"""

from collections.abc import Sequence
from typing import Any

from testbed.bess.client import BessClient
from testbed.bottleneck import Port

QUEUE = "queue"
DELAY = "delay"
LIMIT = "link"

BURST_NS = 100_000_000


def max_burst_bits(rate_bps: int) -> int:
    """How far the limiter may catch up after its worker was off the processor, bits: 100 ms of the link.

    With BESS's own default of 0 that time is lost to the link. Idle time earns nothing: ObservatoryQueue
    charges it to the limiter.
    """
    return rate_bps * BURST_NS // 1_000_000_000


def delay_lines(ports: Sequence[Port]) -> dict[str, Any]:
    """The argument of ObservatoryDelay."""
    lines = []
    for port in ports:
        lines += [
            {"delay_ns": port.delay_down_ns, "after_queue": True},
            {"delay_ns": port.delay_up_ns, "after_queue": False},
        ]
    return {"lines": lines}


def build(
    client: BessClient, ports: Sequence[Port], configuration: dict[str, Any], told_rate_bps: int
) -> None:
    """Make the pipeline; the workers are paused and no module is there yet.

    Args:
        client: the daemon.
        ports: the hosts, each with a port of its name.
        configuration: the switch's configuration (testbed/embedded/config.h).
        told_rate_bps: what the daemon is to take for the configuration's rate; 0: unlimited.
    """
    client.create_own(QUEUE, "ObservatoryQueue", configuration)
    client.create_own(DELAY, "ObservatoryDelay", delay_lines(ports))
    for number, port in enumerate(ports):
        down, up = 2 * number, 2 * number + 1
        for host in (port.client, port.service):
            client.port_in(_input(host.name), host.name)
            client.port_out(_output(host.name), host.name)
        client.connect(_input(port.service.name), QUEUE, igate=number)
        client.connect(QUEUE, DELAY, ogate=number, igate=down)
        client.connect(DELAY, _output(port.client.name), ogate=down)
        client.connect(_input(port.client.name), DELAY, igate=up)
        client.connect(DELAY, _output(port.service.name), ogate=up)
    if told_rate_bps > 0:
        client.limit_rate(LIMIT, QUEUE, told_rate_bps, max_burst_bits(told_rate_bps))
    client.check_constraints()


def close_inputs(client: BessClient, ports: Sequence[Port]) -> None:
    """Take no more packets in; what is under way goes on."""
    client.pause()
    for port in ports:
        client.destroy_module(_input(port.service.name))
        client.destroy_module(_input(port.client.name))
    client.resume()


def _input(port: str) -> str:
    return f"{port}-in"


def _output(port: str) -> str:
    return f"{port}-out"
