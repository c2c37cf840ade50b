"""The verdicts of expectations: about whole intervals, and with lower bounds."""

import statistics
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.model.expectations import Check, Expectation, FigureKey, Multiple
from scripts.site.data.expectation import CAUSES
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.parameters import bind_parameters
from scripts.tables.table_schema import load_schema
from tests.tables.campaigns import REFERENCE, catalogued

FIGURE = FigureKey(setting="8mbps", service="flows", metric="slowdown", statistic="maximum")
OTHER = replace(FIGURE, contender="bulk")
FULL = "the pauses of ref-file-batched-5-bbr leave no less than 100 % of the link in use"


def measured(figure, low, high, at_least=None, n=6):
    """A row of figures with this interval."""
    median = None if low is None else (low + high) / 2
    row = {"n": n, "median": median, "low": low, "high": high, "at_least": at_least}
    return vars(figure) | row | {"trials": ""}


def in_trials(figure, values, bounds=0):
    """The rows of samples of a figure with these values in its trials; the last ones are lower bounds."""
    key = vars(figure) | {"pair": figure.pair, "undefined": False, "valid": True, "completed": True}
    return [
        key | {"trial": place + 1, "value": value, "lower_bound": place >= len(values) - bounds}
        for place, value in enumerate(values)
    ]


def verdicts(folder, rows, *checks, samples=(), measured_by=REFERENCE):
    """The rows of the table for one expectation with these checks, from rows of these tables."""
    inputs = {}
    for table, content in (("figures", rows), ("samples", [*samples])):
        inputs[table] = folder / f"{table}.parquet"
        pq.write_table(pa.Table.from_pylist(content, schema=load_schema(table).arrow), inputs[table])
    merged = replace(measured_by, expectations=(Expectation("one", "It is so.", "a paper", checks),))
    with connect() as connection:
        add_formulas(connection)
        inputs |= bind_parameters(load_schema("expectations").parameters, merged)
        return build(connection, "expectations", inputs).to_pylist()


def compared(folder, own, other, check, own_bounds=0, other_bounds=0):
    """The row of a check of FIGURE with OTHER that have these values in their trials."""
    rows = [
        measured(figure, min(values), max(values), n=len(values))
        | {"median": statistics.median(values), "at_least": values[-bounds] if bounds else None}
        for figure, values, bounds in ((FIGURE, own, own_bounds), (OTHER, other, other_bounds))
    ]
    samples = in_trials(FIGURE, own, own_bounds) + in_trials(OTHER, other, other_bounds)
    (row,) = verdicts(folder, rows, check, samples=samples)
    return row


def undefined(figure, reason=None):
    """The rows of samples of a figure that has no value by its definition in any of six trials."""
    rows = in_trials(figure, [None] * 6)
    return [row | {"undefined": True, "reason": reason} for row in rows]


def why(row):
    """The verdict of a check, and why it is not comparable."""
    return row["verdict"], row["cause"], row["reason"]


def verdict(folder, rows, **expected):
    """The verdict of one check of FIGURE."""
    (row,) = verdicts(folder, rows, Check(FIGURE, **expected))
    return row["verdict"]


