"""What services get beside models: ratios to Mathis and Padhye, predictions from pairs, BBR by queue."""

from dataclasses import replace

import pytest

from scripts.charts.bbr_model import bbr_model
from scripts.charts.chart_labels import make_labels
from scripts.charts.model_charts import model_ratios, prediction_chart
from scripts.charts.render import to_spec
from scripts.charts.setting_groups import sweep_groups
from tests.charts.sample_models import (
    ALL,
    BBR,
    CUBIC,
    ONE,
    RENO,
    fractions,
    metric_row,
    models_campaign,
    predictions,
    queue_sweep,
)
from tests.charts.sample_sweep import QUEUES_BDP, swept_setting
from tests.charts.specs import layers_of, marked, rows_of, title_of

CAMPAIGN = models_campaign()
LABELS = make_labels(CAMPAIGN.services, CAMPAIGN)
BESIDE = f"{BBR}~{RENO}"
RATIOS = [
    metric_row(RENO, RENO, "mathis_ratio", 0.8),
    metric_row(RENO, RENO, "padhye_ratio", 1.0),
    metric_row(BESIDE, RENO, "mathis_ratio", 1.5),
    metric_row(BESIDE, RENO, "padhye_ratio", 2.5, n=5),
    metric_row(CUBIC, CUBIC, "mathis_ratio", 0.4),
]


def ratio_spec(rows=RATIOS) -> dict:
    return to_spec(model_ratios(rows, "8mbps", LABELS))


def test_each_service_and_what_it_meets_has_a_row_with_a_point_for_each_model():
    found = {(point["row"], point["line"]): point["value"] for point in marked(ratio_spec(), "point")}
    assert found == {
        ("iPerf (NewReno) alone", "Mathis"): 0.8,
        ("iPerf (NewReno) alone", "Padhye"): 1.0,
        ("iPerf (NewReno) against iPerf (BBR)", "Mathis"): 1.5,
        ("iPerf (NewReno) against iPerf (BBR)", "Padhye"): 2.5,
        ("iPerf (Cubic) alone", "Mathis"): 0.4,
    }


def test_a_point_has_its_interval_and_leads_to_the_page_of_its_pair_or_solo():
    points = {(point["row"], point["line"]): point for point in marked(ratio_spec(), "point")}
    alone = points["iPerf (NewReno) alone", "Mathis"]
    assert pytest.approx((0.7, 0.9)) == (alone["low"], alone["high"])
    assert f"../solos/8mbps/{RENO}/" == alone["href"]
    assert "iPerf (NewReno) alone, ratio to Mathis: 0.80 (0.70 to 0.90), n = 6" == alone["label"]
    few = points["iPerf (NewReno) against iPerf (BBR)", "Padhye"]
    assert (None, f"../pairs/8mbps/{BESIDE}/") == (few["low"], few["href"])
    assert few["label"].endswith(": 2.50, n = 5")


def test_no_two_points_are_at_one_place():
    points = marked(ratio_spec(), "point")
    assert len({point["y"] for point in points}) == len(points)


def test_a_dashed_line_marks_the_ratio_of_one_in_every_row():
    spec = ratio_spec()
    (dashed,) = [layer for layer in layers_of(spec, "rule") if layer["mark"].get("strokeDash")]
    assert [1, 1, 1] == [row["equal"] for row in rows_of(spec, dashed)]


def test_the_title_has_the_median_over_the_rows_with_enough_trials():
    assert title_of(ratio_spec()) == "Median ratio 0.80 to Mathis, 1.00 to Padhye"
    assert title_of(ratio_spec(RATIOS[3:4])) == "Seen: median ratio 2.50 to Padhye"


@pytest.mark.parametrize(
    "row",
    [
        metric_row(RENO, RENO, "mathis_ratio", None),
        metric_row(RENO, RENO, "mathis_ratio", 0.8, setting="50mbps"),
        metric_row(BESIDE, BBR, "link_fraction", 0.8),
    ],
)
def test_without_a_ratio_in_the_setting_there_is_no_chart(row):
    assert model_ratios([row], "8mbps", LABELS) is None


