"""The figures of generated flows in words, and the median of every single size."""

from dataclasses import asdict, replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.charts.completion_rows import CompletionRow, exact_sizes, highest_words, read_flows
from scripts.metrics.statistics import median_ci
from tests.charts.sample_completions import BULK, OTHER, SETTING, WEB, few, figure, flow


def words_of(*rows: CompletionRow) -> str:
    return highest_words({row: row.contender for row in rows}, "Longest", "{:g}".format)


LOW, HIGH = figure(WEB, "a", 2.0), figure(WEB, "b", 3.0)


def bound(row: CompletionRow) -> CompletionRow:
    """The same figure as a lower bound."""
    return replace(row, at_least=row.value)


def test_the_highest_median_has_its_place():
    assert words_of(LOW, HIGH) == "Longest 3, b"


def test_rows_with_enough_trials_go_first_and_without_any_the_highest_was_only_seen():
    assert words_of(LOW, few(HIGH)) == "Longest 2, a"
    assert words_of(few(LOW), few(HIGH)) == "Seen: longest 3, b"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((LOW, bound(HIGH)), "Longest at least 3, b"),
        ((bound(LOW), HIGH), "Longest at least 3"),
        ((bound(LOW), bound(HIGH)), "Longest at least 3"),
    ],
)
def test_with_another_lower_bound_nobody_knows_where_the_highest_is(rows, expected):
    assert words_of(*rows) == expected


def test_an_interval_may_end_at_a_lower_bound_while_its_median_is_exact():
    row = replace(figure(WEB, BULK, 2.0), at_least=2.2, censored=1)
    assert (row.open, row.bound) == (True, False)
    assert row.words() == "2.00 (1.80 to ≥ 2.20), n = 6, 1 flow not ended"
    assert few(figure(WEB, BULK, 2.0)).words(factor=0.5) == "1.00, n = 5"


def test_only_the_counted_flows_of_valid_trials_of_the_setting_are_read(tmp_path):
    chances = [
        (setting, valid, counted)
        for setting in (SETTING, OTHER)
        for valid in (True, False)
        for counted in (True, False)
    ]
    rows = [
        asdict(flow(WEB, trial=trial, setting=setting)) | {"valid": valid, "counted": counted}
        for trial, (setting, valid, counted) in enumerate(chances, start=1)
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "trial_completions.parquet")
    assert read_flows(tmp_path, SETTING) == [flow(WEB, trial=1)]
    assert read_flows(tmp_path, OTHER) == [flow(WEB, trial=5, setting=OTHER)]


def test_a_figure_links_to_its_pair_or_to_the_service_alone():
    assert figure(WEB, BULK).page == f"../pairs/{SETTING}/{WEB}~{BULK}/"
    assert figure("z", BULK).page == f"../pairs/{SETTING}/{BULK}~z/"
    assert figure(WEB).page == f"../solos/{SETTING}/{WEB}/"


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
