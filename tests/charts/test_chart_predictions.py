"""What each of three services gets, beside the part of the link predicted from pairs."""

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.predictions import prediction_chart
from scripts.charts.render import to_spec
from tests.charts.sample_models import ALL, BBR, CUBIC, metric_row, models_campaign, predictions
from tests.charts.specs import layers_of, marked, rows_of, title_of

CAMPAIGN = models_campaign()
LABELS = make_labels(CAMPAIGN.services, CAMPAIGN)
NAME = "iPerf (BBR), iPerf (Cubic) and iPerf (NewReno)"


def spec_of(rows=None) -> dict:
    return to_spec(prediction_chart(predictions() if rows is None else rows, "8mbps", LABELS))


def test_each_service_of_a_combination_has_a_point_and_a_bar_in_its_row():
    spec = spec_of()
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
    (point,) = [point for point in marked(spec_of(), "point") if point["line"] == "iPerf (BBR)"]
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
    assert title_of(spec_of()) == f"Furthest from its prediction: {words}"
    assert title_of(spec_of(predictions(n=5))) == f"Seen furthest from its prediction: {words}"
    less = [row for row in predictions() if row.service != BBR]
    assert title_of(spec_of(less)).endswith("15.0 percentage points less than predicted")


def test_a_combination_of_several_clients_of_one_service_counts_them():
    pair = f"{BBR}~{BBR}~{CUBIC}"
    rows = [metric_row(pair, BBR, row.metric, row.median) for row in predictions() if row.service == BBR]
    assert {"2 × iPerf (BBR) and iPerf (Cubic)"} == {point["row"] for point in marked(spec_of(rows), "point")}


def test_without_a_prediction_there_is_no_chart():
    measured = [row for row in predictions() if row.metric == "measured_fraction"]
    assert prediction_chart(measured, "8mbps", LABELS) is None
    assert prediction_chart(predictions(), "50mbps", LABELS) is None


def test_every_point_is_in_the_description():
    spec = spec_of()
    assert all(point["label"] in spec["description"] for point in marked(spec, "point"))
