"""The driver of generated flows as a command, on a loopback with Ethernet's packet size in a namespace."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts.base.records import to_json
from scripts.model.services import FlowSchedule, Probe, Schedule, Service
from services.drivers.flows import SERVER_LOG
from services.use_time import FINISH, SHARED
from tests.end_to_end.running import wait_for

pytestmark = pytest.mark.traffic

ADDRESS = "127.0.0.1"
PORT = 5203
MEGABYTE = 1_000_000
SEGMENT_BYTES = 1448
TIMES = ("started_ns", "connected_ns", "first_ns", "last_ns")


@dataclass
class Namespace:
    """A network namespace in which commands run, and the folder of the driver."""

    pid: int
    folder: Path

    def start(self, *command: str) -> subprocess.Popen:
        user = [] if os.geteuid() == 0 else ["--user", "--preserve-credentials"]
        inside = ["nsenter", f"--target={self.pid}", "--net", *user]
        return subprocess.Popen([*inside, *command], stderr=subprocess.PIPE, text=True)

    def driver(self, side: str, schedule: FlowSchedule, *options: str) -> subprocess.Popen:
        service = Service(
            "flows", "Flows", "Flows", "flows", "cubic", Probe(PORT), schedule=Schedule(flows=schedule)
        )
        path = self.folder / "service.json"
        path.write_text(json.dumps(to_json(service)))
        command = [sys.executable, "-m", "services.drivers", "flows", side, str(path), ADDRESS]
        return self.start(*command, "--directory", str(self.folder), *options)

    def use(self, schedule: FlowSchedule, seconds: int) -> subprocess.Popen:
        return self.driver(
            "use", schedule, "--seconds", str(seconds), "--result", str(self.folder / "result.json")
        )

    def observation(self, schedule: FlowSchedule, seconds: int = 3) -> dict:
        return self.result(self.use(schedule, seconds))

    def result(self, client: subprocess.Popen) -> dict:
        errors = client.communicate()[1]
        assert (client.returncode, errors) == (0, "")
        return json.loads((self.folder / "result.json").read_text())


@pytest.fixture
def namespace(tmp_path) -> Iterator[Namespace]:
    """A network namespace whose only interface is its loopback."""
    (tmp_path / SHARED).mkdir()
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    prepare = "ip link set lo up mtu 1500 && echo ready && exec sleep infinity"
    command = ["unshare", "--net", *user, "sh", "-c", prepare]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        if holder.stdout.readline() != "ready\n":
            pytest.skip("needs root, or user namespaces")
        yield Namespace(holder.pid, tmp_path)
        holder.kill()


@pytest.fixture
def server(namespace) -> Iterator[subprocess.Popen]:
    """The service's side, which listens."""
    process = namespace.driver("serve", FlowSchedule((), ()))
    log = namespace.folder / SHARED / SERVER_LOG
    wait_for(log.exists, "the server listens")
    yield process
    process.kill()
    process.communicate()


def test_every_size_arrives_whole_and_its_times_are_ordered(namespace, server):
    sizes = (1, SEGMENT_BYTES, MEGABYTE)
    starts_us = (100_000, 200_000, 300_000)
    observation = namespace.observation(FlowSchedule(starts_us, sizes))
    flows = observation["flows"]
    assert (flows["planned_us"], flows["size_bytes"]) == (list(starts_us), list(sizes))
    assert flows["received_bytes"] == list(sizes)
    assert sum(sizes) == observation["received_bytes"]
    assert [0, 0, 0] == flows["retransmissions"]
    for times in zip(*(flows[name] for name in TIMES), strict=True):
        assert list(times) == sorted(times)
    since_ns = observation["since_ns"] - 1_000_000  # both clocks are not read at once
    starts = zip(flows["started_ns"], flows["planned_us"], strict=True)
    assert all(started_ns >= since_ns + 1000 * planned_us for started_ns, planned_us in starts)
    assert "unmet" not in observation and "rate_limit_mbps" not in flows


def test_flows_of_a_group_start_together(namespace, server):
    schedule = FlowSchedule((0, 0, 400_000, 400_000, 400_000), (SEGMENT_BYTES,) * 5, group_flows=2)
    flows = namespace.observation(schedule)["flows"]
    assert [0, 0, 1, 1, 2] == flows["group"]
    started_ns = flows["started_ns"]
    assert started_ns[2] - started_ns[1] > started_ns[1] - started_ns[0]


