"""One client of a trial and its service: two processes, each run by the service's driver."""

import json
import math
import time
from dataclasses import replace
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.records import Json, Number, to_json
from scripts.model.drivers import check_observation
from scripts.model.endpoint import read_endpoint, read_versions
from scripts.model.problems import is_reason
from scripts.model.services import Live
from scripts.model.settings import Access
from scripts.model.specification import SpecifiedClient
from scripts.model.trial_record import EndpointRecord
from services.browser_settings import CLIENT_FILE, has_browser, load_settings
from services.endpoint import STOP, STOP_S, TOLD
from services.endpoint.image.unpacked import image_digest
from services.endpoint.keys import make_keys
from services.use_time import FINISH, SHARED
from testbed.clock import now_ns
from testbed.confined_driver import SERVICE, ConfinedDriver, driver_command
from testbed.driver_folder import RESULT, keep_files
from testbed.first_records import first_client_record
from testbed.hosts import Host
from testbed.logged_process import OWN_PROCESSES, LoggedProcess
from testbed.name_server import answer_own_names, forward_names
from testbed.tcp_probes import base_rtt_ns, wait_until_listening
from testbed.uplink import HostUplink

SECOND_NS = 1_000_000_000
READY_TIMEOUT_S = 20
DNS_PORT = 53
POLL_S = 0.02
SERVER_GRACE_S = 2
"""How long the driver of a server may need beyond the server's own end."""

PEERS = {"use": "client", "serve": "server"}
GRACE_S = 15
"""How long a client may run after its time, or after it was told to finish, before it counts as hung."""


class ServiceRunError(Exception):
    """A service failed, hung, or did not start. The message is the reason of a failed trial."""


class SettingError(Exception):
    """The setting is impossible: a service is slower than the RTT of the setting."""


