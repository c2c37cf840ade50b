"""Specifications: what they hold, and that they never change."""

import json
from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.base.records import from_json, to_json
from scripts.model.schemas import check
from scripts.model.services import Distribution, Generator
from scripts.model.settings import Access, ClientPath, SettingTimes
from scripts.model.specification import Specification
from scripts.model.trials import TrialKey
from scripts.plan.campaign_file import load_campaign
from scripts.plan.planner import next_trials
from scripts.plan.specification_writer import (
    refuse_changes,
    specification,
    write_specification,
    write_specifications,
)

PAIR = "iperf-bbr~iperf-reno"
TRIALS = [TrialKey("8mbps", PAIR, number) for number in (1, 2)]


@pytest.fixture
def demo():
    return load_campaign("demo")


def specified(campaign, pair=PAIR):
    """The specification of the first trial of a pair, and the same as JSON, which matches its schema."""
    spec = specification(campaign, "c", TrialKey("8mbps", pair, 1))
    content = to_json(spec)
    check(content, Specification, lambda keys: "spec")
    return spec, content


def test_every_specification_matches_its_schema(demo):
    for key in next_trials(demo, []):
        check(to_json(specification(demo, "c", key)), Specification, lambda keys: "spec")


def test_a_self_pair_has_two_instances(demo):
    spec, _ = specified(demo, "iperf-bbr~iperf-bbr")
    assert [("c1", 1), ("c2", 2)] == [(client.client, client.instance) for client in spec.clients]


def test_offsets_follow_from_the_seed_and_differ(demo):
    one, again = (specification(demo, "c", TRIALS[0]) for _ in range(2))
    other = specification(demo, "c", TRIALS[1])
    assert one == again
    offsets = [client.start_offset_s for client in one.clients + other.clients]
    assert len(set(offsets)) == 4
    assert all(0 <= offset <= 1 for offset in offsets)


@pytest.fixture
def with_flows(demo):
    """The campaign with a service of generated flows in the place of Reno."""
    generator = Generator(
        Distribution("exponential", mean=1000),
        Distribution("exponential", mean=1),
        first_s=2,
        rate_limit_mbps=5,
    )
    flows = replace(
        demo.services["iperf-reno"], driver="flows", metric="completion", flows=None, generator=generator
    )
    return replace(demo, services=demo.services | {"iperf-reno": flows})


def test_generated_flows_are_written_into_the_specification_with_their_generator(with_flows):
    spec, content = specified(with_flows)
    bulk, client = spec.clients
    flows = client.service.schedule.flows
    assert bulk.service.schedule is None
    assert 2_000_000 == flows.starts_us[0] <= flows.starts_us[-1] < (spec.duration_s - 1) * 1e6
    assert len(flows.starts_us) == len(flows.sizes_bytes) > 1
    assert with_flows.services["iperf-reno"].generator == client.service.generator
    assert {"starts_us", "sizes_bytes", "rate_limit_mbps"} == set(
        content["clients"][1]["service"]["schedule"]["flows"]
    )
    assert spec == from_json(type(spec), content, "spec")


def test_each_trial_and_each_client_has_flows_of_its_own_and_the_same_again(with_flows):
    def schedules(number):
        spec = specification(with_flows, "c", TrialKey("8mbps", "iperf-reno~iperf-reno", number))
        return [client.service.schedule.flows for client in spec.clients]

    assert schedules(1) == schedules(1)
    assert 4 == len({flows.starts_us for flows in schedules(1) + schedules(2)})


def test_a_specification_of_generated_flows_needs_their_schedule(with_flows):
    _, content = specified(with_flows)
    del content["clients"][1]["service"]["schedule"]
    with pytest.raises(UserError, match=r"spec: clients\.1\.service\.schedule: is missing"):
        check(content, Specification, lambda keys: "spec")


def test_workload_colour_and_short_title_of_a_service_may_change_after_the_trials(demo, tmp_path):
    write_specifications(demo, "c", TRIALS[:1], tmp_path)
    others = {"workload": ("*.cdn.test",), "colour": "#123456", "short": "another"}
    demo.services["iperf-bbr"] = replace(demo.services["iperf-bbr"], **others)
    write_specifications(demo, "c", TRIALS[:1], tmp_path)
    written = json.dumps(to_json(specification(demo, "c", TRIALS[0])))
    assert not [word for word in ("cdn.test", "#123456", "another") if word in written]


def test_a_stored_specification_is_never_written_again(demo, tmp_path):
    write_specifications(demo, "c", TRIALS[:1], tmp_path)
    (first,) = before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("specs/*/*/*.json")}
    write_specifications(replace(demo, validity={"rtt_error_ms": 2}), "c", TRIALS, tmp_path)
    assert before == {first: first.stat().st_mtime_ns}
    assert ["01.json", "02.json"] == sorted(path.name for path in first.parent.iterdir())


