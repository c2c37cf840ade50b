"""The bottleneck as a trial sees it: one interface, one implementation a folder."""

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


class Bottleneck(Protocol):
    """A rate limiter with one queue that all clients' downlink shares, then each client's own delay."""

    def start(self, ports: Sequence[Port], queue_log: Path | None) -> None:
        """Forward between the hosts of `ports`, with the delays given there; log the queue where asked.

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


def make_bottleneck(backend: str, link: dict[str, Any], seed: int, work: Path) -> Bottleneck:
    """The bottleneck named `backend`, for one link (config/schemas/trial.yaml), with its files in `work`."""
    if backend == "embedded":
        from testbed.embedded.backend import EmbeddedBottleneck

        return EmbeddedBottleneck(link, seed, work)
    raise ValueError(f"there is no bottleneck named {backend}")
