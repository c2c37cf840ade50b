"""The driver of an endpoint as a command, in a network namespace: the tiny endpoint, and broken ones."""

import json
import time
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from scripts.base.yaml_files import load_yaml
from scripts.model.services import Schedule
from services.drivers.endpoint import LISTEN_S, VERSIONS_S
from services.endpoint import PORT, STOP_S
from services.endpoint.program import LOG_BYTES
from services.endpoint.www import BIG_BYTES
from services.use_time import FINISH
from tests.end_to_end.running import wait_for
from tests.services.endpoint.making import python
from tests.services.endpoint.running import ADDRESS

pytestmark = pytest.mark.traffic
FOREVER = "import time\nwhile True: time.sleep(1)"
DEAF = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
TOLD = {"stack": "tiny", "version": "1", "controllers": {"kernel": "Cubic"}, "gso": True, "pacing": None}
VERSIONS = "the endpoint does not say its stack, version and controllers: `versions` of endpoint.yaml"
BOUND = f"import socket\nserver = socket.create_server(('{ADDRESS}', {PORT}))\n"


def printing(**changed) -> dict:
    """An endpoint whose `versions` prints this in place of what it should."""
    return {"versions": python(f"print('''{json.dumps(TOLD | changed)}''')")}


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
    assert BIG_BYTES == Path(arguments[5], "big").stat().st_size
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


def test_a_program_may_end_after_the_shell_that_started_it(run):
    slow = "import signal, time\nsignal.signal(signal.SIGTERM, lambda *_: (time.sleep(0.5), exit()))\n"
    shell = ["sh", "-c", '"$@"; true', "sh", *python(slow + BOUND + FOREVER)]
    running = run(server=shell)
    running.serve()
    wait_for(running.listens, "the server listens")
    end = running.stopped()
    assert 0.5 <= end["stop_s"] < STOP_S
    assert 0 == end["left_processes"]


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
        ({"versions": python("raise SystemExit(1)")}, f"{VERSIONS} ended with status 1"),
        ({"versions": python("print('tiny 1.0')")}, f"{VERSIONS} printed no JSON mapping"),
        ({"versions": python("print([])")}, f"{VERSIONS} printed no JSON mapping"),
        ({"versions": python("while True: print('x' * 65536)")}, f"{VERSIONS} ended with status "),
        ({"versions": python(FOREVER)}, f"{VERSIONS} did not end within {VERSIONS_S} s"),
        ({"versions": python("print('[' * 60000)")}, f"{VERSIONS} printed no JSON mapping"),
        ({"versions": ["none"]}, f"{VERSIONS} cannot be started"),
        (printing(stack="<script>"), f"{VERSIONS} has no `stack` that is a plain word"),
        (printing(version=None), f"{VERSIONS} has no `version` that is a plain word"),
        (printing(controllers={"bbr": "BBRv1"}), f"{VERSIONS} does not have the controller of this service"),
        (printing(controllers={"kernel": "a b"}), f"{VERSIONS} has no `controllers` that map names to plain"),
        (printing(gso="yes"), f"{VERSIONS} has no `gso` that is true, false or null"),
        (printing(pacing=1), f"{VERSIONS} has no `pacing` that is true, false or null"),
        (printing(note="<script>"), f"{VERSIONS} has another key than `stack`, "),
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
