"""Specifications: what they say, and that they never change."""

import json

import pytest

from scripts.config import load_campaign
from scripts.errors import UserError
from scripts.planner import next_trials
from scripts.schemas import check
from scripts.specification import specification, write_specifications

TRIALS = [("8mbps", "iperf-bbr~iperf-reno", number) for number in (1, 2)]


@pytest.fixture
def config():
    return load_campaign("demo")


def test_every_specification_is_as_its_schema_says(config):
    for trial in next_trials(config, []):
        check(specification(config, "c", *trial), "trial", lambda keys: "spec")


def test_a_self_pair_has_two_instances(config):
    clients = specification(config, "c", "8mbps", "iperf-bbr~iperf-bbr", 1)["clients"]
    assert [("c1", 1), ("c2", 2)] == [(part["client"], part["instance"]) for part in clients]


def test_offsets_follow_from_the_seed_and_differ(config):
    one, again = (specification(config, "c", *TRIALS[0]) for _ in range(2))
    other = specification(config, "c", *TRIALS[1])
    assert one == again
    offsets = [part["start_offset_s"] for part in one["clients"] + other["clients"]]
    assert len(set(offsets)) == 4
    assert all(0 <= offset <= 1 for offset in offsets)


def test_one_that_stands_there_is_never_written_again(config, tmp_path):
    write_specifications(config, "c", TRIALS[:1], tmp_path)
    (first,) = before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("specs/*/*/*.json")}
    write_specifications(config | {"validity": {"rtt_error_ms": 2}}, "c", TRIALS, tmp_path)
    assert before == {first: first.stat().st_mtime_ns}
    assert ["01.json", "02.json"] == sorted(path.name for path in first.parent.iterdir())


def test_a_cycle_that_has_begun_is_not_changed(config, tmp_path):
    write_specifications(config, "c", TRIALS[:1], tmp_path)
    before = {path: path.read_text() for path in tmp_path.rglob("*.*")}
    changed = json.loads(json.dumps(config))
    changed["settings"]["8mbps"]["rate_mbps"] = 9
    with pytest.raises(
        UserError, match=r"something else of link than when cycle c was planned; undo that, or name"
    ):
        write_specifications(changed, "c", TRIALS, tmp_path)
    assert before == {path: path.read_text() for path in tmp_path.rglob("*.*")}
