"""A trial whose files cannot be read stalls no cycle: it is excluded with the reason, and measured again."""

import json

import pyarrow.parquet as pq

from tests.simulated.project import PAIR, SERVICES, Simulated

TRIALS = {"solo": 0, "solo_attempts": 0, "round": 1, "most": 1, "attempts": 2}


def test_a_damaged_trial_is_excluded_and_measured_again_and_its_published_copy_says_so(tmp_path):
    copy = Simulated(tmp_path / "a copy")
    (copy.root / "behaviours.json").write_text(json.dumps({PAIR: {"damaged": [1]}}))
    copy.configure(SERVICES[:2], [PAIR], TRIALS)
    copy.finish("data")
    cycle = copy.root / "data/simulated/test"
    assert sorted(path.name for path in (cycle / "trials/8mbps" / PAIR).iterdir()) == ["01", "02"]
    (excluded,) = pq.read_table(cycle / "tables/excluded.parquet").to_pylist()
    assert (excluded["pair"], excluded["trial"], excluded["rule"]) == (PAIR, 1, "completed")
    assert excluded["reason"] == "the queue log cannot be read"
    done = copy.freeze("data")
    assert done.returncode == 0, done.stderr
    published = json.loads((copy.root / f"snapshot/trials/8mbps/{PAIR}/01/trial.json").read_text())
    assert (published["status"], published["reason"]) == ("failed", "the queue log cannot be read")
    for table in ("excluded", "trial_services"):
        name = f"tables/{table}.parquet"
        assert (cycle / name).read_bytes() == (copy.root / "snapshot" / name).read_bytes()
