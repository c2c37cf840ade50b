"""A whole cycle by `make`, ended again and again: it goes on where it stopped and repeats nothing."""

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TRIALS = 6
"""Five of the campaign, and the calibration."""
ENDS = ["kill -9", "kill -9", "Ctrl-C", "kill -9"]


class Cycle:
    """The smoke campaign with its data and site in a directory of the test's own."""

    def __init__(self, directory: Path) -> None:
        self.data = directory / "data"
        self.public = directory / "public"
        self.words = [f"data={self.data}", f"public={self.public}", "cycle=test"]

    def start(self) -> subprocess.Popen:
        """`make cycle` in a session of its own, so that the test can tell what belongs to it."""
        command = ["make", "--no-print-directory", "cycle", "CAMPAIGN=smoke", *self.words]
        return subprocess.Popen(command, cwd=ROOT, start_new_session=True, stderr=subprocess.PIPE, text=True)

    def measured(self) -> dict[Path, tuple[int, int]]:
        """The trials that stand there, with what tells a rewritten one: inode and time of change."""
        records = self.data.glob("smoke/test/trials/*/*/*/trial.json")
        return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in records}

    def half_files(self) -> list[Path]:
        """What a killed run may not leave: anything hidden beside the trials."""
        return list(self.data.glob("smoke/test/trials/*/*/.*"))


def pids_of(program: str) -> list[int]:
    """Every process of this machine that runs a program of this name."""
    return [
        int(entry.name)
        for entry in Path("/proc").glob("[0-9]*")
        if (entry / "comm").exists() and (entry / "comm").read_text().strip() == program
    ]


def snakemake_of(cycle: Cycle) -> int:
    """The process id of the cycle's Snakemake."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_text().split("\0")
            except OSError:
                continue
            if "snakemake" in words and cycle.words[0] in words and "python" in Path(words[0]).name:
                return int(entry.name)
        time.sleep(0.05)
    raise AssertionError("Snakemake never ran")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A cycle that was ended four times in mid-trial, then left to finish."""
    cycle = Cycle(tmp_path_factory.mktemp("a cycle"))
    draw = random.Random(7)
    switches_before = pids_of("observatory-swi")
    for end in ENDS:
        before = cycle.measured()
        run = cycle.start()
        deadline = time.monotonic() + 60
        while set(pids_of("observatory-swi")) <= set(switches_before):
            assert time.monotonic() < deadline, "no trial began"
            time.sleep(0.05)
        time.sleep(draw.uniform(0, 7))
        if end == "Ctrl-C":
            os.killpg(run.pid, signal.SIGINT)
        else:
            os.kill(snakemake_of(cycle), signal.SIGKILL)
        run.communicate(timeout=20)
        time.sleep(1)
        assert set(pids_of("observatory-swi")) <= set(switches_before), "no process of the trial is left"
        assert cycle.half_files() == []
        assert before.items() <= cycle.measured().items(), "what was measured stays as it was"
    before = cycle.measured()
    run = cycle.start()
    _, errors = run.communicate(timeout=180)
    assert run.returncode == 0, errors
    assert before.items() <= cycle.measured().items()
    return cycle


def test_a_killed_cycle_completes(finished):
    assert len(finished.measured()) == TRIALS
    assert (finished.public / "index.html").is_file()
    assert finished.half_files() == []


def test_every_download_of_the_site_is_there(finished):
    published = {path.name for path in finished.public.glob("downloads/trials/*/*/*/*")}
    assert {"client-c1.pcapng.zst", "client-c2.pcapng.zst", "queue.bin.zst", "trial.json"} <= published


def test_nothing_is_measured_anew_even_when_all_is_run_again(finished):
    before = finished.measured()
    command = [
        "python",
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
