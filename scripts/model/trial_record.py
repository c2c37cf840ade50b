"""The record of a measured trial, trial.json: requested settings, those in effect, counters, the host.

The testbed writes it and the extraction reads it. A figure that is not known is null; a failed trial may lack
most of them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from scripts.base.records import Number
from scripts.model.endpoint import Versions
from scripts.model.settings import Access, Link, Rtt
from scripts.model.specification import CalibrationRound

SCHEMA_VERSION = 1
TrialStatus = Literal["completed", "failed"]


@dataclass(frozen=True)
class CaptureCounts:
    """dumpcap's own counts of packets."""

    received: int
    dropped: int


@dataclass(frozen=True)
class HandshakeCounts:
    """The packets of a client's handshakes: kept, beyond what is kept of a connection, and lost."""

    kept_packets: int
    cut_packets: int
    lost_packets: int


@dataclass(frozen=True)
class DeviceCounts:
    """What the network device of a host sent, and the packets that it dropped, over the trial.

    `unread_datagrams` are those of UDP that passed it and found no room in the socket of a program; None in
    older trials.
    """

    received_dropped: int
    sent_dropped: int
    sent_packets: int
    unread_datagrams: int | None = None

    @property
    def dropped(self) -> int:
        """The packets that it dropped in either direction."""
        return self.received_dropped + self.sent_dropped


@dataclass(frozen=True)
class Devices:
    """The devices at both ends of one client's path."""

    client: DeviceCounts
    service: DeviceCounts


@dataclass(frozen=True)
class EndpointRecord:
    """What an endpoint says that it sends with. Nothing has checked it, except `image`.

    Attributes:
        stack: the name of the transport.
        version: its version.
        controller: what the congestion control is that was asked for by name.
        gso: whether it hands over several packets at once; None if unknown.
        pacing: whether it spaces its packets; None if unknown.
        image: the digest of the manifest of its image; None if it has none.
        shipped: whether its server is a program that the stack itself publishes.
    """

    stack: str
    version: str
    controller: str
    gso: bool | None
    pacing: bool | None
    image: str | None = None
    shipped: bool = False

    @classmethod
    def of(
        cls, versions: Versions, cca: str, image: str | None = None, shipped: bool = False
    ) -> "EndpointRecord":
        """What these versions say of one congestion control of an endpoint, with its programs.

        Raises:
            ValueError: they do not name it.
        """
        if cca not in versions.controllers:
            raise ValueError(f"{cca} is not named")
        controller = versions.controllers[cca]
        said = versions.stack, versions.version, controller, versions.gso, versions.pacing
        return cls(*said, image, shipped)


@dataclass(frozen=True)
class ClientRecord:
    """One client, its service, and what was in effect. Times are ns since the Unix epoch.

    A live service has no `service_addresses`; one on the testbed has those of its side.
    """

    client: str
    service: str
    instance: int | None
    driver: str | None
    cca_asked: str | None
    cca: list[str] | None
    address: str | None
    service_addresses: list[str]
    start_offset_s: Number | None
    start_ns: int | None
    stop_ns: int | None
    access: Access | None
    rtt: Rtt
    rtt_ms: Number | None
    base_rtt_ns: int | None
    delay_down_ns: int | None
    delay_up_ns: int | None
    capture: CaptureCounts | None
    headless: bool | None
    devices: Devices | None = None
    handshakes: HandshakeCounts | None = None
    endpoint: EndpointRecord | None = None

    @property
    def self_hosted(self) -> bool:
        """Whether the service runs on the testbed, so that its device counts what it sends."""
        return bool(self.service_addresses)


@dataclass(frozen=True)
class Counters:
    """The bottleneck's counters of one client's downlink. None where the backend does not know one.

    `missed_packets` were lost before they arrived, because the bottleneck's own device had no room for them.
    """

    name: str | None = None
    arrived_packets: int | None = None
    arrived_bytes: int | None = None
    forwarded_packets: int | None = None
    forwarded_bytes: int | None = None
    dropped_packets: int | None = None
    dropped_bytes: int | None = None
    left_packets: int | None = None
    left_bytes: int | None = None
    lost_before_packets: int | None = None
    lost_before_bytes: int | None = None
    missed_packets: int | None = None


@dataclass(frozen=True)
class Downlink:
    """The counters of every client."""

    clients: tuple[Counters, ...] = ()


@dataclass(frozen=True)
class UplinkCounters:
    """The bottleneck's counters of one client's uplink. `packets` and `bytes` were forwarded."""

    name: str
    packets: int
    bytes: int
    arrived_packets: int | None = None
    arrived_bytes: int | None = None
    left_packets: int | None = None
    left_bytes: int | None = None
    missed_packets: int | None = None


@dataclass(frozen=True)
class Uplink:
    """The counters of every client."""

    clients: tuple[UplinkCounters, ...] = ()


