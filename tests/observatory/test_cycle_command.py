"""`observatory cycle`: what Snakemake gets, when it is refused, its exit status and its last lines."""

import os
import signal
import subprocess
import sys

import pytest

from scripts.base.files import ROOT
from scripts.base.snakemake_command import LOCKED, snakemake_command
from scripts.observatory import cycle


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs the smoke campaign in a folder of the user, with a shell command as Snakemake.

    Returns the status, and the words that Snakemake would get.
    """
    monkeypatch.chdir(tmp_path)

    def run(script, *words, campaign="smoke"):
        given = []

        def command(*words):
            given.append(snakemake_command(*words))
            return ["sh", "-c", script]

        monkeypatch.setattr(cycle, "snakemake_command", command)
        return cycle.main([campaign, *words]), given

    return run


def test_snakemake_gets_the_variables_and_builds_the_site(run):
    words = ["--cycle", "one", "--bottleneck", "bess", "--reduce", "--data", "measured", "--public", "pages"]
    status, (command,) = run("exit 0", *words)
    assert 0 == status
    here = os.getcwd()
    variables = ["campaign=smoke", f"data={here}/measured", f"public={here}/pages"]
    variables += ["cycle=one", "bottleneck=bess", "reduce=True"]
    assert [*variables, "--forcerun", "site"] == command[command.index("--config") + 1 :]
    assert str(ROOT / "config/profiles/local") == command[command.index("--profile") + 1]


def test_without_options_the_folders_are_those_of_the_checkout(run):
    _, (command,) = run("exit 3")
    assert ["campaign=smoke", "data=data", "public=public"] == command[command.index("--config") + 1 :][:3]


def test_it_runs_in_the_checkout_and_tells_where_the_pages_are(run, capfd):
    assert 0 == run("pwd", "--cycle", "one", "--public", "pages")[0]
    first, page, front = capfd.readouterr().out.splitlines()
    assert str(ROOT) == first
    assert "This cycle: pages/cycles/smoke/one/index.html" == page
    assert front.startswith("Front page: pages/index.html (")


def test_the_page_is_that_of_the_current_cycle(run, capfd, tmp_path):
    (tmp_path / "measured/smoke").mkdir(parents=True)
    (tmp_path / "measured/smoke/current-cycle").write_text("2026-12-01\n")
    run("exit 0", "--data", "measured")
    assert "cycles/smoke/2026-12-01/index.html" in capfd.readouterr().out


@pytest.mark.parametrize(("script", "status"), [("exit 1", 1), ("kill -KILL $$", 128 + 9)])
def test_a_failure_has_the_status_of_snakemake_and_no_page(run, capfd, script, status):
    assert status == run(script)[0]
    assert "" == capfd.readouterr().out


def test_another_cycle_is_told(run, capfd):
    assert LOCKED == run(f"exit {LOCKED}")[0]
    assert "error: another cycle is running in this checkout" in capfd.readouterr().err


def test_a_refused_cycle_starts_nothing_unless_it_is_forced(run, monkeypatch, capfd):
    monkeypatch.setattr("scripts.plan.estimate.free_bytes", lambda _: 0)
    status, started = run("exit 0")
    assert (2, []) == (status, started)
    assert "start it anyway (--force" in capfd.readouterr().err
    status, started = run("exit 0", "--cycle", "one", "--force")
    assert (0, 1) == (status, len(started))
    assert "warning: " in capfd.readouterr().err


def test_an_unknown_campaign_is_one_line(run, capfd):
    assert (2, []) == run("exit 0", campaign="no-such")
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("error: config/campaigns/no-such.yaml: no such campaign")


SNAKEMAKE = """
import time
try:
    print("ready", flush=True)
    time.sleep(10)
    print("survived", flush=True)
except KeyboardInterrupt:
    time.sleep(1)
    print("ended", flush=True)
"""
INTERRUPTED = """
import sys
from scripts.observatory import cycle
cycle.snakemake_command = lambda *_: [sys.executable, "-c", sys.argv[1]]
raise SystemExit(cycle.main(["smoke"]))
"""


@pytest.mark.parametrize(
    ("number", "status", "last"), [(signal.SIGINT, 130, "ended\n"), (signal.SIGKILL, -9, "")]
)
def test_ctrl_c_waits_for_snakemake_and_a_kill_takes_it_along(number, status, last):
    """The pipe is at its end once every process has ended."""
    command, options = (
        [sys.executable, "-c", INTERRUPTED, SNAKEMAKE],
        {"stdout": subprocess.PIPE, "text": True},
    )
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True, **options) as process:
        assert "ready\n" == process.stdout.readline()
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        assert last == process.stdout.read()
        assert status == process.wait()
