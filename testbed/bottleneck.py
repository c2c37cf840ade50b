"""The bottleneck as a trial sees it: the interface that each backend implements (testbed/backends.py)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from testbed.hosts import Host


class BottleneckError(Exception):
    """The switch broke: the reason of a failed trial."""


@dataclass(frozen=True)
class Port:
    """One client behind the bottleneck, its service's side, the delay added between them, and what the
    service's packets pass before the bottleneck (`access` of config/schemas/trial.yaml; empty: nothing)."""

    client: Host
    service: Host
    delay_down_ns: int
    delay_up_ns: int
    access: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outside:
    """What a bottleneck may share with a program outside the trial's namespaces."""

    directory: Path
    """Seen by both; what it holds at the end joins what the trial leaves."""

    run: int
    """A descriptor of the machine's own /run, which the trial covers with one of its own."""


class Bottleneck(Protocol):
    """A rate limiter with one queue that all clients' downlink shares, then each client's own delay."""

    def make_interface(self, host: Host) -> None:
        """Make testbed.hosts.INTERFACE in the namespace of a host, with this bottleneck at its other end."""

    def start(self, ports: Sequence[Port], queue_log: Path | None, random_loss: bool = True) -> None:
        """Forward between the hosts of `ports`, with the delays given there; log the queue where asked.

        Without `random_loss` the link's is left out.

        Raises:
            BottleneckError: it does not come up.
        """

    def check(self) -> None:
        """Raise BottleneckError if it has ended by itself."""

    def stop(self) -> dict[str, Any]:
        """Take no more packets, deliver what is under way, and report parameters and counters.

        Raises:
            BottleneckError: it does not end in time or ends badly.
        """
