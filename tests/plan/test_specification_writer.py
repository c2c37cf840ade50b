"""Specifications: what they say, and that they never change."""

import json

import pytest

from scripts.base.errors import UserError
from scripts.model.schemas import check
from scripts.plan.campaign_file import load_campaign
from scripts.plan.planner import next_trials
from scripts.plan.specification_writer import specification, write_specifications

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


def test_what_is_workload_may_be_said_otherwise_after_the_trials(config, tmp_path):
    write_specifications(config, "c", TRIALS[:1], tmp_path)
    config["services"]["iperf-bbr"]["workload"] = ["*.cdn.test"]
    write_specifications(config, "c", TRIALS[:1], tmp_path)
    assert "cdn.test" not in json.dumps(specification(config, "c", *TRIALS[0]))


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


def with_setting(config, **keys):
    """The configuration with these keys in its 8 Mbps setting."""
    return config | {"settings": {"8mbps": config["settings"]["8mbps"] | keys}}


CLIENTS = [
    {"rtt": "real", "access": {"rate_mbps": 2, "queue_packets": 50, "loss": 0.01}},
    {"rtt_ms": 20, "start_s": 5},
]


def test_the_link_is_told_with_all_that_was_asked(config):
    asked = {
        "discipline": "fq_codel",
        "discipline_options": {"target_ms": 7, "queues": 64},
        "random_loss": 0.001,
    }
    spec = specification(with_setting(config, **asked), "c", "8mbps", "iperf-bbr~iperf-reno", 1)
    check(spec, "trial", lambda keys: "spec")
    assert asked == {key: spec["link"][key] for key in asked}


def test_each_client_is_told_of_its_own_path(config):
    spec = specification(with_setting(config, clients=CLIENTS), "c", "8mbps", "iperf-bbr~iperf-reno", 1)
    check(spec, "trial", lambda keys: "spec")
    one, other = spec["clients"]
    assert ("real", CLIENTS[0]["access"]) == (one["rtt"], one["access"])
    assert 20 == other["rtt_ms"] and "rtt" not in other and "access" not in other
    assert 0 <= one["start_offset_s"] <= 1
    assert 5 <= other["start_offset_s"] <= 6


def test_a_mode_of_the_setting_is_that_of_clients_without_one(config):
    changed = with_setting(config, rtt="fixed", clients=[{"rtt": "normalised"}])
    one, other = specification(changed, "c", "8mbps", "iperf-bbr~iperf-reno", 1)["clients"]
    assert "rtt" not in one
    assert "fixed" == other["rtt"]


def test_a_service_alone_has_the_path_of_its_first_place_and_starts_at_once(config):
    changed = with_setting(config, clients=CLIENTS) | {"pairs": ["iperf-bbr~iperf-reno"]}
    (alone,) = specification(changed, "c", "8mbps", "iperf-reno", 1)["clients"]
    assert 20 == alone["rtt_ms"]
    assert alone["start_offset_s"] <= 1
    (stranger,) = specification(changed, "c", "8mbps", "iperf-cubic", 1)["clients"]
    assert {"client", "service", "instance", "start_offset_s"} == set(stranger)


def test_seventeen_clients_have_their_instances(config):
    spec = specification(config, "c", "8mbps", "iperf-bbr~iperf-cubic_16", 1)
    check(spec, "trial", lambda keys: "spec")
    assert [f"c{number}" for number in range(1, 18)] == [part["client"] for part in spec["clients"]]
    assert [1, *range(1, 17)] == [part["instance"] for part in spec["clients"]]


def test_a_page_is_told_when_to_load_and_begins_after_its_contender(config):
    spec = specification(config, "c", "8mbps", "iperf-cubic~ref-page-text", 1)
    contender, page = spec["clients"]
    assert {"loads": 2, "gap_s": 8} == page["service"]["schedule"]
    assert "schedule" not in contender["service"]
    assert 0 <= contender["start_offset_s"] <= 1
    assert 3 <= page["start_offset_s"] <= 4
    assert page["start_offset_s"] == spec["ignore_first_s"]
    assert 2 * 8 == pytest.approx(spec["duration_s"] - spec["ignore_first_s"] - spec["ignore_last_s"])


def test_a_page_alone_begins_at_once(config):
    spec = specification(config, "c", "8mbps", "ref-page-text", 1)
    assert spec["clients"][0]["start_offset_s"] <= 1
    assert 18 == spec["duration_s"]


def test_a_video_has_the_length_of_its_kind_and_an_iperf_beside_it_too(config):
    pairs = ("iperf-cubic~ref-video-4-reno", "ref-video-4-reno", "iperf-cubic")
    specs = [specification(config, "c", "8mbps", pair, 1) for pair in pairs]
    assert [(28, 10, 1), (28, 10, 1), (12, 4, 1)] == [
        (spec["duration_s"], spec["ignore_first_s"], spec["ignore_last_s"]) for spec in specs
    ]
