"""The plan: which trials, in which order, and specifications that never change."""

import json

import pytest

from scripts.config import load_campaign
from scripts.cycle import cycle_name
from scripts.errors import UserError
from scripts.plan import main, planned_trials, read_plan, specification, write_plan
from scripts.schemas import check


@pytest.fixture
def config():
    return load_campaign("demo")


def test_the_demo_has_36_trials_solos_first_then_round_robin(config):
    trials = list(planned_trials(config))
    assert len(trials) == 36
    assert [pair for _, pair, _ in trials[:6]] == [
        "iperf-bbr", "iperf-bbr", "iperf-cubic", "iperf-cubic", "iperf-reno", "iperf-reno",
    ]  # fmt: skip
    pairs = [(pair, number) for _, pair, number in trials[12:]]
    assert {number for _, number in pairs[:12]} == {1}, "one trial of every pair before the second of any"


def test_the_papers_cycle_has_1800_trials(config):
    services = {f"s{number:02d}": config["services"]["iperf-bbr"] for number in range(12)}
    pairs = [f"{a}~{b}" for a in services for b in services if a <= b]
    big = config | {"services": services, "pairs": pairs, "trials": {"solo": 10, "pair": 10}}
    assert len(list(planned_trials(big))) == 1800


def test_every_specification_is_as_its_schema_says(config):
    for setting, pair, number in planned_trials(config):
        check(specification(config, "c", setting, pair, number), "trial", lambda keys: "spec")


def test_a_self_pair_has_two_instances(config):
    clients = specification(config, "c", "8mbps", "iperf-bbr~iperf-bbr", 1)["clients"]
    assert [("c1", 1), ("c2", 2)] == [(part["client"], part["instance"]) for part in clients]


def test_offsets_follow_from_the_seed_and_differ(config):
    one, again = (specification(config, "c", "8mbps", "iperf-bbr~iperf-reno", 1) for _ in range(2))
    other = specification(config, "c", "8mbps", "iperf-bbr~iperf-reno", 2)
    assert one == again
    offsets = [part["start_offset_s"] for part in one["clients"] + other["clients"]]
    assert len(set(offsets)) == 4
    assert all(0 <= offset <= 1 for offset in offsets)


def test_a_plan_that_grows_leaves_what_was_planned(config, tmp_path):
    write_plan(config, "c", tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("specs/*/*/*.json")}
    assert write_plan(config | {"trials": {"solo": 2, "pair": 3}}, "c", tmp_path) == 48
    assert before == {path: path.stat().st_mtime_ns for path in before}
    assert len(read_plan(tmp_path / "plan.csv")) == 48


def test_a_cycle_that_has_begun_is_not_changed(config, tmp_path):
    write_plan(config, "c", tmp_path)
    before = {path: path.read_text() for path in tmp_path.rglob("*.*")}
    changed = json.loads(json.dumps(config))
    changed["settings"]["8mbps"]["rate_mbps"] = 9
    with pytest.raises(
        UserError, match=r"something else of link than when cycle c was planned; undo that, or name"
    ):
        write_plan(changed, "c", tmp_path)
    assert before == {path: path.read_text() for path in tmp_path.rglob("*.*")}


def test_thresholds_may_change_in_a_cycle_that_has_begun(config, tmp_path):
    write_plan(config, "c", tmp_path)
    assert write_plan(config | {"validity": {"rtt_error_ms": 2}}, "c", tmp_path) == 36


def test_the_cycle_is_remembered_until_another_is_named(config, tmp_path):
    merged = tmp_path / "config.json"
    merged.write_text(json.dumps(config))
    assert main([str(merged), "--cycle", "first", "-o", str(tmp_path / "demo/first/plan")]) == 0
    assert cycle_name(str(tmp_path), "demo") == "first"
    assert cycle_name(str(tmp_path), "demo", "second") == "second"
