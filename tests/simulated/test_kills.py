"""Snakemake killed again and again: the cycle goes on, measures nothing twice and ends in the same bytes."""

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("config", "rules", "scripts", "services", "testbed", "tests/extract", "tests/simulated")
SERVICES = ["iperf-bbr", "iperf-cubic", "iperf-reno"]
PAIR, OTHER = "iperf-bbr~iperf-cubic", "iperf-bbr~iperf-reno"
SMALL = {"solo": 0, "solo_attempts": 0, "round": 6, "most": 8, "attempts": 12}
PAPER = {"solo": 10, "solo_attempts": 15, "round": 10, "most": 30, "attempts": 45}
BEHAVIOURS = {
    PAIR: {"outlier_every": 2, "invalid": [2]},
    OTHER: {"spread_mbps": 0.2},
    "iperf-cubic": {"fails": True},
}
TABLES = [f"tables/{name}.parquet" for name in ("pairs", "plan", "calibration")] + ["tables/cycle.json"]


class Simulated:
    """A copy of the project with a campaign of its own; cycles are told apart by their folder of data."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for part in PARTS:
            shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("Snakefile", "requirements.lock"):
            shutil.copyfile(ROOT / name, root / name)
        (root / "behaviours.json").write_text(json.dumps(BEHAVIOURS))

    def configure(self, services: list[str], pairs: list[str], trials: dict[str, int]) -> None:
        """Write the campaign."""
        campaign: dict[str, Any] = {
            "title": "Simulated",
            "services": services,
            "pairs": pairs,
            "trials": trials,
        }
        text = yaml.safe_dump(campaign | {"settings": {"50mbps": None}})
        (self.root / "config/campaigns/simulated.yaml").write_text(text)

    def start(self, data: str) -> subprocess.Popen:
        """Begin the cycle in this folder, or go on with it."""
        command = [sys.executable, "-m", "snakemake", "--nolock", "--cores", "2", "--scheduler", "greedy"]
        command += ["--rerun-incomplete", "--quiet", "all", "--config", f"data={data}", "campaign=simulated"]
        command += ["cycle=test", "testbed=python -m tests.simulated.testbed behaviours.json", "--"]
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        with (self.root / "errors.txt").open("w") as errors:
            return subprocess.Popen(
                [*command, *(f"{data}/simulated/test/{table}" for table in TABLES)],
                cwd=self.root,
                env=os.environ | {"PATH": path},
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    def finish(self, data: str) -> None:
        """Run the cycle in this folder to its end."""
        assert self.start(data).wait(timeout=1800) == 0, (self.root / "errors.txt").read_text()

    def freeze(self, data: str) -> subprocess.CompletedProcess:
        """Make a snapshot of the cycle in this folder, in `snapshot`."""
        command = [sys.executable, "-m", "scripts.snapshot", "freeze", f"{data}/simulated/test"]
        return subprocess.run(
            [*command, "-o", "snapshot"], cwd=self.root, capture_output=True, text=True, check=False
        )

    def measured(self, data: str) -> dict[Path, tuple[int, int]]:
        """Trials and specifications, with what tells a rewritten one: inode and time of change."""
        cycle = self.root / data / "simulated/test"
        files = [*cycle.glob("trials/*/*/[0-9]*/trial.json"), *cycle.glob("plan/specs/*/*/[0-9]*.json")]
        return {path.relative_to(cycle): (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}

    def produced(self, data: str) -> int:
        """How many files were made of trials so far; a trial makes eight."""
        cycle = self.root / data / "simulated/test"
        made = [*cycle.glob("stamps/*/*/[0-9]*"), *cycle.glob("parquet/*/*/*/*"), *cycle.glob("rows/*/*/*/*")]
        return len(made)

    def tables(self, data: str) -> dict[str, bytes]:
        """Every table and the plan, by name."""
        cycle = self.root / data / "simulated/test"
        files = [*cycle.glob("tables/*"), *cycle.glob("plan/*.csv")]
        return {path.relative_to(cycle).as_posix(): path.read_bytes() for path in files}


def finish_with_kills(simulated: Simulated, trials: dict[str, int], kills: int) -> None:
    """Run the cycle in `killed` to its end, Snakemake killed that many times, a service added on the way.

    What a killed Snakemake had started lives on for a moment, beside the next run.
    """
    draw = random.Random(11)
    before = simulated.measured("killed")
    for services, pairs, count in (
        (SERVICES[:2], [PAIR], kills - kills // 3),
        (SERVICES, [PAIR, OTHER], kills // 3),
    ):
        simulated.configure(services, pairs, trials)
        for _ in range(count):
            wanted = simulated.produced("killed") + draw.randint(1, 20)
            run = simulated.start("killed")
            while simulated.produced("killed") < wanted:
                assert run.poll() is None, "it is killed long before its end"
                time.sleep(0.02)
            run.kill()
            run.wait()
            after = simulated.measured("killed")
            assert before.items() <= after.items(), "what was measured stays as it was"
            before = after
    simulated.finish("killed")
    assert before.items() <= simulated.measured("killed").items()


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """One cycle killed three times in `killed`, the same undisturbed in `calm`."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    finish_with_kills(copy, SMALL, kills=3)
    copy.finish("calm")
    return copy


def test_a_killed_cycle_ends_in_the_same_bytes(simulated):
    calm = simulated.tables("calm")
    assert {"tables/pairs.csv", "tables/plan.csv", "tables/plan.parquet", "plan/round-04.csv"} <= calm.keys()
    assert calm == simulated.tables("killed")


def test_kills_and_an_added_service_cost_no_trial(simulated):
    assert simulated.measured("calm").keys() == simulated.measured("killed").keys()


def test_every_round_begins_with_one_calibration_however_often_it_is_killed(simulated):
    rounds = sum(name.startswith("plan/round-") for name in simulated.tables("calm"))
    lines = simulated.tables("killed")["tables/calibration.csv"].decode().splitlines()[1:]
    assert [f'"8mbps",{number},{number},"completed","passed"' for number in range(1, rounds)] == [
        ",".join(line.split(",")[:5]) for line in lines
    ], "the last round asks for nothing"


def test_rounds_make_up_for_what_is_invalid_and_go_on_while_the_interval_is_wide(simulated):
    table = simulated.tables("calm")["tables/plan.csv"].decode().splitlines()[1:]
    assert [
        (f'"{PAIR}"', "1", "5", "6", '"open"', '"few"'),
        (f'"{PAIR}"', "2", "6", "7", '"open"', '"wide"'),
        (f'"{PAIR}"', "3", "8", "9", '"closed"', '"enough"'),
        (f'"{OTHER}"', "1", "6", "6", '"closed"', '"precise"'),
    ] == [
        (pair, number, valid, attempts, state, why)
        for _, pair, number, valid, attempts, _, _, state, why in (line.split(",") for line in table)
    ]


def test_a_frozen_cycle_has_its_whole_plan_and_plans_nothing(simulated):
    done = simulated.freeze("killed")
    assert done.returncode == 0, done.stderr
    calm = simulated.tables("calm")
    for name in ("tables/plan.csv", "tables/plan.parquet", "tables/pairs.parquet", "plan/plan.csv"):
        assert calm[name] == (simulated.root / "snapshot" / name).read_bytes(), name


@pytest.mark.soak
def test_twenty_kills_at_the_papers_numbers(tmp_path):
    copy = Simulated(tmp_path / "a copy")
    finish_with_kills(copy, PAPER, kills=20)
    copy.finish("calm")
    assert copy.tables("calm") == copy.tables("killed")
    assert copy.measured("calm").keys() == copy.measured("killed").keys()
