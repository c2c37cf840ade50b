"""The trials of services alone, as tables have them."""

import numpy as np
import pytest

from scripts.plan.campaign_file import load_campaign
from scripts.recognition.solos import KERNEL, read_solos
from scripts.recognition.traces import trace_of
from tests.recognition.hand_cycle import SETTING, hand_series, trial, write_tables
from tests.recognition.hand_traces import LINK, series_of

SETTINGS = load_campaign("recognition").settings


def solos(folder, *trials):
    write_tables(folder / "tables", trials)
    return read_solos(folder / "tables", SETTINGS)


def test_a_trial_alone_has_its_trace_and_its_controller(tmp_path):
    series = hand_series("iperf-cubic", 1)
    (solo,) = solos(tmp_path, trial("iperf-cubic", 4, series))
    assert (SETTING, "iperf-cubic", 4) == (solo.key.setting, solo.key.pair, solo.key.number)
    assert (LINK, KERNEL, "cubic") == (solo.link, solo.stack, solo.controller)
    assert solo.trace == pytest.approx(trace_of(series, LINK), abs=1e-3)
    assert solo.idle_fraction == 0


def test_what_an_endpoint_says_of_its_controller_counts_more_than_the_name(tmp_path):
    told = {"cca": None, "stack": "s2n-quic", "controller": "BBRv2"}
    (solo,) = solos(tmp_path, trial("iperf-bbr", 1, hand_series("iperf-bbr", 1), **told))
    assert ("s2n-quic", "BBRv2") == (solo.stack, solo.controller)


def test_a_cycle_without_a_trial_alone_that_counts_has_no_solo(tmp_path):
    series = hand_series("iperf-bbr", 1)
    pair = trial("iperf-bbr~iperf-bbr", 1, series, clients=2)
    assert [] == solos(tmp_path, pair, trial("iperf-bbr", 1, series, valid=False))


def test_pairs_and_invalid_trials_are_left_out(tmp_path):
    series = hand_series("iperf-bbr", 1)
    given = [
        trial("iperf-bbr", 2, series),
        trial("iperf-bbr", 1, series, valid=False),
        trial("iperf-bbr~iperf-bbr", 1, series, clients=2),
    ]
    assert [2] == [solo.key.number for solo in solos(tmp_path, *given)]


def test_a_series_in_whole_seconds_gives_no_trace(tmp_path):
    row, slots = trial("iperf-bbr", 1, hand_series("iperf-bbr", 1))
    (solo,) = solos(tmp_path, (row, slots[::10]))
    assert solo.trace is None


def test_every_trial_has_its_own_series(tmp_path):
    given = [trial("iperf-reno", number, hand_series("iperf-reno", number)) for number in (1, 2)]
    found = solos(tmp_path, *given, trial("iperf-bbr", 1, hand_series("iperf-bbr", 1)))
    assert ["iperf-bbr", "iperf-reno", "iperf-reno"] == [solo.key.pair for solo in found]
    assert not np.array_equal(found[1].trace, found[2].trace)
    assert found[2].trace == pytest.approx(trace_of(hand_series("iperf-reno", 2), LINK), abs=1e-3)


def test_the_idle_fraction_counts_slots_below_half_of_the_link(tmp_path):
    levels = np.full(700, LINK.bdp_packets)
    levels[0] += 50
    levels[100:250] = LINK.bdp_packets * 0.4
    (solo,) = solos(tmp_path, trial("iperf-bbr", 1, series_of(levels)))
    assert 0.25 == solo.idle_fraction
