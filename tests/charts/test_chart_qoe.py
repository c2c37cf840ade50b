"""Charts of the quality of experience: a row for each contender, a chart for each metric."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.origin import ChartOrigin
from scripts.charts.qoe_charts import QOE_CHARTS, qoe_chart
from scripts.charts.render import to_spec, to_svg
from scripts.charts.table_rows import PageLoadRow, QoePairRow, ServiceRow
from scripts.figures import catalogue
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
from tests.charts.specs import layers_of, marked, records, subtitle_of, title_of

LABELS = make_labels(CATALOGUE)
PAIRS = records(QoePairRow, qoe_tables()["qoe_pairs"].to_pylist())
TRIALS = records(ServiceRow, qoe_tables()["trial_services"].to_pylist())
LOADS = records(PageLoadRow, qoe_tables()["qoe_web"].to_pylist())


def spec_of(kind: str, pairs: list[QoePairRow] = PAIRS, loads: list[PageLoadRow] = LOADS) -> dict:
    return to_spec(qoe_chart(pairs, TRIALS, loads, SETTING, kind, LABELS))


def points_of(spec: dict) -> list[dict]:
    """The medians."""
    return [row for row in marked(spec, "point") if "label" in row]


def dots_of(spec: dict) -> list[dict]:
    """The loads of pages: those that ended and those that did not."""
    return [row for row in marked(spec, "point") if "censored" in row]


@pytest.mark.parametrize("kind", QOE_CHARTS)
def test_a_chart_is_a_metric_whose_points_are_the_medians_in_the_unit_of_the_axis(kind):
    spec, metric = spec_of(kind), QOE_CHARTS[kind].metric
    assert catalogue.CATALOGUE[metric].label == layers_of(spec, "point")[0]["encoding"]["x"]["title"]
    found = {(row["series"], row["row"]): row["value"] for row in points_of(spec)}
    expected = {
        (row.service, row.contender or "alone"): catalogue.CATALOGUE[metric].factor * row.median
        for row in PAIRS
        if row.metric == metric
    }
    assert expected == found and len(found) > 2


def test_alone_is_above_the_contenders():
    rows = sorted(points_of(spec_of("rtc-frames")), key=lambda point: point["y"])
    assert ["alone", CUBIC, VIDEO] == list(dict.fromkeys(point["row"] for point in rows))


def test_two_services_are_below_each_other_and_differ_in_colour_and_shape():
    spec = spec_of("rtc-frames")
    encoding = layers_of(spec, "point")[-1]["encoding"]
    assert [CALL, TEAMS] == encoding["color"]["scale"]["domain"]
    assert [LABELS.colours[CALL], LABELS.colours[TEAMS]] == encoding["color"]["scale"]["range"]
    assert len(set(encoding["shape"]["scale"]["range"])) == 2
    call, teams = (point["y"] for point in points_of(spec) if point["row"] == CUBIC)
    assert call < teams


def test_the_axis_of_a_metric_ends_at_the_largest_figure_of_all_settings():
    elsewhere = [replace(row, setting="50mbps", median=2 * (row.median or 0)) for row in PAIRS]
    largest = max(row.median for row in PAIRS if row.metric == "rtc_frames_per_s")
    (axis,) = {
        tuple(layer["encoding"]["x"]["scale"]["domain"])
        for layer in layers_of(spec_of("rtc-frames", [*PAIRS, *elsewhere]), "point")
    }
    assert (0, pytest.approx(1.06 * 2 * largest)) == axis


@pytest.mark.parametrize(("n", "seen"), [(6, "Lowest median"), (5, "Seen: lowest median")])
def test_the_title_has_the_worst_median_and_that_of_the_service_alone(n, seen):
    rows = [
        replace(row, n=n, median=1000.0 if (row.service, row.contender) == (VIDEO, CUBIC) else 3000.0)
        for row in PAIRS
    ]
    expected = f"{seen} bitrate 1.00 Mbps, {VIDEO} against {CUBIC} (3.00 Mbps alone)"
    assert expected == title_of(spec_of("video-bitrate", rows))


def test_a_title_says_when_all_medians_are_equal():
    rows = [replace(row, n=6, median=0.0) for row in PAIRS]
    assert "Stall time 0.0 s in every row" == title_of(spec_of("video-stalls", rows))


def test_a_band_is_the_interval_and_there_is_none_without_one():
    with_interval = [replace(row, low=1.6, high=2.6) if row.contender else row for row in PAIRS]
    for pairs, wanted in ((with_interval, {(1.6, 2.6)}), (PAIRS, set())):
        (bands,) = [
            one for one in layers_of(spec_of("web-load", pairs), "rule") if one["mark"].get("opacity")
        ]
        assert wanted == {(row["low"], row["high"]) for row in bands["data"]["values"]}


def test_a_trial_is_a_dot_at_the_median_of_its_loads():
    dots = dots_of(spec_of("web-load"))
    loads = [load.visually_complete_s for load in LOADS if (load.service, load.contender) == (PAGE, CUBIC)]
    assert [pytest.approx(sum(sorted(loads)[2:4]) / 2)] == [
        dot["value"] for dot in dots if (dot["series"], dot["row"]) == (PAGE, CUBIC)
    ]


def test_a_trial_whose_median_load_did_not_end_is_an_arrow():
    loads = [replace(load, censored=load.contender != "", visually_complete_s=45.0) for load in LOADS]
    spec = spec_of("web-load", loads=loads)
    shapes = {layer["mark"]["shape"]: layer for layer in layers_of(spec, "point") if "shape" in layer["mark"]}
    arrows, circles = (shapes[shape]["data"]["values"] for shape in ("triangle-right", "circle"))
    assert {True} == {row["row"] != "alone" for row in arrows} and {"alone"} == {
        row["row"] for row in circles
    }
    assert "Arrow: at least so long" in subtitle_of(spec)


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
    spec = spec_of("web-load", rows)
    assert f"{PAGE} against {CUBIC}, Page load time (s): {words}" in spec["description"]
    assert ([arrow] if arrow else []) == [(row["value"], row["text"]) for row in marked(spec, "text")]


def test_a_video_that_never_started_has_an_arrow_where_it_was_given_up():
    rows = [
        replace(row, median=90.0, q1=80.0, q3=90.0, censored=1, at_least=90.0)
        if (row.service, row.contender, row.metric) == (VIDEO, CUBIC, "video_startup_s")
        else row
        for row in PAIRS
    ]
    (text,) = marked(spec_of("video-startup", rows), "text")
    assert (90.0, "≥ 90 s") == (text["value"], text["text"])


def test_a_call_against_itself_has_a_row_for_each_instance_the_worse_off_first():
    rows = [
        replace(row, contender=CALL, instance=instance)
        for row in PAIRS
        if (row.service, row.contender) == (CALL, CUBIC)
        for instance in ("better_off", "worse_off")
    ]
    points = sorted(points_of(spec_of("rtc-frames", rows)), key=lambda point: point["y"])
    assert [f"{CALL}, worse-off instance", f"{CALL}, better-off instance"] == [row["row"] for row in points]
    assert {f"../pairs/{SETTING}/{CALL}~{CALL}/"} == {point["href"] for point in points}


def test_the_loads_of_excluded_trials_are_not_shown():
    excluded = [replace(load, valid=load.service != IMAGES) for load in LOADS]
    for loads, services in ((LOADS, {PAGE, IMAGES}), (excluded, {PAGE})):
        assert services == {dot["series"] for dot in dots_of(spec_of("web-load", loads=loads))}


def test_a_point_links_to_its_pair_or_to_the_service_alone():
    found = {(row["series"], row["row"]): row["href"] for row in points_of(spec_of("web-load"))}
    assert f"../pairs/{SETTING}/{CUBIC}~{PAGE}/" == found[PAGE, CUBIC]
    assert f"../pairs/{SETTING}/{BATCHED}~{IMAGES}/" == found[IMAGES, BATCHED]
    assert f"../solos/{SETTING}/{PAGE}/" == found[PAGE, "alone"]


def test_the_description_has_every_point():
    spec = spec_of("rtc-delay")
    assert f"{CALL} against {CUBIC}, Packets over 190 ms (%): 12.5, n = 1" in spec["description"]
    assert f"{TEAMS} alone, Packets over 190 ms (%): 0.0, n = 1" in spec["description"]
    assert to_svg(spec, ChartOrigin("demo", "2026-11-21", SETTING)).count("<a ") == 5


def test_three_services_at_once_are_named_by_both_contenders():
    rows = [replace(row, contender=f"{CUBIC}~{VIDEO}") for row in PAIRS if row.service == CALL]
    points = points_of(spec_of("rtc-frames", rows))
    assert {f"{CUBIC} and {VIDEO}"} == {point["row"] for point in points}
    assert {f"../pairs/{SETTING}/{CUBIC}~{CALL}~{VIDEO}/"} == {point["href"] for point in points}


def test_without_a_valid_trial_or_such_a_service_there_is_no_chart():
    unmeasured = [replace(row, median=None, n=0) for row in PAIRS]
    for rows in (unmeasured, records(QoePairRow, sample_tables()["qoe_pairs"].to_pylist())):
        for kind in QOE_CHARTS:
            assert qoe_chart(rows, TRIALS, LOADS, SETTING, kind, LABELS) is None


def test_every_chart_shows_a_known_metric():
    assert {chart.metric for chart in QOE_CHARTS.values()} <= set(catalogue.metrics_of("qoe_pairs"))