@pytest.mark.parametrize(
    ("low", "high", "at_least", "expected", "found"),
    [
        (1.9, 2.2, None, {"between": (1.9, 2.2)}, "came out"),
        (1.8, 2.2, None, {"between": (1.9, 2.2)}, "undecided"),
        (1.9, 2.3, None, {"between": (1.9, 2.2)}, "undecided"),
        (1.0, 1.8, None, {"between": (1.9, 2.2)}, "did not"),
        (2.3, 2.4, None, {"between": (1.9, 2.2)}, "did not"),
        (2.0, 2.1, 2.1, {"between": (1.9, 2.2)}, "undecided"),
        (2.3, 2.4, 2.3, {"between": (1.9, 2.2)}, "did not"),
        (1.0, 1.9, None, {"below": 2}, "came out"),
        (1.0, 2.0, None, {"below": 2}, "undecided"),
        (2.0, 2.5, None, {"below": 2}, "did not"),
        (1.0, 1.9, 1.5, {"below": 2}, "undecided"),
        (1.0, 1.9, 1.95, {"below": 2}, "came out"),
        (2.0, 2.5, 2.0, {"below": 2}, "did not"),
        (2.4, 2.5, None, {"above": 2.3}, "came out"),
        (2.3, 2.5, None, {"above": 2.3}, "undecided"),
        (2.0, 2.3, None, {"above": 2.3}, "did not"),
        (2.0, 2.3, 2.3, {"above": 2.3}, "undecided"),
        (2.4, 2.5, 2.4, {"above": 2.3}, "came out"),
        (2.0, 2.0, None, {"below": 2.1}, "came out"),
        (2.0, 2.0, None, {"above": 2.0}, "did not"),
    ],
)
def test_a_verdict_is_about_the_whole_interval(low, high, at_least, expected, found, tmp_path):
    assert found == verdict(tmp_path, [measured(FIGURE, low, high, at_least)], **expected)


@pytest.mark.parametrize(
    ("low", "high", "at_least", "times", "relation", "found"),
    [
        (5.1, 6.0, None, 1, "below", "came out"),
        (5.0, 6.0, None, 1, "below", "undecided"),
        (2.0, 3.0, None, 1, "below", "did not"),
        (2.0, 3.0, None, 2.6, "below", "came out"),
        (2.0, 3.0, None, 1.5, "below", "undecided"),
        (2.0, 3.0, 3.0, 1, "below", "undecided"),
        (2.0, 2.9, None, 1, "above", "came out"),
        (2.0, 3.0, None, 1, "above", "undecided"),
        (5.0, 6.0, None, 1, "above", "did not"),
        (2.0, 2.9, 2.9, 1, "above", "undecided"),
        (5.0, 6.0, 5.0, 1, "above", "did not"),
        (4.0, 5.8, None, 0.5, "above", "came out"),
    ],
)
def test_two_figures_without_trials_are_compared_by_the_ends_of_their_intervals(
    low, high, at_least, times, relation, found, tmp_path
):
    """The figure has an interval of 3 to 5; the other one is multiplied."""
    rows = [measured(FIGURE, 3.0, 5.0), measured(OTHER, low, high, at_least)]
    assert found == verdict(tmp_path, rows, **{relation: Multiple(OTHER, times)})


LOW, HIGH = [1.0, 1.1, 1.2, 1.3, 1.4, 1.9], [1.7, 1.8, 1.9, 2.0, 2.1, 2.2]
"""Values whose intervals overlap and whose medians do not."""


@pytest.mark.parametrize(
    ("check", "found"),
    [
        (Check(FIGURE, below=Multiple(OTHER)), "came out"),
        (Check(FIGURE, above=Multiple(OTHER)), "did not"),
        (Check(FIGURE, below=Multiple(OTHER, 0.64)), "undecided"),
        (Check(FIGURE, below=Multiple(OTHER, 0.4)), "did not"),
        (Check(FIGURE, above=Multiple(OTHER, 0.4)), "came out"),
    ],
)
def test_two_figures_are_compared_by_the_difference_over_their_trials(check, found, tmp_path):
    row = compared(tmp_path, LOW, HIGH, check)
    assert found == row["verdict"]
    assert row["ratio_low"] < 1.25 / 1.95 < row["ratio_high"] < 1
    assert row["difference_low"] < 1.25 - row["times"] * 1.95 < row["difference_high"]


def test_figures_that_can_be_negative_have_a_difference_and_no_ratio(tmp_path):
    row = compared(tmp_path, [-value for value in HIGH], LOW, Check(FIGURE, below=Multiple(OTHER)))
    assert ("came out", None, None) == (row["verdict"], row["ratio_low"], row["ratio_high"])
    assert row["difference_high"] < 0