@dataclass(frozen=True)
class Lateness:
    """How late the bottleneck delivered its packets, ns.

    `by_second` has the longest delay in each second since `start_ns` (ns since the Unix epoch) in which the
    bottleneck did nothing although it should have.
    """

    p99: int | None = None
    max: int | None = None
    start_ns: int | None = None
    by_second: tuple[int, ...] = ()


@dataclass(frozen=True)
class LogCounts:
    """Records of the queue log that were written, and lost."""

    records: int | None = None
    lost: int | None = None


@dataclass(frozen=True)
class ClockOffset:
    """CLOCK_REALTIME - CLOCK_MONOTONIC of the switch at both ends of the trial, ns."""

    start: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class BottleneckReport:
    """The part of the bottleneck's report that the pipeline reads; trial.json holds the whole report."""

    backend: str | None = None
    version: str | None = None
    parameters: dict[str, object] = field(default_factory=dict)
    downlink: Downlink | None = None
    uplink: Uplink = field(default_factory=Uplink)
    lateness_ns: Lateness = field(default_factory=Lateness)
    write_errors: int | None = None
    log: LogCounts | None = None
    clock_offset_ns: ClockOffset | None = None


PYTHON = "python"
"""The names of programs of Python begin with it. The drivers are such, and tell nothing of a service."""

TESTBED = "testbed"
"""What runs on none of a trial's hosts, such as the switch."""


@dataclass(frozen=True)
class ProgramTimes:
    """How long all processes of a program ran, and how long they waited for a processor, in seconds.

    Attributes:
        delayed_s: the part of the waits that is beyond 0.1 ms a turn (testbed/scheduling.py). Older trials
            have none.
    """

    run_s: float
    wait_s: float
    delayed_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class HostRecord:
    """The machine, and its load as fractions of the trial's time. Some kernels report no CPU pressure.

    Attributes:
        name: the host (scripts/base/host.py). Older trials have none.
        real_time: whether the programs of the trial came before all others. Older trials did not try.
        awake: whether no processor slept during the trial. Older trials did not try.
        program_times: times of the programs of the trial while it was measured, by the host that they ran on
            (`client-c1`, `service-c1`, or TESTBED) and the names of their files.
    """

    name: str | None = None
    kernel: str | None = None
    cpus: int | None = None
    load_1min: float | None = None
    steal_fraction: float | None = None
    cpu_pressure_fraction: float | None
    real_time: bool | None = None
    awake: bool | None = None
    program_times: dict[str, dict[str, ProgramTimes]] | None = None

    def wait_s(self, of: Callable[[str], bool]) -> float | None:
        """How long the programs on these hosts waited for a processor; None if that is not recorded."""
        return self._sum(of, lambda times: times.wait_s)

    def delayed_s(self, of: Callable[[str], bool]) -> float | None:
        """The same beyond 0.1 ms a turn. In an older trial it is the whole wait."""
        return self._sum(of, lambda times: times.wait_s if times.delayed_s is None else times.delayed_s)

    def _sum(self, of: Callable[[str], bool], seconds: Callable[[ProgramTimes], float]) -> float | None:
        if self.program_times is None:
            return None
        return sum(
            seconds(times)
            for host in filter(of, self.program_times)
            for times in self.program_times[host].values()
        )

    def run_s(self, host: str) -> float | None:
        """How long the programs on a host ran, without Python; None if none did, or that is not recorded."""
        programs = (self.program_times or {}).get(host, {})
        known = [times.run_s for name, times in programs.items() if not name.startswith(PYTHON)]
        return sum(known) if known else None


@dataclass(frozen=True, kw_only=True)
class TrialRecord:
    """trial.json.

    Attributes:
        pseudonyms: whether addresses were replaced and host names cut, for publication.
        published: whether the trial is in its published form already, of which nothing more is cut.
    """

    schema: int
    campaign: str
    cycle: str
    setting: str
    pair: str
    trial: int
    link: Link
    seed: int
    calibration: CalibrationRound | None = None
    status: TrialStatus
    reason: str | None
    clients: list[ClientRecord]
    start_ns: int | None
    stop_ns: int | None
    window_start_ns: int | None
    window_stop_ns: int | None
    bottleneck: BottleneckReport
    host: HostRecord | None
    sysctls: dict[str, dict[str, str]] | None
    programs: dict[str, str]
    pseudonyms: bool = False
    published: bool = False

    @property
    def failed(self) -> bool:
        """Whether the trial broke. Then its directory may hold any part of a completed trial's files."""
        return self.status == "failed"

    @property
    def live_clients(self) -> list[ClientRecord]:
        """The clients of live services. One without an address has no packets: its trial never began."""
        return [client for client in self.clients if client.address is not None and not client.self_hosted]

    @property
    def needs_public_form(self) -> bool:
        """Whether what is published differs from what was measured (scripts/extract/public_form.py)."""
        return bool(self.live_clients) and not self.pseudonyms


@dataclass(frozen=True)
class PrivateRecord:
    """private.json, which is never published: the host names of the operator's own addresses."""

    names: tuple[str, ...] = ()
