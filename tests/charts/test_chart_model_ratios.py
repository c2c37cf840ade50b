"""The goodput of Cubic and Reno beside the models of Mathis and Padhye."""

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.model_ratios import model_ratios
from scripts.charts.render import to_spec
from tests.charts.sample_models import BBR, CUBIC, RENO, metric_row, models_campaign
from tests.charts.specs import layers_of, marked, rows_of, title_of

CAMPAIGN = models_campaign()
LABELS = make_labels(CAMPAIGN.services, CAMPAIGN)
BESIDE = f"{BBR}~{RENO}"
ROWS = [
    metric_row(RENO, RENO, "mathis_ratio", 0.8),
    metric_row(RENO, RENO, "padhye_ratio", 1.0),
    metric_row(BESIDE, RENO, "mathis_ratio", 1.5),
    metric_row(BESIDE, RENO, "padhye_ratio", 2.5, n=5),
    metric_row(CUBIC, CUBIC, "mathis_ratio", 0.4),
]


def spec_of(rows=ROWS) -> dict:
    return to_spec(model_ratios(rows, "8mbps", LABELS))


def test_each_service_and_what_it_meets_has_a_row_with_a_point_for_each_model():
    found = {(point["row"], point["line"]): point["value"] for point in marked(spec_of(), "point")}
    assert found == {
        ("iPerf (NewReno) alone", "Mathis"): 0.8,
        ("iPerf (NewReno) alone", "Padhye"): 1.0,
        ("iPerf (NewReno) against iPerf (BBR)", "Mathis"): 1.5,
        ("iPerf (NewReno) against iPerf (BBR)", "Padhye"): 2.5,
        ("iPerf (Cubic) alone", "Mathis"): 0.4,
    }


def test_a_point_has_its_interval_and_leads_to_the_page_of_its_pair_or_solo():
    points = {(point["row"], point["line"]): point for point in marked(spec_of(), "point")}
    alone = points["iPerf (NewReno) alone", "Mathis"]
    assert pytest.approx((0.7, 0.9)) == (alone["low"], alone["high"])
    assert f"../solos/8mbps/{RENO}/" == alone["href"]
    assert "iPerf (NewReno) alone, ratio to Mathis: 0.80 (0.70 to 0.90), n = 6" == alone["label"]
    few = points["iPerf (NewReno) against iPerf (BBR)", "Padhye"]
    assert (None, f"../pairs/8mbps/{BESIDE}/") == (few["low"], few["href"])
    assert few["label"].endswith(": 2.50, n = 5")


def test_no_two_points_are_at_one_place():
    points = marked(spec_of(), "point")
    assert len({point["y"] for point in points}) == len(points)


def test_a_dashed_line_marks_the_ratio_of_one_in_every_row():
    spec = spec_of()
    (dashed,) = [layer for layer in layers_of(spec, "rule") if layer["mark"].get("strokeDash")]
    assert [1, 1, 1] == [row["equal"] for row in rows_of(spec, dashed)]


def test_the_title_has_the_median_over_the_rows_with_enough_trials():
    assert title_of(spec_of()) == "Median ratio 0.80 to Mathis, 1.00 to Padhye"
    assert title_of(spec_of(ROWS[3:4])) == "Seen: median ratio 2.50 to Padhye"


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


def test_every_point_is_in_the_description():
    spec = spec_of()
    assert all(point["label"] in spec["description"] for point in marked(spec, "point"))


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
    (point,) = layers_of(spec_of(rows), "point")
    scale, axis = point["encoding"]["x"]["scale"], point["encoding"]["x"]["axis"]
    assert ("log", True, pytest.approx(domain)) == (scale["type"], scale["clamp"], tuple(scale["domain"]))
    assert 1 in axis["values"] and all(domain[0] <= tick <= domain[1] for tick in axis["values"])
