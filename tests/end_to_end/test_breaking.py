"""A fault within a trial makes it `failed` with a reason, and a silent service is an outcome.

A killed trial leaves nothing behind.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq
import pytest

from scripts.base.host import host_name
from scripts.extract.extract_trial import extract
from testbed.host_lock import exclusive_host_lock
from tests.end_to_end.conftest import make_spec
from tests.end_to_end.running import SOON_S, TURN_S, RunningTrial, all_end

INTERFACES = "ifo-"
HOSTS = ("client-c", "service-c")
MOUNT_POINTS = ("/run", "/proc", "/etc/resolv.conf")
"""Where a trial mounts, and how the names of its interfaces and hosts begin."""


def qoe(running: RunningTrial) -> dict[str, Any]:
    """What the clients of a completed trial observed."""
    return json.loads((running.into / "qoe.json").read_text())


def run_into(tmp_path: Path, name: str) -> list[str]:
    """The command that runs the same trial again, into a directory of this name."""
    spec, into = tmp_path / "01.json", tmp_path / name
    return [sys.executable, "-m", "testbed", "run", str(spec), "--into", str(into)]


def test_a_server_that_crashes_makes_a_failed_trial(start_trial):
    running = start_trial()
    running.wait_for("iperf3", "--client")
    running.wait_for("iperf3", "--server").kill()
    record = running.record()
    assert record["status"] == "failed"
    assert record["reason"].startswith("iperf-cubic of c1: the server ended with status ")
    assert "unshare" not in record["reason"], "the reason names the server, not the program around it"
    assert (running.into / "client-c1.pcapng.zst").exists(), "the capture is kept"


def test_a_server_that_stops_answering_makes_a_completed_trial(start_trial):
    running = start_trial()
    running.wait_for("iperf3", "--client")
    running.wait_for("iperf3", "--server").suspend()
    assert running.record()["status"] == "completed"
    assert "iperf3 did not end in time" in qoe(running)["c1"]["unmet"]


def test_a_server_that_never_answers_has_a_share_of_0_next_to_a_working_contender(start_trial, tmp_path):
    running = start_trial("iperf-cubic~iperf-reno")
    servers = [running.wait_for("iperf3", "--server", f"198.18.{number}.10") for number in (1, 2)]
    servers[1].suspend()
    running.wait_for("iperf3", "--client")
    assert running.record()["status"] == "completed"
    cubic, reno = qoe(running).values()
    assert cubic["received_bytes"] > 1e6
    assert "unmet" not in cubic
    assert (0, []) == (reno["received_bytes"], reno["intervals"])
    assert reno["unmet"].startswith("nothing was received: iperf3")
    extract(running.into, tmp_path / "parquet")
    clients = pq.read_table(tmp_path / "parquet/clients.parquet").to_pylist()
    forwarded = {client["client"]: client["forwarded_bytes"] for client in clients}
    assert forwarded["c2"] < 0.01 * forwarded["c1"], "only the control connection"


def test_a_server_that_does_not_answer_for_over_5_s_is_used_for_the_rest_of_the_time(start_trial):
    running = start_trial(duration_s=20)
    running.wait_for("iperf3", "--server").suspend()
    running.wait_for("iperf3", "--client")
    time.sleep(7)
    running.wait_for("iperf3", "--server").resume()
    assert running.record()["status"] == "completed"
    assert qoe(running)["c1"]["received_bytes"] > 1e6


def test_a_switch_that_is_killed_makes_a_failed_trial(start_trial):
    running = start_trial()
    running.wait_for("iperf3", "--client")
    running.wait_for("observatory-switch").kill()
    record = running.record()
    assert record["status"] == "failed"
    assert "the switch ended by itself" in record["reason"]


@pytest.mark.parametrize(
    ("number", "status", "program"),
    [
        (signal.SIGKILL, -9, "iperf3"),
        (signal.SIGTERM, 143, "observatory-switch"),
        (signal.SIGINT, 130, "iperf3"),
        (signal.SIGHUP, 129, "observatory-switch"),
    ],
)
def test_a_runner_ended_by_a_signal_leaves_nothing(start_trial, number, status, program):
    running = start_trial()
    running.wait_for(program)
    started = running.descendants()
    running.kill(number)
    assert running.process.wait(SOON_S) == status
    assert all_end(started)
    assert not running.into.exists()


def test_a_full_disk_makes_a_failed_trial_and_keeps_its_record(tmp_path):
    spec, small = make_spec(tmp_path, "iperf-cubic"), tmp_path / "small"
    small.mkdir()
    command = [sys.executable, "-m", "testbed", "run", str(spec), "--into", str(small / "01")]
    script = (
        'mount -t tmpfs -o size=100k tmpfs "$1" && "${@:2}" && ls -A "$1/01" >&2 && cat "$1/01/trial.json"'
    )
    namespaces = ["unshare", "--mount", *(() if os.geteuid() == 0 else ("--map-root-user",))]
    ended = subprocess.run(
        [*namespaces, "bash", "-c", script, "bash", str(small), *command],
        check=True,
        capture_output=True,
        text=True,
    )
    record = json.loads(ended.stdout)
    assert record["status"] == "failed"
    assert record["reason"].startswith(
        "the files of the trial cannot be stored: [Errno 28] No space left on device"
    )
    assert ended.stderr.splitlines()[-1] == "trial.json", "nothing else of it is left"


def host_state() -> dict[str, list[str]]:
    """What a trial could leave on this host, read while no trial runs: interfaces, namespaces, mounts."""
    with exclusive_host_lock():
        interfaces = os.listdir("/sys/class/net")
        namespaces = [path.name for path in Path("/run/netns").glob("*")]
        mounts = Path("/proc/self/mounts").read_text().splitlines()
        return {
            "interfaces": sorted(name for name in interfaces if name.startswith(INTERFACES)),
            "namespaces": sorted(name for name in namespaces if name.startswith(HOSTS)),
            "mounts": sorted(line for line in mounts if line.split()[1] in MOUNT_POINTS),
        }


@pytest.mark.parametrize("killed", ["observatory-switch", "runner"])
def test_after_a_kill_the_host_is_clean_and_the_next_trial_runs(start_trial, tmp_path, killed):
    before = host_state()
    running = start_trial()
    running.wait_for("iperf3", "--client")
    started = running.descendants()
    if killed == "runner":
        running.kill(signal.SIGKILL)
    else:
        running.wait_for(killed).kill()
    running.process.wait(SOON_S)
    assert all_end(started)
    assert before == host_state()
    subprocess.run(run_into(tmp_path, "next"), check=True)
    assert json.loads((tmp_path / "next/trial.json").read_text())["status"] == "completed"


def test_a_trial_dies_with_the_process_it_belongs_to(start_trial):
    owner = subprocess.Popen(["sleep", str(TURN_S)])
    running = start_trial(environment={"OBSERVATORY_OWNER": str(owner.pid)})
    running.wait_for("iperf3", "--client")
    started = running.descendants()
    owner.kill()
    owner.wait()
    assert running.process.wait(SOON_S) == 143
    assert all_end(started)
    assert list(running.into.parent.iterdir()) == []


def test_a_trial_dies_with_its_parent(start_trial, tmp_path):
    running = start_trial()
    running.wait_for("observatory-switch")
    command = run_into(tmp_path, "other")
    shell = subprocess.Popen(
        ["bash", "-c", '"$@"; true', "bash", *command], stderr=subprocess.PIPE, text=True
    )
    assert any("waiting for it" in line for line in shell.stderr), "it has begun"
    (child,) = psutil.Process(shell.pid).children()
    shell.kill()
    shell.wait()
    assert all_end([child])


def test_two_trials_never_share_the_host(start_trial, tmp_path):
    first = start_trial()
    first.wait_for("observatory-switch")
    command = run_into(tmp_path, "second")
    second = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "another trial is running on this host: waiting" in second.stderr
    assert first.process.poll() == 0
    one, other = (json.loads((path / "trial.json").read_text()) for path in (first.into, tmp_path / "second"))
    assert one["stop_ns"] < other["start_ns"]


def test_two_trials_that_allow_it_run_at_once_and_leave_nothing(start_trial, tmp_path):
    before = host_state()
    first = start_trial("iperf-cubic~iperf-reno", parallel=2)
    first.wait_for("observatory-switch")
    subprocess.run(run_into(tmp_path, "second"), check=True)
    records = [first.record(), json.loads((tmp_path / "second/trial.json").read_text())]
    assert ["completed"] * 2 == [record["status"] for record in records]
    assert max(one["start_ns"] for one in records) < min(one["stop_ns"] for one in records)
    assert before == host_state()


def test_a_partial_directory_of_a_killed_runner_is_cleared(start_trial, tmp_path):
    partial = tmp_path / f"trials/.01.{host_name()}.1.partial"
    partial.mkdir(parents=True)
    (partial / "client-c1.pcapng.zst").write_bytes(b"half")
    assert start_trial().record(TURN_S)["status"] == "completed"
    assert [path.name for path in (tmp_path / "trials").iterdir()] == ["01"]
