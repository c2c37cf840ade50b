"""A browser that hangs, a server that dies or a page that never loads makes the trial fail in time."""

import json
import subprocess
import sys

import pytest

from tests.end_to_end.conftest import make_spec
from tests.end_to_end.running import RunningTrial, all_end


@pytest.fixture
def start(tmp_path):
    """Start a trial of one service, whose catalogue entry may be changed."""
    started = []

    def started_trial(service: str, duration_s: int, **changes) -> RunningTrial:
        spec = make_spec(tmp_path, service, duration_s)
        content = json.loads(spec.read_text())
        content["clients"][0]["service"] |= changes
        spec.write_text(json.dumps(content))
        started.append(RunningTrial(spec, tmp_path / "trials/01"))
        return started[-1]

    yield started_trial
    for running in started:
        running.end()


def reason_of(running: RunningTrial) -> str:
    """Why the trial failed, once it and all its processes have ended."""
    started = running.descendants()
    record = running.record()
    assert all_end(started), "a process outlived its trial"
    assert record["status"] == "failed"
    return record["reason"]


def test_a_server_that_crashes(start):
    running = start("ref-file-bbr", 10)
    running.wait_for("chromium", "--headless=new")
    running.wait_for("nginx", "stderr").kill()
    reason = "ref-file-bbr of c1: the server ended with status 1: nginx ended with status -9"
    assert reason == reason_of(running)


@pytest.mark.soak
def test_a_name_server_that_dies(start):
    running = start("ref-file-bbr", 10)
    running.wait_for("chromium", "--headless=new")
    running.wait_for("dnsmasq", "--no-daemon").kill()
    assert "ref-file-bbr of c1: the server ended with status -9" in reason_of(running)


def test_a_browser_that_hangs(start):
    running = start("ref-file-bbr", 6)
    running.wait_for("chromium", "--headless=new").suspend()
    assert "ref-file-bbr of c1: " in reason_of(running)


@pytest.mark.soak
def test_a_page_that_never_loads(start):
    running = start("ref-page-text", 24)
    running.wait_for("chromedriver", "--log-level=WARNING")
    running.wait_for("nginx", "stderr").suspend()
    assert "ref-page-text of c1: https://text.test/page/text/index.html " in reason_of(running)


def test_a_missing_page(start):
    running = start("ref-page-text", 20, page={"path": "page/none.html"})
    running.wait_for("chromium", "--headless=new")
    assert "https://text.test/page/none.html: HTTP status 404" in reason_of(running)


@pytest.mark.soak
def test_pictures_of_missing_hosts(start):
    running = start("ref-page-images", 20, hosts=["images.test", "image1.images.test"])
    running.wait_for("chromium", "--headless=new")
    assert "https://images.test/page/images/index.html: 12 pictures did not load" in reason_of(running)


def test_a_trial_after_a_crashed_browser_completes(start, tmp_path):
    running = start("ref-file-bbr", 10)
    running.wait_for("chromium", "--headless=new")
    running.wait_for("chromedriver", "--log-level=WARNING").kill()
    assert "ref-file-bbr of c1: the browser: " in reason_of(running)
    spec, again = make_spec(tmp_path, "ref-file-bbr", 6), tmp_path / "trials/02"
    subprocess.run([sys.executable, "-m", "testbed", "run", str(spec), "--into", str(again)], check=True)
    assert json.loads((again / "trial.json").read_text())["status"] == "completed"
