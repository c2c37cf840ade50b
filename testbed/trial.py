"""The timeline of one trial: hosts, bottleneck, captures, services, and what they leave."""

import json
import time
from pathlib import Path
from typing import Any

from services.drivers import programs_of
from testbed import machine
from testbed.backends import make_bottleneck
from testbed.bottleneck import Bottleneck, BottleneckError, Outside, Port
from testbed.capture import SETTLE_S, Capture, CaptureError, capture_handshakes, capture_headers
from testbed.hosts import Host, client_host, make_hosts, service_host, sysctls_in_effect
from testbed.name_server import resolve_on_the_link
from testbed.router import connect
from testbed.senders import Senders
from testbed.service_run import ServiceRun, ServiceRunError
from testbed.uplink import Uplink

POLL_S = 0.02
SECOND_NS = 1_000_000_000


class SettingError(Exception):
    """The setting cannot be had: a service is slower than the RTT asked for."""


class Trial:
    """One trial in `work`, an empty directory; `record` is what becomes trial.json."""

    def __init__(
        self, spec: dict[str, Any], work: Path, outside: Outside, uplink: Uplink | None = None
    ) -> None:
        self._spec = spec
        self._uplink = uplink
        self._work = work
        (work / "logs").mkdir(parents=True)
        self._runs = [
            ServiceRun(part, client_host(number), _service_side(number, part), spec["duration_s"], work)
            for number, part in enumerate(spec["clients"], start=1)
        ]
        self._bottleneck: Bottleneck = make_bottleneck(
            spec["bottleneck"], spec["link"], spec["seed"], work, outside
        )
        self._captures: list[tuple[dict[str, Any] | None, Capture]] = []
        self.record: dict[str, Any] = {
            key: spec[key]
            for key in (
                "schema",
                "campaign",
                "cycle",
                "setting",
                "pair",
                "trial",
                "link",
                "seed",
                "calibration",
            )
            if key in spec
        } | {
            "status": "completed",
            "reason": None,
            "clients": [run.record for run in self._runs],
            "start_ns": None,
            "stop_ns": None,
            "window_start_ns": None,
            "window_stop_ns": None,
            "bottleneck": {"backend": spec["bottleneck"]},
            "host": None,
            "sysctls": None,
            "programs": machine.program_versions(
                programs_of(part["service"]["driver"] for part in spec["clients"])
            ),
        }

    def run(self) -> None:
        """Run the trial; what breaks in it makes it `failed`, with the reason in the record."""
        ecn = self._spec["link"].get("discipline_options", {}).get("ecn", False)
        make_hosts([(run.client, run.host) for run in self._runs], self._bottleneck.make_interface, ecn)
        for run in self._runs:
            if run.live is not None and self._uplink is not None:
                connect(run.client, run.host, self._uplink, run.live.get("ports", []))
        if any(run.host.names or run.live for run in self._runs):
            resolve_on_the_link(self._work)
        self.record["sysctls"] = {
            host.name: sysctls_in_effect(host) for run in self._runs for host in (run.client, run.host)
        }
        before = machine.load_now(time.time_ns())
        try:
            self._prepare()
            self._measure()
            self._finish()
        except (ServiceRunError, BottleneckError, CaptureError, SettingError) as error:
            self.record |= {"status": "failed", "reason": str(error)}
            for _, capture in self._captures:
                capture.abandon()
        finally:
            for run in self._runs:
                run.stop()
        self.record["host"] = machine.describe(before, machine.load_now(time.time_ns()))

    def _prepare(self) -> None:
        """Services up, base RTTs measured, the bottleneck with its delays, captures running."""
        self._measure_base_rtts()
        self._bottleneck.start(
            [
                Port(run.client, run.host, run.record["delay_down_ns"], run.record["delay_up_ns"], run.access)
                for run in self._runs
            ],
            queue_log=self._work / "queue.bin",
        )
        for run in self._runs:
            logs = self._work / "logs"
            headers = capture_headers(
                run.client, self._work / f"client-{run.name}.pcapng", logs / f"{run.name}-dumpcap.log"
            )
            handshakes = capture_handshakes(
                run.client,
                self._work / f"handshakes-{run.name}.pcapng",
                logs / f"{run.name}-dumpcap-handshakes.log",
            )
            self._captures += [(run.record, headers), (None, handshakes)]
        for _, capture in self._captures:
            capture.wait_until_capturing()

    def _measure_base_rtts(self) -> None:
        """Every service up, its RTT measured over the link without delay or loss, and what is added to it."""
        ports = [Port(run.client, run.host, 0, 0, run.access_link) for run in self._runs]
        self._bottleneck.start(ports, queue_log=None, random_loss=False)
        for run in self._runs:
            run.serve(self._uplink)
        for run in self._runs:
            run.measure_base_rtt()
        self._bottleneck.stop()
        for run in self._runs:
            self._add_delay(run)

    def _add_delay(self, run: ServiceRun) -> None:
        """Decide what a client's delay line adds, half down, half up, and which RTT it then has."""
        base_ns = run.record["base_rtt_ns"]
        wanted_ms = run.rtt_ms if run.rtt_ms is not None else self._spec["link"]["rtt_ms"]
        wanted_ns = round(wanted_ms * 1e6)
        delay_ns = {"normalised": wanted_ns - base_ns, "fixed": wanted_ns, "real": 0}[run.record["rtt"]]
        if delay_ns < 0:
            raise SettingError(
                f"{run.record['service']} of {run.name} has a base RTT of {base_ns / 1e6:.3f} ms, more than "
                f"this setting's {wanted_ms:g} ms"
            )
        access_ns = round(run.access.get("delay_ms", 0) * 1e6)
        run.record |= {
            "delay_down_ns": delay_ns // 2,
            "delay_up_ns": delay_ns - delay_ns // 2,
            "rtt_ms": (base_ns + delay_ns + access_ns) / 1e6,
        }

    def _measure(self) -> None:
        """Start every service at its offset and wait until all are done."""
        start_ns = time.time_ns()
        window_start_ns = start_ns + round(self._spec["ignore_first_s"] * SECOND_NS)
        window_stop_ns = start_ns + round(
            (self._spec["duration_s"] - self._spec["ignore_last_s"]) * SECOND_NS
        )
        self.record |= {
            "start_ns": start_ns,
            "window_start_ns": window_start_ns,
            "window_stop_ns": window_stop_ns,
        }
        ends = {run.name: (run.host, run.client) for run in self._runs}
        with Senders(ends, self._work / "senders.jsonl") as senders:
            while not self._all_done(window_stop_ns):
                now_ns = time.time_ns()
                for run in self._runs:
                    if not run.started and now_ns >= start_ns + run.offset_s * SECOND_NS:
                        run.start()
                senders.sample_when_due()
                time.sleep(POLL_S)
        for run in self._runs:
            run.record["cca"] = senders.congestion_controls(run.name)

    def _all_done(self, window_stop_ns: int) -> bool:
        """Whether every client has finished; what broke, or ended before the window, is raised."""
        self._bottleneck.check()
        for _, capture in self._captures:
            capture.check()
        done = [run.poll() for run in self._runs]
        for run in self._runs:
            stop_ns = run.record["stop_ns"]
            if stop_ns is not None and stop_ns < window_stop_ns:
                raise ServiceRunError(
                    f"{run.record['service']} of {run.name} ended {(window_stop_ns - stop_ns) / 1e9:.1f} s "
                    "before the steady window did"
                )
        return all(done)

    def _finish(self) -> None:
        """Senders stop, queue and delay lines drain, the switch stops, then the captures."""
        for run in self._runs:
            run.stop()
        self.record["bottleneck"] = self._bottleneck.stop()
        time.sleep(SETTLE_S)
        for record, capture in self._captures:
            counts = capture.stop()
            if record is not None:
                record["capture"] = counts
        self.record["stop_ns"] = time.time_ns()
        seen = {run.name: run.seen() for run in self._runs}
        for run in self._runs:
            run.record["headless"] = seen[run.name].get("headless")
        (self._work / "qoe.json").write_text(json.dumps(seen, indent=1) + "\n", encoding="utf-8")


def _service_side(number: int, part: dict[str, Any]) -> Host:
    """The host of a service's side, as its catalogue entry wants it."""
    service = part["service"]
    if "hosts" in service:
        return service_host(number, service["hosts"], service["cca"])
    return service_host(number)
