"""A whole cycle by `make`, ended again and again: it continues where it stopped and repeats nothing."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.end_to_end.running import SOON_S, TURN_S, command_of, program_of, wait_for

ROOT = Path(__file__).resolve().parents[2]
TRIALS = 6
"""Five of the campaign, and the calibration."""
ENDS = ["kill -9", "kill -9", "Ctrl-C", "kill -9"]
MARK = "OBSERVATORY_TEST"
"""Environment variable with the cycle's folder, which every process of the cycle inherits."""


class Cycle:
    """The smoke campaign with its data and site in a directory of the test's own."""

    def __init__(self, directory: Path) -> None:
        self.data = directory / "data"
        self.public = directory / "public"
        self.words = [f"data={self.data}", f"public={self.public}", "cycle=test"]

    def start(self) -> subprocess.Popen:
        """`make cycle` in a session of its own, which Ctrl-C ends as a whole."""
        command = ["make", "--no-print-directory", "cycle", "CAMPAIGN=smoke", *self.words]
        environment = os.environ | {MARK: str(self.data)}
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, start_new_session=True, stderr=subprocess.PIPE, text=True
        )

    def processes(self, *words: str) -> list[psutil.Process]:
        """The processes of this cycle with these words on their command line, the oldest first."""
        marked = [process for process in psutil.process_iter() if mark_of(process) == str(self.data)]
        return [process for process in marked if set(words) <= set(command_of(process))]

    def a_trial_runs(self) -> bool:
        """Whether the switch of one of its trials runs."""
        return any(program_of(process) == "observatory-switch" for process in self.processes())

    def end(self, run: subprocess.Popen, how: str) -> None:
        """End a run of the cycle, and wait until nothing of it runs."""
        if how == "Ctrl-C":
            os.killpg(run.pid, signal.SIGINT)
        else:
            self.snakemake().kill()
        run.communicate(timeout=SOON_S)
        wait_for(lambda: not self.processes(), "everything an ended cycle had started ends")

    def snakemake(self) -> psutil.Process:
        """The Snakemake of this cycle, not the program that holds the lock for it."""
        return next(one for one in self.processes("-m", "snakemake") if "python" in program_of(one))

    def measured(self) -> dict[Path, tuple[int, int]]:
        """The inode and the time of change of every trial's record: either changes if it is rewritten."""
        records = self.data.glob("smoke/test/trials/*/*/*/trial.json")
        return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in records}

    def half_files(self) -> list[Path]:
        """Hidden files beside the trials, which a killed run must not leave."""
        return list(self.data.glob("smoke/test/trials/*/*/.*"))


def mark_of(process: psutil.Process) -> str | None:
    """The folder of the cycle that a process belongs to."""
    with suppress(psutil.Error, OSError):
        return process.environ().get(MARK)
    return None


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A cycle that was ended four times during a trial, then left to finish."""
    cycle = Cycle(tmp_path_factory.mktemp("a cycle"))
    draw = random.Random(7)
    for how in ENDS:
        before = cycle.measured()
        run = cycle.start()
        wait_for(cycle.a_trial_runs, "a trial begins", TURN_S)
        time.sleep(draw.uniform(0, 7))
        cycle.end(run, how)
        assert cycle.half_files() == []
        assert before.items() <= cycle.measured().items(), "measured trials do not change"
    before = cycle.measured()
    run = cycle.start()
    _, errors = run.communicate(timeout=TURN_S)
    assert run.returncode == 0, errors
    assert before.items() <= cycle.measured().items()
    return cycle


@pytest.mark.soak(minutes=2)
def test_a_killed_cycle_completes(finished):
    assert len(finished.measured()) == TRIALS
    assert (finished.public / "index.html").is_file()
    assert (finished.public / "cycles/smoke/test/index.html").is_file()
    assert finished.half_files() == []


@pytest.mark.soak(minutes=2)
def test_every_download_of_the_site_is_there(finished):
    published = {path.name for path in finished.public.glob("captures/smoke/test/*/*/*/*")}
    assert {"client-c1.pcapng.zst", "client-c2.pcapng.zst", "queue.bin.zst", "trial.json"} <= published


@pytest.mark.soak(minutes=2)
def test_no_trial_is_measured_again_even_if_every_rule_reruns(finished):
    before = finished.measured()
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--nolock",
        "--cores",
        "all",
        "--scheduler",
        "greedy",
        "--quiet",
        "all",
        "--until",
        "cycle_tables",
    ]
    command += ["--forceall", "--config", "campaign=smoke", *finished.words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert before == finished.measured()


def test_a_broken_campaign_is_one_line_and_status_2(tmp_path):
    done = subprocess.run(
        ["make", "--no-print-directory", "cycle", "CAMPAIGN=no-such"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    ours = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert len(ours) == 1
    assert ours[0].startswith("error: config/campaigns/no-such.yaml: no such campaign")
