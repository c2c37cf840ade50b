"""The bottleneck as a trial sees it: the interface that each backend implements (testbed/backends.py)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from scripts.base.records import Json
from scripts.model.settings import Access
from testbed.hosts import Host


class BottleneckError(Exception):
    """The bottleneck failed. The message is the reason of a failed trial."""


@dataclass(frozen=True)
class Port:
    """One client behind the bottleneck, the host of its service, and the delay added in each direction.

    `access` is the path of the service's packets before the bottleneck, None for a direct connection.
    """

    client: Host
    service: Host
    delay_down_ns: int
    delay_up_ns: int
    access: Access | None = None


@dataclass(frozen=True)
class MachineFolders:
    """Folders that a trial shares with a program outside its namespaces."""

    shared: Path
    """A folder that both can use. Its files are added to the trial's at the end."""

    run: int
    """A descriptor of the machine's /run, over which the trial mounts its own."""


class Bottleneck(Protocol):
    """A rate limiter with one queue that the downlinks of all clients share, then each client's delay."""

    def make_interface(self, host: Host) -> None:
        """Make testbed.hosts.INTERFACE in a host's namespace, connected to this bottleneck."""

    def start(self, ports: Sequence[Port], log_queue: bool, random_loss: bool = True) -> None:
        """Forward packets between the hosts of `ports`, with their delays.

        Args:
            ports: one for each client.
            log_queue: whether to write queue.bin and flows.json.
            random_loss: False leaves out the link's random loss.

        Raises:
            BottleneckError: it does not start.
        """

    def check(self) -> None:
        """Raise BottleneckError if the bottleneck has stopped by itself."""

    def stop(self) -> dict[str, Json]:
        """Refuse new packets, deliver those under way, and report parameters and counters.

        Raises:
            BottleneckError: it does not stop in time, or stops with an error.
        """
