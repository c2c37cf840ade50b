"""Dot charts: every trial of a pair or solo, the excluded ones apart; every cell of a setting."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.dots import pair_dots, setting_dots, solo_dots
from scripts.charts.render import to_spec
from scripts.charts.table_rows import PairRow, ServiceRow, SoloRow
from tests.charts.sample_campaign import SERVICES
from tests.charts.sample_cycle import sample_tables
from tests.charts.specs import layers_of, marked, records, subtitle_of, title_of

TABLES = sample_tables()
TRIALS = records(ServiceRow, TABLES["trial_services"].to_pylist())
PAIRS = records(PairRow, TABLES["pairs"].to_pylist())
SOLO = records(SoloRow, TABLES["solo"].to_pylist())
LABELS = make_labels(SERVICES)
PAIR = "iperf-bbr~iperf-cubic"


def pair_spec(pair: str = PAIR, setting: str = "8mbps", trials=TRIALS, pairs=PAIRS) -> dict:
    return to_spec(pair_dots(trials, pairs, setting, pair, LABELS))


def ends(spec: dict) -> set[tuple[float, float]]:
    """The intervals that are drawn."""
    return {(row["low"], row["high"]) for row in marked(spec, "rule") if "low" in row}


def test_a_valid_trial_is_a_dot_of_each_side_that_links_to_it():
    dots = marked(pair_spec(), "circle")
    assert [("iperf-bbr", "01"), ("iperf-cubic", "01")] == [(dot["service"], dot["trial"]) for dot in dots]
    assert dots[0]["href"] == f"../trials/8mbps/{PAIR}/01/"


def test_an_excluded_trial_is_hollow_below_the_dots_and_not_in_the_median():
    spec = pair_spec()
    valid, excluded = marked(spec, "circle"), marked(spec, "point")
    assert ["02", "02"] == [dot["trial"] for dot in excluded]
    assert all(dot["label"].endswith(", excluded") for dot in excluded)
    assert layers_of(spec, "point")[0]["mark"]["filled"] is False
    for row in ("iperf-bbr", "iperf-cubic"):
        (dot,), (hollow,) = ([d for d in dots if d["row"] == row] for dots in (valid, excluded))
        assert dot["y"] < hollow["y"]
        assert [dot["value"]] == [
            median["value"] for median in marked(spec, "rule") if median["row"] == row and "value" in median
        ]
    assert "Hollow: excluded trial, not in the median" in subtitle_of(spec)


def test_a_failed_trial_is_counted_in_words():
    assert "1 trial failed, without a value" in subtitle_of(
        to_spec(solo_dots(TRIALS, SOLO, "50mbps", "iperf-reno", LABELS))
    )


def test_a_dot_is_at_wire_rate_over_allocation_in_percent():
    dots = marked(pair_spec("iperf-bbr~iperf-reno", "50mbps"), "circle")
    trials = {
        (row.service, row.trial): row
        for row in TRIALS
        if (row.setting, row.pair) == ("50mbps", "iperf-bbr~iperf-reno")
    }
    assert len(dots) == 4
    for dot in dots:
        assert 100 * trials[dot["service"], int(dot["trial"])].wire_rate_mbps / 25 == dot["value"]


def test_the_trials_of_a_row_are_below_each_other_in_their_order():
    dots = marked(pair_spec("iperf-bbr~iperf-reno"), "circle")
    assert sorted(dots, key=lambda dot: (dot["service"], dot["trial"])) == sorted(dots, key=lambda d: d["y"])


def test_a_self_pair_has_a_row_for_each_instance_and_the_worse_off_is_never_above_the_other():
    spec = pair_spec("iperf-reno~iperf-reno")
    shown = {(dot["row"], dot["trial"]): dot["value"] for dot in marked(spec, "circle")}
    assert shown.keys() == {
        (f"{which} instance", trial) for which in ("worse-off", "better-off") for trial in ("01", "02")
    }
    for trial in ("01", "02"):
        assert shown["worse-off instance", trial] < shown["better-off instance", trial]
    assert title_of(spec).startswith("Seen: iperf-reno against itself: worse-off instance ")


def test_below_six_trials_there_is_no_interval_and_the_title_says_what_was_seen():
    spec = pair_spec()
    assert not ends(spec)
    assert "no interval" in subtitle_of(spec) and "n = 1" in subtitle_of(spec)
    assert title_of(spec).startswith("Seen: iperf-bbr ")


def test_from_six_trials_the_title_states_the_medians():
    trials = [
        replace(row, trial=number, valid=True, wire_rate_mbps=rate)
        for row, rate in zip((row for row in TRIALS if row.pair == PAIR), (3.0, 5.0) * 4, strict=True)
        for number in range(1, 7)
        if (row.setting, row.trial) == ("8mbps", 1)
    ]
    spec = pair_spec(trials=trials)
    assert "iperf-bbr 75 %, iperf-cubic 125 % of a fair share" == title_of(spec)
    assert "95 % interval" in subtitle_of(spec)


def test_an_interval_in_the_table_is_drawn_in_percent():
    pairs = [replace(row, share_low=0.5, share_high=0.75) for row in PAIRS]
    assert {(50.0, 75.0)} == ends(pair_spec(pairs=pairs))


@pytest.mark.parametrize(("highest", "end"), [(0.8, 200), (2.5, 250)])
def test_shares_have_the_same_axis_in_every_chart_unless_one_is_larger(highest, end):
    pairs = [replace(row, share_low=0.1, share_high=highest) for row in PAIRS]
    for setting in ("8mbps", "50mbps"):
        (dots,) = layers_of(pair_spec(setting=setting, pairs=pairs), "circle")
        assert [0, end] == dots["encoding"]["x"]["scale"]["domain"]


def test_a_service_has_the_same_colour_in_every_chart():
    (dots,) = layers_of(to_spec(solo_dots(TRIALS, SOLO, "8mbps", "iperf-reno", LABELS)), "circle")
    assert [LABELS.colours["iperf-reno"]] == dots["encoding"]["color"]["scale"]["range"]


def test_a_service_without_a_valid_trial_still_has_a_chart_which_says_so():
    spec = to_spec(solo_dots([], SOLO, "8mbps", "iperf-reno", LABELS))
    assert [] == marked(spec, "circle")
    assert "iperf-reno alone: no valid trial" == title_of(spec)
    assert "no valid trial" in spec["description"]


def test_a_setting_has_a_dot_for_each_cell_in_the_row_of_its_incumbent():
    spec = to_spec(setting_dots(PAIRS, "8mbps", LABELS))
    dots = [row for row in marked(spec, "point") if not row["enough"]]
    assert dict.fromkeys(SERVICES, 3) == {
        service: sum(dot["row"] == service for dot in dots) for service in SERVICES
    }
    assert title_of(spec).startswith("Seen: median shares from ")


def test_the_title_of_a_setting_has_the_range_of_the_shares_with_enough_trials():
    pairs = [
        replace(row, share_n=6, share_median=0.3 if row.incumbent == "iperf-bbr" else 0.9)
        if row.contender == "iperf-cubic"
        else replace(row, share_median=0.1)
        for row in PAIRS
        if row.setting == "8mbps"
    ]
    spec = to_spec(setting_dots(pairs, "8mbps", LABELS))
    assert "Median shares from 30 to 90 %" == title_of(spec)
    assert "no verdict" in subtitle_of(spec)


def test_a_setting_without_a_share_has_no_chart_of_its_cells():
    assert setting_dots([replace(row, share_median=None) for row in PAIRS], "8mbps", LABELS) is None
