"""Cycles over a real Slurm: the same tables as on one host, whatever is killed, and no second result."""

import subprocess
import time
from collections.abc import Callable

import pytest

from tests.hosts.cluster import TESTBED_NODES
from tests.hosts.killing import KINDS, finish_with_kills
from tests.hosts.project import Project
from tests.simulated.project import OTHER, PAIR

SMALL = {"solo": 0, "solo_attempts": 0, "round": 6, "most": 6, "attempts": 9}
LARGE = {"solo": 10, "solo_attempts": 15, "round": 20, "most": 60, "attempts": 90}
KILLS, DRAWN = 100, 21


@pytest.mark.soak(minutes=3)
def test_a_short_cycle_over_slurm_has_the_tables_of_one_host_though_snakemake_and_a_node_die(
    cluster, tmp_path
):
    project = Project(tmp_path, SMALL, [PAIR], batch_trials=4)
    expected = project.tables_on_one_host()
    project.events.unlink()
    run = project.start(cluster, "several")
    wait_until(lambda: len(cluster.ask("squeue", "-h", "-t", "R").splitlines()) == 2, run)
    run.kill()
    run.wait()
    cluster.kill_node("tb1")
    run = project.start(cluster, "several")
    time.sleep(1)
    cluster.start("tb1")
    assert run.wait(timeout=300) == 0, project.simulated.errors()
    assert project.tables("several") == expected
    assert project.hosts("several") == set(TESTBED_NODES)
    assert project.claims("several") == []
    project.assert_nothing_overlaps()
    measured = [name for *_, name in project.measurements()]
    assert len(measured) <= len(set(measured)) + 1, (
        "what ran on the dead node is measured again, nothing else"
    )
    project.assert_every_host_calibrated("several")


@pytest.mark.soak(minutes=20)
def test_a_cycle_of_two_hundred_trials_has_the_tables_of_one_host(cluster, large):
    project, expected = large
    project.events.unlink(missing_ok=True)
    run = project.start(cluster, "several")
    assert run.wait(timeout=3600) == 0, project.simulated.errors()
    assert len(expected["plan/plan.csv"]) >= 200
    assert project.tables("several") == expected
    assert project.hosts("several") == set(TESTBED_NODES)
    assert project.claims("several") == []
    project.assert_nothing_overlaps()
    measured = [name for *_, name in project.measurements()]
    assert len(measured) == len(set(measured)), "every trial is measured once"
    project.assert_every_host_calibrated("several")


@pytest.mark.soak(minutes=20)
def test_a_hundred_kills_change_no_table_and_leave_no_claim(cluster, large):
    project, expected = large
    project.events.unlink(missing_ok=True)
    hits = finish_with_kills(project, cluster, "killed", KILLS, DRAWN)
    print(dict(hits))
    assert hits.total() >= KILLS, "the cycle ended before"
    assert min(hits[kind] for kind in KINDS) > 0
    assert project.tables("killed") == expected
    assert project.claims("killed") == []
    project.assert_nothing_overlaps()
    measured = [name for *_, name in project.measurements()]
    assert len(measured) - len(set(measured)) <= KILLS
    assert not [*(project.folder / "own disk").rglob("trial.json")], "every trial that was kept is handed in"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A project with more than 200 trials, and its tables as one host measures them."""
    project = Project(
        tmp_path_factory.mktemp("large"),
        LARGE,
        [PAIR, OTHER],
        without=(),
        batch_trials=25,
        batch_partition="other",
    )
    return project, project.tables_on_one_host()


def wait_until(condition: Callable[[], bool], run: subprocess.Popen, longest_s: float = 120) -> None:
    """Wait while a run goes on."""
    deadline = time.monotonic() + longest_s
    while not condition():
        assert run.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)
