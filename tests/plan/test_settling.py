"""Which times a setting needs so that its shares settle, and what is said of those that a campaign has."""

from dataclasses import replace

import pytest

from scripts.model.campaign import Campaign
from scripts.model.settings import SettingTimes
from scripts.plan.campaign_file import load_campaign, load_service
from scripts.plan.settling import TOO_SHORT, Need, judged_times, need
from tests.model.campaigns import TIMES, campaign, setting


def services(*names):
    return [load_service(name, "a test") for name in names]


def link(queue_bdp, **keys):
    """10 Mbps and 40 ms with a queue of so many BDP."""
    packets = round(queue_bdp * 10e6 * 0.04 / 8 / 1500)
    known = {"rate_mbps": 10, "rtt_ms": 40, "queue_packets": packets, "queue_bdp": queue_bdp}
    return setting(**known | keys)


FIFTY = setting(rate_mbps=50, rtt_ms=50, queue_packets=1024, queue_bdp=4)
FIFTY_DEEP = replace(FIFTY, queue_packets=2048, queue_bdp=8)
SEVENTEEN = ["iperf-bbr", *["iperf-cubic"] * 16]


@pytest.mark.parametrize(
    ("where", "who", "expected"),
    [
        (link(8), ["iperf-bbr", "iperf-cubic"], Need(120, 100, "BBR in a queue of 8 BDP")),
        (link(16), ["iperf-bbr", "iperf-cubic"], Need(240, 100, "BBR in a queue of 16 BDP")),
        (link(32), SEVENTEEN, Need(360, 100, "BBR in a queue of 32 BDP")),
        (link(32), ["iperf-bbr", "iperf-bbr"], Need(120, 100, "BBR")),
        (link(32), ["iperf-bbr", "iperf-reno"], Need(560, 280, "Reno, to recover twice,")),
        (FIFTY, ["iperf-cubic", "iperf-reno"], Need(140, 100, "Reno, to recover twice,")),
        (FIFTY_DEEP, ["iperf-cubic", "iperf-reno"], Need(470, 230, "Reno, to recover twice,")),
        (FIFTY_DEEP, ["iperf-bbr-5", "iperf-reno"], Need(470, 230, "Reno, to recover twice,")),
        (FIFTY_DEEP, ["iperf-cubic"] * 3, Need(30, 100, "a start")),
        (FIFTY, ["iperf-bbr", "ref-file-quic-bbr2"], Need(120, 100, "BBR")),
    ],
)
def test_what_a_pair_needs_follows_from_the_link_and_its_congestion_controls(where, who, expected):
    assert expected == need(where, services(*who))


def test_reno_needs_its_recoveries_beside_batches_which_have_none_of_their_own():
    expected = Need(140, 100, "Reno, to recover twice,")
    assert expected == need(FIFTY, services("iperf-reno", "ref-file-batched-5-bbr"))
    assert need(FIFTY, services("ref-file-batched-5-bbr", "ref-file-batched-5-bbr")) is None


@pytest.mark.parametrize(
    "who",
    [
        ["iperf-reno"],
        ["iperf-reno", "ref-video-4-reno"],
        ["iperf-reno", "ref-call-1500kbps"],
        ["iperf-reno", "ref-page-text"],
        ["iperf-cubic", "flows-web-cubic"],
        ["iperf-cubic", "dropbox"],
        ["iperf-reno-1mbps", "iperf-reno-1mbps"],
    ],
)
def test_services_without_a_known_steady_share_are_not_judged(who):
    assert need(FIFTY, services(*who)) is None


def test_a_queue_that_does_not_fill_does_not_count():
    codel = link(32, discipline="codel")
    assert Need(120, 100, "BBR") == need(codel, services("iperf-bbr", "iperf-cubic"))
    assert Need(30, 100, "a start") == need(codel, services("iperf-reno", "iperf-cubic"))


