"""The driver of iperf3 as a command on loopback, and the figures it takes from iperf3's report."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from scripts.base.records import to_json
from scripts.model.services import Probe, Service
from tests.environment import own_loopback

SERVICE = Service("iperf-cubic", "iPerf (2 × Cubic)", "Baseline", "iperf", "cubic", Probe(5902), flows=2)
ADDRESS = own_loopback(1)


def driver(side: str, service: Service, *options: str) -> list[str]:
    command = [sys.executable, "-m", "services.drivers", "iperf", side]
    return [*command, json.dumps(to_json(service)), ADDRESS, *options]


@pytest.fixture
def server():
    """A server that listens."""
    process = subprocess.Popen(driver("serve", SERVICE), stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()


def use(service: Service, tmp_path) -> subprocess.CompletedProcess:
    options = ["--seconds", "1", "--directory", str(tmp_path), "--result", str(tmp_path / "result.json")]
    return subprocess.run(driver("use", service, *options), capture_output=True, text=True, check=False)


def test_a_download_reports_the_figures_of_iperf3(server, tmp_path):
    done = use(SERVICE, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    observation = json.loads((tmp_path / "result.json").read_text())
    raw = json.loads((tmp_path / "iperf3.json").read_text())
    assert len(raw["start"]["connected"]) == SERVICE.flows
    assert raw["end"]["sender_tcp_congestion"] == "cubic"
    assert observation["received_bytes"] == sum(part["receiver"]["bytes"] for part in raw["end"]["streams"])
    assert observation["received_bytes"] >= sum(size for _, _, size in observation["intervals"]) > 0


def test_a_missing_server_is_an_error_in_iperf3s_words(tmp_path):
    done = use(SERVICE, tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("iperf3: unable to connect to server")
    assert not (tmp_path / "result.json").exists()


def test_a_congestion_control_that_the_kernel_lacks_is_an_error(server, tmp_path):
    done = use(replace(SERVICE, cca="nonesuch"), tmp_path)
    assert done.returncode == 1
    assert "congestion control" in done.stderr
