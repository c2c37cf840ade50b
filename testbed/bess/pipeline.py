"""The dumbbell as a BESS pipeline. A port has the name of its host.

The downlink of client n passes its service's port, gate n of the queue (whose task has the rate limit),
line 2 n of the delay, and the client's port. The uplink passes the client's port, line 2 n + 1 of the delay,
and the service's port.
"""

from collections.abc import Sequence

from scripts.base.records import Json
from testbed.bess.client import BessClient
from testbed.bottleneck import Port

QUEUE = "queue"
DELAY = "delay"
LIMIT = "link"

BURST_NS = 100_000_000


def max_burst_bits(rate_bps: int) -> int:
    """How far the limiter may catch up after its worker was preempted, bits: 100 ms of the link.

    With BESS's default of 0 the link loses that time. Idle time gives no burst: ObservatoryQueue charges it
    to the limiter.
    """
    return rate_bps * BURST_NS // 1_000_000_000


def delay_lines(ports: Sequence[Port]) -> dict[str, Json]:
    """The argument of ObservatoryDelay."""
    lines: list[Json] = []
    for port in ports:
        lines += [
            {"delay_ns": port.delay_down_ns, "after_queue": True},
            {"delay_ns": port.delay_up_ns, "after_queue": False},
        ]
    return {"lines": lines}


def build(
    client: BessClient, ports: Sequence[Port], configuration: dict[str, Json], daemon_rate_bps: int
) -> None:
    """Make the pipeline. The workers must be paused, and no module may exist.

    Args:
        client: the daemon.
        ports: the hosts; each has a port of its name.
        configuration: the switch's configuration (testbed/embedded/config.h).
        daemon_rate_bps: the configuration's rate, corrected for the daemon's clock; 0 means unlimited.
    """
    client.create_plugin_module(QUEUE, "ObservatoryQueue", configuration)
    client.create_plugin_module(DELAY, "ObservatoryDelay", delay_lines(ports))
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
    if daemon_rate_bps > 0:
        client.limit_rate(LIMIT, QUEUE, daemon_rate_bps, max_burst_bits(daemon_rate_bps))
    client.check_constraints()


def close_inputs(client: BessClient, ports: Sequence[Port]) -> None:
    """Receive no more packets. Those under way are still forwarded."""
    client.pause()
    for port in ports:
        client.destroy_module(_input(port.service.name))
        client.destroy_module(_input(port.client.name))
    client.resume()


def _input(port: str) -> str:
    return f"{port}-in"


def _output(port: str) -> str:
    return f"{port}-out"
