"""The verdicts of expectations: about whole intervals, and with lower bounds."""

import statistics
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.model.expectations import Check, Expectation, FigureKey, Multiple
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.parameters import bind_parameters
from scripts.tables.table_schema import load_schema
from tests.tables.campaigns import campaign

FIGURE = FigureKey(setting="8mbps", service="flows", metric="slowdown", statistic="maximum")
OTHER = replace(FIGURE, contender="bulk")


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


def verdicts(folder, rows, *checks, samples=(), models=()):
    """The rows of the table for one expectation with these checks, from rows of these tables."""
    inputs = {}
    for table, content in (("figures", rows), ("samples", [*samples]), ("models", [*models])):
        inputs[table] = folder / f"{table}.parquet"
        pq.write_table(pa.Table.from_pylist(content, schema=load_schema(table).arrow), inputs[table])
    merged = campaign(expectations=(Expectation("one", "It is so.", "a paper", checks),))
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
    assert "undecided" == verdict(tmp_path, [few[0]], below=100)
    assert "undecided" == verdict(tmp_path, [few[0], enough[1]], below=Multiple(OTHER))
    assert "undecided" == verdict(tmp_path, [enough[0], few[1]], below=Multiple(OTHER))
    assert "came out" == verdict(tmp_path, enough, below=Multiple(OTHER))


def test_a_figure_of_which_no_trial_has_a_flow_is_undecided(tmp_path):
    (row,) = verdicts(tmp_path, [], Check(FIGURE, below=Multiple(OTHER)))
    assert (0, None, 0, "undecided") == (row["n"], row["median"], row["other_n"], row["verdict"])


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
    key = {name: getattr(OUTSIDE, name) for name in ("setting", "service", "contender", "instance", "metric")}
    reason = "fewer than five ProbeRTT cycles"
    outside, *_other = verdicts(
        tmp_path, figures, *checks, models=[key | {"pair": "flows", "n": 0, "trials": "", "reason": reason}]
    )
    assert ("not comparable", reason, found) == tuple(
        outside[name] for name in ("verdict", "reason", "expectation_verdict")
    )


def test_a_measured_figure_is_judged_where_its_model_does_not_hold(tmp_path):
    share = replace(OUTSIDE, metric="link_fraction")
    key = {name: getattr(share, name) for name in ("setting", "service", "contender", "instance", "metric")}
    model = key | {"pair": "flows", "n": 6, "trials": "", "reason": "fewer than five ProbeRTT cycles"}
    (row,) = verdicts(tmp_path, [measured(share, 0.4, 0.5)], Check(share, above=0.3), models=[model])
    assert ("came out", None) == (row["verdict"], row["reason"])


def test_a_campaign_that_expects_nothing_has_no_rows(tmp_path):
    assert [] == verdicts(tmp_path, [measured(FIGURE, 1.0, 1.9)])
