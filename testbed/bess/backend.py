"""BESS as a bottleneck: the ports and the pipeline of one trial in a running bessd, and its report."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.records import Json, from_json
from scripts.model.link import rate_bps
from scripts.model.settings import Link
from testbed.bess import pipeline
from testbed.bess.client import BessClient, BessError
from testbed.bess.daemon import DaemonClock, empty, read_clock
from testbed.bess.daemon_settings import load_settings
from testbed.bess.ports import HostPorts
from testbed.bess.report import DelayReport, PortCounts, complete, read_port
from testbed.bottleneck import BottleneckError, MachineFolders, Port
from testbed.hosts import Host
from testbed.switch_configuration import switch_configuration

CHECK_EVERY_S = 0.5
DRAIN_S = 10
DRAIN_POLL_S = 0.02


class BessBottleneck:
    """See testbed.bottleneck.Bottleneck."""

    def __init__(self, link: Link, seed: int, folders: MachineFolders) -> None:
        self._link = link
        self._seed = seed
        self._settings = load_settings()
        self._client = BessClient(_address_in_trial(self._settings.address, folders))
        self._host_ports = HostPorts(self._client, self._settings)
        self._folder = folders.shared
        self._clock: DaemonClock | None = None
        self._ports: Sequence[Port] = ()
        self._counts_before: dict[str, PortCounts] = {}
        self._daemon_rate_bps = 0
        self._checked_s = 0.0
        self.cores: list[int] = []
        """The processors that the daemon polls, once it has been started."""

    @property
    def port_kind(self) -> str:
        """How the hosts are connected to the daemon: veth, tap or cable."""
        return self._host_ports.kind

    def make_interface(self, host: Host) -> None:
        """See Bottleneck.make_interface."""
        try:
            if self._clock is None:
                empty(self._client)
                self._clock = read_clock(self._client, self._settings)
            self._host_ports.connect(host)
        except BessError as error:
            raise UserError(f"{error}; run `python -m testbed bess check`") from error

    def start(self, ports: Sequence[Port], log_queue: bool, random_loss: bool = True) -> None:
        """See Bottleneck.start."""
        assert self._clock is not None
        self._ports = ports
        configuration = switch_configuration(
            self._link, self._seed, ports, self._folder, log_queue, random_loss
        )
        self._daemon_rate_bps = self._clock.corrected_rate_bps(rate_bps(self._link))
        with _daemon_errors():
            self._counts_before = self._read_ports()
            pipeline.build(self._client, ports, configuration, self._daemon_rate_bps)
            self._client.resume()
            self.cores = self._client.cores()
        avoid_processors(self.cores)

    def check(self) -> None:
        """See Bottleneck.check."""
        if time.monotonic() - self._checked_s < CHECK_EVERY_S:
            return
        with _daemon_errors():
            self._client.run_command(pipeline.QUEUE, "held")
        self._checked_s = time.monotonic()

    def stop(self) -> dict[str, Json]:
        """See Bottleneck.stop."""
        with _daemon_errors():
            pipeline.close_inputs(self._client, self._ports)
            self._drain()
            self._client.pause()
            queue = self._client.run_command(pipeline.QUEUE, "finish")
            delay = from_json(
                DelayReport, self._client.run_command(pipeline.DELAY, "finish"), "ObservatoryDelay"
            )
            after = self._read_ports()
            version = self._client.version()
            self._client.reset_pipeline()
            counts = {name: after[name].since(before) for name, before in self._counts_before.items()}
            report = complete(queue, delay, counts, self._ports)
        parameters = report["parameters"]
        assert isinstance(parameters, dict)
        rate_parameters = {
            "told_rate_bps": self._daemon_rate_bps,
            "max_burst_bits": pipeline.max_burst_bits(self._daemon_rate_bps),
        }
        return (
            {"backend": "bess"}
            | report
            | {"parameters": parameters | rate_parameters, "daemon": self._daemon(version)}
        )

    def _daemon(self, version: str) -> dict[str, Json]:
        """The daemon's part of the report."""
        assert self._clock is not None
        return {
            "version": version,
            "ports": self.port_kind,
            "cores": [*self.cores],
            "assumed_hz": self._clock.assumed_hz,
            "measured_hz": self._clock.measured_hz,
        }

    def _drain(self) -> None:
        """Wait until queue and delay lines are empty, for DRAIN_S at most."""
        deadline = time.monotonic() + DRAIN_S
        while time.monotonic() < deadline:
            modules = (pipeline.QUEUE, pipeline.DELAY)
            if not any(self._client.run_command(module, "held")["packets"] for module in modules):
                return
            time.sleep(DRAIN_POLL_S)

    def _read_ports(self) -> dict[str, PortCounts]:
        hosts = [host for port in self._ports for host in (port.client, port.service)]
        return {host.name: read_port(self._client, host.name) for host in hosts}


def _address_in_trial(address: str, folders: MachineFolders) -> str:
    """The daemon's address as the trial's processes reach it, which see another /run than the machine's."""
    path = Path(address.removeprefix("unix:")).resolve()
    if address.startswith("unix:") and path.is_relative_to("/run"):
        return f"unix:/proc/self/fd/{folders.run}/{path.relative_to('/run')}"
    return address


def avoid_processors(cores: list[int]) -> None:
    """Keep this process and its future children off the processors that the daemon polls.

    A program there would wait for the scheduler to preempt the daemon before it could receive a packet.
    """
    others = os.sched_getaffinity(0) - set(cores)
    if others:
        os.sched_setaffinity(0, others)


@contextmanager
def _daemon_errors() -> Iterator[None]:
    """Turn an error or a wrong report of the daemon into one of the bottleneck: the trial fails."""
    try:
        yield
    except (BessError, UserError) as error:
        raise BottleneckError(str(error)) from error
