"""Links in words."""

import pytest

from scripts.base.records import from_json
from scripts.model.disciplines import DISCIPLINES
from scripts.model.settings import Setting
from scripts.site.cycle.link_words import clients_words, link_words

LINK = {
    "title": "8 Mbps",
    "rate_mbps": 8,
    "rtt_ms": 50,
    "queue_packets": 133,
    "queue_bdp": 4,
    "discipline": "droptail",
    "precision_mbps": 0.5,
}
CODEL = {"target_ms": 5, "interval_ms": 100, "ecn": True}


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "8 Mbps, 50 ms round trip, drop-tail queue of 133 packets (4 × BDP)"),
        (
            {"queue_bdp": None, "queue_ms": 200},
            "8 Mbps, 50 ms round trip, drop-tail queue of 133 packets (200 ms)",
        ),
        ({"queue_bdp": None}, "8 Mbps, 50 ms round trip, drop-tail queue of 133 packets"),
        (
            {"queue_packets": None, "queue_bytes": 20_000},
            "8 Mbps, 50 ms round trip, drop-tail queue of 20,000 bytes",
        ),
        (
            {"discipline": "fq_codel", "discipline_options": CODEL | {"queues": 1024, "quantum_bytes": 1514}},
            "8 Mbps, 50 ms round trip, queue of 133 packets (4 × BDP), FQ-CoDel (target 5 ms, "
            "interval 100 ms, 1024 queues, quantum 1514 bytes, ECN)",
        ),
        (
            {"discipline": "fq", "discipline_options": DISCIPLINES["fq"].defaults()},
            "8 Mbps, 50 ms round trip, queue of 133 packets (4 × BDP), FQ (quantum 1514 bytes, "
            "a flow holds at most 0.2 of the queue)",
        ),
        (
            {"discipline": "hhf", "discipline_options": DISCIPLINES["hhf"].defaults()},
            "8 Mbps, 50 ms round trip, queue of 133 packets (4 × BDP), HHF (heavy hitters send more than "
            "131,072 bytes, within 40 ms, until silent for 1000 ms, at most 2048 of them, "
            "weight 2 of other flows, quantum 1514 bytes)",
        ),
        (
            {"rtt": "real", "random_loss": 0.001, "rate_mbps": 0.1},
            "0.1 Mbps, the services' own round-trip times, drop-tail queue of 133 packets (4 × BDP), "
            "0.1 % lost at random",
        ),
        (
            {
                "clients": [
                    {"rtt": "fixed", "rtt_ms": 20, "start_s": 5},
                    {},
                    {"access": {"rate_mbps": 2, "queue_packets": 50, "delay_ms": 15, "loss": 0.01}},
                ]
            },
            "8 Mbps, 50 ms round trip, drop-tail queue of 133 packets (4 × BDP); "
            "client c1 has 20 ms added to the round trip and starts at 5 s; "
            "client c3 passes 2 Mbps with a queue of 50 packets, 15 ms of delay, 1 % of loss before the "
            "bottleneck",
        ),
    ],
)
def test_a_link_in_one_line(changes, line):
    assert line == link_words(from_json(Setting, LINK | changes, "campaign.yaml"))["line"]


@pytest.mark.parametrize(
    ("times", "words"),
    [
        (
            {"duration_s": 481, "ignore_first_s": 380, "ignore_last_s": 1},
            "trials of 481 s, of which the first 380 s and the last 1 s do not count",
        ),
        ({"duration_s": 481}, "trials of 481 s"),
        ({"ignore_first_s": 0.5}, "trials without the first 0.5 s"),
    ],
)
def test_times_of_the_settings_own_are_in_the_line(times, words):
    found = link_words(from_json(Setting, LINK | {"trial": times}, "a test"))
    assert found["line"] == f"{found['link']}; {words}"


def test_the_last_entry_of_clients_is_that_of_all_further_ones():
    setting = from_json(Setting, LINK | {"clients": [{}, {"start_s": 20}]}, "a test")
    assert link_words(setting)["line"].endswith("; client c2 starts at 20 s")
    assert link_words(setting, 17)["line"].endswith("; clients c2 to c17 start at 20 s")


@pytest.mark.parametrize(
    ("starts", "services", "words"),
    [
        ([0, 20], "AB", ["B starts at 20 s"]),
        ([20, 0], "ABBB", ["A starts at 20 s"]),
        ([0, 20], "ABBB", ["3 × B start at 20 s"]),
        ([0, 20], "ABBC", ["clients c2 to c4 start at 20 s"]),
        ([0, 20], "AA", ["client c2 starts at 20 s"]),
        ([0, 20, 30], "ABB", ["client c2 starts at 20 s", "client c3 starts at 30 s"]),
        ([0], "AB", []),
        ([0, 20, 30], "AB", ["B starts at 20 s"]),
    ],
)
def test_the_clients_of_a_pair_have_the_names_of_their_services(starts, services, words):
    setting = from_json(Setting, LINK | {"clients": [{"start_s": start} for start in starts]}, "a test")
    assert words == clients_words(setting, [*services])


def test_a_long_queue_has_a_separator():
    long_queue = from_json(Setting, LINK | {"queue_packets": 1067, "queue_bdp": 32}, "a test")
    assert "queue of 1,067 packets (32 × BDP)" in str(link_words(long_queue)["link"])
