"""The driver of iperf3 as a command on loopback, and the figures it takes from iperf3's report."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from scripts.base.records import to_json
from scripts.model.services import Probe, Service
from services.use_time import FINISH, SHARED
from tests.end_to_end.running import wait_for
from tests.environment import own_loopback

SERVICE = Service("iperf-cubic", "iPerf (2 × Cubic)", "Baseline", "iperf", "cubic", Probe(5902), flows=2)
ADDRESS = own_loopback(1)
BLOCKS_BYTES = 2 * 128 * 1024
"""iperf3 limits a flow by the pause after each block of 128 KiB."""


def connections(client: subprocess.Popen) -> int:
    """The TCP connections of a client and its children."""
    return sum(
        len(process.net_connections("tcp")) for process in psutil.Process(client.pid).children(recursive=True)
    )


def driver(side: str, service: Service, folder: Path, *options: str) -> list[str]:
    path = folder / "service.json"
    path.write_text(json.dumps(to_json(service)))
    command = [sys.executable, "-m", "services.drivers", "iperf", side]
    return [*command, str(path), ADDRESS, "--directory", str(folder), *options]


@pytest.fixture
def server(tmp_path):
    """A server that listens."""
    process = subprocess.Popen(driver("serve", SERVICE, tmp_path), stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()


def use(service: Service, tmp_path, seconds: int = 1) -> subprocess.CompletedProcess:
    options = ["--seconds", str(seconds), "--result", str(tmp_path / "result.json")]
    return subprocess.run(
        driver("use", service, tmp_path, *options), capture_output=True, text=True, check=False
    )


def observed(done: subprocess.CompletedProcess, tmp_path) -> dict:
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads((tmp_path / "result.json").read_text())


def test_a_download_reports_the_figures_of_iperf3(server, tmp_path):
    observation = observed(use(SERVICE, tmp_path), tmp_path)
    raw = json.loads((tmp_path / "iperf3.json").read_text())
    assert len(raw["start"]["connected"]) == SERVICE.flows
    assert observation["received_bytes"] == sum(part["receiver"]["bytes"] for part in raw["end"]["streams"])
    assert observation["received_bytes"] >= sum(size for _, _, size in observation["intervals"]) > 0
    assert "unmet" not in observation


@pytest.mark.parametrize("bitrate_mbps", [2, 0.5])
def test_a_limited_sender_limits_each_flow(server, tmp_path, bitrate_mbps):
    observation = observed(use(replace(SERVICE, bitrate_mbps=bitrate_mbps), tmp_path, seconds=2), tmp_path)
    raw = json.loads((tmp_path / "iperf3.json").read_text())
    assert bitrate_mbps * 1e6 == raw["start"]["target_bitrate"]
    limit_bytes = bitrate_mbps * 1e6 / 8 * observation["seconds"] + BLOCKS_BYTES
    assert 0 < observation["received_bytes"] <= SERVICE.flows * limit_bytes


def test_a_server_that_cannot_be_reached_is_tried_until_the_time_is_over(tmp_path):
    start = time.monotonic()
    observation = observed(use(SERVICE, tmp_path, seconds=4), tmp_path)
    assert time.monotonic() - start >= 4
    assert (0, []) == (observation["received_bytes"], observation["intervals"])
    assert "nothing was received: iperf3 could not connect" == observation["unmet"]


def test_a_server_that_answers_late_is_used_for_the_rest_of_the_time(tmp_path):
    options = ["--seconds", "8", "--result", str(tmp_path / "result.json")]
    client = subprocess.Popen(driver("use", SERVICE, tmp_path, *options))
    wait_for((tmp_path / "iperf3.json").exists, "the first attempt")
    server = subprocess.Popen(driver("serve", SERVICE, tmp_path))
    assert client.wait() == 0
    server.kill()
    server.wait()
    observation = json.loads((tmp_path / "result.json").read_text())
    assert observation["received_bytes"] > 0
    assert 1 <= observation["intervals"][0][0] < observation["intervals"][-1][1] <= 10
    assert "iperf3 could not connect" == observation["unmet"]


def test_a_download_that_the_testbed_ends_has_all_its_intervals(server, tmp_path):
    options = ["--seconds", "3600", "--result", str(tmp_path / "result.json")]
    client = subprocess.Popen(driver("use", SERVICE, tmp_path, *options))
    wait_for(lambda: connections(client) > SERVICE.flows, "the download runs")
    time.sleep(2.5)
    (tmp_path / SHARED).mkdir()
    (tmp_path / SHARED / FINISH).touch()
    assert client.wait() == 0
    observation = json.loads((tmp_path / "result.json").read_text())
    assert observation["received_bytes"] == pytest.approx(
        sum(size for _, _, size in observation["intervals"]), rel=0.01
    )
    assert len(observation["intervals"]) >= 2
    assert observation["seconds"] >= 2
    assert "unmet" not in observation


def test_a_server_that_hangs_ends_nothing(server, tmp_path):
    """Its kernel accepts connections, so only the program is silent."""
    iperf3 = psutil.Process(server.pid)
    iperf3.suspend()
    start = time.monotonic()
    observation = observed(use(SERVICE, tmp_path, seconds=2), tmp_path)
    iperf3.resume()
    assert time.monotonic() - start >= 2
    assert "nothing was received: iperf3 did not end in time" == observation["unmet"]