def test_a_stored_specification_may_spell_out_defaults(demo, tmp_path):
    write_specifications(demo, "c", TRIALS[:1], tmp_path)
    (path,) = tmp_path.glob("specs/*/*/*.json")
    content = json.loads(path.read_text())
    content["link"] |= {"queue_ms": None, "random_loss": 0}
    path.write_text(json.dumps(content))
    write_specifications(demo, "c", TRIALS[:1], tmp_path)
    assert content == json.loads(path.read_text())


def test_a_cycle_that_has_begun_is_not_changed(demo, tmp_path):
    write_specifications(demo, "c", TRIALS[:1], tmp_path)
    before = {path: path.read_text() for path in tmp_path.rglob("*.*")}
    with pytest.raises(UserError, match=r"changed link since cycle c was planned; undo the change, or name"):
        write_specifications(with_setting(demo, rate_mbps=9), "c", TRIALS, tmp_path)
    assert before == {path: path.read_text() for path in tmp_path.rglob("*.*")}


def test_a_planned_cycle_accepts_what_leaves_its_trials_as_they_are(demo, tmp_path):
    """Another setting, pairs and services that the cycle no longer measures, numbers and thresholds."""
    write_specifications(demo, "c", TRIALS, tmp_path)
    trials = replace(demo.trials, round=9, most=9, attempts=9)
    refuse_changes(replace(demo, trials=trials, validity={"rtt_error_ms": 2}), "c", tmp_path)
    refuse_changes(replace(demo, hosts_set_aside=("node-1",)), "c", tmp_path)
    settings = {"50mbps": demo.settings["50mbps"], "8mbps-new": demo.settings["8mbps"]}
    refuse_changes(replace(demo, settings=settings, bottleneck="bess"), "c", tmp_path)
    refuse_changes(replace(demo, pairs=("iperf-bbr~iperf-bbr",), bottleneck="bess"), "c", tmp_path)


@pytest.mark.parametrize(
    ("changed", "campaign"),
    [
        ("bottleneck, parallel", lambda demo: replace(demo, bottleneck="bess")),
        ("ignore_first_s", lambda demo: replace(demo, trial=replace(demo.trial, ignore_first_s=5))),
        ("clients, seed", lambda demo: replace(demo, seed=2)),
        ("link", lambda demo: with_setting(demo, rate_mbps=9)),
    ],
)
def test_a_planned_cycle_refuses_another_configuration_before_any_job(demo, tmp_path, changed, campaign):
    refuse_changes(campaign(demo), "c", tmp_path)
    write_specifications(demo, "c", TRIALS, tmp_path)
    with pytest.raises(UserError, match=rf"01.json: the configuration changed {changed} since cycle c was"):
        refuse_changes(campaign(demo), "c", tmp_path)


def with_setting(campaign, **changes):
    """The campaign with these changes to its 8 Mbps setting, and without its other setting."""
    return replace(campaign, settings={"8mbps": replace(campaign.settings["8mbps"], **changes)})


ACCESS = Access(rate_mbps=2, queue_packets=50, loss=0.01)
CLIENTS = (ClientPath(rtt="real", access=ACCESS), ClientPath(rtt_ms=20, start_s=5))


def test_the_link_has_every_key_of_the_setting(demo):
    changes = {
        "discipline": "fq_codel",
        "discipline_options": {"target_ms": 7, "queues": 64},
        "random_loss": 0.001,
    }
    _, content = specified(with_setting(demo, **changes))
    assert changes == {key: content["link"][key] for key in changes}


def test_each_client_has_its_own_path(demo):
    spec, content = specified(with_setting(demo, clients=CLIENTS))
    one, other = spec.clients
    assert ("real", ACCESS) == (one.rtt, one.access)
    assert 20 == other.rtt_ms and not {"rtt", "access"} & set(content["clients"][1])
    assert 0 <= one.start_offset_s <= 1
    assert 5 <= other.start_offset_s <= 6


def test_a_mode_of_the_setting_is_that_of_clients_without_one(demo):
    changed = with_setting(demo, rtt="fixed", clients=(ClientPath(rtt="normalised"),))
    one, other = specified(changed)[1]["clients"]
    assert "rtt" not in one
    assert "fixed" == other["rtt"]


def test_a_service_alone_has_the_path_of_its_first_place_and_starts_at_once(demo):
    changed = replace(with_setting(demo, clients=CLIENTS), pairs=(PAIR,))
    (alone,) = specified(changed, "iperf-reno")[0].clients
    assert 20 == alone.rtt_ms
    assert alone.start_offset_s <= 1
    (stranger,) = specified(changed, "iperf-cubic")[1]["clients"]
    assert {"client", "service", "instance", "start_offset_s"} == set(stranger)


