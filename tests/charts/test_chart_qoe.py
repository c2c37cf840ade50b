"""Charts of the quality of experience: a row for each contender, a panel for each metric."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.qoe_charts import METRICS, QOE_CHARTS, qoe_chart
from scripts.charts.render import to_spec, to_svg
from scripts.charts.table_rows import PageLoadRow, QoePairRow, ServiceRow
from scripts.tables.table_schema import load_schema
from tests.charts.sample_cycle import sample_tables
from tests.charts.sample_qoe import (
    BATCHED,
    CALL,
    CATALOGUE,
    CUBIC,
    IMAGES,
    PAGE,
    SETTING,
    TEAMS,
    VIDEO,
    qoe_tables,
)
from tests.charts.specs import records, rows_of

LABELS = make_labels(CATALOGUE)
PAIRS = records(QoePairRow, qoe_tables()["qoe_pairs"].to_pylist())
TRIALS = records(ServiceRow, qoe_tables()["trial_services"].to_pylist())
LOADS = records(PageLoadRow, qoe_tables()["qoe_web"].to_pylist())


def spec_of(kind: str, pairs: list[QoePairRow] = PAIRS, loads: list[PageLoadRow] = LOADS) -> dict:
    return to_spec(qoe_chart(pairs, TRIALS, loads, SETTING, kind, LABELS))


def layer(panel: dict, mark: str) -> dict:
    """The only layer of a panel with this mark."""
    (found,) = [one for one in panel["layer"] if one["mark"]["type"] == mark]
    return found


def marked(spec: dict, mark: str, place: int = 0) -> list[dict]:
    """The rows that a panel shows by this mark."""
    panel = spec["hconcat"][place]
    return rows_of(spec, layer(panel, mark), panel)


@pytest.mark.parametrize("kind", QOE_CHARTS)
def test_each_panel_is_a_metric_whose_points_are_the_medians_in_the_unit_of_the_axis(kind):
    spec = spec_of(kind)
    assert len(spec["hconcat"]) == len(QOE_CHARTS[kind].metrics)
    for place, metric in enumerate(QOE_CHARTS[kind].metrics):
        axis = layer(spec["hconcat"][place], "point")["encoding"]["x"]
        assert axis["title"] == METRICS[metric].label
        found = {(row["service"], row["row"]): row["value"] for row in marked(spec, "point", place)}
        expected = {
            (row.service, row.contender or "alone"): METRICS[metric].factor * row.median
            for row in PAIRS
            if row.metric == metric
        }
        assert expected == found and len(found) > 2


def test_alone_is_above_the_contenders_which_all_panels_share():
    spec = spec_of("rtc")
    order = ["alone", CUBIC, VIDEO]
    assert len(spec["hconcat"]) == 4
    for place, panel in enumerate(spec["hconcat"]):
        y = layer(panel, "point")["encoding"]["y"]
        assert (y["scale"]["domain"], y["axis"]["labels"]) == (order, place == 0)


def test_two_services_are_side_by_side_and_differ_in_colour_and_shape():
    encoding = layer(spec_of("rtc")["hconcat"][0], "point")["encoding"]
    assert encoding["yOffset"]["scale"]["domain"] == [CALL, TEAMS]
    assert encoding["color"]["scale"]["range"] == [LABELS.colours[CALL], LABELS.colours[TEAMS]]
    assert len(set(encoding["shape"]["scale"]["range"])) == 2


def test_a_band_is_the_interval_and_there_is_none_without_one():
    with_interval = [replace(row, low=1.6, high=2.6) if row.contender else row for row in PAIRS]
    for pairs, wanted in ((with_interval, {(1.6, 2.6)}), (PAIRS, set())):
        spec = spec_of("web", pairs)
        panel = spec["hconcat"][0]
        (band,) = [one for one in panel["layer"] if "transform" in one]
        assert band["transform"] == [{"filter": "datum.low !== null"}]
        assert wanted == {
            (row["low"], row["high"]) for row in rows_of(spec, band, panel) if row["low"] is not None
        }


def test_a_load_that_did_not_end_is_an_arrow_and_the_others_are_dots():
    loads = [replace(load, censored=load.visually_complete_s > 4, visually_complete_s=45.0) for load in LOADS]
    spec = spec_of("web", loads=loads)
    panel = spec["hconcat"][0]
    arrows, points = [one for one in panel["layer"] if one["mark"]["type"] == "point"]
    assert arrows["mark"]["shape"] == "triangle-right" and "shape" in points["encoding"]
    expected = sum(load.censored for load in loads)
    assert 0 < expected == len(rows_of(spec, arrows, panel)) < len(loads)
    assert len(loads) - expected == len(marked(spec, "circle"))
    assert any(line.startswith("Arrow: at least so long") for line in spec["title"]["subtitle"])


@pytest.mark.parametrize(
    ("figures", "words", "arrow"),
    [
        ({"median": 45.0, "high": 45.0}, "≥ 45.00, n = 6, 4 of them not ended", (45.0, "≥ 45 s")),
        ({"median": 3.25, "high": 45.0}, "3.25, n = 6, 4 of them not ended", (45.0, "≥ 45 s")),
        ({"median": 3.25, "high": 4.5}, "3.25, n = 6, 4 of them not ended", None),
    ],
)
def test_a_figure_that_is_a_lower_bound_has_an_arrow_with_its_value(figures, words, arrow):
    other = {"n": 6, "censored": 4, "at_least": 45.0, "q1": 3.0, "q3": 4.0, "low": 2.0}
    rows = [replace(row, **other | figures) for row in PAIRS if (row.service, row.contender) == (PAGE, CUBIC)]
    spec = spec_of("web", rows)
    assert f"{PAGE} against {CUBIC}, Time to 95 % of the page (s): {words}" in spec["description"]
    texts = [one for one in spec["hconcat"][0]["layer"] if one["mark"]["type"] == "text"]
    found = [(row["value"], row["text"]) for one in texts for row in rows_of(spec, one, spec["hconcat"][0])]
    assert found == ([arrow] if arrow else [])
    assert "undefined" not in to_svg(spec)


def test_a_video_that_never_started_has_an_arrow_where_it_was_given_up():
    rows = [
        replace(row, median=90.0, q1=80.0, q3=90.0, censored=1, at_least=90.0)
        if (row.service, row.contender, row.metric) == (VIDEO, CUBIC, "video_startup_s")
        else row
        for row in PAIRS
    ]
    spec = spec_of("video", rows)
    panel = spec["hconcat"][QOE_CHARTS["video"].metrics.index("video_startup_s")]
    (text,) = rows_of(spec, layer(panel, "text"), panel)
    assert (text["value"], text["text"]) == (90.0, "≥ 90 s")


def test_a_call_against_itself_has_a_row_for_each_instance():
    rows = [
        replace(row, contender=CALL, instance=instance)
        for row in PAIRS
        if (row.service, row.contender) == (CALL, CUBIC)
        for instance in ("worse_off", "better_off")
    ]
    points = marked(spec_of("rtc", rows), "point")
    assert {f"{CALL}, worse-off instance", f"{CALL}, better-off instance"} == {row["row"] for row in points}
    assert {f"../pairs/{SETTING}/{CALL}~{CALL}/"} == {point["href"] for point in points}


def test_the_loads_of_valid_trials_are_dots_and_those_of_excluded_ones_are_not():
    excluded = [replace(load, valid=load.service != IMAGES) for load in LOADS]
    for loads, services in ((LOADS, {PAGE, IMAGES}), (excluded, {PAGE})):
        dots = marked(spec_of("web", loads=loads), "circle")
        expected = sorted(load.visually_complete_s for load in LOADS if load.service in services)
        assert expected == sorted(dot["value"] for dot in dots)


def test_a_point_links_to_its_pair_or_to_the_service_alone():
    found = {(row["service"], row["row"]): row["href"] for row in marked(spec_of("web"), "point")}
    assert f"../pairs/{SETTING}/{CUBIC}~{PAGE}/" == found[PAGE, CUBIC]
    assert f"../pairs/{SETTING}/{BATCHED}~{IMAGES}/" == found[IMAGES, BATCHED]
    assert f"../solos/{SETTING}/{PAGE}/" == found[PAGE, "alone"]


def test_the_description_has_every_point():
    spec = spec_of("rtc")
    assert f"{CALL} against {CUBIC}, Packets over 190 ms (percent): 12.5, n = 1" in spec["description"]
    assert f"{TEAMS} alone, Resolution (lines): 360, n = 1" in spec["description"]
    assert to_svg(spec).count("<a ") == 4 * 5


def test_three_services_at_once_are_named_by_both_contenders():
    rows = [replace(row, contender=f"{CUBIC}~{VIDEO}") for row in PAIRS if row.service == CALL]
    points = marked(spec_of("rtc", rows), "point")
    assert {f"{CUBIC} and {VIDEO}"} == {point["row"] for point in points}
    assert {f"../pairs/{SETTING}/{CUBIC}~{CALL}~{VIDEO}/"} == {point["href"] for point in points}


def test_without_a_valid_trial_or_such_a_service_there_is_no_chart():
    unmeasured = [replace(row, median=None, n=0) for row in PAIRS]
    for rows in (unmeasured, records(QoePairRow, sample_tables()["qoe_pairs"].to_pylist())):
        for kind in QOE_CHARTS:
            assert qoe_chart(rows, TRIALS, LOADS, SETTING, kind, LABELS) is None


def test_every_metric_of_the_table_is_put_into_words():
    (metric,) = [column for column in load_schema("qoe_pairs").columns if column.name == "metric"]
    assert set(metric.values) == set(METRICS)
