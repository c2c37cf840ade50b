"""Settings of a campaign: how they are completed, and which are refused."""

import re
from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.model.settings import ClientPath, OwnTimes
from scripts.plan.setting_completion import completed
from tests.model.campaigns import TIMES, service, setting

TRIAL = replace(TIMES, ignore_first_s=10)
QUEUE = {"queue_packets": 64}
SERVICES = {name: service(name) for name in "ab"}


def complete(**keys):
    return completed(setting(**keys), TRIAL, ["a~b"], SERVICES, UserError)


@pytest.mark.parametrize(
    ("queue", "expected"),
    [
        ({"queue_bdp": 4}, {"queue_packets": 133}),
        ({"queue_bdp": 4, "queue_rounding": "power_of_two"}, {"queue_packets": 128}),
        ({"queue_ms": 200}, {"queue_packets": 133}),
        ({"queue_ms": 200, "queue_rounding": "power_of_two"}, {"queue_packets": 128}),
        ({"queue_bytes": 20_000}, {"queue_bytes": 20_000}),
        ({"queue_packets": 17}, {"queue_packets": 17}),
    ],
)
def test_a_queue_in_any_unit(queue, expected):
    assert setting(**queue | expected) == complete(**queue)


def test_the_options_of_a_discipline_are_those_of_its_rfc_unless_given():
    codel = complete(**QUEUE, discipline="codel")
    assert {"target_ms": 5, "interval_ms": 100, "ecn": False} == codel.discipline_options
    given = {"ecn": True, "quantum_bytes": 300}
    fq_codel = complete(**QUEUE, discipline="fq_codel", discipline_options=given)
    assert {
        "target_ms": 5, "interval_ms": 100, "ecn": True, "queues": 1024, "quantum_bytes": 300,
    } == fq_codel.discipline_options  # fmt: skip


def test_the_options_of_red_are_those_of_tc_for_the_queue_and_the_link():
    """128 * 1514 / 4 = 48,448 bytes, a third 16,149; burst 26 packets, 26 + 1 - 16.149 = 10.851.

    (1 - (7/8)^26) / (1/8) = 7.75, (1 - (15/16)^26) / (1/16) = 13.01: 1/16.
    A given maximum has a third as its minimum, and a given minimum three times as much as its maximum.
    """
    red = complete(queue_packets=128, discipline="red").discipline_options
    assert {
        "min_bytes": 16149, "max_bytes": 48448, "probability": 0.02, "weight": 1 / 16, "packet_ms": 1,
        "gentle": True, "ecn": False,
    } == red  # fmt: skip
    given = complete(**QUEUE, discipline="red", discipline_options={"max_bytes": 30_000, "weight": 0.002})
    assert {"min_bytes": 10_000, "max_bytes": 30_000, "weight": 0.002}.items() <= (
        given.discipline_options.items()
    )
    least = complete(**QUEUE, discipline="red", discipline_options={"min_bytes": 10_000})
    assert {"min_bytes": 10_000, "max_bytes": 30_000}.items() <= least.discipline_options.items()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"queue_ms": 0.7}, "queue_ms 0.7 is less than one packet of 1500 bytes"),
        ({"queue_bdp": 0.01}, "queue_bdp 0.01 is less than one packet of 1500 bytes"),
        ({"queue_bytes": 1513}, "queue_bytes 1513 is less than one full frame"),
        (
            QUEUE | {"queue_rounding": "none"},
            "queue_rounding goes with queue_bdp and queue_ms, not with queue_packets; set it to null",
        ),
        (
            QUEUE | {"discipline": "codel", "discipline_options": {"queues": 4}},
            "discipline_options.queues is not an option of codel; "
            "its options are: variant, target_ms, interval_ms, ecn",
        ),
        (
            QUEUE | {"discipline_options": {"ecn": True}},
            "discipline_options.ecn is not an option of droptail; it has none",
        ),
        (
            QUEUE | {"discipline": "red", "discipline_options": {"min_bytes": 9000, "max_bytes": 9000}},
            "discipline_options.min_bytes 9000 is not less than max_bytes 9000; lower min_bytes",
        ),
        (QUEUE | {"clients": [{}, {}, {}]}, "clients has 3 entries, but a~b has only 2 clients"),
        (
            QUEUE | {"clients": [{}, {"start_s": 9.5}]},
            "the last one starts up to 9.5 s + start_jitter_s 1 after the trial, inside the steady window",
        ),
    ],
)
def test_an_impossible_setting_is_refused(keys, message):
    with pytest.raises(UserError, match=re.escape(message)):
        complete(**keys)


def test_the_last_client_may_start_just_before_the_window():
    assert (ClientPath(start_s=9),) == complete(**QUEUE, clients=[{"start_s": 9}]).clients


def test_the_window_of_the_shortest_kind_decides_when_the_last_client_may_start():
    trial = replace(TRIAL, kinds={"video": OwnTimes(ignore_first_s=6)})
    late = setting(**QUEUE, clients=[{"start_s": 5.5}])
    with pytest.raises(UserError, match="the steady window, which begins at ignore_first_s 6"):
        completed(late, trial, ["a~b"], SERVICES, UserError)


def test_pairs_that_a_setting_leaves_out_need_not_have_its_clients():
    one = setting(**QUEUE, clients=[{}, {}, {}], services=["b"])
    assert ("b",) == completed(one, TRIAL, ["a~b", "b~b_2"], SERVICES, UserError).services
