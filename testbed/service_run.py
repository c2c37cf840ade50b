"""One client of a trial and the service it uses: two processes, each by its driver."""

import json
import subprocess
import time
from pathlib import Path
from typing import Any

from testbed.hosts import Host
from testbed.name_server import pass_names_on, serve_own_names
from testbed.sockets import base_rtt_ns, wait_until_listening
from testbed.uplink import Uplink

READY_TIMEOUT_S = 20
DNS_PORT = 53
GRACE_S = 15
"""How long after its time a client may still run before it counts as hanging."""

ALONE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
"""A driver is process 1 of a namespace of its own: killed, it takes along all that it started."""


class ServiceRunError(Exception):
    """A service crashed, hangs, or never came up: the reason of a failed trial."""


class ServiceRun:
    """A client's use of one service in one trial.

    Args:
        part: the client's part of the specification (config/schemas/trial.yaml).
        client: the client's host.
        host: the host of the service's side.
        duration_s: how long the trial lasts.
        work: the trial's working directory, with `logs/`.
    """

    def __init__(self, part: dict[str, Any], client: Host, host: Host, duration_s: float, work: Path) -> None:
        self.name: str = part["client"]
        self.offset_s: float = part["start_offset_s"]
        self.rtt_ms: float | None = part.get("rtt_ms")
        self.access: dict[str, Any] = part.get("access", {})
        self.client = client
        self.host = host
        self._service = part["service"]
        self._seconds = int(duration_s - self.offset_s)
        self._work = work
        self._names: subprocess.Popen[bytes] | None = None
        self._server: subprocess.Popen[bytes] | None = None
        self._user: subprocess.Popen[bytes] | None = None
        self.record: dict[str, Any] = {
            "client": self.name,
            "service": self._service["name"],
            "instance": part["instance"],
            "driver": self._service["driver"],
            "cca_asked": self._service["cca"],
            "cca": None,
            "address": client.address,
            "service_addresses": [] if self.live else host.addresses,
            "start_offset_s": self.offset_s,
            "start_ns": None,
            "stop_ns": None,
            "access": part.get("access"),
            "rtt": part.get("rtt", "normalised"),
            "rtt_ms": None,
            "base_rtt_ns": None,
            "delay_down_ns": None,
            "delay_up_ns": None,
            "capture": None,
            "headless": None,
        }

    @property
    def live(self) -> dict[str, Any] | None:
        """What the catalogue says of a service on the Internet; None of a self-hosted one."""
        found: dict[str, Any] | None = self._service.get("live")
        return found

    @property
    def access_link(self) -> dict[str, Any]:
        """What the packets pass before the bottleneck, but for delay and loss."""
        return {key: value for key, value in self.access.items() if key in ("rate_mbps", "queue_packets")}

    @property
    def _place(self) -> str:
        """Where the service is: its side's address, or the name of a live one."""
        return str(self._service["probe"]["host"]) if self.live else self.host.address

    @property
    def _label(self) -> str:
        return f"{self._service['name']} of {self.name}"

    def serve(self, uplink: Uplink | None) -> None:
        """Start the service's side and wait until it listens; of a live one, what answers for names."""
        if uplink and self.live:
            with self._log("names").open("wb") as log:
                self._names = pass_names_on(self.host, uplink.resolvers, log)
        elif self.host.names:
            with self._log("names").open("wb") as log:
                self._names = serve_own_names(self.host, log)
        self._server = self._driver(self.host, "serve", "--directory", str(self._files()))
        try:
            port = DNS_PORT if self.live else self._service["probe"]["port"]
            wait_until_listening(self.host, port, READY_TIMEOUT_S)
        except TimeoutError as error:
            raise ServiceRunError(
                f"{self._label} did not start: {error}; {self._last_words('serve')}"
            ) from error

    def measure_base_rtt(self) -> None:
        """The RTT to the service without added delay, ns; kept in the record."""
        try:
            self.record["base_rtt_ns"] = base_rtt_ns(self.client, self._place, self._service["probe"]["port"])
        except TimeoutError as error:
            raise ServiceRunError(f"{self._label}: {error}") from error

    def start(self) -> None:
        """Start using the service."""
        self.record["start_ns"] = time.time_ns()
        self._user = self._driver(
            self.client,
            "use",
            "--seconds",
            str(self._seconds),
            "--directory",
            str(self._files()),
            "--result",
            str(self._result()),
        )

    @property
    def started(self) -> bool:
        """Whether the client has been started."""
        return self._user is not None

    def poll(self) -> bool:
        """Whether the client has finished.

        Raises:
            ServiceRunError: one of the two processes broke or hangs.
        """
        for process, what in ((self._server, "serve"), (self._names, "names")):
            if process is not None and process.poll() is not None:
                raise ServiceRunError(
                    f"{self._label}: the server ended with status {process.returncode}: "
                    f"{self._last_words(what)}"
                )
        if self._user is None:
            return False
        status = self._user.poll()
        if status is None:
            late_s = (time.time_ns() - self.record["start_ns"]) / 1e9 - self._seconds
            if late_s > GRACE_S:
                raise ServiceRunError(f"{self._label}: still running {GRACE_S} s after its end")
            return False
        if status != 0:
            raise ServiceRunError(f"{self._label}: {self._last_words('use')}")
        if self.record["stop_ns"] is None:
            self.record["stop_ns"] = time.time_ns()
        return True

    def seen(self) -> dict[str, Any]:
        """What the driver saw (its part of qoe.json)."""
        return dict(json.loads(self._result().read_text(encoding="utf-8")))

    def stop(self) -> None:
        """End both processes."""
        for process in (self._user, self._server, self._names):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()

    def _driver(self, host: Host, side: str, *options: str) -> subprocess.Popen[bytes]:
        with self._log(side).open("wb") as log:
            return host.start(
                *ALONE,
                *host.python(
                    "services.drivers",
                    self._service["driver"],
                    side,
                    json.dumps(self._service),
                    self._place,
                    *options,
                ),
                log=log,
            )

    def _log(self, what: str) -> Path:
        return self._work / f"logs/{self.name}-{what}.log"

    def _files(self) -> Path:
        directory = self._work / f"logs/{self.name}"
        directory.mkdir(exist_ok=True)
        return directory

    def _result(self) -> Path:
        return self._work / f"qoe-{self.name}.json"

    def _last_words(self, side: str) -> str:
        lines = self._log(side).read_text(errors="replace").strip().splitlines()
        if lines and lines[-1].startswith("unshare: sigprocmask"):
            return "it was killed"  # unshare(1) wants to end by the same signal, and cannot by SIGKILL
        return lines[-1] if lines else "it said nothing"
