"""The keeper of a trial without live services, half trials, and trials that hang. None needs root."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

import psutil
import pytest

from testbed import forwarding, isolation
from testbed.host_lock import PLACES, lock_path, place_on_this_host
from testbed.isolation import record_hung_trial, remove_half_trials
from testbed.keeper import kept
from tests.testbed.sample_specification import sample_specification, write_specification

HALF = ("8mbps/a/.01.here.1.partial", "8mbps/a~b/.12.here.1.partial", "50mbps/a/.03.here.1.partial")
OTHERS = (
    "8mbps/a/01",
    "8mbps/a/.1.here.1.partial",
    "8mbps/a/.01.here.1.partial.old",
    "8mbps/a/.xx.here.1.partial",
    "8mbps/a/.01.there.1.partial",
    "8mbps/a/.01.here.2.partial",
    ".01.here.1.partial",
)


@pytest.fixture
def place():
    """The whole host: a keeper must not undo what a trial needs that runs now."""
    with place_on_this_host(1) as place:
        yield place


@pytest.fixture
def here(monkeypatch):
    """The name of this host. Another one measures in the same folder."""
    monkeypatch.setenv("OBSERVATORY_HOST", "here")


def test_half_trials_of_the_same_cycle_are_removed_and_nothing_else(tmp_path, here):
    for name in (*HALF, *OTHERS):
        (tmp_path / "cycle/trials" / name).mkdir(parents=True)
    for folder in ("cycle/published/8mbps/a/.01.here.1.partial", "other/trials/8mbps/a/.01.here.1.partial"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "precious").mkdir()
    link = tmp_path / "cycle/trials/8mbps/a/.07.here.1.partial"
    link.symlink_to(tmp_path / "precious")
    remove_half_trials(tmp_path / "cycle/trials/8mbps/a/02", [1])
    left = sorted(path for path in tmp_path.rglob("*") if path.name.startswith(".") or path.name == "01")
    assert left == sorted(
        [
            *(tmp_path / "cycle/trials" / name for name in OTHERS),
            tmp_path / "cycle/published/8mbps/a/.01.here.1.partial",
            tmp_path / "other/trials/8mbps/a/.01.here.1.partial",
            link,
        ]
    )
    assert (tmp_path / "precious").exists()


def test_elsewhere_only_half_trials_beside_the_trial_are_removed(tmp_path, here):
    for name in ("out/.01.here.1.partial", "out/deep/.02.here.1.partial"):
        (tmp_path / name).mkdir(parents=True)
    remove_half_trials(tmp_path / "out/01", PLACES)
    assert [path.name for path in (tmp_path / "out").rglob(".*")] == [".02.here.1.partial"]


@pytest.mark.traffic
def test_a_keeper_removes_the_half_trial_and_ends_the_session(place, tmp_path):
    """Also while processes of the trial still write there."""
    partial = tmp_path / ".01.partial"
    with kept(place, partial, None) as lifeline:
        partial.mkdir()
        trial = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        os.write(lifeline, b"%d\n" % trial.pid)
    assert trial.wait(10) == -signal.SIGKILL
    assert not partial.exists()


@pytest.mark.traffic
def test_a_keeper_ignores_signals_to_everything_and_survives_its_runner(place, tmp_path):
    partial = tmp_path / ".01.partial"
    script = (
        "import os, signal, sys; from pathlib import Path; from testbed.keeper import kept; "
        "from testbed.host_lock import HostPlace; partial = Path(sys.argv[2])\n"
        "place = HostPlace(1, (1,), (open(sys.argv[1], 'rb'),))\n"
        "with kept(place, partial, None): partial.mkdir(); print(os.getpid(), flush=True); signal.pause()"
    )
    runner = subprocess.Popen(
        [sys.executable, "-c", script, str(lock_path()), str(partial)], stdout=subprocess.PIPE
    )
    assert int(runner.stdout.readline()) == runner.pid
    (keeper,) = psutil.Process(runner.pid).children()
    keeper.terminate()
    time.sleep(0.2)
    assert keeper.is_running()
    runner.kill()
    runner.wait()
    keeper.wait(10)
    assert not partial.exists()


@pytest.mark.traffic
def test_the_runner_does_the_work_of_a_keeper_that_was_killed(place, tmp_path):
    partial = tmp_path / ".01.partial"
    others = set(psutil.Process().children())
    with kept(place, partial, None):
        partial.mkdir()
        (keeper,) = set(psutil.Process().children()) - others
        keeper.kill()
    assert not partial.exists()


def test_a_trial_that_hangs_is_ended(monkeypatch):
    """None tells that the limit ended it."""
    read, write = os.pipe()
    monkeypatch.delenv(isolation.OWNER, raising=False)
    script = (
        "import sys; from testbed.isolation import _supervise; "
        "print(_supervise(['sleep', '1000'], int(sys.argv[1]), [], 0.2))"
    )
    command = [sys.executable, "-c", script, str(write)]
    done = subprocess.run(
        command, pass_fds=[write], stdout=subprocess.PIPE, text=True, check=True, timeout=60
    )
    assert done.stdout == "None\n"
    session = int(os.read(read, 100))
    assert not psutil.pid_exists(session), "it was killed"


def test_the_record_of_a_trial_that_hung_is_that_of_a_failed_one(tmp_path):
    directory = tmp_path / ".01.partial"
    (directory / "outside").mkdir(parents=True)
    record_hung_trial(sample_specification("iperf-cubic"), directory, 1812)
    assert [path.name for path in directory.iterdir()] == ["trial.json"]
    record = json.loads((directory / "trial.json").read_text())
    assert (record["status"], record["reason"]) == ("failed", "the trial had not ended after 1812 s")
    assert record["bottleneck"] == {"backend": "embedded"}
    assert [client["client"] for client in record["clients"]] == ["c1"]


@pytest.mark.traffic
def test_a_trial_that_hangs_is_a_failed_one(tmp_path):
    """The cycle goes on after it."""
    specification = write_specification(sample_specification("iperf-cubic"), tmp_path / "01.json")
    script = (
        "import sys; from testbed import isolation, __main__ as command; "
        "isolation.LIMIT_FACTOR, isolation.LIMIT_MORE_S = 0, 2; sys.exit(command.main(sys.argv[1:]))"
    )
    arguments = ["run", str(specification), "--into", str(tmp_path / "trials/01")]
    subprocess.run([sys.executable, "-c", script, *arguments], check=True)
    assert [path.name for path in (tmp_path / "trials").iterdir()] == ["01"]
    record = json.loads((tmp_path / "trials/01/trial.json").read_text())
    assert (record["status"], record["reason"]) == ("failed", "the trial had not ended after 2 s")


def test_a_machine_without_nft_has_nothing_to_restore(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo")])
    forwarding.restore()
