"""The embedded switch as a bottleneck: configures, starts and stops the program observatory-switch."""

import json
import select
import subprocess
from collections.abc import Sequence
from pathlib import Path

from scripts.base.built_programs import built_program
from scripts.base.files import read_json
from scripts.base.records import Json
from scripts.model.settings import Link
from testbed.bottleneck import BottleneckError, Port
from testbed.hosts import INTERFACE, Host
from testbed.logged_process import last_line
from testbed.switch_configuration import REPORT, switch_configuration

PROGRAM = "observatory-switch"
START_TIMEOUT_S = 10
STOP_TIMEOUT_S = 15


class EmbeddedBottleneck:
    """See testbed.bottleneck.Bottleneck. The files of the switch are in `work`."""

    def __init__(self, link: Link, seed: int, work: Path) -> None:
        self._link = link
        self._seed = seed
        self._work = work
        self._log = work / "logs/switch.log"
        self._process: subprocess.Popen[str] | None = None

    def make_interface(self, host: Host) -> None:
        """See Bottleneck.make_interface. The interface is a TAP device, which the switch opens."""
        subprocess.run(["ip", "-n", host.name, "tuntap", "add", "name", INTERFACE, "mode", "tap"], check=True)

    def start(self, ports: Sequence[Port], log_queue: bool, random_loss: bool = True) -> None:
        """See Bottleneck.start."""
        path = self._work / "switch-config.json"
        configuration = switch_configuration(
            self._link, self._seed, ports, self._work, log_queue, random_loss
        )
        path.write_text(json.dumps(configuration), encoding="utf-8")
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [built_program(PROGRAM), str(path)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        stdout = self._process.stdout
        assert stdout is not None
        if not select.select([stdout], [], [], START_TIMEOUT_S)[0] or stdout.readline() != "ready\n":
            raise BottleneckError(f"the switch did not start: {last_line(self._log)}")

    def check(self) -> None:
        """See Bottleneck.check."""
        if self._process is not None and self._process.poll() is not None:
            raise BottleneckError(
                f"the switch ended by itself with status {self._process.returncode}: {last_line(self._log)}"
            )

    def stop(self) -> dict[str, Json]:
        """See Bottleneck.stop."""
        self.check()
        assert self._process is not None
        self._process.terminate()
        try:
            status = self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            raise BottleneckError(f"the switch did not end within {STOP_TIMEOUT_S} s") from None
        if status != 0:
            raise BottleneckError(f"the switch ended with status {status}: {last_line(self._log)}")
        self._process = None
        return {"backend": "embedded"} | read_json(self._work / REPORT)
