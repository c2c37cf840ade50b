"""The command behind every driver, and iperf3's own report read right, on loopback."""

import json
import subprocess
import sys

import pytest

from tests.environment import own_loopback

SERVICE = {"name": "iperf-cubic", "cca": "cubic", "flows": 2, "probe": {"port": 5902}}


def driver(side: str, service: dict, *options: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "services.drivers",
        "iperf",
        side,
        json.dumps(service),
        own_loopback(1),
        *options,
    ]


@pytest.fixture
def server():
    process = subprocess.Popen(driver("serve", SERVICE), stdout=subprocess.PIPE, text=True)
    yield process
    process.kill()
    process.wait()


def use(service: dict, tmp_path) -> subprocess.CompletedProcess:
    options = ["--seconds", "1", "--directory", str(tmp_path), "--result", str(tmp_path / "result.json")]
    return subprocess.run(driver("use", service, *options), capture_output=True, text=True, check=False)


def test_a_download_reports_what_iperf3_counted(server, tmp_path):
    server.stdout.readline()
    done = use(SERVICE, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    seen = json.loads((tmp_path / "result.json").read_text())
    raw = json.loads((tmp_path / "iperf3.json").read_text())
    assert len(raw["start"]["connected"]) == SERVICE["flows"]
    assert raw["end"]["sender_tcp_congestion"] == "cubic"
    assert seen["received_bytes"] == sum(part["receiver"]["bytes"] for part in raw["end"]["streams"])
    assert seen["received_bytes"] >= sum(size for _, _, size in seen["intervals"]) > 0


def test_a_service_that_is_not_there_is_told_in_iperf3s_words(tmp_path):
    done = use(SERVICE, tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("iperf3: unable to connect to server")
    assert not (tmp_path / "result.json").exists()


def test_a_congestion_control_that_the_kernel_lacks_is_told(server, tmp_path):
    server.stdout.readline()
    done = use(SERVICE | {"cca": "nonesuch"}, tmp_path)
    assert done.returncode == 1
    assert "congestion control" in done.stderr
