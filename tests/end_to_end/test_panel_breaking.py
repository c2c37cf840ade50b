"""A browser that hangs or a server that dies makes the trial fail in time.

A page that does not come, a video that does not start and a load that does not end are outcomes of a
completed trial.
"""

import json
import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest

from tests.end_to_end.conftest import make_spec
from tests.end_to_end.running import RunningTrial, all_end, program_of


@pytest.fixture
def start(tmp_path):
    """Start a trial. The catalogue entry of its first service may be changed."""
    started = []

    def started_trial(
        pair: str, duration_s: int, loads: int = 2, limit_s: int = 45, **changes
    ) -> RunningTrial:
        spec = make_spec(tmp_path, pair, duration_s, loads=loads, limit_s=limit_s)
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


@pytest.mark.soak(minutes=1)
def test_a_name_server_that_dies(start):
    running = start("ref-file-bbr", 10)
    running.wait_for("chromium", "--headless=new")
    running.wait_for("dnsmasq", "--no-daemon").kill()
    assert "ref-file-bbr of c1: the server ended with status -9" in reason_of(running)


@pytest.mark.soak(minutes=1)
def test_a_browser_that_hangs(start):
    running = start("ref-file-bbr", 6)
    running.wait_for("chromium", "--headless=new").suspend()
    assert "ref-file-bbr of c1: " in reason_of(running)


def qoe_of(running: RunningTrial) -> dict[str, Any]:
    """What the clients of a trial observed, once it has completed and all its processes have ended."""
    started = running.descendants()
    record = running.record()
    assert all_end(started), "a process outlived its trial"
    assert (record["status"], record["reason"]) == ("completed", None)
    return json.loads((running.into / "qoe.json").read_text())


@pytest.mark.soak(minutes=1)
def test_a_page_that_takes_longer_than_its_limit_has_ten_censored_loads(start):
    running = start("ref-page-images", 12, loads=10, limit_s=1)
    observation = qoe_of(running)["c1"]
    assert [(True, 1, None)] * 10 == [
        (load["censored"], load["visually_complete_s"], load["load_event_s"]) for load in observation["loads"]
    ]
    assert "10 of 10 loads had not ended after 1 s" == observation["unmet"]
    starts_s = [load["since_ns"] / 1e9 for load in observation["loads"]]
    assert all(later - earlier > 1 + 12 // 2 for earlier, later in pairwise(starts_s))


@pytest.mark.soak(minutes=1)
def test_a_server_that_never_answers_has_a_share_of_0_next_to_a_working_contender(start):
    """Chromium waits for it, and the download next to it goes on."""
    running = start("iperf-cubic~ref-file-bbr", 20)
    running.wait_for("chromedriver", "--log-level=WARNING")
    for process in running.descendants():
        if program_of(process) == "nginx":
            process.suspend()
    observations = qoe_of(running)
    assert observations["c1"]["received_bytes"] > 1e6
    assert "unmet" not in observations["c1"]
    assert 0 == observations["c2"]["received_bytes"]
    assert "the page did not answer within 15 s" == observations["c2"]["unmet"]


@pytest.mark.soak(minutes=1)
def test_a_video_that_never_starts(start):
    running = start("ref-video-4-reno", 8)
    running.wait_for("chromedriver", "--log-level=WARNING")
    running.wait_for("nginx", "stderr").suspend()
    observation = qoe_of(running)["c1"]
    assert observation["startup_s"] is None
    assert 0 < observation["watched_s"] < 8 + 5
    assert ([], []) == (observation["switches"], observation["stalls"])
    assert observation["unmet"].startswith("the video did not start within ")


@pytest.mark.soak(minutes=1)
def test_a_page_that_never_loads(start):
    running = start("ref-page-text", 12, limit_s=20)
    running.wait_for("chromedriver", "--log-level=WARNING")
    running.wait_for("nginx", "stderr").suspend()
    observation = qoe_of(running)["c1"]
    assert [(True, 20), (True, 20)] == [
        (load["censored"], load["visually_complete_s"]) for load in observation["loads"]
    ]
    assert "2 of 2 loads had not ended after 20 s" == observation["unmet"]


def test_a_missing_page(start):
    running = start("ref-page-text", 12, limit_s=4, page={"path": "page/none.html"})
    reason = "2 of 2 loads had not ended after 4 s: the page answered with HTTP status 404"
    assert reason == qoe_of(running)["c1"]["unmet"]


@pytest.mark.soak(minutes=1)
def test_pictures_of_missing_hosts(start):
    hosts = ["images.test", "image1.images.test"]
    running = start("ref-page-images", 12, limit_s=12, hosts=hosts)
    assert "12 pictures of the page did not load" in qoe_of(running)["c1"]["unmet"]


def test_a_trial_after_a_crashed_browser_completes(start, tmp_path):
    running = start("ref-file-bbr", 10)
    running.wait_for("chromedriver", "--log-level=WARNING")
    running.wait_for("chromium", "--headless=new").kill()
    assert "ref-file-bbr of c1: the browser failed" == reason_of(running)
    spec, again = make_spec(tmp_path, "ref-file-bbr", 6), tmp_path / "trials/02"
    subprocess.run([sys.executable, "-m", "testbed", "run", str(spec), "--into", str(again)], check=True)
    assert json.loads((again / "trial.json").read_text())["status"] == "completed"
