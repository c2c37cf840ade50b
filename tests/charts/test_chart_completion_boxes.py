"""The completion times of a flow against a bulk flow: a box for each combination."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.completion_boxes import completion_boxes
from scripts.charts.completion_rows import CompletionRow, FlowRow
from scripts.charts.render import to_spec
from tests.charts.sample_completions import (
    BULK,
    ONE,
    OTHER,
    OTHER_BULK,
    SETTING,
    WEB,
    completions_campaign,
    few,
    figure,
    flow,
)
from tests.charts.specs import layers_of, marked, rows_of, subtitle_of, title_of

CAMPAIGN = completions_campaign()
LABELS = make_labels(CAMPAIGN.services)
PAIR = f"{ONE} against {BULK}"


def box(contender: str, median_ms: float, setting: str = SETTING) -> list[CompletionRow]:
    """The figures of one combination. The quartiles are 250 ms from the median."""
    values = {"q1": median_ms - 250, "median": median_ms, "q3": median_ms + 250, "maximum": median_ms + 500}
    return [
        figure(ONE, contender, value, setting=setting, metric="data_ms", statistic=statistic)
        for statistic, value in values.items()
    ]


ROWS = [*box(OTHER_BULK, 2000.0), *box(BULK, 8000.0), *box("", 1500.0)]
FLOWS = [
    flow(ONE, BULK, 2, data_ms=8500.0),
    flow(ONE, BULK, 1, data_ms=7500.0),
    flow(ONE, "", 1, data_ms=1500.0),
    flow(ONE, WEB, 1, data_ms=9999.0),
]


def spec_of(rows: list[CompletionRow] = ROWS, flows: list[FlowRow] = FLOWS) -> dict:
    return to_spec(completion_boxes(rows, lambda: flows, SETTING, CAMPAIGN, LABELS))


def test_a_box_is_the_quartiles_in_seconds_and_its_bar_the_median():
    spec = spec_of()
    (rect,) = layers_of(spec, "rect")
    assert ("q1", "q3") == tuple(rect["encoding"][end]["field"] for end in ("x", "x2"))
    found = {row["row"]: (row["q1"], row["median"], row["q3"]) for row in rows_of(spec, rect)}
    assert found[PAIR] == pytest.approx((7.75, 8.0, 8.25))
    assert list(found) == [f"{ONE} alone", f"{ONE} against {OTHER_BULK}", PAIR]


def test_a_dot_is_a_trial_the_first_at_the_top_and_links_to_its_page():
    (layer,) = layers_of(spec_of(), "circle")
    dots = [row for row in rows_of({}, layer) if row["row"] == PAIR]
    assert [(1, 7.5), (2, 8.5)] == [(dot["trial"], dot["value"]) for dot in dots]
    assert dots[0]["y"] < dots[1]["y"]
    assert dots[0]["href"] == f"../trials/{SETTING}/{ONE}~{BULK}/01/"
    assert dots[0]["label"] == f"{PAIR}, trial 01: 7.50 s"


def test_a_flow_against_another_generator_has_no_row():
    rows = [*ROWS, *box(WEB, 9000.0), *(replace(row, service=WEB) for row in box(BULK, 9000.0))]
    spec = spec_of(rows)
    assert {row["row"] for row in marked(spec, "rect")} == {row["row"] for row in marked(spec_of(), "rect")}
    assert 9.999 not in {row["value"] for row in marked(spec, "circle")}


def test_the_axis_ends_at_the_largest_figure_of_all_settings():
    rows = [*ROWS, *box(BULK, 20_000.0, OTHER)]
    ends = {
        layer["encoding"]["x"]["scale"]["domain"][1]
        for layer in layers_of(spec_of(rows), "rule")
        if "scale" in layer["encoding"]["x"]
    }
    assert [pytest.approx(1.06 * 1.1 * 20.5)] == [*ends]


def test_below_six_trials_there_is_neither_box_nor_interval():
    (rect,) = layers_of(spec_of(), "rect")
    assert rect["transform"] == [{"filter": "datum.n >= 6"}]
    seen = spec_of([few(row) for row in ROWS])
    assert title_of(seen).startswith("Seen: longest median 8.00 s")


def test_the_title_has_the_longest_median_of_those_with_enough_trials():
    assert title_of(spec_of()) == f"Longest median 8.00 s, {PAIR}"
    some = [few(row) if row.contender == BULK else row for row in ROWS]
    assert title_of(spec_of(some)) == f"Longest median 2.00 s, {ONE} against {OTHER_BULK}"


def test_a_flow_that_had_not_ended_is_an_arrow_and_its_median_a_lower_bound():
    bound = [replace(row, at_least=7900.0, censored=4) if row.contender == BULK else row for row in ROWS]
    spec = spec_of(bound, [replace(FLOWS[0], censored=True), *FLOWS[1:]])
    (arrows,) = layers_of(spec, "point")
    assert (arrows["mark"]["shape"], arrows["transform"]) == (
        "triangle-right",
        [{"filter": "datum.censored"}],
    )
    assert [f"{PAIR}, trial 02: ≥ 8.50 s"] == [
        row["label"] for row in rows_of(spec, arrows) if row["censored"]
    ]
    assert title_of(spec).startswith("Longest median at least 8.00 s")
    assert "Arrow: at least so much" in subtitle_of(spec)
    assert f"{PAIR}: ≥ 8.00 (7.20 to ≥ 8.80), n = 6, 4 flows not ended" in spec["description"]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        ROWS[8:],
        [replace(row, setting=OTHER) for row in ROWS],
        [replace(row, service=WEB) for row in ROWS],
        [replace(row, contender=WEB) for row in ROWS],
        [replace(row, contender=ONE) for row in ROWS],
    ],
)
def test_without_a_flow_against_a_bulk_flow_there_is_no_chart(rows):
    assert completion_boxes(rows, lambda: FLOWS, SETTING, CAMPAIGN, LABELS) is None
