"""Jobs of Slurm: attached to, submitted again, failed; what is said when Slurm is wrong or silent.

Every test runs with the stand-in, and in `make soak ONLY=jobs` with a real Slurm.
"""

import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.hosts import slurm
from scripts.hosts.settings import load_settings
from scripts.hosts.submit import Work, attach_or_submit
from tests.end_to_end.running import wait_for
from tests.hosts.fake_slurm import FakeCluster
from tests.hosts.small_cycle import SmallCycle

SETTINGS = load_settings().slurm


@pytest.fixture(
    scope="module", params=["fake_cluster", pytest.param("cluster", marks=pytest.mark.soak(minutes=2))]
)
def slurms(request):
    """The stand-in, or a real Slurm."""
    return request.getfixturevalue(request.param)


@pytest.fixture(autouse=True)
def environment(slurms, monkeypatch):
    """Every command speaks to the Slurm of these tests."""
    monkeypatch.setenv("SLURM_CONF", str(slurms.configuration))
    if isinstance(slurms, FakeCluster):
        monkeypatch.setenv("PATH", str(slurms.folder), prepend=os.pathsep)


@pytest.fixture
def small(tmp_path):
    return SmallCycle(tmp_path)


def submit(small):
    """Start to measure the trial over Slurm."""
    return subprocess.Popen(small.command("submit"), stderr=subprocess.PIPE, text=True)


def work(tmp_path, command, **changes):
    """A piece of work whose result is the file `done`."""
    fields = {
        "name": "work",
        "result": tmp_path / "done",
        "command": ["sh", "-c", command],
        "options": lambda: ["--partition=testbed"],
        "log": tmp_path / "logs/job.log",
        "failed": tmp_path / "failed",
        "claimed": lambda: False,
    }
    return Work(**fields | changes)


def test_a_trial_is_measured_on_a_testbed_host_under_its_name(small):
    assert submit(small).wait(60) == 0
    assert small.record() == {} and small.begun() == 1 and small.claims() == []
    assert not [*small.cycle.rglob("*.failed")]


def test_two_commands_attach_to_one_job(small):
    small.last(5)
    first = submit(small)
    small.wait_until_begun()
    second = submit(small)
    errors = [one.communicate(timeout=60)[1] for one in (first, second)]
    assert [first.returncode, second.returncode] == [0, 0] and small.begun() == 1
    assert "attached to job" in errors[1]


@pytest.mark.parametrize("claims", [None, "s3://bucket/claims"])
def test_a_job_gets_the_variables_that_it_needs_and_no_secrets(tmp_path, monkeypatch, claims):
    secrets = ("RCLONE_CONFIG_PASS", "SSH_AUTH_SOCK", "OBSERVATORY_OWNER", "OBSERVATORY_HOST")
    for name in ("AWS_SECRET_ACCESS_KEY", "OBSERVATORY_BESS", "LC_TIME", *secrets):
        monkeypatch.setenv(name, f"of {name}")
    command = f"env -0 > '{tmp_path}/environment'; touch '{tmp_path}/done'"
    variables = replace(load_settings(), claims=claims).claim_variables
    attach_or_submit(work(tmp_path, command, variables=variables), SETTINGS)
    found = dict(line.split("=", 1) for line in (tmp_path / "environment").read_text().split("\0")[:-1])
    for name in ("PATH", "HOME", "SLURM_CONF", "OBSERVATORY_BESS", "LC_TIME"):
        assert os.environ[name] == found[name]
    assert not {*secrets} & {*found}
    assert (claims is not None) == ("AWS_SECRET_ACCESS_KEY" in found)


def test_the_error_of_a_failed_job_is_shown_and_a_repeated_command_tries_again(small):
    good = (small.folder / "testbed.py").read_text()
    (small.folder / "testbed.py").write_text("import sys; sys.exit('error: bessd does not answer')")
    failed = submit(small)
    error = failed.communicate(timeout=60)[1]
    assert failed.returncode == 2 and "failed: bessd does not answer" in error.splitlines()[-1]
    assert str(small.cycle / "logs/jobs/8mbps/a~b/01.log") in error
    (small.folder / "testbed.py").write_text(good)
    assert submit(small).wait(60) == 0


def test_a_job_that_vanishes_is_submitted_again_and_not_for_ever(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("scripts.hosts.submit.ATTEMPTS", 2)
    monkeypatch.setattr("scripts.hosts.submit.ASK_S", 0.5)
    with pytest.raises(UserError, match="2 jobs of work ended without a result"):
        attach_or_submit(work(tmp_path, "echo here I was"), SETTINGS)
    assert capsys.readouterr().err.count("work: job ") == 2
    assert (tmp_path / "logs/job.log").read_text() == "here I was\n" * 2


def test_while_somebody_holds_the_claim_no_job_is_submitted(tmp_path, monkeypatch):
    monkeypatch.setattr("scripts.hosts.submit.ASK_S", 0.2)
    answers = iter([True, True, False])
    attach_or_submit(work(tmp_path, f"touch '{tmp_path}/done'", claimed=lambda: next(answers)), SETTINGS)
    assert next(answers, None) is None, "asked before each attempt"


def test_while_the_controller_is_dead_everybody_waits(slurms, small, capsys):
    slurms.kill("slurmctld")
    command = submit(small)
    time.sleep(4)
    assert command.poll() is None and small.begun() == 0
    assert slurm.job_known("1") is None
    slurms.start("slurmctld")
    error = command.communicate(timeout=90)[1]
    assert command.returncode == 0 and "waits until Slurm answers" in error and small.begun() == 1


def test_a_job_that_waits_for_a_node_that_fails_moves_to_another_one(slurms, small):
    options = ["--parsable", "-w", "tb1", "--exclusive", "-p", "testbed", "-o", "/dev/null"]
    blocker = slurms.ask("sbatch", *options, "--wrap", "sleep 60").strip()
    moving = SmallCycle(small.folder / "other")
    command = subprocess.Popen(moving.command("submit"), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while "tb1" not in slurms.ask("squeue", "-h", "-t", "PD", "-o", "%n"):
        assert command.poll() is None and time.monotonic() < deadline
        time.sleep(0.2)
    slurms.ask("scontrol", "update", "nodename=tb1", "state=drain", "reason=test")
    try:
        assert command.wait(60) == 0
    finally:
        slurms.ask("scancel", blocker)
        slurms.ask("scontrol", "update", "nodename=tb1", "state=resume")


def test_a_partition_that_is_not_there_is_an_error_that_says_what_to_do(tmp_path):
    with pytest.raises(UserError, match=r"sbatch refused the job: .*Invalid partition.*config/hosts\.yaml"):
        attach_or_submit(work(tmp_path, "true", options=lambda: ["--partition=nowhere"]), SETTINGS)


def test_hosts_are_listed_and_a_missing_feature_is_an_error(slurms):
    command = [sys.executable, "-m", "scripts.hosts", "list"]

    def listed() -> str:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    # A node that failed in the test before may take a moment.
    wait_for(lambda: listed() == "tb1: usable\ntb2: usable\n", "both hosts are usable")
    with pytest.raises(UserError, match="no node of the partition testbed has the feature fast"):
        slurm.testbed_hosts(replace(SETTINGS, feature="fast"))
