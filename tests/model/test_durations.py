"""How long a trial lasts and which part of it counts, calculated by hand."""

from dataclasses import replace

import pytest

from scripts.model.durations import Timing, duration_s, lead_s, shortest_s, timing
from scripts.model.pairs import members
from scripts.model.settings import OwnTimes, SettingTimes
from tests.model.campaigns import TIMES, campaign, service

IPERF = service("iperf")
VIDEO = service("video", driver="video")
FILE = service("file", driver="download")
PAGE = service("page", driver="page", metric="web")


def four_kinds(**times):
    """A campaign with an iperf, a video, a file and a page, the paper's times, and these times changed."""
    services = {each.name: each for each in (FILE, IPERF, PAGE, VIDEO)}
    return campaign(services=services, trial=replace(TIMES, **times))


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("iperf", 600),
        ("iperf~video", 600),
        ("iperf~page", 30 + 1 + 5 + 10 * (45 + 45) + 1),
        ("page~video", 30 + 1 + 5 + 10 * (45 + 45) + 1),
        ("page", 1 + 5 + 10 * (45 + 45) + 1),
        ("page~page", 1 + 5 + 10 * (45 + 45) + 1),
    ],
)
def test_a_trial_with_a_page_lasts_at_most_as_long_as_its_lead_its_loads_and_their_gaps(pair, expected):
    assert expected == duration_s(four_kinds(), "8mbps", pair)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [("iperf", 600), ("iperf~page", 30 + 1 + 10 * 45 + 1), ("page", 1 + 10 * 45 + 1)],
)
def test_a_trial_with_a_page_whose_loads_end_at_once_takes_its_lead_and_gaps(pair, expected):
    assert expected == shortest_s(four_kinds(), "8mbps", pair)


def test_in_an_older_cycle_a_gap_contains_the_load():
    older = replace(TIMES.web, limit_s=None)
    assert 1 + 10 * 45 + 1 == duration_s(four_kinds(web=older), "8mbps", "page")


def test_a_contender_leads_and_pages_alone_wait_for_nobody():
    trial = TIMES
    assert [0, 30] == lead_s(trial, [IPERF, PAGE])
    assert [0] == lead_s(trial, [PAGE])
    assert [0, 0] == lead_s(trial, [PAGE, PAGE])
    assert [0, 0] == lead_s(trial, [IPERF, VIDEO])


def test_the_window_is_at_most_from_a_pages_first_load_to_the_end_of_its_last_gap():
    times = timing(four_kinds(), "8mbps", "iperf~page", [0.25, 30.75])
    assert Timing(duration_s=937, ignore_first_s=30.75, ignore_last_s=1.25) == times
    assert 5 + 10 * (45 + 45) == times.duration_s - times.ignore_first_s - times.ignore_last_s


def test_the_window_of_two_pages_is_where_both_are_loaded():
    assert Timing(duration_s=907, ignore_first_s=0.75, ignore_last_s=1.75) == timing(
        four_kinds(), "8mbps", "page~page", [0.75, 0.25]
    )


def test_a_client_that_runs_for_whole_seconds_outlasts_the_window():
    """It runs for the whole seconds between its offset and the trial's end (testbed/service_run.py)."""
    for page_s in (30.0, 30.5, 31.0):
        for contender_s in (0.0, 0.000001, 0.5, 1.0):
            times = timing(four_kinds(), "8mbps", "iperf~page", [contender_s, page_s])
            end_s = times.duration_s - times.ignore_last_s
            for offset_s in (contender_s, page_s):
                assert offset_s + int(times.duration_s - offset_s) >= end_s


KINDS = {"video": OwnTimes(duration_s=30, ignore_first_s=10), "download": OwnTimes(duration_s=24)}
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
    assert Timing(*expected) == timing(four_kinds(**SHORT), "8mbps", pair, [0.5] * len(members(pair)))
    assert expected[0] == duration_s(four_kinds(**SHORT), "8mbps", pair)


@pytest.mark.parametrize(
    ("own", "pair", "expected"),
    [
        ({"duration_s": 90}, "iperf", (90, 4, 1)),
        ({"duration_s": 90}, "video", (90, 10, 1)),
        ({"duration_s": 90, "ignore_first_s": 50, "ignore_last_s": 0}, "file~video", (90, 50, 0)),
    ],
)
def test_the_times_of_a_setting_replace_those_of_the_campaign_and_of_its_kinds(own, pair, expected):
    base = four_kinds(**SHORT)
    settings = base.settings | {"8mbps": replace(base.settings["8mbps"], trial=SettingTimes(**own))}
    changed = replace(base, settings=settings)
    assert Timing(*expected) == timing(changed, "8mbps", pair, [0.5] * len(members(pair)))
    assert expected[0] == duration_s(changed, "8mbps", pair) == shortest_s(changed, "8mbps", pair)
    offsets_s = [0.5] * len(members(pair))
    assert timing(base, "50mbps", pair, offsets_s) == timing(changed, "50mbps", pair, offsets_s)


def test_the_times_of_a_setting_do_not_change_how_long_a_page_takes():
    base = four_kinds()
    settings = base.settings | {"8mbps": replace(base.settings["8mbps"], trial=SettingTimes(duration_s=9))}
    changed = replace(base, settings=settings)
    assert duration_s(base, "8mbps", "iperf~page") == duration_s(changed, "8mbps", "iperf~page")