@pytest.mark.parametrize(
    ("bounds", "check", "found"),
    [
        ({"own_bounds": 4}, Check(FIGURE, below=Multiple(OTHER)), "undecided"),
        ({"other_bounds": 4}, Check(FIGURE, below=Multiple(OTHER)), "came out"),
        ({"own_bounds": 4, "other_bounds": 4}, Check(FIGURE, below=Multiple(OTHER)), "undecided"),
        ({"other_bounds": 4}, Check(FIGURE, above=Multiple(OTHER)), "did not"),
    ],
)
def test_a_difference_of_lower_bounds_is_open(bounds, check, found, tmp_path):
    row = compared(tmp_path, LOW, HIGH, check, **bounds)
    assert found == row["verdict"]
    assert ("own_bounds" in bounds) == (row["difference_high"] is None)
    assert ("other_bounds" in bounds) == (row["difference_low"] is None)


def test_figures_that_compare_with_other_trials_are_compared_by_their_own_intervals(tmp_path):
    own, other = (replace(one, metric="harm_throughput", statistic="") for one in (FIGURE, OTHER))
    samples = in_trials(own, LOW) + in_trials(other, HIGH)
    rows = [measured(own, 1.0, 1.9), measured(other, 1.7, 2.2)]
    (row,) = verdicts(tmp_path, rows, Check(own, below=Multiple(other)), samples=samples)
    assert ("undecided", None) == (row["verdict"], row["difference_low"])


def test_without_an_interval_of_both_figures_there_is_no_verdict(tmp_path):
    few = measured(FIGURE, None, None, n=5), measured(OTHER, None, None, n=5)
    enough = measured(FIGURE, 3.0, 5.0), measured(OTHER, 7.0, 8.0)
    for rows, bound in (
        (few[:1], 100),
        ([few[0], enough[1]], Multiple(OTHER)),
        ([enough[0], few[1]], Multiple(OTHER)),
    ):
        (row,) = verdicts(tmp_path, rows, Check(FIGURE, below=bound))
        assert ("not comparable", "fewer trials than it needs", None) == why(row)
    assert "came out" == verdict(tmp_path, enough, below=Multiple(OTHER))


def test_a_figure_of_which_no_trial_has_a_flow_is_not_comparable(tmp_path):
    (row,) = verdicts(tmp_path, [], Check(FIGURE, below=Multiple(OTHER)))
    assert (0, None, 0) == (row["n"], row["median"], row["other_n"])
    assert ("not comparable", "fewer trials than it needs", None) == why(row)


@pytest.mark.parametrize(
    ("bounds", "found"),
    [
        ((3, 2), "came out"),
        ((3, 1.5), "undecided"),
        ((3, 0.5), "did not"),
        ((1.5, 0.5), "did not"),
    ],
)
def test_an_expectation_came_out_if_all_checks_did_and_did_not_if_one_did_not(bounds, found, tmp_path):
    """The interval is 1 to 1.9."""
    checks = [Check(FIGURE, below=bound) for bound in bounds]
    rows = verdicts(tmp_path, [measured(FIGURE, 1.0, 1.9)], *checks)
    assert [found] * 2 == [row["expectation_verdict"] for row in rows]
    assert [1, 2] == [row["check_number"] for row in rows]


OUTSIDE = replace(FIGURE, metric="link_fraction_error", statistic="")


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (None, None, "not comparable"),
        (1.0, 1.9, "came out"),
        (1.0, 2.5, "undecided"),
        (2.1, 2.5, "did not"),
    ],
)
def test_a_figure_outside_the_domain_of_its_model_decides_nothing(low, high, found, tmp_path):
    """Without another check, and beside a check that a figure is below 2."""
    figures = [measured(OUTSIDE, None, None, n=0)]
    checks = [Check(OUTSIDE, between=(-0.1, 0.1))]
    if high is not None:
        figures.append(measured(FIGURE, low, high))
        checks.append(Check(FIGURE, below=2))
    reason = "fewer than five ProbeRTT cycles"
    samples = undefined(OUTSIDE, reason)
    outside, *_other = verdicts(tmp_path, figures, *checks, samples=samples)
    assert ("not comparable", "outside the domain of the model", reason) == why(outside)
    assert found == outside["expectation_verdict"]


