"""A trial whose files cannot be read stalls no cycle: it is excluded with the reason, and measured again."""

import json

import pyarrow.parquet as pq
import pytest

from tests.simulated.project import PAIR, SERVICES, Simulated

TRIALS = {"solo": 0, "solo_attempts": 0, "round": 1, "most": 1, "attempts": 2}
REASON = "the queue log cannot be read"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished cycle of one pair, in a copy of the project. The queue log of its first trial is damaged."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    (copy.root / "behaviours.json").write_text(json.dumps({PAIR: {"damaged": [1]}}))
    copy.configure(SERVICES[:2], [PAIR], TRIALS)
    copy.finish("data")
    return copy


def test_a_damaged_trial_is_excluded_with_the_reason_and_measured_again(finished):
    cycle = finished.root / "data/simulated/test"
    assert sorted(path.name for path in (cycle / "trials/8mbps" / PAIR).iterdir()) == ["01", "02"]
    (excluded,) = pq.read_table(cycle / "tables/excluded.parquet").to_pylist()
    assert (excluded["pair"], excluded["trial"], excluded["rule"]) == (PAIR, 1, "completed")
    assert excluded["reason"] == REASON


@pytest.mark.soak
def test_the_frozen_cycle_says_the_same_of_it(finished):
    done = finished.freeze("data")
    assert done.returncode == 0, done.stderr
    snapshot = finished.root / "snapshot"
    published = json.loads((snapshot / f"trials/8mbps/{PAIR}/01/trial.json").read_text())
    assert (published["status"], published["reason"]) == ("failed", REASON)
    for table in ("excluded", "trial_services"):
        name = f"tables/{table}.parquet"
        assert (finished.root / "data/simulated/test" / name).read_bytes() == (snapshot / name).read_bytes()