@pytest.mark.parametrize(
    ("ratios", "domain"),
    [((0.9, 1.1), (0.5, 2)), ((0.0, 93.0), (0.1 / 1.1, 93.1 * 1.1)), ((0.2, 1.0), (0.1 / 1.1, 2))],
)
def test_the_axis_is_logarithmic_and_has_every_ratio_that_is_not_zero(ratios, domain):
    """The intervals are 0.1 to both sides."""
    rows = [
        metric_row(name, CUBIC, "mathis_ratio", ratio)
        for name, ratio in zip((CUBIC, f"{BBR}~{CUBIC}"), ratios, strict=True)
    ]
    (point,) = layers_of(ratio_spec(rows), "point")
    scale, axis = point["encoding"]["x"]["scale"], point["encoding"]["x"]["axis"]
    assert ("log", True, pytest.approx(domain)) == (scale["type"], scale["clamp"], tuple(scale["domain"]))
    assert 1 in axis["values"] and all(domain[0] <= tick <= domain[1] for tick in axis["values"])


NAME = "iPerf (BBR), iPerf (Cubic) and iPerf (NewReno)"


def prediction_spec(rows=None) -> dict:
    return to_spec(prediction_chart(predictions() if rows is None else rows, "8mbps", LABELS))


def test_each_service_of_a_combination_has_a_point_and_a_bar_in_its_row():
    spec = prediction_spec()
    points = {point["line"]: point for point in marked(spec, "point")}
    (bars,) = [layer for layer in layers_of(spec, "rule") if layer["encoding"]["x"]["field"] == "predicted"]
    bar_of = {row["line"]: row for row in rows_of(spec, bars)}
    expected = {"iPerf (BBR)": (60, 40), "iPerf (Cubic)": (30, 35), "iPerf (NewReno)": (5, 20)}
    assert {NAME} == {point["row"] for point in points.values()}
    for line, (measured, predicted) in expected.items():
        assert pytest.approx((measured, predicted)) == (points[line]["value"], bar_of[line]["predicted"])
        assert bar_of[line]["top"] < points[line]["y"] < bar_of[line]["bottom"]
    assert len({point["y"] for point in points.values()}) == len(expected)


def test_a_point_has_its_interval_and_leads_to_the_page_of_the_combination():
    (point,) = [point for point in marked(prediction_spec(), "point") if point["line"] == "iPerf (BBR)"]
    assert pytest.approx((50, 70)) == (point["low"], point["high"])
    assert f"../pairs/8mbps/{ALL}/" == point["href"]
    assert point["label"] == (
        f"iPerf (BBR) in {NAME}: 60.0 % (50.0 to 70.0 %), n = 6; predicted 40.0 %; "
        "error in percentage points 20.0 (10.0 to 30.0), n = 6"
    )


def test_the_title_says_who_is_furthest_from_its_prediction():
    words = (
        "iPerf (BBR) against iPerf (Cubic) and iPerf (NewReno), 20.0 percentage points more than predicted"
    )
    assert title_of(prediction_spec()) == f"Largest median error: {words}"
    assert title_of(prediction_spec(predictions(n=5))) == f"Largest error seen: {words}"
    less = [row for row in predictions() if row.service != BBR]
    assert title_of(prediction_spec(less)).endswith("15.0 percentage points less than predicted")


def test_a_combination_of_several_clients_of_one_service_counts_them():
    pair = f"{BBR}~{BBR}~{CUBIC}"
    rows = [metric_row(pair, BBR, row.metric, row.median) for row in predictions() if row.service == BBR]
    assert {"2 × iPerf (BBR) and iPerf (Cubic)"} == {
        point["row"] for point in marked(prediction_spec(rows), "point")
    }


def test_without_a_prediction_there_is_no_chart():
    measured = [row for row in predictions() if row.metric == "measured_fraction"]
    assert prediction_chart(measured, "8mbps", LABELS) is None
    assert prediction_chart(predictions(), "50mbps", LABELS) is None


(SWEEP,) = sweep_groups(queue_sweep())
AGAINST = "against iPerf (Cubic)"


def bbr_spec(rows=None, sweep=SWEEP) -> dict:
    return to_spec(bbr_model(fractions() if rows is None else rows, sweep, CAMPAIGN, LABELS))


