"""Dot charts: one dot for each valid trial, and an interval only where there is one."""

from dataclasses import replace

from scripts.charts.chart_labels import make_labels
from scripts.charts.dots import pair_dots, solo_dots
from scripts.charts.render import to_spec
from scripts.charts.table_rows import PairRow, ServiceRow, SoloRow
from tests.charts.sample_campaign import SERVICES
from tests.charts.sample_cycle import sample_tables
from tests.charts.specs import records, rows_of

TABLES = sample_tables()
TRIALS = records(ServiceRow, TABLES["trial_services"].to_pylist())
PAIRS = records(PairRow, TABLES["pairs"].to_pylist())
SOLO = records(SoloRow, TABLES["solo"].to_pylist())
LABELS = make_labels(SERVICES)


def layer(spec: dict, mark: str) -> list[dict]:
    """The data of the layers with this mark that are bound to a row."""
    found = []
    for one in spec["layer"]:
        if one["mark"]["type"] == mark and "y" in one["encoding"]:
            found += rows_of(spec, one)
    return found


def test_a_valid_trial_is_one_dot_per_side_and_an_excluded_trial_has_no_dot():
    spec = to_spec(pair_dots(TRIALS, PAIRS, "8mbps", LABELS, "iperf-bbr~iperf-cubic"))
    dots = layer(spec, "circle")
    assert [(dot["service"], dot["trial"]) for dot in dots] == [("iperf-bbr", "01"), ("iperf-cubic", "01")]
    assert dots[0]["href"] == "../trials/8mbps/iperf-bbr~iperf-cubic/01/"


def test_a_dot_is_at_wire_rate_over_allocation_in_percent():
    dots = layer(to_spec(pair_dots(TRIALS, PAIRS, "50mbps", LABELS, "iperf-bbr~iperf-reno")), "circle")
    trials = {
        (row.service, row.trial): row
        for row in TRIALS
        if (row.setting, row.pair) == ("50mbps", "iperf-bbr~iperf-reno")
    }
    assert len(dots) == 4
    for dot in dots:
        assert 100 * trials[dot["service"], int(dot["trial"])].wire_rate_mbps / 25 == dot["value"]


def test_a_self_pair_has_a_row_for_each_instance_and_the_worse_off_is_never_above_the_other():
    dots = layer(to_spec(pair_dots(TRIALS, PAIRS, "8mbps", LABELS, "iperf-reno~iperf-reno")), "circle")
    shown = {(dot["row"], dot["trial"]): dot["value"] for dot in dots}
    worse, better = (f"iperf-reno against itself, {words} instance" for words in ("worse-off", "better-off"))
    assert shown.keys() == {(row, trial) for row in (worse, better) for trial in ("01", "02")}
    for trial in ("01", "02"):
        assert shown[worse, trial] < shown[better, trial]


def test_below_six_trials_there_is_no_interval_and_the_chart_says_so():
    spec = to_spec(pair_dots(TRIALS, PAIRS, "8mbps", LABELS))
    assert layer(spec, "rule") == []
    assert "no interval" in spec["title"]["subtitle"][1]


def test_an_interval_in_the_table_is_drawn_in_percent():
    pairs = [replace(row, share_low=0.5, share_high=0.75) for row in PAIRS]
    spec = to_spec(pair_dots(TRIALS, pairs, "8mbps", LABELS))
    assert {(50.0, 75.0)} == {(band["low"], band["high"]) for band in layer(spec, "rule")}


def test_a_service_has_the_same_colour_in_every_chart():
    spec = to_spec(solo_dots(TRIALS, SOLO, "8mbps", "iperf-reno", LABELS))
    (circle,) = [one for one in spec["layer"] if one["mark"]["type"] == "circle"]
    assert [LABELS.colours["iperf-reno"]] == circle["encoding"]["color"]["scale"]["range"]
    assert len(set(LABELS.colours.values())) == 3


def test_a_service_without_a_valid_trial_still_has_a_chart():
    spec = to_spec(solo_dots([], SOLO, "8mbps", "iperf-reno", LABELS))
    assert layer(spec, "circle") == []
    assert "no valid trial" in spec["description"]
