"""The bottleneck as a trial sees it: one interface, one implementation a folder."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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


def make_bottleneck(
    backend: str, link: dict[str, Any], seed: int, work: Path, outside: Outside
) -> Bottleneck:
    """The bottleneck named `backend`, for one link (config/schemas/trial.yaml), with its files in `work`."""
    if backend == "embedded":
        from testbed.embedded.backend import EmbeddedBottleneck

        return EmbeddedBottleneck(link, seed, work)
    if backend == "bess":
        from testbed.bess.backend import BessBottleneck

        return BessBottleneck(link, seed, work, outside)
    raise ValueError(f"there is no bottleneck named {backend}")


def has_own_network(backend: str) -> bool:
    """Whether all of the bottleneck is within the trial; else it is a program that runs already."""
    return backend != "bess"


@contextmanager
def made_ready(backend: str) -> Iterator[None]:
    """A bottleneck outside the trial's namespaces, seen to before the trial and left idle after it.

    Raises:
        UserError: it cannot be used.
    """
    if has_own_network(backend):
        yield
        return
    from testbed.bess.daemon import make_ready, released_at_the_end
    from testbed.bess.settings import load_settings

    settings = load_settings()
    with released_at_the_end(settings):
        make_ready(settings)
        yield