def test_the_longest_rtt_of_a_client_counts():
    """W is 2538 packets. From 1269 to the 2438 that fill the link, rounds take 0.3 s, then a little more."""
    near = setting(rate_mbps=100, rtt_ms=10, queue_packets=100)
    far = replace(near, clients=setting(clients=[{}, {"rtt_ms": 300}]).clients)
    real = replace(near, rtt="real", clients=setting(clients=[{}, {"access": {"delay_ms": 300}}]).clients)
    pair = services("iperf-reno", "iperf-reno")
    assert need(near, pair) == Need(30, 100, "a start")
    assert need(far, pair) == need(real, pair) == Need(380, 190, "Reno, to recover twice,")


def measured(own=None, clients=(), **times) -> Campaign:
    """BBR against Cubic at 32 BDP, with these times of the setting and of the campaign."""
    bbr, cubic = services("iperf-bbr", "iperf-cubic")
    return campaign(
        services={"iperf-bbr": bbr, "iperf-cubic": cubic},
        pairs=("iperf-bbr~iperf-bbr", "iperf-bbr~iperf-cubic"),
        settings={"deep": replace(link(32, clients=list(clients)), trial=own)},
        trial=replace(TIMES, **times),
    )


@pytest.mark.parametrize(
    ("campaign", "words"),
    [
        (
            measured(duration_s=85, ignore_first_s=30, ignore_last_s=1),
            "too short to settle in 2 of 2 pairs: BBR in a queue of 32 BDP needs 360 s before a window "
            "of 100 s; a trial has 30 s before 54 s, and 85 s in all",
        ),
        (
            measured(),
            "too short to settle in 1 of 2 pairs: BBR in a queue of 32 BDP needs 360 s before a window "
            "of 100 s; a trial has 120 s before 360 s, and 600 s in all",
        ),
        (
            measured(SettingTimes(duration_s=470, ignore_first_s=370, ignore_last_s=0)),
            "BBR in a queue of 32 BDP needs 360 s before a window of 100 s; "
            "a trial has 370 s before 100 s, and 470 s in all",
        ),
        (
            measured(
                SettingTimes(duration_s=470, ignore_first_s=370, ignore_last_s=0), [{}, {"start_s": 20}]
            ),
            "too short to settle in 1 of 2 pairs: BBR in a queue of 32 BDP needs 360 s before a window "
            "of 100 s; a trial has 350 s before 100 s, and 470 s in all",
        ),
    ],
)
def test_the_times_of_trials_are_compared_with_those_that_the_pair_needs(campaign, words):
    assert {words: ["deep"]} == judged_times(campaign)


@pytest.mark.parametrize("name", ["demo", "smoke", "reference", "watchdog"])
def test_first_looks_and_the_papers_protocol_are_too_short_for_some_pairs(name):
    assert any(words.startswith(TOO_SHORT) for words in judged_times(load_campaign(name)))


@pytest.mark.parametrize(
    "name",
    [
        "bandwidth-sweep",
        "bandwidth-sweep-short",
        "bbr-model",
        "bbr-model-short",
        "burst-and-buffer",
        "burst-and-buffer-short",
        "kunze-real-rtt-short",
        "many-cubic",
    ],
)
def test_campaigns_about_steady_shares_have_the_times_to_settle(name):
    found = judged_times(load_campaign(name))
    assert found and not [words for words in found if words.startswith((TOO_SHORT, "not judged"))]


def test_the_short_form_of_the_model_begins_with_either_and_waits_six_minutes_at_32_bdp():
    settings = load_campaign("bbr-model-short").settings
    times = {name: one.trial for name, one in settings.items()}
    for order in ("bbr", "cubic"):
        assert SettingTimes(241, 140, 1) == times[f"10mbps-{order}-first-queue-bdp-8"]
        assert SettingTimes(481, 380, 1) == times[f"10mbps-{order}-first-queue-bdp-32"]
