"""The driver of an endpoint as a command, in a network namespace: the tiny endpoint, and broken ones."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from scripts.base.files import ROOT
from scripts.base.records import to_json
from scripts.base.yaml_files import load_yaml
from scripts.model.services import Schedule
from services.drivers.endpoint import BIG_BYTES, LISTEN_S
from services.endpoint import PORT, STOP, STOP_S
from services.endpoint.keys import make_keys
from services.endpoint.program import LOG_BYTES
from services.use_time import FINISH, SHARED
from tests.end_to_end.running import wait_for
from tests.services.endpoint.making import endpoint_service, make_endpoint, python

pytestmark = pytest.mark.traffic
ADDRESS = "127.0.0.1"
FOREVER = "import time\nwhile True: time.sleep(1)"
DEAF = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
BOUND = f"import socket\nserver = socket.create_server(('{ADDRESS}', {PORT}))\n"


@pytest.fixture(scope="module")
def namespace() -> Iterator[list[str]]:
    """A command that runs another one in a network namespace with loopback only."""
    command = ["unshare", "--user", "--map-root-user", "--net", "cat"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as holder:
        enter = ["nsenter", f"--target={holder.pid}", "--user", "--preserve-credentials", "--net"]
        wait_for(lambda: psutil.Process(holder.pid).name() == "cat", "the namespace")
        subprocess.run([*enter, "ip", "link", "set", "lo", "up"], check=True)
        subprocess.run([*enter, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1"], check=True)
        yield enter


class Running:
    """Both sides of a service with the endpoint in `folder`."""

    def __init__(self, namespace: list[str], folder: Path, schedule: Schedule | None = None) -> None:
        self.folder = folder
        self.shared = folder / SHARED
        self._enter = namespace
        self._service = endpoint_service(folder / "endpoint", schedule=schedule)
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


@pytest.fixture
def run(namespace, tmp_path):
    """Makes both sides of an endpoint with these keys; what runs is ended."""
    made: list[Running] = []

    def make(schedule: Schedule | None = None, **keys) -> Running:
        make_endpoint(tmp_path / "endpoint", **keys)
        made.append(Running(namespace, tmp_path, schedule))
        return made[0]

    yield make
    for each in made:
        each.end()


def test_bytes_are_counted_by_the_driver_and_the_client_ends_in_time(run):
    running = run()
    observation = running.observed(3)
    assert observation["received_bytes"] > 10_000_000
    assert observation["received_bytes"] == sum(size for _, _, size in observation["intervals"])
    assert observation["client_runs"] <= 2
    assert (0, 0) == (observation["left_processes"], observation["written_bytes"])
    assert "unmet" not in observation
    end = running.stopped()
    assert end["stop_s"] < STOP_S
    assert (0, 0) == (end["left_processes"], end["written_bytes"])


def test_the_endpoint_says_what_it_is(run):
    running = run()
    running.serve()
    wait_for(running.listens, "the server listens")
    told = json.loads((running.folder / "serve/endpoint.json").read_text())
    kernel = Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip()
    assert ("tiny", {"kernel": kernel}, True) == (told["stack"], told["controllers"], told["gso"])


def test_commands_have_the_values_of_their_placeholders_and_nothing_of_our_environment(run):
    words = ("address", "port", "host", "cert", "key", "www", "logs", "cca")
    program = "import os, sys\nopen('{logs}/told', 'w').write(repr((sys.argv[1:], dict(os.environ))))\n"
    server = [*python(program + BOUND + FOREVER), *(f"{{{word}}}" for word in words)]
    running = run(server=server, environment={"LEVEL": "9"})
    running.serve()
    wait_for(running.listens, "the server listens")
    own = running.folder / "serve"
    arguments, environment = eval((own / "logs/told").read_text())
    assert [ADDRESS, str(PORT), "endpoint.test"] == arguments[:3]
    assert "BEGIN CERTIFICATE" in Path(arguments[3]).read_text()
    assert "PRIVATE KEY" in Path(arguments[4]).read_text()
    big = Path(arguments[5], "big").stat()
    assert (BIG_BYTES, 0) == (big.st_size, big.st_blocks)
    assert [str(own / "logs"), "kernel"] == arguments[6:]
    assert "9" == environment["LEVEL"]
    assert {"PATH", "HOME", "TMPDIR", "LANG", "LEVEL", "LC_CTYPE"} >= environment.keys()


def test_a_client_that_ends_early_is_started_again(run):
    program = "import socket\nsocket.create_connection(('127.0.0.1', 4433)).recv(1 << 20)"
    observation = run(client=python(program)).observed(8)
    assert observation["client_runs"] >= 2
    assert "unmet" not in observation


def test_a_client_that_fails_again_and_again_is_an_outcome_with_its_status(run):
    observation = run(client=python("raise SystemExit(3)")).observed(3)
    assert "nothing was received: the client of the endpoint ended with status 3" == observation["unmet"]


def test_a_server_that_is_started_again_breaks_connections_and_the_download_goes_on(run):
    observation = run(schedule=Schedule(restart_s=3)).observed(8)
    assert observation["client_runs"] >= 2
    assert observation["intervals"][-2][2] > 1_000_000


def test_a_program_that_ignores_sigterm_is_killed(run):
    program = "import socket\nconnection = socket.create_connection(('127.0.0.1', 4433))\n"
    running = run(client=python(DEAF + program + FOREVER), server=python(DEAF + BOUND + FOREVER))
    assert STOP_S == running.observed(2)["stop_s"]
    assert STOP_S == running.stopped()["stop_s"]


def test_processes_that_a_program_leaves_behind_are_killed(run):
    left = "import subprocess, sys\n"
    left += f"subprocess.Popen([sys.executable, '-c', '''{FOREVER}'''], start_new_session=True)\n"
    running = run(client=python(left), server=python(left + BOUND + FOREVER))
    assert running.observed(3)["left_processes"] >= 1
    assert 1 == running.stopped()["left_processes"]


def test_output_without_an_end_is_cut(run):
    program = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    running = run(client=python(program))
    assert 0 == running.observed(3)["written_bytes"]
    log = (running.folder / "use/client.log").stat().st_size
    assert LOG_BYTES < log < LOG_BYTES + 100


def test_a_client_that_stores_its_download_is_found_out(run):
    program = "open('{downloads}/file', 'wb').write(bytes(5_000_000))\n"
    assert run(client=python(program + FOREVER)).observed(2)["written_bytes"] >= 5_000_000


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"server": python("raise SystemExit(7)")}, "the server of the endpoint ended with status 7"),
        ({"server": ["./none"]}, "the server of the endpoint cannot be started"),
        ({"server": ["server.py"]}, "the server of the endpoint cannot be started"),
        ({"server": python("raise SystemExit(127)")}, "the endpoint does not support this: status 127"),
        ({"server": python(FOREVER)}, f"the server of the endpoint did not listen within {LISTEN_S} s"),
        (
            {
                "server": python(
                    f"import socket\nsocket.create_server(('::1', {PORT}), family=socket.AF_INET6)"
                )
            },
            "the server of the endpoint ended with status 1",
        ),
        ({"versions": python("raise SystemExit(1)")}, "the endpoint does not say its stack"),
        ({"versions": python("print('tiny 1.0')")}, "the endpoint does not say its stack"),
        ({"versions": python("while True: print('x' * 65536)")}, "the endpoint does not say its stack"),
        ({"versions": python(FOREVER)}, "the endpoint does not say its stack"),
        ({"versions": python("print('[' * 60000)")}, "the endpoint does not say its stack"),
        ({"versions": ["none"]}, "the endpoint does not say its stack"),
    ],
)
def test_a_broken_server_is_a_failure_with_a_reason_of_ours(run, keys, reason):
    running = run(**keys)
    assert running.failure(running.serve()).startswith(reason)


def test_a_server_that_ends_later_is_a_failure(run):
    running = run(server=python(BOUND + "import time\ntime.sleep(2)"))
    assert "the server of the endpoint ended with status 0" == running.failure(running.serve())


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"client": ["./none"]}, "the client of the endpoint cannot be started"),
        ({"client": python("raise SystemExit(127)")}, "the endpoint does not support this: status 127"),
    ],
)
def test_a_client_that_cannot_run_is_a_failure(run, keys, reason):
    running = run(**keys)
    assert reason == running.failure(running.use(3))


def test_the_testbed_can_end_the_time_early(run):
    running = run()
    running.serve()
    wait_for(running.listens, "the server listens")
    client = running.use(3600)
    wait_for((running.folder / "use/client.log").exists, "the client runs")
    time.sleep(1)
    (running.shared / FINISH).touch()
    assert client.wait(STOP_S + 10) == 0


def test_the_schema_of_services_knows_the_port_of_the_server():
    schema = load_yaml(ROOT / "services/drivers/endpoint.yaml")["service"]["properties"]["probe"]
    assert {"const": PORT} == schema["properties"]["port"]["not"]
