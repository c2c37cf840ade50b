"""A trial whose files cannot be read stalls no cycle: it is excluded with the reason, and measured again."""

import json

import pyarrow.parquet as pq
import pytest

from tests.simulated.project import PAIR

REASON = "the queue log cannot be read"


def test_a_damaged_trial_is_excluded_with_the_reason_and_measured_again(whole):
    cycle = whole.root / "whole/simulated/test"
    assert sorted(path.name for path in (cycle / "trials/8mbps" / PAIR).iterdir()) == ["01", "02"]
    (excluded,) = pq.read_table(cycle / "tables/excluded.parquet").to_pylist()
    assert (excluded["pair"], excluded["trial"], excluded["rule"]) == (PAIR, 1, "completed")
    assert excluded["reason"] == REASON


@pytest.mark.soak(minutes=2)
def test_the_frozen_cycle_says_the_same_of_it(whole):
    done = whole.freeze("whole")
    assert done.returncode == 0, done.stderr
    snapshot = whole.root / "snapshot"
    published = json.loads((snapshot / f"trials/8mbps/{PAIR}/01/trial.json").read_text())
    assert (published["status"], published["reason"]) == ("failed", REASON)
    for table in ("excluded", "trial_services"):
        name = f"tables/{table}.parquet"
        assert (whole.root / "whole/simulated/test" / name).read_bytes() == (snapshot / name).read_bytes()
