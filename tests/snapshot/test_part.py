"""The parts of a snapshot: what a name means, which files it needs, which rows belong to it."""

from pathlib import PurePosixPath

import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from scripts.base.errors import UserError
from scripts.model.trials import TrialKey
from scripts.snapshot.choice import Choice, SnapshotContent, chosen_part, needing_whole_cycle
from scripts.snapshot.part import SnapshotPart, needed
from scripts.tables.table_list import every_table
from scripts.tables.table_schema import load_schema
from tests.snapshot.partial import content_of, files_for

CELL = "pairs/8mbps/iperf-bbr~iperf-cubic"
TRIALS = [TrialKey("8mbps", pair, number) for pair, number in (("a~b", 1), ("a~b", 2), ("a", 1), ("b", 1))]


@pytest.fixture(scope="module")
def content():
    return content_of()


def folders(files: set[PurePosixPath]) -> set[str]:
    """The trials among the files."""
    return {"/".join(path.parts[2:4]) for path in files if path.parts[0] == "trials"}


def test_a_pair_needs_its_trials_and_those_of_its_services_alone():
    assert folders(files_for(only=CELL)) == {
        *("iperf-bbr/01", "iperf-cubic/01", "iperf-bbr~iperf-cubic/01", "iperf-bbr~iperf-cubic/02")
    }


def test_a_trial_needs_only_itself():
    assert folders(files_for(only="trials/8mbps/iperf-bbr~iperf-cubic/02")) == {"iperf-bbr~iperf-cubic/02"}


def test_from_rows_no_file_of_a_trial_is_needed():
    for part in ({"only": CELL}, {"table": "pairs"}, {"chart": "share-8mbps"}, {}):
        assert not folders(files_for(start="rows", **part)), part


def test_from_parquet_only_the_records_of_trials_are_needed():
    for part, names in (({"only": CELL}, {"trial.json"}), ({}, {"trial.json", "qoe.json"})):
        files = files_for(start="parquet", **part)
        assert names == {path.name for path in files if path.parts[0] == "trials"}


def test_everything_needs_every_file(content):
    assert files_for() == content.listed


def test_the_table_of_calibrations_needs_no_other_trial():
    assert folders(files_for(table="calibration")) == {"calibration/01", "calibration/02"}


def test_a_table_is_compared_with_those_that_it_is_made_from(content):
    part = chosen_part(Choice(table="trial_fairness"), content)
    assert set(part.tables) == {
        *("trial_fairness", "trial_fmp", "trial_services", "trial_series", "solo"),
        *JUDGED,
    }
    assert set(chosen_part(Choice(table="trial_fairness", start="rows"), content).tables) == {
        *("trial_fairness", "solo")
    }


JUDGED = ("validity", "upstream_loss")
"""What a trial's rows are judged by."""


def test_a_pair_in_any_order_is_the_same_cell_with_every_chart_of_it(content):
    turned = chosen_part(Choice(only="pairs/8mbps/iperf-cubic~iperf-bbr"), content)
    assert turned == chosen_part(Choice(only=CELL), content)
    charts = {path for path in content.listed if path.parts[0] == "charts"}
    assert {path for path in charts if "8mbps-iperf-bbr~iperf-cubic" in path.name} == {*turned.charts}
    assert {"dots-8mbps-iperf-bbr~iperf-cubic", "trial-8mbps-iperf-bbr~iperf-cubic-01"} <= {
        path.stem for path in turned.charts
    }


def test_the_chart_of_a_pair_over_time_is_its_cell():
    chart = PurePosixPath("charts/cycle/over-time-8mbps-a~b.svg")
    content = SnapshotContent(tuple(TRIALS), frozenset({chart}))
    part = chosen_part(Choice(chart=chart.stem), content)
    assert (part, (chart,)) == (chosen_part(Choice(only="pairs/8mbps/a~b"), content), part.charts)


def test_a_chart_of_a_pair_is_its_cell_and_one_of_a_setting_needs_the_setting(content):
    dots = chosen_part(Choice(chart="dots-8mbps-iperf-bbr~iperf-cubic"), content)
    assert dots == chosen_part(Choice(only=CELL), content)
    heatmap = chosen_part(Choice(chart="share-8mbps"), content)
    assert (heatmap.setting, heatmap.pairs, len(heatmap.trials)) == ("8mbps", (), len(content.trials))


@pytest.mark.parametrize(
    "name",
    [
        *("slowdown-beside", "slowdown-by-rtt", "completion-8mbps"),
        *("sweep-link-a~b", "changes-8mbps", "fness-8mbps", "bbr-model-8mbps"),
        *("k-by-rtt-ms-8mbps-a~b", "fmp-accuracy-8mbps-a~b-8mbps"),
    ],
)
def test_a_chart_of_all_settings_needs_every_trial(name):
    trials = tuple(TrialKey(setting, "a", 1) for setting in ("8mbps", "50mbps", "beside", "rtt"))
    several = SnapshotContent(trials, frozenset({PurePosixPath(f"charts/cycle/{name}.svg")}))
    assert (None, trials) == ((part := chosen_part(Choice(chart=name), several)).setting, part.trials)


