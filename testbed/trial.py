"""The timeline of one trial: hosts, bottleneck, captures, services, and the files they leave."""

import json
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from scripts.base.records import Json, to_json
from scripts.model.services import Service
from scripts.model.specification import Specification, SpecifiedClient
from scripts.model.trial_record import Devices, ProgramTimes
from scripts.model.trials import PRIVATE_JSON
from services.drivers import driver_of
from testbed.backends import make_bottleneck
from testbed.bottleneck import BottleneckError, MachineFolders, Port
from testbed.capture import (
    SETTLE_S,
    Capture,
    CaptureError,
    HandshakeCapture,
    capture_handshakes,
    capture_headers,
)
from testbed.clock import now_ns
from testbed.devices import devices_since, read_devices
from testbed.firewall import allowance
from testbed.first_records import first_trial_record, private_record
from testbed.host_load import host_record, read_load_counters
from testbed.hosts import Host, client_host, make_hosts, service_host, sysctls_in_effect
from testbed.name_server import use_trial_name_server
from testbed.router import connect
from testbed.scheduling import RunDelays, come_first, processors_awake, take_turns
from testbed.sender_sampling import SenderSampler
from testbed.service_run import ServiceRun, ServiceRunError, SettingError
from testbed.uplink import HostUplink

POLL_S = 0.1
"""How often a running trial looks after its parts. Each look takes a processor for about 1 ms."""
SECOND_NS = 1_000_000_000


