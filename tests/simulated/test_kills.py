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
PAIR, OTHER = "iperf-bbr~iperf-cubic", "iperf-bbr~iperf-reno"
SMALL = {"solo": 0, "solo_attempts": 0, "round": 6, "most": 8, "attempts": 12}
PAPER = {"solo": 10, "solo_attempts": 15, "round": 10, "most": 30, "attempts": 45}
BEHAVIOURS = {
    PAIR: {"outlier_every": 2, "invalid": [2]},
    OTHER: {"spread_mbps": 0.2},
    "iperf-cubic": {"fails": True},
}
TABLES = [f"tables/{name}.parquet" for name in ("pairs", "plan")] + ["tables/cycle.json"]


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
        return subprocess.Popen(
            [*command, *(f"{data}/simulated/test/{table}" for table in TABLES)],
            cwd=self.root,
            env=os.environ | {"PATH": path},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, data: str) -> None:
        """Run the cycle in this folder to its end."""
        run = self.start(data)
        _, errors = run.communicate(timeout=1800)
        assert run.returncode == 0, errors

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


def killed_and_finished(simulated: Simulated, data: str, kills: int) -> None:
    """Run a cycle to its end, Snakemake killed that many times in its course."""
    draw = random.Random(11)
    for _ in range(kills):
        before = simulated.measured(data)
        wanted = simulated.produced(data) + draw.randint(1, 20)
        run = simulated.start(data)
        while simulated.produced(data) < wanted:
            assert run.poll() is None, "it is killed long before its end"
            time.sleep(0.02)
        run.kill()
        run.communicate()
        assert before.items() <= simulated.measured(data).items(), "what was measured stays as it was"
    before = simulated.measured(data)
    simulated.finish(data)
    assert before.items() <= simulated.measured(data).items()


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """One cycle undisturbed in `calm`, another killed three times in `killed`."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    copy.configure(["iperf-bbr", "iperf-cubic"], [PAIR], SMALL)
    copy.finish("calm")
    killed_and_finished(copy, "killed", kills=3)
    return copy


def test_a_killed_cycle_ends_in_the_same_bytes(simulated):
    calm = simulated.tables("calm")
    assert {"tables/pairs.csv", "tables/plan.csv", "tables/plan.parquet", "plan/round-04.csv"} <= calm.keys()
    assert calm == simulated.tables("killed")


def test_rounds_make_up_for_what_is_invalid_and_go_on_while_the_interval_is_wide(simulated):
    rows = [line.split(",") for line in simulated.tables("calm")["tables/plan.csv"].decode().splitlines()[1:]]
    assert [
        (f'"{PAIR}"', "1", "5", "6", '"open"', '"few"'),
        (f'"{PAIR}"', "2", "6", "7", '"open"', '"wide"'),
        (f'"{PAIR}"', "3", "8", "9", '"closed"', '"enough"'),
    ] == [
        (pair, number, valid, attempts, state, why)
        for _, pair, number, valid, attempts, _, _, state, why in rows
    ]


def test_a_frozen_cycle_has_its_whole_plan_and_plans_nothing(simulated):
    command = [sys.executable, "-m", "scripts.snapshot", "freeze", "killed/simulated/test", "-o", "snapshot"]
    done = subprocess.run(command, cwd=simulated.root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    calm = simulated.tables("calm")
    for name in ("tables/plan.csv", "tables/plan.parquet", "tables/pairs.parquet", "plan/plan.csv"):
        assert calm[name] == (simulated.root / "snapshot" / name).read_bytes(), name


def test_another_service_adds_only_its_trials(simulated):
    """Last of the tests on this copy: it changes the campaign."""
    before = simulated.measured("calm")
    simulated.configure(["iperf-bbr", "iperf-cubic", "iperf-reno"], [PAIR, OTHER], SMALL)
    simulated.finish("calm")
    after = simulated.measured("calm")
    assert before.items() <= after.items()
    added = sorted(path.parts[-2:] for path in after.keys() - before.keys() if path.parts[0] == "plan")
    assert [(OTHER, f"{number:02d}.json") for number in range(1, 7)] == added
    plan = simulated.tables("calm")["tables/plan.csv"].decode().splitlines()
    assert set(simulated.tables("killed")["tables/plan.csv"].decode().splitlines()) < set(plan)
    assert plan[-1].startswith(f'"8mbps","{OTHER}",1,6,6,') and plan[-1].endswith(',"closed","precise"')


@pytest.mark.soak
def test_twenty_kills_at_the_papers_numbers(tmp_path):
    copy = Simulated(tmp_path / "a copy")
    copy.configure(["iperf-bbr", "iperf-cubic", "iperf-reno"], [PAIR, OTHER, "iperf-reno~iperf-reno"], PAPER)
    copy.finish("calm")
    killed_and_finished(copy, "killed", kills=20)
    assert copy.tables("calm") == copy.tables("killed")
