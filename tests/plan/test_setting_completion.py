"""Settings of a campaign: what is completed, and what no trial could have."""

import pytest

from scripts.base.errors import UserError
from scripts.plan.setting_completion import completed

TRIAL = {"start_jitter_s": 1, "ignore_first_s": 10}
LINK = {"rate_mbps": 8, "rtt_ms": 50, "discipline": "droptail"}
QUEUE = {"queue_packets": 64}
SERVICES: dict[str, dict[str, str]] = {"a": {}, "b": {}}


def complete(**keys):
    return completed(LINK | keys, TRIAL, ["a~b"], SERVICES, UserError)


@pytest.mark.parametrize(
    ("queue", "expected"),
    [
        ({"queue_bdp": 4}, {"queue_packets": 133}),
        ({"queue_bdp": 4, "queue_rounding": "power_of_two"}, {"queue_packets": 128}),
        ({"queue_ms": 200}, {"queue_packets": 133}),
        ({"queue_ms": 200, "queue_rounding": "power_of_two"}, {"queue_packets": 128}),
        ({"queue_bytes": 20_000}, {"queue_bytes": 20_000}),
        ({"queue_packets": 17}, {"queue_packets": 17, "queue_bdp": None, "queue_rounding": None}),
    ],
)
def test_a_queue_in_any_unit(queue, expected):
    assert LINK | queue | expected == complete(**queue)


def test_the_options_of_a_discipline_are_those_of_its_rfc_unless_given():
    assert {"target_ms": 5, "interval_ms": 100, "ecn": False} == complete(**QUEUE, discipline="codel")[
        "discipline_options"
    ]
    assert {
        "target_ms": 5, "interval_ms": 100, "ecn": True, "queues": 1024, "quantum_bytes": 300,
    } == complete(
        **QUEUE, discipline="fq_codel", discipline_options={"ecn": True, "quantum_bytes": 300}
    )["discipline_options"]  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"queue_ms": 0.7}, "queue_ms 0.7 is less than one packet of 1500 bytes"),
        ({"queue_bdp": 0.01}, "queue_bdp 0.01 is less than one packet of 1500 bytes"),
        ({"queue_bytes": 1513}, "queue_bytes 1513 is less than one full frame"),
        (QUEUE | {"queue_rounding": "none"}, "queue_rounding is of queue_bdp and queue_ms; queue_packets is"),
        (
            QUEUE | {"discipline": "codel", "discipline_options": {"queues": 4}},
            "discipline_options.queues is no option of codel; its options are: target_ms, interval_ms, ecn",
        ),
        (
            QUEUE | {"discipline_options": {"ecn": True}},
            "discipline_options.ecn is no option of droptail; it has none",
        ),
        (QUEUE | {"clients": [{}, {}, {}]}, "clients has 3 entries, but a~b has only 2 clients"),
        (
            QUEUE | {"clients": [{}, {"start_s": 9.5}]},
            "the last starts at 9.5 s and up to start_jitter_s 1 later, inside the steady window",
        ),
    ],
)
def test_what_no_trial_could_have_is_refused(keys, message):
    with pytest.raises(UserError, match=message.replace("(", r"\(")):
        complete(**keys)


def test_the_last_client_may_start_just_before_the_window():
    clients = [{"start_s": 9}]
    assert clients == complete(**QUEUE, clients=clients)["clients"]


def test_the_window_of_the_shortest_kind_decides_when_the_last_client_may_start():
    trial = TRIAL | {"kinds": {"video": {"ignore_first_s": 6}}}
    link = LINK | QUEUE | {"clients": [{"start_s": 5.5}]}
    with pytest.raises(UserError, match="the steady window, which begins at ignore_first_s 6"):
        completed(link, trial, ["a~b"], SERVICES, UserError)


def test_pairs_that_a_setting_leaves_out_need_not_have_its_clients():
    keys = QUEUE | {"clients": [{}, {}, {}], "services": ["b"]}
    assert ["b"] == completed(LINK | keys, TRIAL, ["a~b", "b~b_2"], SERVICES, UserError)["services"]
