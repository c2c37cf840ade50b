"""How long a trial lasts and what of it counts, by hand."""

import pytest

from scripts.model.durations import duration_s, lead_s, times

IPERF = {"driver": "iperf"}
VIDEO = {"driver": "video"}
FILE = {"driver": "download"}
PAGE = {"driver": "page", "metric": "web"}


def config(**trial):
    """The paper's lengths for an iperf, a video, a file and a page, but for these."""
    web = {"lead_s": 30, "loads": 10, "gap_s": 45}
    paper = {"duration_s": 600, "ignore_first_s": 120, "ignore_last_s": 120, "start_jitter_s": 1, "web": web}
    services = {"file": FILE, "iperf": IPERF, "page": PAGE, "video": VIDEO}
    return {"services": services, "trial": paper | trial}


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("iperf", 600),
        ("iperf~video", 600),
        ("iperf~page", 30 + 1 + 10 * 45 + 1),
        ("page~video", 30 + 1 + 10 * 45 + 1),
        ("page", 1 + 10 * 45 + 1),
        ("page~page", 1 + 10 * 45 + 1),
    ],
)
def test_a_trial_with_a_page_lasts_as_long_as_its_lead_and_loads_take(pair, expected):
    assert expected == duration_s(config(), pair)


def test_a_contender_leads_and_pages_alone_wait_for_nobody():
    trial = config()["trial"]
    assert [0, 30] == lead_s(trial, [IPERF, PAGE])
    assert [0] == lead_s(trial, [PAGE])
    assert [0, 0] == lead_s(trial, [PAGE, PAGE])
    assert [0, 0] == lead_s(trial, [IPERF, VIDEO])


def test_the_window_is_from_a_pages_first_load_to_the_end_of_its_last_gap():
    asked = times(config(), "iperf~page", [0.25, 30.75])
    assert {"duration_s": 482, "ignore_first_s": 30.75, "ignore_last_s": 1.25} == asked
    assert 10 * 45 == asked["duration_s"] - asked["ignore_first_s"] - asked["ignore_last_s"]


def test_the_window_of_two_pages_is_where_both_are_loaded():
    assert {"duration_s": 452, "ignore_first_s": 0.75, "ignore_last_s": 1.75} == times(
        config(), "page~page", [0.75, 0.25]
    )


def test_a_client_that_is_told_whole_seconds_outlasts_the_window():
    """It is told the whole seconds that lack from its offset to the end (testbed/service_run.py)."""
    for page_s in (30.0, 30.5, 31.0):
        for contender_s in (0.0, 0.000001, 0.5, 1.0):
            asked = times(config(), "iperf~page", [contender_s, page_s])
            end_s = asked["duration_s"] - asked["ignore_last_s"]
            for offset_s in (contender_s, page_s):
                assert offset_s + int(asked["duration_s"] - offset_s) >= end_s


KINDS = {"video": {"duration_s": 30, "ignore_first_s": 10}, "download": {"duration_s": 24}}
SHORT = {"duration_s": 12, "ignore_first_s": 4, "ignore_last_s": 1, "kinds": KINDS}


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("iperf", (12, 4, 1)),
        ("video", (30, 10, 1)),
        ("iperf~video", (30, 10, 1)),
        ("file", (24, 4, 1)),
        ("file~video", (30, 10, 1)),
    ],
)
def test_of_two_kinds_the_one_that_lasts_longer_decides(pair, expected):
    asked = times(config(**SHORT), pair, [0.5] * len(pair.split("~")))
    assert expected == tuple(asked[key] for key in ("duration_s", "ignore_first_s", "ignore_last_s"))
    assert expected[0] == duration_s(config(**SHORT), pair)