def test_further_clients_have_the_last_of_several_entries(demo):
    changed = with_setting(demo, clients=(ClientPath(), ClientPath(rtt_ms=9)))
    spec, _ = specified(changed, "iperf-bbr~iperf-cubic_16")
    assert [None, *[9] * 16] == [client.rtt_ms for client in spec.clients]
    alone = with_setting(demo, clients=(ClientPath(rtt_ms=9),))
    assert [9, None, None] == [
        client.rtt_ms for client in specified(alone, "iperf-bbr~iperf-cubic~iperf-reno")[0].clients
    ]


def test_a_trial_has_the_times_of_its_setting(demo):
    times = SettingTimes(duration_s=90, ignore_first_s=50, ignore_last_s=2)
    spec, _ = specified(with_setting(demo, trial=times))
    assert (90, 50, 2) == (spec.duration_s, spec.ignore_first_s, spec.ignore_last_s)


def test_seventeen_clients_have_their_instances(demo):
    spec, _ = specified(demo, "iperf-bbr~iperf-cubic_16")
    assert [f"c{number}" for number in range(1, 18)] == [client.client for client in spec.clients]
    assert [1, *range(1, 17)] == [client.instance for client in spec.clients]


def test_a_page_has_a_schedule_and_starts_after_its_contender(demo):
    spec, content = specified(demo, "iperf-cubic~ref-page-text")
    contender, page = spec.clients
    assert {"loads": 2, "gap_s": 4, "limit_s": 12} == content["clients"][1]["service"]["schedule"]
    assert contender.service.schedule is None
    assert 0 <= contender.start_offset_s <= 1
    assert 3 <= page.start_offset_s <= 4
    assert page.start_offset_s == spec.ignore_first_s
    assert 5 + 2 * (4 + 12) == pytest.approx(spec.duration_s - spec.ignore_first_s - spec.ignore_last_s)


def test_a_page_alone_starts_at_once(demo):
    spec, _ = specified(demo, "ref-page-text")
    assert spec.clients[0].start_offset_s <= 1
    assert 1 + 5 + 2 * (4 + 12) + 1 == spec.duration_s


def test_a_video_has_the_length_of_its_kind_and_an_iperf_beside_it_too(demo):
    pairs = ("iperf-cubic~ref-video-4-reno", "ref-video-4-reno", "iperf-cubic")
    specs = [specified(demo, pair)[0] for pair in pairs]
    assert [(28, 10, 1), (28, 10, 1), (11, 4, 1)] == [
        (spec.duration_s, spec.ignore_first_s, spec.ignore_last_s) for spec in specs
    ]


def firsts(campaign, pair=PAIR, trials=200):
    """How often the first service of a pair by name is c1."""
    specs = (specification(campaign, "c", TrialKey("8mbps", pair, number)) for number in range(1, trials + 1))
    return sum(spec.clients[0].service.name == pair.split("~")[0] for spec in specs)


def test_the_seed_draws_which_service_is_c1(demo):
    assert 70 <= firsts(demo) <= 130
    one, again = (specification(demo, "c", TRIALS[0]) for _ in range(2))
    assert one == again
    for key in TRIALS:
        drawn, by_name = (specification(demo, "c", key, drawn) for drawn in (True, False))
        assert PAIR.split("~") == [client.service.name for client in by_name.clients]
        assert {(client.service.name, client.start_offset_s) for client in drawn.clients} == {
            (client.service.name, client.start_offset_s) for client in by_name.clients
        }


@pytest.mark.parametrize(
    "path", [ClientPath(start_s=2), ClientPath(rtt_ms=20), ClientPath(access=Access(delay_ms=5))]
)
def test_services_are_in_the_order_of_the_name_where_a_client_differs(demo, path):
    assert 20 == firsts(with_setting(demo, clients=(ClientPath(), path)), trials=20)
    assert 20 > firsts(with_setting(demo, clients=(ClientPath(), ClientPath())), trials=20)


def test_a_cycle_of_an_earlier_version_keeps_its_order_of_clients(demo, tmp_path):
    """It had the services of every trial in the order of the pair's name."""
    keys = [TrialKey("8mbps", PAIR, number) for number in range(1, 9)]
    by_name = [specification(demo, "c", key, drawn=False) for key in keys]
    assert by_name != [specification(demo, "c", key) for key in keys]
    for spec in by_name:
        write_specification(spec, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.glob("specs/*/*/*.json")}
    write_specifications(demo, "c", keys, tmp_path)
    refuse_changes(demo, "c", tmp_path)
    assert before == {path: path.read_bytes() for path in tmp_path.glob("specs/*/*/*.json")}
    with pytest.raises(UserError, match="changed link since"):
        refuse_changes(with_setting(demo, rate_mbps=9), "c", tmp_path)
