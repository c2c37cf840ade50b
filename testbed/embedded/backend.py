"""The embedded switch as a bottleneck: configures, starts and ends the program observatory-switch."""

import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError
from scripts.model.link import access_parameters, switch_parameters
from testbed.bottleneck import BottleneckError, Port
from testbed.hosts import INTERFACE, Host

PROGRAM = "observatory-switch"
START_TIMEOUT_S = 10
STOP_TIMEOUT_S = 15


class EmbeddedBottleneck:
    """See testbed.bottleneck.Bottleneck."""

    def __init__(self, link: dict[str, Any], seed: int, work: Path) -> None:
        self._link = link
        self._seed = seed
        self._work = work
        self._process: subprocess.Popen[str] | None = None

    def make_interface(self, host: Host) -> None:
        """See Bottleneck.make_interface: a TAP, to which the switch attaches."""
        subprocess.run(["ip", "-n", host.name, "tuntap", "add", "name", INTERFACE, "mode", "tap"], check=True)

    def start(self, ports: Sequence[Port], queue_log: Path | None, random_loss: bool = True) -> None:
        """See Bottleneck.start."""
        path = self._work / "switch-config.json"
        configuration = self.configuration(ports, queue_log, random_loss)
        path.write_text(json.dumps(configuration), encoding="utf-8")
        with (self._work / "logs/switch.log").open("ab") as log:
            self._process = subprocess.Popen(
                [_program(), str(path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        stdout = self._process.stdout
        assert stdout is not None
        if not select.select([stdout], [], [], START_TIMEOUT_S)[0] or stdout.readline() != "ready\n":
            raise BottleneckError(f"the switch did not start: {self._last_words()}")

    def check(self) -> None:
        """See Bottleneck.check."""
        if self._process is not None and self._process.poll() is not None:
            raise BottleneckError(
                f"the switch ended by itself with status {self._process.returncode}: {self._last_words()}"
            )

    def stop(self) -> dict[str, Any]:
        """See Bottleneck.stop."""
        self.check()
        assert self._process is not None
        self._process.terminate()
        try:
            status = self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise BottleneckError(f"the switch did not end within {STOP_TIMEOUT_S} s") from None
        if status != 0:
            raise BottleneckError(f"the switch ended with status {status}: {self._last_words()}")
        self._process = None
        report: dict[str, Any] = json.loads((self._work / "switch.json").read_text(encoding="utf-8"))
        return {"backend": "embedded"} | report

    def configuration(
        self, ports: Sequence[Port], queue_log: Path | None, random_loss: bool
    ) -> dict[str, Any]:
        """The switch's configuration (config.h)."""
        link = self._link if random_loss else self._link | {"random_loss": 0}
        config = switch_parameters(link) | {
            "seed": self._seed,
            "report": str(self._work / "switch.json"),
            "clients": [_client(port) for port in ports],
        }
        if queue_log is not None:
            config |= {"queue_log": str(queue_log), "flows": str(self._work / "flows.json")}
        return config

    def _last_words(self) -> str:
        lines = (self._work / "logs/switch.log").read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"


def _client(port: Port) -> dict[str, Any]:
    """One client in the switch's configuration."""
    client: dict[str, Any] = {
        "name": port.client.name.removeprefix("client-"),
        "client_netns": str(port.client.netns),
        "service_netns": str(port.service.netns),
        "interface": INTERFACE,
        "delay_down_ns": port.delay_down_ns,
        "delay_up_ns": port.delay_up_ns,
    }
    return client | {"access": access_parameters(port.access)} if port.access else client


def _program() -> str:
    """Where the switch is installed: beside this Python, or on PATH."""
    beside = Path(sys.executable).parent / PROGRAM
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which(PROGRAM)
    if found is None:
        raise UserError(f"{PROGRAM} is not installed; run `make setup`")
    return found
