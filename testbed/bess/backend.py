"""BESS as a bottleneck: one trial's ports and pipeline in a running bessd, and what it reports."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError
from testbed.bess import pipeline
from testbed.bess.client import BessClient, BessError
from testbed.bess.daemon import Clock, empty, read_clock
from testbed.bess.daemon_settings import load_settings
from testbed.bess.ports import Plugs
from testbed.bess.report import Sent, complete, read_port
from testbed.bottleneck import BottleneckError, Outside, Port
from testbed.embedded.backend import EmbeddedBottleneck
from testbed.hosts import Host

CHECK_EVERY_S = 0.5
DRAIN_S = 10
DRAIN_POLL_S = 0.02


class BessBottleneck:
    """See testbed.bottleneck.Bottleneck."""

    def __init__(self, link: dict[str, Any], seed: int, work: Path, outside: Outside) -> None:
        self._settings = load_settings()
        self._client = BessClient(_from_within(self._settings.address, outside))
        self._plugs = Plugs(self._client, self._settings)
        self._switch = EmbeddedBottleneck(link, seed, work)
        self._shared = outside.directory
        self._clock: Clock | None = None
        self._ports: Sequence[Port] = ()
        self._before: dict[str, Sent] = {}
        self._told_bps = 0
        self._cores: list[int] = []
        self._checked_s = 0.0

    def make_interface(self, host: Host) -> None:
        """See Bottleneck.make_interface."""
        try:
            if self._clock is None:
                empty(self._client)
                self._clock = read_clock(self._client, self._settings)
            self._plugs.plug(host)
        except BessError as error:
            raise UserError(f"{error}; `python -m testbed bess check` looks into it") from error

    def start(self, ports: Sequence[Port], queue_log: Path | None, random_loss: bool = True) -> None:
        """See Bottleneck.start."""
        assert self._clock is not None
        self._ports = ports
        configuration = self._switch.configuration(ports, queue_log, random_loss)
        self._told_bps = self._clock.told(configuration["rate_bps"])
        with _daemon_errors():
            self._before = self._read_ports()
            pipeline.build(self._client, ports, configuration | self._files(configuration), self._told_bps)
            self._client.resume()
            self._cores = self._client.cores()
        leave_alone(self._cores)

    def check(self) -> None:
        """See Bottleneck.check."""
        if time.monotonic() - self._checked_s < CHECK_EVERY_S:
            return
        with _daemon_errors():
            self._client.ask(pipeline.QUEUE, "held")
        self._checked_s = time.monotonic()

    def stop(self) -> dict[str, Any]:
        """See Bottleneck.stop."""
        assert self._clock is not None
        with _daemon_errors():
            pipeline.close_inputs(self._client, self._ports)
            self._drain()
            self._client.pause()
            queue = self._client.ask(pipeline.QUEUE, "finish")
            delay = self._client.ask(pipeline.DELAY, "finish")
            after = self._read_ports()
            version = self._client.version()
            self._client.reset_pipeline()
        sent = {name: after[name].since(before) for name, before in self._before.items()}
        report = complete(queue, delay, sent, self._ports)
        report["parameters"] |= {
            "told_rate_bps": self._told_bps,
            "max_burst_bits": pipeline.max_burst_bits(self._told_bps),
        }
        return (
            {"backend": "bess"}
            | report
            | {
                "daemon": {
                    "version": version,
                    "ports": self._plugs.kind,
                    "cores": self._cores,
                    "assumed_hz": self._clock.assumed_hz,
                    "measured_hz": self._clock.measured_hz,
                }
            }
        )

    def _drain(self) -> None:
        deadline = time.monotonic() + DRAIN_S
        while time.monotonic() < deadline:
            held = [self._client.ask(name, "held")["packets"] for name in (pipeline.QUEUE, pipeline.DELAY)]
            if not any(held):
                return
            time.sleep(DRAIN_POLL_S)

    def _read_ports(self) -> dict[str, Sent]:
        hosts = [host for port in self._ports for host in (port.client, port.service)]
        return {host.name: read_port(self._client, host.name) for host in hosts}

    def _files(self, configuration: dict[str, Any]) -> dict[str, Any]:
        """The files of the switch's configuration, where the daemon sees them too."""
        keys = configuration.keys() & {"queue_log", "flows", "report"}
        return {key: str(self._shared / Path(configuration[key]).name) for key in keys}


def _from_within(address: str, outside: Outside) -> str:
    """The daemon's address as the trial's processes reach it, whose /run is not the machine's."""
    path = Path(address.removeprefix("unix:")).resolve()
    if address.startswith("unix:") and path.is_relative_to("/run"):
        return f"unix:/proc/self/fd/{outside.run}/{path.relative_to('/run')}"
    return address


def leave_alone(cores: list[int]) -> None:
    """Keep this process, and what it starts from now on, off the processors that the daemon polls.

    A program that waits there for a packet would wait for the daemon to be put aside first.
    """
    others = os.sched_getaffinity(0) - set(cores)
    if others:
        os.sched_setaffinity(0, others)


@contextmanager
def _daemon_errors() -> Iterator[None]:
    """An error of the daemon is one of the bottleneck: the trial failed."""
    try:
        yield
    except BessError as error:
        raise BottleneckError(str(error)) from error
