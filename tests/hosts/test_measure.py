"""Runners of one trial on one host: one measures; what dies is taken over; a lost store costs no trial."""

import os
import signal
import subprocess
import time

import pytest

from scripts.hosts.claims import ClaimRecord, Claims, Holder
from scripts.hosts.handing_in import hand_in_kept, own_place
from scripts.hosts.stores import FolderStore
from tests.hosts.small_cycle import TRIAL, SmallCycle

NAME = "8mbps/a~b/01"
KEPT = 75


@pytest.fixture
def small(tmp_path):
    return SmallCycle(tmp_path, seconds=1)


def test_of_two_that_meet_one_measures_and_the_other_waits_for_the_result(small):
    runners = [small.start(), small.start()]
    errors = [runner.communicate(timeout=60)[1] for runner in runners]
    assert [runner.returncode for runner in runners] == [0, 0]
    assert small.begun() == 1 and small.record() == {} and small.claims() == []
    assert sum("8mbps/a~b/01: claimed by" in error for error in errors) == 1


def test_who_shall_not_wait_leaves(small):
    small.last(60)
    first = small.start()
    small.wait_until_begun()
    assert small.start("--leave").wait(30) == KEPT
    assert first.poll() is None and small.begun() == 1
    first.terminate()
    first.wait(30)


def test_a_killed_runner_is_taken_over_at_once(small):
    small.last(60)
    first = small.start()
    small.wait_until_begun()
    second = small.start()
    time.sleep(0.5)
    small.last(0)
    first.kill()
    assert second.wait(20) == 0
    assert small.begun() == 2 and small.claims() == []


def test_a_stopped_runner_ends_its_trial_and_gives_up_its_claim(small):
    small.last(60)
    runner = small.start()
    small.wait_until_begun()
    runner.terminate()
    assert runner.wait(20) == 128 + signal.SIGTERM
    assert small.claims() == [] and not small.into.exists()
    listed = subprocess.run(["pgrep", "-f", f"{small.folder}/testbed.py"], check=False, capture_output=True)
    assert listed.stdout == b"", "the testbed has ended, too"


def test_who_lost_its_claim_stops_and_waits_for_the_result_of_the_other(small, monkeypatch):
    small.last(60)
    runner = small.start()
    small.wait_until_begun()
    other = Holder("elsewhere", "another boot/1", 7, 7)
    FolderStore(small.cycle / "claims").create(NAME, 2, ClaimRecord(other, 60).text())
    time.sleep(0.5)
    (claim,) = [path for path in small.claims() if path.name.endswith("000002")]
    small.into.mkdir(parents=True)
    (small.into / "trial.json").write_text('{"host": "elsewhere"}')
    # The lease of config/hosts.yaml is a minute; the runner renews its claim, and so looks at it, every 15 s.
    assert runner.wait(40) == 0
    assert small.record() == {"host": "elsewhere"} and claim not in small.claims()


def test_a_claim_that_outlived_its_holder_is_removed_when_the_result_exists(small):
    small.into.mkdir(parents=True)
    FolderStore(small.cycle / "claims").create(NAME, 1, ClaimRecord(Holder("x", "y/1", 7, 7), 60).text())
    assert small.start().wait(20) == 0
    assert small.claims() == [] and small.begun() == 0


def test_a_trial_on_the_own_disk_is_handed_in(small):
    assert small.start("--own-disk", small.own).wait(20) == 0
    assert small.record() == {} and not [*small.own.rglob("trial.json")]
    assert [path.name for path in small.into.parent.iterdir()] == ["01"]


def lose_the_store_in_mid_trial(small):
    """Measure while the folder of the cycle goes away. Returns what the runner says."""
    runner = small.start("--own-disk", small.own, "--patience", 0.2)
    small.wait_until_begun()
    small.cycle.rename(small.folder / "away")
    error = runner.communicate(timeout=40)[1]
    assert runner.returncode == KEPT and not small.cycle.exists(), error
    return error