def test_a_ratio_that_a_trial_does_not_have_is_not_comparable(tmp_path):
    harm = replace(OUTSIDE, metric="harm_loss")
    (row,) = verdicts(
        tmp_path, [measured(harm, None, None, n=0)], Check(harm, above=0.5), samples=undefined(harm)
    )
    expected = "not comparable", "outside the domain of the model", "a trial has no such ratio"
    assert expected == why(row)
    other = replace(harm, contender="bulk")
    (row,) = verdicts(
        tmp_path,
        [measured(harm, None, None, n=0), measured(other, 0.4, 0.5)],
        Check(other, above=Multiple(harm)),
        samples=undefined(harm),
    )
    assert expected == why(row)


def test_a_measured_figure_is_judged_where_its_model_does_not_hold(tmp_path):
    share = replace(OUTSIDE, metric="link_fraction")
    samples = undefined(OUTSIDE, "fewer than five ProbeRTT cycles") + in_trials(share, [0.45] * 6)
    (row,) = verdicts(tmp_path, [measured(share, 0.4, 0.5)], Check(share, above=0.3), samples=samples)
    assert ("came out", None, None) == why(row)


SHARE = FigureKey(setting="8mbps", service="iperf-reno", contender="iperf-bbr", metric="share")
MIRROR = replace(SHARE, service="iperf-bbr", contender="iperf-reno")
SETTLED, MOVING, UNSETTLED, UNKNOWN = (-0.02, 0.04), (0.15, 0.3), (0.05, 0.2), (None, None)
"""Intervals of share_change."""


def shares(key, *changes):
    """The rows of figures of a cell with a share of 0.4 to 0.5, whose clients changed theirs so."""
    instances = ("first",) if len(changes) == 1 else ("worse_off", "better_off")
    rows = [measured(key, 0.4, 0.5)]
    for instance, change in zip(instances, changes, strict=True):
        rows.append(measured(replace(key, metric="share_change", instance=instance), *change))
    return rows


@pytest.mark.parametrize(
    ("change", "bound", "found"),
    [
        (SETTLED, 0.6, ("came out", None, None)),
        (SETTLED, 0.45, ("undecided", None, None)),
        (SETTLED, 0.3, ("did not", None, None)),
        (MOVING, 0.6, ("not comparable", "not settled", "still moving")),
        (MOVING, 0.45, ("not comparable", "not settled", "still moving")),
        (MOVING, 0.3, ("not comparable", "not settled", "still moving")),
        (UNSETTLED, 0.6, ("came out", None, None)),
        (UNSETTLED, 0.45, ("undecided", None, None)),
        (UNSETTLED, 0.3, ("not comparable", "not settled", "nothing shows that it no longer moves")),
        (UNKNOWN, 0.6, ("came out", None, None)),
        (UNKNOWN, 0.3, ("not comparable", "not settled", "nothing shows that it no longer moves")),
    ],
)
def test_a_share_that_is_not_settled_is_not_comparable(change, bound, found, tmp_path):
    (row,) = verdicts(tmp_path, shares(SHARE, change), Check(SHARE, below=bound))
    assert found == why(row)


def test_a_cell_without_the_metric_of_settled_is_not_known_to_be_settled(tmp_path):
    (row,) = verdicts(tmp_path, [measured(SHARE, 0.4, 0.5)], Check(SHARE, below=0.3))
    assert ("not comparable", "not settled", "nothing shows that it no longer moves") == why(row)


@pytest.mark.parametrize(
    "metric",
    ["throughput_mbps", "utilization", "fness", "k", "harm_throughput", "link_fraction", "fness_in_order"],
)
@pytest.mark.parametrize(("change", "found"), [(SETTLED, "did not"), (MOVING, "not comparable")])
def test_all_figures_of_how_a_link_is_shared_need_a_settled_cell(metric, change, found, tmp_path):
    figure = replace(SHARE, metric=metric)
    rows = [*shares(SHARE, change), measured(figure, 0.4, 0.5)]
    (row,) = verdicts(tmp_path, rows, Check(figure, below=0.3))
    assert found == row["verdict"]


