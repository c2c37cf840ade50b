"""A copy of the project in which Snakemake runs a campaign whose trials are simulated."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("config", "rules", "scripts", "services", "testbed", "tests/extract", "tests/simulated")
SERVICES = ["iperf-bbr", "iperf-cubic", "iperf-reno"]
PAIR, OTHER = "iperf-bbr~iperf-cubic", "iperf-bbr~iperf-reno"
PAPER = {"solo": 10, "solo_attempts": 15, "round": 10, "most": 30, "attempts": 45}
ONE = {"solo": 0, "solo_attempts": 0, "round": 1, "most": 1, "attempts": 2}
BEHAVIOURS = {
    PAIR: {"outlier_every": 2, "invalid": [2]},
    OTHER: {"spread_mbps": 0.2},
    "iperf-cubic": {"invalid": [*range(1, PAPER["solo_attempts"] + 1)]},
    "iperf-reno": {"fails": True},
}
TABLES = [f"tables/{name}.parquet" for name in ("pairs", "plan", "calibration")] + ["tables/cycle.json"]
LONGEST_S = 3600


def copy_parts(parts: Iterable[str], root: Path) -> None:
    """Copy folders of the project."""
    for part in parts:
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))


class Simulated:
    """A copy of the project with a campaign of its own; its cycles differ in their data folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        copy_parts(PARTS, root)
        for name in ("Snakefile", "requirements.lock"):
            shutil.copyfile(ROOT / name, root / name)
        (root / "behaviours.json").write_text(json.dumps(BEHAVIOURS))

    def configure(
        self, services: list[str], pairs: list[str], trials: dict[str, int], **changes: Any
    ) -> None:
        """Write the campaign, with these keys besides."""
        campaign: dict[str, Any] = {
            "title": "Simulated",
            "services": services,
            "pairs": pairs,
            "trials": trials,
        }
        text = yaml.safe_dump(campaign | {"settings": {"50mbps": None}} | changes)
        (self.root / "config/campaigns/simulated.yaml").write_text(text)

    def start(
        self,
        data: str,
        *variables: str,
        profile: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
        targets: Iterable[str] = TABLES,
    ) -> subprocess.Popen:
        """Start the cycle in this folder, or continue it, with these variables of the Snakefile.

        It makes these files in the folder of the cycle, and what they need.
        """
        command = [sys.executable, "-m", "snakemake", "--nolock", "--cores", "2", "--scheduler", "greedy"]
        command += profile
        command += ["--rerun-incomplete", "--quiet", "all", "--config", f"data={data}", "campaign=simulated"]
        command += ["cycle=test", "testbed=python -m tests.simulated.testbed behaviours.json"]
        command += ["provisional=False", *variables, "--"]
        with (self.root / "errors.txt").open("w") as errors:
            return subprocess.Popen(
                [*command, *(f"{data}/simulated/test/{target}" for target in targets)],
                cwd=self.root,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )

    def finish(self, data: str, *variables: str) -> None:
        """Run the cycle in this folder to its end."""
        assert self.start(data, *variables).wait(timeout=LONGEST_S) == 0, self.errors()

    def errors(self) -> str:
        """What the last run wrote to standard error."""
        return (self.root / "errors.txt").read_text()

    def freeze(self, data: str) -> subprocess.CompletedProcess:
        """Make a snapshot of the cycle in this folder, in `snapshot`, from its plan and trials."""
        command = [sys.executable, "-m", "scripts.snapshot", "freeze", f"{data}/simulated/test", "--rebuild"]
        return subprocess.run(
            [*command, "-o", "snapshot"], cwd=self.root, capture_output=True, text=True, check=False
        )

    def measured(self, data: str) -> dict[Path, tuple[int, int]]:
        """Trials and specifications with inode and time of change, which differ in a rewritten file."""
        cycle = self.root / data / "simulated/test"
        files = [*cycle.glob("trials/*/*/[0-9]*/trial.json"), *cycle.glob("plan/specs/*/*/[0-9]*.json")]
        return {path.relative_to(cycle): (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}

    def produced(self, data: str) -> int:
        """The number of files made from trials so far, eight for each trial."""
        cycle = self.root / data / "simulated/test"
        made = [*cycle.glob("stamps/*/*/[0-9]*"), *cycle.glob("parquet/*/*/*/*"), *cycle.glob("rows/*/*/*/*")]
        return len(made)

    def tables(self, data: str) -> dict[str, bytes]:
        """Every table and the plan, by name."""
        cycle = self.root / data / "simulated/test"
        files = [*cycle.glob("tables/*"), *cycle.glob("plan/*.csv")]
        return {path.relative_to(cycle).as_posix(): path.read_bytes() for path in files}

    def calibrations(self, data: str) -> list[str]:
        """Setting, round, trial, status and verdict of every calibration."""
        lines = self.tables(data)["tables/calibration.csv"].decode().splitlines()[1:]
        return [",".join(line.split(",")[:5]) for line in lines]

    def one_calibration_a_round(self, data: str) -> list[str]:
        """The expected `calibrations` if each round has one that passed; the last round has no trials."""
        rounds = sum(name.startswith("plan/round-") for name in self.tables(data))
        return [f'"8mbps",{number},{number},"completed","passed"' for number in range(1, rounds)]

    def assert_snapshot_has_plan(self, data: str) -> None:
        """The snapshot holds the plan of the cycle in this folder, and the tables made from it."""
        tables = self.tables(data)
        for name in ("tables/plan.csv", "tables/plan.parquet", "tables/pairs.parquet", "plan/plan.csv"):
            assert tables[name] == (self.root / "snapshot" / name).read_bytes(), name
