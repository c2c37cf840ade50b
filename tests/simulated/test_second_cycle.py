"""The snapshot of a cycle that is compared with others is rebuilt without them."""

import json
import shutil
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from tests.simulated.project import PAIR, SERVICES, Simulated

pytestmark = pytest.mark.soak(minutes=1)

TRIALS = {"solo": 0, "solo_attempts": 0, "round": 2, "most": 2, "attempts": 3}
BEFORE, BESS = "before", "over-bess"
SNAPSHOT = "data/snapshots/simulated-test"


class Published(Simulated):
    """A project whose rule `snapshot` is run, too."""

    def publish(self):
        """Run the cycle to its snapshot; returns what the rule says."""
        command = [
            sys.executable,
            "-m",
            "snakemake",
            "--nolock",
            "--cores",
            "2",
            "--rerun-incomplete",
            "--quiet",
        ]
        command += ["all", "--config", "data=data", "campaign=simulated", "cycle=test"]
        command += ["testbed=python -m tests.simulated.testbed behaviours.json", "--"]
        command += ["data/simulated/test/stamps/snapshot"]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return (self.root / "data/simulated/test/logs/snapshot.log").read_text()

    def snapshot(self, *words):
        """Run a command of scripts.snapshot."""
        command = [sys.executable, "-m", "scripts.snapshot", *words]
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)

    def rename(self, name, bottleneck="embedded"):
        """Copy the measured cycle as one of another name."""
        cycle = self.root / "data/simulated" / name
        shutil.copytree(self.root / "data/simulated/test", cycle)
        config = json.loads((cycle / "plan/config.json").read_text())
        (cycle / "plan/config.json").write_text(json.dumps(config | {"bottleneck": bottleneck}))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with a published cycle that was compared with one before it and with one over BESS."""
    project = Published(tmp_path_factory.mktemp("a copy"))
    project.configure(SERVICES[:2], [PAIR], TRIALS)
    project.finish("data")
    for name, bottleneck in ((BEFORE, "embedded"), (BESS, "bess")):
        project.rename(name, bottleneck)
    shutil.rmtree(project.root / "data/simulated/test")
    project.publish()
    for name in (BEFORE, BESS):
        shutil.rmtree(project.root / "data/simulated" / name)
    return project


def test_the_tables_compare_with_the_other_cycles(project):
    tables = project.root / SNAPSHOT / "tables"
    changes = pq.read_table(tables / "changes.parquet").to_pylist()
    assert {(row["pair"], row["before_n"], row["after_n"]) for row in changes} == {(PAIR, 2, 2)}
    assert {row["pair"] for row in pq.read_table(tables / "equivalence.parquet").to_pylist()} == {PAIR}
    description = json.loads((tables / "cycle.json").read_text())
    assert (description["cycle"], description["compared_with"]) == ("test", BEFORE)


def test_the_snapshot_alone_gives_the_same_tables(project):
    done = project.snapshot("reproduce", SNAPSHOT, "--allow", "unsigned")
    assert done.returncode == 0, done.stderr
    assert f"{SNAPSHOT}: identical: " in done.stdout


def test_changed_code_makes_other_tables_and_leaves_the_snapshot(project):
    """The other cycles are gone, so the tables of the cycle itself have no changes now."""
    log = project.publish()
    assert "was published already and stays as it is" in log
    assert pq.read_table(project.root / "data/simulated/test/tables/changes.parquet").num_rows == 0
    assert project.snapshot("verify", SNAPSHOT, "--allow", "unsigned").returncode == 0
