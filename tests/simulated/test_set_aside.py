"""Services are set aside before and during a cycle that Snakemake runs, and its snapshot tells the same."""

import json

import pytest

from scripts.plan.set_aside import FILE, read_set_aside, write_set_aside
from tests.simulated.project import OTHER, PAIR, SERVICES, Simulated

pytestmark = pytest.mark.soak(minutes=1)

TRIALS = {"solo": 3, "solo_attempts": 9, "round": 2, "most": 4, "attempts": 6}
STABLE = "iperf-bbr~iperf-bbr"
SILENT = {"iperf-reno": "the page cannot be reached"}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished cycle: NewReno was set aside before it, and Cubic alone fails."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    (copy.root / "behaviours.json").write_text(json.dumps({"iperf-cubic": {"fails": True}}))
    copy.configure(SERVICES, [PAIR, OTHER, STABLE], TRIALS)
    write_set_aside(copy.root / "data/simulated/test/plan", SILENT)
    copy.finish("data")
    return copy


def test_only_the_cells_of_the_services_that_were_set_aside_are_closed_early(finished):
    table = finished.tables("data")["tables/plan.csv"].decode().splitlines()[1:]
    assert {
        ("iperf-bbr", "1", "3", "enough"),
        ("iperf-cubic", "1", "3", "set_aside"),
        ("iperf-reno", "1", "0", "set_aside"),
        (PAIR, "1", "2", "set_aside"),
        (OTHER, "1", "0", "set_aside"),
        (STABLE, "1", "2", "wide"),
        (STABLE, "2", "4", "enough"),
    } == {
        (pair, number, attempts, why)
        for _, pair, number, _, attempts, _, _, _, why in (line.replace('"', "").split(",") for line in table)
    }


def test_the_snapshot_has_the_reason_and_is_rebuilt_the_same(finished):
    done = finished.freeze("data")
    assert done.returncode == 0, done.stderr
    finished.assert_snapshot_has_plan("data")
    assert SILENT == read_set_aside(finished.root / "snapshot/plan")
    assert f"plan/{FILE}" in (finished.root / "snapshot/SHA256SUMS").read_text()
