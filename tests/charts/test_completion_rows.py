"""Words for the figures of generated flows."""

from dataclasses import asdict, replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.charts.completion_rows import CompletionRow, highest_words, read_flows
from tests.charts.sample_completions import BULK, OTHER, SETTING, WEB, few, figure, flow


def words_of(*rows: CompletionRow) -> str:
    return highest_words(rows, "Longest", lambda row: f"{row.value:g}", lambda row: row.contender)


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
