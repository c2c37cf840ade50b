"""The median slowdown of every single size, with the rules of the table completions."""

import pytest

from scripts.charts.exact_sizes import exact_sizes
from scripts.metrics.statistics import median_ci
from tests.charts.sample_completions import WEB, flow

VALUES = [2.0, 2.1, 2.2, 2.3, 2.4, 9.0]


def flows(values: list[float], censored: tuple[float, ...] = (), size_bytes: int = 1448) -> list:
    """A flow a trial."""
    return [
        flow(WEB, trial=trial, size_bytes=size_bytes, slowdown=value, censored=value in censored)
        for trial, value in enumerate(values, start=1)
    ]


def test_a_size_has_the_median_of_its_trials_and_its_interval_from_six_on():
    (row,) = exact_sizes(flows(VALUES))
    assert (row.low, row.median, row.high) == median_ci(VALUES)
    assert (row.n, row.censored, row.at_least, row.size_class) == (6, 0, None, "1.45 kB")
    (few,) = exact_sizes(flows(VALUES[:5]))
    assert (few.n, few.median, few.low, few.high) == (5, 2.2, None, None)


def test_a_trial_with_several_flows_of_a_size_has_their_median():
    (row,) = exact_sizes([*flows([2.0, 5.0]), *flows([4.0]), *flows([3.0])])
    assert (row.n, row.median) == (2, 4.0)


def test_each_size_of_each_service_is_a_row_sorted():
    rows = exact_sizes([*flows(VALUES, size_bytes=23_724_032), *flows(VALUES)])
    assert [(row.from_bytes, row.size_class) for row in rows] == [(1448, "1.45 kB"), (23_724_032, "23.7 MB")]


@pytest.mark.parametrize(
    ("values", "censored", "at_least"),
    [
        (VALUES, (9.0,), 9.0),
        (VALUES, (2.1,), 2.1),
        ([2.0, 4.0], (4.0,), 3.0),
        ([2.0, 4.0], (2.0, 4.0), 2.0),
    ],
)
def test_lower_bounds_begin_behind_the_largest_exact_value(values, censored, at_least):
    (row,) = exact_sizes(flows(values, censored))
    assert (row.at_least, row.censored) == (at_least, len(censored))