class Trial:
    """One trial, whose files are in `work`, an empty directory."""

    def __init__(
        self,
        specification: Specification,
        work: Path,
        folders: MachineFolders,
        uplink: HostUplink | None = None,
    ) -> None:
        self._specification = specification
        self._uplink = uplink
        self._work = work
        self._logs = work / "logs"
        self._logs.mkdir(parents=True)
        self._runs = [
            _service_run(number, client, specification, work)
            for number, client in enumerate(specification.clients, start=1)
        ]
        self._bottleneck = make_bottleneck(
            specification.bottleneck, specification.link, specification.seed, work, folders
        )
        self._header_captures: dict[str, Capture] = {}
        self._handshake_captures: dict[str, HandshakeCapture] = {}
        self._devices_before: dict[str, Devices] = {}
        self._record = first_trial_record(specification)
        self._bottleneck_report: dict[str, Json] = {"backend": specification.bottleneck}
        self._program_times: dict[str, dict[str, ProgramTimes]] | None = None

    def record(self) -> dict[str, Json]:
        """The content of trial.json. It contains the complete report of the bottleneck, unchanged."""
        record = to_json(replace(self._record, clients=[run.record for run in self._runs]))
        assert isinstance(record, dict)
        return record | {"bottleneck": self._bottleneck_report}

    def fail(self, reason: str) -> None:
        """Mark the trial as failed."""
        self._record = replace(self._record, status="failed", reason=reason)

    def run(self) -> None:
        """Run the trial. If a part of it breaks, the trial fails with the reason in its record."""
        real_time = come_first()
        self._record_private()
        with processors_awake() as awake:
            self._make_hosts()
            before = read_load_counters()
            try:
                self._prepare()
                self._measure()
                self._finish()
            except (ServiceRunError, BottleneckError, CaptureError, SettingError) as error:
                self.fail(str(error))
                for capture in self._captures():
                    capture.abandon()
            finally:
                for run in self._runs:
                    run.stop()
        take_turns()  # To pack the files takes long, and nothing waits for it.
        host = host_record(before, read_load_counters())
        host = replace(host, real_time=real_time, awake=awake, program_times=self._program_times)
        self._record = replace(self._record, host=host)

    def _record_private(self) -> None:
        """Record what publication needs to know and never publishes."""
        live = [run.service for run in self._runs if run.live]
        if live:
            content = json.dumps(to_json(private_record(live)))
            (self._work / PRIVATE_JSON).write_text(content + "\n", encoding="utf-8")

    def _make_hosts(self) -> None:
        """Make the namespaces, connect them to the bottleneck, and those of live services to the uplink."""
        ecn = bool(self._specification.link.discipline_options.get("ecn", False))
        make_hosts([(run.client, run.host) for run in self._runs], self._bottleneck.make_interface, ecn)
        for run in self._runs:
            if run.live is not None and self._uplink is not None:
                rate_mbps, duration_s = self._specification.link.rate_mbps, self._specification.duration_s
                allowed = allowance(run.live.ports, rate_mbps, duration_s)
                connect(run.client, run.host, self._uplink, allowed)
        if any(run.host.names or run.live for run in self._runs):
            use_trial_name_server(self._work)
        sysctls = {
            host.name: sysctls_in_effect(host) for run in self._runs for host in (run.client, run.host)
        }
        self._record = replace(self._record, sysctls=sysctls)

    def _captures(self) -> list[Capture]:
        return [*self._header_captures.values(), *self._handshake_captures.values()]

    def _prepare(self) -> None:
        """Measure the base RTTs, then start the bottleneck with its delays, and the captures."""
        self._measure_base_rtts()
        self._bottleneck.start([_delayed_port(run) for run in self._runs], log_queue=True)
        for run in self._runs:
            self._devices_before[run.name] = read_devices(run.client, run.host)
            self._header_captures[run.name] = capture_headers(
                run.client,
                self._work / f"client-{run.name}.pcapng",
                self._logs / f"{run.name}-dumpcap.log",
                self._specification.link.rate_mbps,
            )
            if driver_of(run.service.driver).NAMES:
                self._handshake_captures[run.name] = capture_handshakes(
                    run.client,
                    self._work / f"handshakes-{run.name}.pcapng",
                    self._logs / f"{run.name}-dumpcap-handshakes.log",
                )
        for capture in self._captures():
            capture.wait_until_capturing()

    def _measure_base_rtts(self) -> None:
        """Start every service, measure its RTT over the link without delay or loss, and set its delay."""
        ports = [Port(run.client, run.host, 0, 0, run.access_link) for run in self._runs]
        self._bottleneck.start(ports, log_queue=False, random_loss=False)
        for run in self._runs:
            run.serve(self._uplink)
        for run in self._runs:
            run.measure_base_rtt()
        self._bottleneck.stop()
        for run in self._runs:
            run.set_delay(self._specification.link.rtt_ms)

    def _measure(self) -> None:
        """Start every client at its offset and wait until all have finished.

        The steady window is that of the specification, until the loads of a web page tell otherwise.
        """
        specification = self._specification
        start_ns = now_ns()
        window_stop_s = specification.duration_s - specification.ignore_last_s
        window_stop_ns = start_ns + round(window_stop_s * SECOND_NS)
        self._record = replace(
            self._record,
            start_ns=start_ns,
            window_start_ns=start_ns + round(specification.ignore_first_s * SECOND_NS),
            window_stop_ns=window_stop_ns,
        )
        hosts = {run.name: (run.host, run.client) for run in self._runs}
        delays = RunDelays({host.name: host.netns for sides in hosts.values() for host in sides})
        with SenderSampler(hosts, self._work / "senders.jsonl") as sampler:
            while not self._all_finished():
                time_ns = now_ns()
                for run in self._runs:
                    if not run.started and time_ns >= start_ns + run.start_offset_s * SECOND_NS:
                        run.start()
                if sampler.sample_when_due():
                    delays.sample()
                time.sleep(self._pause_s(start_ns))
        self._program_times = delays.by_host()
        for run in self._runs:
            run.record = replace(run.record, cca=sampler.congestion_controls(run.name))

    def _pause_s(self, start_ns: int) -> float:
        """The time until the next look, or the start of the next client if that is earlier."""
        since_start_s = (now_ns() - start_ns) / SECOND_NS
        starts_s = [run.start_offset_s - since_start_s for run in self._runs if not run.started]
        return max(0.0, min([POLL_S, *starts_s]))

    def _all_finished(self) -> bool:
        """Whether every client has finished. Raises if a part broke, or a client ended before the window."""
        self._bottleneck.check()
        for capture in self._captures():
            capture.check()
        finished = [run.poll() for run in self._runs]
        self._end_with_web_page()
        assert self._record.window_stop_ns is not None
        for run in self._runs:
            run.require_lasting_until(self._record.window_stop_ns)
        return all(finished)

    def _end_with_web_page(self) -> None:
        """Once the loads of a web page are over, end the steady window, and the time of all clients."""
        window_stop_ns = self._record.window_stop_ns
        ended_ns = [run.loads_ended_ns for run in self._runs if run.loads_ended_ns is not None]
        if not ended_ns or window_stop_ns is None:
            return
        self._record = replace(self._record, window_stop_ns=min(window_stop_ns, *ended_ns))
        for run in self._runs:
            run.finish()

    def _finish(self) -> None:
        """Stop the services, let queue and delay lines drain, stop the bottleneck, then the captures."""
        for run in self._runs:
            run.stop()
        # Once the bottleneck has stopped, a device drops whatever a host still sends, which is no loss.
        for run in self._runs:
            devices = devices_since(self._devices_before[run.name], read_devices(run.client, run.host))
            run.record = replace(run.record, devices=devices)
        self._bottleneck_report = self._bottleneck.stop()
        time.sleep(SETTLE_S)
        for run in self._runs:
            capture, handshakes = self._header_captures[run.name].stop(), None
            if run.name in self._handshake_captures:
                handshakes = self._handshake_captures[run.name].stop_and_count()
            run.record = replace(run.record, capture=capture, handshakes=handshakes)
        self._record = replace(self._record, stop_ns=now_ns())
        observations = {run.name: run.observation() for run in self._runs}
        (self._work / "qoe.json").write_text(json.dumps(observations, indent=1) + "\n", encoding="utf-8")
        self._begin_with_first_load(observations.values())

    def _begin_with_first_load(self, observations: Iterable[dict[str, Json]]) -> None:
        """Begin the steady window when the first load of a web page began, which needs a browser first."""
        assert self._record.window_start_ns is not None
        began_ns = [began for began in map(first_load_ns, observations) if began is not None]
        window_start_ns = max([self._record.window_start_ns, *began_ns])
        self._record = replace(self._record, window_start_ns=window_start_ns)


def first_load_ns(observation: dict[str, Json]) -> int | None:
    """When the first load of a web page began; None without one (services/drivers/page.yaml)."""
    match observation.get("loads"):
        case [{"since_ns": int(since_ns)}, *_]:
            return since_ns
    return None


def _service_run(
    number: int, client: SpecifiedClient, specification: Specification, work: Path
) -> ServiceRun:
    host = _service_host(number, client.service)
    return ServiceRun(client, client_host(number), host, specification.duration_s, work)


def _service_host(number: int, service: Service) -> Host:
    """The host of a service's side, with the names and the congestion control of the catalogue."""
    return service_host(number, service.hosts, service.kernel_cca)


def _delayed_port(run: ServiceRun) -> Port:
    record = run.record
    assert record.delay_down_ns is not None and record.delay_up_ns is not None
    return Port(run.client, run.host, record.delay_down_ns, record.delay_up_ns, record.access)
