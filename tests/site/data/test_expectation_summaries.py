"""The expectations of a campaign in summary.json."""

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.model.expectations import Check, Expectation, FigureKey, Multiple
from scripts.site.data.expectation import CheckSummary, ExpectationSummary, NotComparable
from scripts.site.data.expectation_summaries import expectation_summaries
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.parameters import bind_parameters
from scripts.tables.table_schema import load_schema
from tests.tables.campaigns import campaign

ALONE = FigureKey(setting="8mbps", service="flows", metric="slowdown", statistic="median")
BESIDE = replace(ALONE, contender="bulk")
FEW = replace(ALONE, size_class="1 to 3 kB")
MEASURED = [
    (ALONE, {"n": 6, "median": 2.0, "low": 1.95, "high": 2.1}),
    (BESIDE, {"n": 7, "median": 40.0, "low": 3.204, "high": 1234.5, "at_least": 40.0}),
    (FEW, {"n": 3, "median": 9.0}),
]
EXPECTATIONS = (
    Expectation(
        "alone", "Alone, flows take two RTTs.", "zapletal Fig 4", (Check(ALONE, between=(1.9, 2.2)),)
    ),
    Expectation(
        "beside",
        "Bulk flows delay them.",
        "zapletal Fig 5",
        (
            Check(BESIDE, above=2),
            Check(ALONE, below=Multiple(BESIDE, 1.5)),
            Check(BESIDE, above=Multiple(ALONE)),
            Check(ALONE, below=Multiple(FEW, 2)),
        ),
    ),
)
CAMPAIGN = campaign(expectations=EXPECTATIONS)


def write_expectations(folder, samples=()):
    """The table of EXPECTATIONS, built from the measured figures and these values of trials."""
    rows = {"figures": [vars(figure) | row for figure, row in MEASURED], "samples": [*samples]}
    sources = {name: folder / f"{name}.parquet" for name in load_schema("expectations").sources}
    for name, path in sources.items():
        table = pa.Table.from_pylist(rows.get(name, []), schema=load_schema(name).arrow)
        pq.write_table(table, path)
    with connect() as connection:
        add_formulas(connection)
        inputs = sources | bind_parameters(load_schema("expectations").parameters, CAMPAIGN)
        pq.write_table(build(connection, "expectations", inputs), folder / "expectations.parquet")


def test_an_expectation_has_its_sentence_its_verdict_and_the_figures_of_its_checks(tmp_path):
    write_expectations(tmp_path)
    alone, _beside = expectation_summaries(CAMPAIGN, tmp_path)
    assert alone == ExpectationSummary(
        "alone",
        "Alone, flows take two RTTs.",
        "zapletal Fig 4",
        "came out",
        (
            CheckSummary(
                "median slowdown, flows alone, 8mbps",
                "between 1.9 and 2.2",
                "came out",
                6,
                median=2.0,
                low=1.95,
                high=2.1,
                title="median slowdown, flows alone, 8\u00a0Mbps",
            ),
        ),
    )


def test_what_was_expected_names_the_interval_of_another_figure(tmp_path):
    write_expectations(tmp_path)
    _alone, beside = expectation_summaries(CAMPAIGN, tmp_path)
    assert [
        "above 2",
        "below 1.5 × 3.20 or more (median slowdown, flows against bulk, 8\u00a0Mbps)",
        "above 1.95 to 2.10 (median slowdown, flows alone, 8\u00a0Mbps)",
        "below 2 × (median slowdown, 1 to 3 kB, flows alone, 8\u00a0Mbps; 3 trials)",
    ] == [check.expected for check in beside.checks]
    assert [*["came out"] * 3, "not comparable"] == [check.verdict for check in beside.checks]
    assert [*[None] * 3, NotComparable("fewer trials than it needs")] == [
        check.why for check in beside.checks
    ]
    assert ("not comparable", 40.0) == (beside.verdict, beside.checks[0].at_least)


def test_two_figures_with_trials_are_compared_in_words(tmp_path):
    samples = [
        vars(figure)
        | {"pair": figure.pair, "trial": trial, "value": factor * value, "lower_bound": value == bound}
        | {"undefined": False, "valid": True, "completed": True}
        for figure, factor, bound in ((ALONE, 1, None), (BESIDE, 2, 2.05))
        for trial, value in enumerate((1.95, 2.0, 2.0, 2.0, 2.05, 2.05), start=1)
    ]
    write_expectations(tmp_path, samples)
    _alone, beside = expectation_summaries(CAMPAIGN, tmp_path)
    expected = [None, "0.00 to 0.51 times as much", "1.95 or more times as much", None]
    assert expected == [check.compared for check in beside.checks]


def test_a_campaign_that_expects_nothing_has_no_expectations(tmp_path):
    write_expectations(tmp_path)
    assert () == expectation_summaries(campaign(), tmp_path)


TIME = "2026-11-26T05:41:00Z"
ROW = {"expectation": "alone", "stated": "before", "line": 1, "time": TIME, "changed": ""}


@pytest.mark.parametrize(
    ("changes", "when"),
    [
        ({}, "Stated before it was measured: 2026-11-26 05:41 UTC."),
        (
            {"stated": "after", "changed": "expectation", "n_before": 6},
            "Added after measurement: stated, 2026-11-26 05:41 UTC, when 6 of its 6 trials had begun.",
        ),
        (
            {"stated": "after", "changed": "trials.most,validity.cca", "n_before": 2},
            "Added after measurement: with another trials.most, validity.cca, 2026-11-26 05:41 UTC, "
            "when 2 of its 6 trials had begun.",
        ),
        ({"stated": "unknown", "n_before": 6}, "Nothing shows when this was written."),
    ],
)
def test_an_expectation_says_when_it_was_stated(changes, when, tmp_path):
    write_expectations(tmp_path)
    rows = [ROW | {"n_trials": 6, "n_before": 0} | changes]
    table = pa.Table.from_pylist(rows, schema=load_schema("registration").arrow)
    pq.write_table(table, tmp_path / "registration.parquet")
    alone, beside = expectation_summaries(CAMPAIGN, tmp_path)
    assert (rows[0]["stated"], when) == (alone.stated, alone.when)
    assert ("unknown", "Nothing shows when this was written.") == (beside.stated, beside.when)