@pytest.mark.parametrize(
    "metric", ["web_visually_complete_s", "rtc_height", "share_change", "startup_loss_rate"]
)
def test_what_users_see_the_change_itself_and_the_start_need_no_settled_cell(metric, tmp_path):
    figure = replace(SHARE, metric=metric)
    rows = [row for row in shares(SHARE, MOVING) if row["metric"] != metric]
    (row,) = verdicts(tmp_path, [*rows, measured(figure, 0.4, 0.5)], Check(figure, below=0.3))
    assert ("did not", None, None) == why(row)


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ((SETTLED, SETTLED), "did not"),
        ((SETTLED, UNSETTLED), "not comparable"),
        ((MOVING, SETTLED), "not comparable"),
    ],
)
def test_a_cell_is_settled_if_both_of_its_instances_are(changes, found, tmp_path):
    twice = replace(SHARE, contender="iperf-reno", instance="worse_off")
    (row,) = verdicts(tmp_path, shares(twice, *changes), Check(twice, below=0.3))
    assert found == row["verdict"]


@pytest.mark.parametrize(
    ("own", "other", "found"),
    [
        (SETTLED, SETTLED, "did not"),
        (SETTLED, MOVING, "not comparable"),
        (MOVING, SETTLED, "not comparable"),
        (SETTLED, UNSETTLED, "not comparable"),
    ],
)
def test_two_figures_need_two_settled_cells(own, other, found, tmp_path):
    rows = shares(SHARE, own) + shares(MIRROR, other)
    (row,) = verdicts(tmp_path, rows, Check(SHARE, above=Multiple(MIRROR, 2)))
    assert found == row["verdict"]


@pytest.mark.parametrize(
    ("bounds", "change", "found"),
    [
        ((0.6, 0.7), UNSETTLED, "came out"),
        ((0.6, 0.3), UNSETTLED, "not comparable"),
        ((0.45, 0.3), UNSETTLED, "undecided"),
        ((0.6, 0.3), SETTLED, "did not"),
    ],
)
def test_an_expectation_of_which_a_part_is_not_settled_did_not_come_out_yet(bounds, change, found, tmp_path):
    checks = [Check(SHARE, below=bound) for bound in bounds]
    rows = verdicts(tmp_path, shares(SHARE, change), *checks)
    assert [found] * 2 == [row["expectation_verdict"] for row in rows]


IDLE = FigureKey(
    setting="8mbps", service="iperf-reno", contender="ref-file-batched-5-bbr", metric="utilization"
)
BATCHED = catalogued(IDLE.contender)


@pytest.mark.parametrize(
    ("pause_s", "low", "high", "expected", "found"),
    [
        (0, 0.9, 0.95, {"below": 0.85}, ("not comparable", "the stand-in cannot show it", FULL)),
        (0, 0.8, 0.9, {"below": 0.85}, ("not comparable", "the stand-in cannot show it", FULL)),
        (0, 0.9, 0.95, {"between": (0.7, 0.85)}, ("not comparable", "the stand-in cannot show it", FULL)),
        (0, 0.7, 0.8, {"below": 0.85}, ("came out", None, None)),
        (0, 0.9, 0.92, {"above": 0.95}, ("did not", None, None)),
        (5, 0.9, 0.95, {"below": 0.85}, ("did not", None, None)),
    ],
)
def test_a_link_is_not_idle_if_the_queue_lasts_through_the_pauses(
    pause_s, low, high, expected, found, tmp_path
):
    service = replace(BATCHED, batch=replace(BATCHED.batch, pause_s=pause_s))
    measured_by = replace(REFERENCE, services=REFERENCE.services | {service.name: service})
    check = Check(IDLE, **expected)
    (row,) = verdicts(tmp_path, [measured(IDLE, low, high)], check, measured_by=measured_by)
    assert found == why(row)


def test_the_causes_are_those_that_the_site_knows():
    (column,) = (one for one in load_schema("expectations").columns if one.name == "cause")
    assert {*CAUSES} == {*column.values, "another figure than the printed one"}


def test_a_campaign_that_expects_nothing_has_no_rows(tmp_path):
    assert [] == verdicts(tmp_path, [measured(FIGURE, 1.0, 1.9)])
