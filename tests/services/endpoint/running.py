"""Runs both sides of an endpoint as commands of its driver, in a network namespace."""

import json
import subprocess
import sys
from pathlib import Path

from scripts.base.files import ROOT
from scripts.base.records import to_json
from scripts.model.services import Schedule
from services.drivers.endpoint import LISTEN_S
from services.endpoint import STOP, STOP_S
from services.endpoint.keys import make_keys
from services.use_time import FINISH, SHARED
from tests.end_to_end.running import wait_for
from tests.services.endpoint.making import endpoint_service

ADDRESS = "127.0.0.1"


class Running:
    """Both sides of a service with the endpoint in `folder`."""

    def __init__(
        self, namespace: list[str], folder: Path, schedule: Schedule | None = None, cca: str = "kernel"
    ) -> None:
        self.folder = folder
        self.shared = folder / SHARED
        self._enter = namespace
        self._service = endpoint_service(folder / "endpoint", schedule=schedule, cca=cca)
        for side in ("serve", "use"):
            (folder / side).mkdir()
            (folder / side / SHARED).symlink_to(self.shared)
        self.shared.mkdir()
        (self.shared / "service.json").write_text(json.dumps(to_json(self._service)))
        make_keys(self._service, folder / "serve", folder)
        self._started: list[subprocess.Popen] = []

    def _start(self, side: str, *options: str) -> subprocess.Popen:
        command = [sys.executable, "-m", "services.drivers", "endpoint", side]
        command += [str(self.shared / "service.json"), ADDRESS, "--directory", str(self.folder / side)]
        command = [*self._enter, *command, *options]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        self._started.append(process)
        return process

    def serve(self) -> subprocess.Popen:
        """Start the server."""
        return self._start("serve")

    def listens(self) -> bool:
        """Whether the driver answers the probe."""
        assert self._started[0].poll() is None, self._started[0].stderr.read()
        listed = subprocess.run(
            [*self._enter, "ss", "-Htln", "sport = :5901"], capture_output=True, check=True
        )
        return bool(listed.stdout.strip())

    def use(self, seconds: int) -> subprocess.Popen:
        """Start the client."""
        result = ["--result", str(self.folder / "result.json")]
        return self._start("use", "--seconds", str(seconds), *result)

    def observed(self, seconds: int = 3) -> dict:
        """What a client observes, after the server listens."""
        self.serve()
        wait_for(self.listens, "the server listens")
        client = self.use(seconds)
        assert (0, "") == (client.wait(), client.stderr.read())
        return json.loads((self.folder / "result.json").read_text())

    def stopped(self) -> dict:
        """How the server ended, once it was asked to."""
        (self.shared / STOP).touch()
        assert self._started[0].wait() == 0
        return json.loads((self.folder / "serve/server.json").read_text())

    def failure(self, process: subprocess.Popen) -> str:
        """The reason for which a side failed: the last line of its standard error."""
        assert process.wait() == 1
        return process.stderr.read().splitlines()[-1]

    def end(self) -> None:
        """End what runs."""
        (self.shared / STOP).touch()
        (self.shared / FINISH).touch()
        for process in self._started:
            process.wait(LISTEN_S + 2 * STOP_S + 10)