def test_a_refused_connection_is_an_outcome_of_its_flow(namespace):
    observation = namespace.observation(FlowSchedule((0, 1000), (1, 1)), seconds=1)
    flows = observation["flows"]
    assert "nothing was received: the connections of 2 of 2 flows broke" == observation["unmet"]
    assert all(flows["started_ns"])
    assert [[None, None]] * 4 == [
        flows[name] for name in ("connected_ns", "first_ns", "last_ns", "retransmissions")
    ]


def test_a_server_that_dies_breaks_the_flows_that_still_run(namespace, server):
    schedule = FlowSchedule((0, 0), (1, 100 * MEGABYTE), rate_limit_mbps=8)
    client = namespace.use(schedule, seconds=6)
    log = namespace.folder / SHARED / SERVER_LOG
    wait_for(log.read_text, "the first flow ended")
    server.kill()
    observation = namespace.result(client)
    flows = observation["flows"]
    assert "the connections of 1 of 2 flows broke" == observation["unmet"]
    assert flows["last_ns"][0] is not None and flows["last_ns"][1] is None
    assert 8 == flows["rate_limit_mbps"]


def test_flows_that_the_end_of_the_time_cuts_off_are_censored(namespace, server):
    schedule = FlowSchedule((0, 0, 60_000_000), (1, 100 * MEGABYTE, 1), rate_limit_mbps=8)
    client = namespace.use(schedule, seconds=3600)
    wait_for((namespace.folder / SHARED / SERVER_LOG).read_text, "the first flow ended")
    (namespace.folder / SHARED / FINISH).touch()
    observation = namespace.result(client)
    flows = observation["flows"]
    assert "unmet" not in observation
    assert [True, False, False] == [time_ns is not None for time_ns in flows["last_ns"]]
    assert 0 < flows["received_bytes"][1] < 100 * MEGABYTE
    assert [0, 0, None] == flows["retransmissions"], "the server knows those of a censored flow too"
    assert flows["started_ns"][2] is None


def test_a_rate_limit_holds(namespace, server):
    flows = namespace.observation(FlowSchedule((0,), (2 * MEGABYTE,), rate_limit_mbps=10), seconds=5)["flows"]
    seconds = (flows["last_ns"][0] - flows["connected_ns"][0]) / 1e9
    assert 5 <= 2 * MEGABYTE * 8 / 1e6 / seconds <= 11, "a busy machine may be slower than the limit"


def test_thousands_of_flows_in_seconds_all_complete(namespace, server):
    count = 2000
    schedule = FlowSchedule(tuple(range(0, 1500 * count, 1500)), (SEGMENT_BYTES,) * count)
    observation = namespace.observation(schedule, seconds=10)
    assert count * SEGMENT_BYTES == observation["received_bytes"]
    assert None not in observation["flows"]["last_ns"]
    assert [0] * count == observation["flows"]["retransmissions"]


def test_a_connection_that_requests_nothing_is_no_flow(namespace, server):
    """The testbed measures the RTT by such connections."""
    connect = f"import socket; socket.create_connection(('{ADDRESS}', {PORT}))"
    assert namespace.start(sys.executable, "-c", connect).wait() == 0
    assert [1] == namespace.observation(FlowSchedule((0,), (1,)))["flows"]["received_bytes"]
    assert ["0 0"] == (namespace.folder / SHARED / SERVER_LOG).read_text().splitlines()


def test_the_program_ends_with_the_driver(namespace, server):
    client = namespace.use(FlowSchedule((60_000_000,), (1,)), seconds=3600)
    program = wait_for(lambda: _child_of(client.pid), "the program runs")
    client.send_signal(signal.SIGKILL)
    client.communicate()
    wait_for(lambda: not Path(f"/proc/{program}").exists(), "the program ended")


def _child_of(pid: int) -> int | None:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[0]) if children else None


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        (FlowSchedule((0, 1), (1,)), "starts_us and sizes_bytes differ in length"),
        (FlowSchedule((1, 0), (1, 1)), "starts_us must ascend"),
        (FlowSchedule((0,), (0,)), "a flow has no bytes"),
        (FlowSchedule((0,) * 15_001, (1,) * 15_001), "more than 15000 flows"),
    ],
)
def test_a_wrong_schedule_is_an_error(namespace, schedule, message):
    client = namespace.use(schedule, seconds=1)
    errors = client.communicate()[1].splitlines()
    assert 1 == client.returncode
    assert message in errors[0]
    assert "the generator of flows failed" == errors[-1]