def test_each_number_of_bbr_clients_has_a_panel_and_each_opponent_a_line():
    spec = bbr_spec()
    panels = {
        panel["title"]["text"][0]: {point["line"] for point in marked(panel, "point")}
        for panel in spec["vconcat"]
    }
    assert panels == {
        "iPerf (BBR)": {AGAINST, "against 16 × iPerf (Cubic)"},
        "2 × iPerf (BBR)": {"against iPerf (NewReno)"},
    }


def test_a_point_is_the_median_in_percent_with_its_interval_and_links_to_its_pair():
    found = {point["at"]: point for point in marked(bbr_spec(), "point") if point["line"] == AGAINST}
    assert [*QUEUES_BDP] == [*found]
    point = found[0.5]
    assert pytest.approx((55, 45, 65)) == (point["fraction"], point["low"], point["high"])
    assert f"../pairs/link-0/{ONE}/" == point["href"]
    assert point["label"] == (
        "iPerf (BBR) against iPerf (Cubic), Queue (bandwidth-delay products): 0.5: "
        "55.0 % (45.0 to 65.0 %), n = 6; model 60.0 %"
    )


def test_the_dashed_line_is_the_model_of_its_panel():
    spec = bbr_spec()
    lines = [layer for layer in layers_of(spec, "line") if layer["mark"].get("strokeDash")]
    models = [sorted({row["model"] for row in rows_of(spec, layer)}) for layer in lines]
    assert [pytest.approx([60.0]), pytest.approx([70.0])] == models
    assert all({*QUEUES_BDP} == {row["at"] for row in rows_of(spec, layer)} for layer in lines)


def test_the_title_has_the_median_error_over_the_cells_with_enough_trials():
    """The errors are 5, 2 and 10 percentage points, in four queues each."""
    assert title_of(bbr_spec()) == "Median error of the model over 12 cells: 5.0 percentage points"
    few = metric_row(ONE, "iperf-bbr", "link_fraction", 0.9, n=5, setting="link-0", model_median=0.1)
    assert "over 12 cells: 5.0" in title_of(bbr_spec([*fractions(), few]))
    seen = "Seen: median error of the model over 1 cell: 80.0 percentage points"
    assert title_of(bbr_spec([few])) == seen


def outside(row):
    """A figure where the model does not hold."""
    return replace(row, model_median=None, reason="fewer than five ProbeRTT cycles")


def test_where_the_model_does_not_hold_there_are_points_without_it():
    first, *others = fractions()
    spec = bbr_spec([outside(first), *others])
    (point,) = [point for point in marked(spec, "point") if point["model"] is None]
    assert point["label"].endswith("n = 6; no model: fewer than five ProbeRTT cycles")
    assert "over 11 cells" in title_of(spec)
    lines = [layer for layer in layers_of(spec, "line") if layer["mark"].get("strokeDash")]
    assert all(row["model"] is not None for layer in lines for row in rows_of(spec, layer))
    nowhere = bbr_spec([outside(row) for row in fractions()])
    assert "What BBR gets where its model does not hold" == title_of(nowhere)


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [replace(row, setting="8mbps") for row in fractions()],
        [replace(row, metric="link_fraction_error") for row in fractions()],
        [replace(row, median=None) for row in fractions()],
    ],
)
def test_without_a_pair_of_the_model_in_the_sweep_there_is_no_chart(rows):
    assert bbr_model(rows, SWEEP, CAMPAIGN, LABELS) is None


@pytest.mark.parametrize("keys", [{"rate_mbps": 8}, {"queue_bdp": 1, "rate_mbps": 8}])
def test_another_sweep_has_no_chart(keys):
    """The rows have the names of its settings."""
    settings = {
        f"link-{place}": swept_setting("Link", {key: value * (place + 1) for key, value in keys.items()})
        for place in range(4)
    }
    (sweep,) = sweep_groups(settings)
    assert bbr_model(fractions(), sweep, CAMPAIGN, LABELS) is None


@pytest.mark.parametrize("spec_of", [ratio_spec, prediction_spec, bbr_spec])
def test_every_point_is_in_the_description(spec_of):
    spec = spec_of()
    assert all(point["label"] in spec["description"] for point in marked(spec, "point"))