class ServiceRun:
    """A client's use of one service in one trial.

    `record` is this client's part of trial.json as far as it is known.

    Args:
        specified: the client's part of the specification.
        client: the client's host.
        host: the host of the service's side.
        duration_s: the duration of the trial.
        work: the trial's working directory, with `logs/`.
    """

    def __init__(
        self, specified: SpecifiedClient, client: Host, host: Host, duration_s: Number, work: Path
    ) -> None:
        self.name = specified.client
        self.service = specified.service
        self.start_offset_s = specified.start_offset_s
        self.client = client
        self.host = host
        self._rtt_ms = specified.rtt_ms
        self._seconds = int(duration_s - specified.start_offset_s)
        self._logs = work / "logs"
        self._folder = work / "drivers" / self.name
        self._shared = self._folder / SHARED
        self._shared.mkdir(parents=True, exist_ok=True)
        self._drivers: dict[str, ConfinedDriver] = {}
        self._name_server: LoggedProcess | None = None
        self._server: LoggedProcess | None = None
        self._client_process: LoggedProcess | None = None
        self._due_ns = math.inf
        self.record = first_client_record(specified, client, host)

    @property
    def live(self) -> Live | None:
        """How a service on the Internet is used; None for a self-hosted one."""
        return self.service.live

    @property
    def access_link(self) -> Access | None:
        """The link before the bottleneck, without its delay and loss; None if there is no such link."""
        access = self.record.access
        return None if access is None or access.rate_mbps is None else replace(access, delay_ms=0, loss=0)

    @property
    def started(self) -> bool:
        """Whether the client has been started."""
        return self._client_process is not None

    @property
    def loads_ended_ns(self) -> int | None:
        """When all loads of a web page were over; None for another service, or before."""
        return self.record.stop_ns if self.service.is_web else None

    @property
    def _is_strange(self) -> bool:
        """Whether the service's side meets strangers' code too: pages, or the server of an endpoint."""
        return self.live is not None or self.service.endpoint is not None

    @property
    def _place(self) -> str:
        """Where the service is: the address of its side, or the host name of a live service."""
        return str(self.service.probe.host) if self.live else self.host.address

    @property
    def _label(self) -> str:
        return f"{self.service.name} of {self.name}"

    def serve(self, uplink: HostUplink | None) -> None:
        """Start the service's side and wait until it listens. For a live service, wait for the name server.

        Raises:
            ServiceRunError: it ends, or does not listen in time.
        """
        if uplink and self.live:
            self._name_server = forward_names(self.host, uplink, self._log("names"))
        elif self.host.names:
            self._name_server = answer_own_names(self.host, self._log("names"))
        self._prepare_drivers()
        self._server = self._start_server()
        try:
            port = DNS_PORT if self.live else self.service.probe.port
            wait_until_listening(self.host, port, READY_TIMEOUT_S, self._server.status)
        except TimeoutError as error:
            seen = f"{error}; " if self._server.status() is None else ""
            raise ServiceRunError(f"{self._label} did not start: {seen}{_reason(self._server)}") from error

    def measure_base_rtt(self) -> None:
        """Measure the RTT to the service without added delay.

        Raises:
            ServiceRunError: the service does not answer.
        """
        try:
            rtt_ns = base_rtt_ns(self.client, self._place, self.service.probe.port)
        except TimeoutError as error:
            if self._server is not None and _ends_within(self._server, SERVER_GRACE_S):
                raise ServiceRunError(f"{self._label}: {_reason(self._server)}") from error
            raise ServiceRunError(f"{self._label}: {error}") from error
        self.record = replace(self.record, base_rtt_ns=rtt_ns)

    def set_delay(self, link_rtt_ms: Number) -> None:
        """Decide the delay of this client, half down and half up, and the RTT that results.

        Raises:
            SettingError: the base RTT is longer than the RTT of the setting.
        """
        base_ns = self.record.base_rtt_ns
        assert base_ns is not None
        target_ms = link_rtt_ms if self._rtt_ms is None else self._rtt_ms
        target_ns = round(target_ms * 1e6)
        delay_ns = {"normalised": target_ns - base_ns, "fixed": target_ns, "real": 0}[self.record.rtt]
        if delay_ns < 0:
            raise SettingError(
                f"{self._label} has a base RTT of {base_ns / 1e6:.3f} ms, more than this setting's "
                f"{target_ms:g} ms"
            )
        access_ns = round(self.record.access.delay_ms * 1e6) if self.record.access else 0
        self.record = replace(
            self.record,
            delay_down_ns=delay_ns // 2,
            delay_up_ns=delay_ns - delay_ns // 2,
            rtt_ms=(base_ns + delay_ns + access_ns) / 1e6,
        )

    def start(self) -> None:
        """Start the client."""
        start_ns = now_ns()
        self.record = replace(self.record, start_ns=start_ns)
        self._due_ns = start_ns + self._seconds * SECOND_NS
        options = ["--seconds", str(self._seconds)]
        self._client_process = self._drivers["use"].start(self.client, self._place, *options)

    def finish(self) -> None:
        """Tell the client to end before its time (services/use_time.py)."""
        (self._shared / FINISH).touch()
        self._due_ns = min(self._due_ns, now_ns())

    def poll(self) -> bool:
        """Whether the client has finished.

        Raises:
            ServiceRunError: one of the processes failed or hangs.
        """
        for process in (self._server, self._name_server):
            if process is not None and process.status() is not None:
                raise ServiceRunError(
                    f"{self._label}: the server ended with status {process.status()}: {_reason(process)}"
                )
        self._check_limits()
        if self._client_process is None:
            return False
        status = self._client_process.status()
        if status is None:
            if now_ns() > self._due_ns + GRACE_S * SECOND_NS:
                raise ServiceRunError(f"{self._label}: the client still ran {GRACE_S} s after its time")
            return False
        if status != 0:
            raise ServiceRunError(f"{self._label}: {_reason(self._client_process)}")
        if self.record.stop_ns is None:
            self.record = replace(self.record, stop_ns=now_ns())
        return True

    def require_lasting_until(self, window_stop_ns: int) -> None:
        """Raise ServiceRunError if the client stopped before the end of the steady window."""
        stop_ns = self.record.stop_ns
        if stop_ns is not None and stop_ns < window_stop_ns:
            early_s = (window_stop_ns - stop_ns) / 1e9
            raise ServiceRunError(f"{self._label} ended {early_s:.1f} s before the end of the steady window")

    def observation(self) -> dict[str, Json]:
        """What the driver observed: this client's part of qoe.json.

        Raises:
            ServiceRunError: the driver's result is missing or wrong. A hostile page may have written it.
        """
        try:
            observation = self._drivers["use"].folder.record(RESULT)
            check_observation(observation, "the result")
            self.record = replace(self.record, endpoint=self._told_by_endpoint())
        except (ValueError, UserError) as error:
            raise ServiceRunError(
                f"{self._label}: the driver's result is missing, or does not match services/drivers/*.yaml"
            ) from error
        headless = {"headless": load_settings().headless} if has_browser(self.service) else {}
        self.record = replace(self.record, headless=headless.get("headless"))
        return observation | headless

    def stop(self) -> None:
        """Kill all processes, and keep the logs of the drivers."""
        if self._client_process is not None:
            self._client_process.kill()
        self._end_server()
        for process in (self._server, self._name_server):
            if process is not None:
                process.kill()
        keep_files(self._folder, self._logs / self.name)
        for driver in self._drivers.values():
            driver.keep_logs(self._logs)

    def _prepare_drivers(self) -> None:
        """Make the folders of this client's drivers, and write what they need to know into SHARED.

        Raises:
            ServiceRunError: the operator's browser profile is too large for a driver's folder.
        """
        service = json.dumps(to_json(self.service))
        (self._shared / SERVICE).write_text(service, encoding="utf-8")
        if has_browser(self.service):
            settings = json.dumps(to_json(load_settings().of_client(self.service)))
            (self._shared / CLIENT_FILE).write_text(settings, encoding="utf-8")
        for side in ("use", "serve") if self._is_strange else ("use",):
            path = self._folder / side
            try:
                driver = ConfinedDriver(self.name, side, self.service, self._shared, path)
            except OSError as error:
                raise ServiceRunError(f"{self._label}: the prepared profile cannot be copied") from error
            self._drivers[side] = driver
        if self.service.endpoint is not None:
            folder = self._drivers["serve"].folder
            folder.give(make_keys(self.service, folder.home, self._folder))

    def _start_server(self) -> LoggedProcess:
        """Start the service's side. One that runs our own programs is not confined."""
        if self._is_strange:
            return self._drivers["serve"].start(self.host, self._place)
        command = driver_command(self.service, "serve", self._place, self._folder)
        return LoggedProcess(self.host, [*OWN_PROCESSES, *command], self._log("serve"))

    def _end_server(self) -> None:
        """Let the server of an endpoint end by itself, so that its logs are whole."""
        if self.service.endpoint is None or self._server is None:
            return
        (self._shared / STOP).touch()
        _ends_within(self._server, STOP_S + SERVER_GRACE_S)

    def _told_by_endpoint(self) -> EndpointRecord | None:
        """What the endpoint says that it sends with; None of another service.

        Raises:
            UserError, ValueError: its driver's file is missing or wrong. The endpoint may have written it.
        """
        if self.service.endpoint is None:
            return None
        told = self._drivers["serve"].folder.record(TOLD)
        endpoint = read_endpoint(self.service.endpoint_folder)
        versions = read_versions(told, TOLD)
        return EndpointRecord.of(versions, str(self.service.cca), image_digest(endpoint), endpoint.shipped)

    def _check_limits(self) -> None:
        """Raise ServiceRunError if a driver reached a limit of the testbed: no competition can cause it."""
        for side, driver in self._drivers.items():
            if excess := driver.excess():
                raise ServiceRunError(f"{self._label}: the {PEERS[side]} used {excess}")

    def _log(self, name: str) -> Path:
        return self._logs / f"{self.name}-{name}.log"


def _ends_within(process: LoggedProcess, seconds: float) -> bool:
    """Whether a process ends within so many seconds."""
    deadline = time.monotonic() + seconds
    while process.status() is None and time.monotonic() < deadline:
        time.sleep(POLL_S)
    return process.status() is not None


def _reason(driver: LoggedProcess) -> str:
    """What a driver says about its failure. Its log may end with a text that must not be published."""
    last_line = driver.last_line()
    return last_line if is_reason(last_line) else "the driver failed; see logs/"