def test_from_rows_a_chart_needs_the_tables_that_the_snapshot_has(content):
    asked = Choice(chart="share-8mbps", start="rows")
    newer = frozenset(PurePosixPath(f"tables/{name}.parquet") for name in ("trial_completions", "srpt"))
    older = SnapshotContent(content.trials, content.listed - newer)
    assert newer <= needed(chosen_part(asked, content), content.listed)
    assert not newer & needed(chosen_part(asked, older), older.listed)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (Choice(only="pairs/8mbps/iperf-bbr~cubic"), f"no such cell; it has {CELL}, .* \\(of 15\\)"),
        (Choice(only="pairs/9mbps/iperf-bbr~iperf-cubic"), f"no such cell; it has {CELL}"),
        (Choice(only="trials/8mbps/iperf-bbr/09"), "it has trials/8mbps/iperf-bbr/01"),
        (Choice(only="iperf-bbr"), "no such cell; it has .*iperf-bbr"),
        (Choice(table="pair"), "no such table; it has pairs"),
        (Choice(chart="sare-8mbps"), "no such chart; it has share-8mbps"),
        (Choice(table="trial_services", start="rows"), "is not made from rows of trials"),
        (Choice(table="calibration", start="rows"), "is not made from rows of trials"),
    ],
)
def test_an_unknown_name_is_told_what_there_is(content, asked, told):
    with pytest.raises(UserError, match=told):
        chosen_part(asked, content)


def test_a_pair_leaves_out_the_tables_that_need_more_and_says_why(content):
    assert set(needing_whole_cycle(chosen_part(Choice(only=CELL), content))) == {
        *(
            "changes",
            "exclusion_tests",
            "expectations",
            "figures",
            "findings",
            "fmp",
            "fmp_accuracy",
            "host_agreement",
            "hosts",
            "leads",
            "positions",
            "predictions",
            "registration",
            "samples",
            "service_changes",
            "services",
            "threshold_sensitivity",
            "transitivity",
            "verdicts",
            "pairs.verdict",
            "pairs.scatter_difference",
        )
    }
    assert needing_whole_cycle(chosen_part(Choice(table="pairs"), content)) == {}


@pytest.mark.parametrize("table", [one for one in every_table() if load_schema(one).whole is None])
def test_a_table_that_a_pair_is_compared_in_has_the_columns_that_tell_its_pair(table):
    columns = {column.name for column in load_schema(table).columns}
    assert "setting" in columns and ("pair" in columns or "service" in columns)


def rows_of(part: SnapshotPart, *rows: dict) -> list[int]:
    """The places of the rows that belong to the part."""
    table = pa.Table.from_pylist([{**row, "place": place} for place, row in enumerate(rows)])
    return ds.dataset(table).to_table(filter=part.rows_of(table.column_names))["place"].to_pylist()


def test_the_rows_of_a_pair_are_its_own_and_those_of_its_services_alone():
    part = SnapshotPart("pair", "captures", (*TRIALS,), setting="8mbps", pairs=("a~b", "a", "b"))
    pairs = [{"setting": "8mbps", "pair": pair} for pair in ("a~b", "a", "a~c", "b")]
    assert rows_of(part, *pairs, {"setting": "50mbps", "pair": "a~b"}) == [0, 1, 3]
    sides = [("a", "b"), ("b", "a"), ("a", ""), ("a", "c"), ("c", "")]
    named = [{"setting": "8mbps", "service": one, "contender": other} for one, other in sides]
    assert rows_of(part, *named) == [0, 1, 2]
    assert rows_of(part, *({"setting": "8mbps", "service": one} for one in "abc")) == [0, 1]


def test_the_rows_of_three_services_name_the_two_others():
    part = SnapshotPart("pair", "captures", (), setting="8mbps", pairs=("a~a~b",))
    sides = [("a", "a~b"), ("b", "a~a"), ("a", "b~a"), ("b", "a")]
    named = [{"setting": "8mbps", "service": one, "contender": others} for one, others in sides]
    assert rows_of(part, *named) == [0, 1]


def test_the_rows_of_a_trial_have_its_number():
    part = SnapshotPart("trial", "captures", (), setting="8mbps", pairs=("a~b",), number=2)
    rows = [{"setting": "8mbps", "pair": pair, "trial": number} for pair in ("a", "a~b") for number in (1, 2)]
    assert rows_of(part, *rows) == [3]