def hand_in(small):
    command = [*small.command("hand-in")[:4], small.cycle, "--own-disk", small.own]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_host_that_loses_the_store_keeps_the_trial_and_hands_it_in_later(small):
    error = lose_the_store_in_mid_trial(small)
    assert "cannot be handed in yet" in error and f"the trial is kept in {small.own}" in error
    assert hand_in(small).returncode == KEPT
    (small.folder / "away").rename(small.cycle)
    half = small.into.with_name(".01.elsewhere-7.handed")
    half.mkdir(parents=True)
    (half / "trial.json").write_text("half")
    done = hand_in(small)
    assert done.returncode == 0 and "handed in" in done.stderr, done.stderr
    assert small.record() == {} and small.begun() == 1 and small.claims() == []
    assert not [*small.own.rglob("trial.json")] and not half.exists()


def test_the_next_trial_on_a_host_hands_in_what_it_kept(small):
    lose_the_store_in_mid_trial(small)
    (small.folder / "away").rename(small.cycle)
    assert small.start("--own-disk", small.own).wait(20) == 0
    assert small.begun() == 1, "it was the same trial: it is not measured again"


def test_a_kept_trial_that_another_host_measured_again_is_no_second_result(small):
    lose_the_store_in_mid_trial(small)
    (small.folder / "away").rename(small.cycle)
    small.into.mkdir(parents=True)
    (small.into / "trial.json").write_text('{"host": "elsewhere"}')
    done = hand_in(small)
    assert done.returncode == 0 and "another host handed this trial in before" in done.stderr
    assert small.record() == {"host": "elsewhere"} and not [*small.own.rglob("trial.json")]


def keep(small):
    """A trial that is kept on the own disk, and its folder there."""
    kept = own_place(small.own, small.into)
    kept.mkdir(parents=True)
    (kept / "trial.json").write_text("{}")
    return kept


@pytest.mark.parametrize("target", ["/etc/passwd", "trial.json", ".."])
def test_a_link_in_a_kept_trial_is_not_followed(small, target, capsys):
    kept = keep(small)
    (kept / "link").symlink_to(target)
    assert [kept] == hand_in_kept(small.own, small.cycle, print)
    assert "is a link, which no trial has" in capsys.readouterr().err
    assert kept.exists() and not (small.into / "link").exists()


def test_what_is_kept_of_another_cycle_stays(small):
    """Whatever lies on the own disk, nothing is written outside of the cycle that a job is for."""
    kept = keep(small)
    assert [] == hand_in_kept(small.own, small.folder / "another cycle", print)
    assert kept.exists() and not small.into.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to give a folder away")
@pytest.mark.parametrize("command", ["measure", "hand-in"])
def test_an_own_disk_that_another_user_made_is_refused(small, command):
    os.chown(small.own, 65534, 65534)
    runner = small.start("--own-disk", small.own)
    said = hand_in(small).stderr if command == "hand-in" else runner.communicate(timeout=20)[1]
    assert f"error: {small.own}: belongs to nobody, who could change" in said
    assert runner.wait(20) == 2 and not small.into.exists()


def test_a_store_that_comes_back_in_time_gets_the_trial_from_the_same_runner(small, monkeypatch):
    runner = small.start("--own-disk", small.own, "--patience", 3)
    small.wait_until_begun()
    small.cycle.rename(small.folder / "away")
    time.sleep(2)
    (small.folder / "away").rename(small.cycle)
    assert runner.wait(30) == 0
    assert (small.cycle / TRIAL / "trial.json").exists() and small.begun() == 1


def test_a_store_that_is_not_there_at_the_beginning_is_an_error_of_one_line(small):
    small.cycle.rename(small.folder / "away")
    runner = small.start()
    error = runner.communicate(timeout=20)[1]
    assert runner.returncode == 2 and len(error.splitlines()) == 1
    assert error.startswith(f"error: {small.cycle}: the shared folder cannot be reached")
    assert not small.cycle.exists()


def test_a_testbed_that_fails_leaves_no_claim(small):
    (small.folder / "testbed.py").write_text("import sys; sys.exit('error: no testbed')")
    runner = small.start("--failed", small.folder / "failed")
    assert "no testbed" in runner.communicate(timeout=20)[1]
    assert runner.returncode == 1 and small.claims() == [] and (small.folder / "failed").exists()


def test_claims_are_seen_by_a_watcher_of_the_same_store(small):
    runner = small.start()
    small.wait_until_begun()
    assert Claims(FolderStore(small.cycle / "claims"), 60, lambda job: False).is_live(NAME)
    assert runner.wait(20) == 0
