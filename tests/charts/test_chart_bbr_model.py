"""What BBR takes from loss-based flows, beside the model: the points, the model's line, and the title."""

from dataclasses import replace

import pytest

from scripts.charts.bbr_model import bbr_model
from scripts.charts.chart_labels import make_labels
from scripts.charts.render import to_spec
from scripts.charts.sweep_groups import sweep_groups
from tests.charts.sample_models import ONE, fractions, metric_row, models_campaign, queue_sweep
from tests.charts.sample_sweep import QUEUES_BDP, swept_setting
from tests.charts.specs import layers_of, marked, rows_of, title_of

CAMPAIGN = models_campaign()
LABELS = make_labels(CAMPAIGN.services, CAMPAIGN)
(SWEEP,) = sweep_groups(queue_sweep())
AGAINST = "against iPerf (Cubic)"


def spec_of(rows=None, sweep=SWEEP) -> dict:
    return to_spec(bbr_model(fractions() if rows is None else rows, sweep, CAMPAIGN, LABELS))


def test_each_number_of_bbr_clients_has_a_panel_and_each_opponent_a_line():
    spec = spec_of()
    panels = {
        panel["title"]["text"][0]: {point["line"] for point in marked(panel, "point")}
        for panel in spec["vconcat"]
    }
    assert panels == {
        "iPerf (BBR)": {AGAINST, "against 16 × iPerf (Cubic)"},
        "2 × iPerf (BBR)": {"against iPerf (NewReno)"},
    }


def test_a_point_is_the_median_in_percent_with_its_interval_and_links_to_its_pair():
    found = {point["at"]: point for point in marked(spec_of(), "point") if point["line"] == AGAINST}
    assert [*QUEUES_BDP] == [*found]
    point = found[0.5]
    assert pytest.approx((55, 45, 65)) == (point["fraction"], point["low"], point["high"])
    assert f"../pairs/link-0/{ONE}/" == point["href"]
    assert point["label"] == (
        "iPerf (BBR) against iPerf (Cubic), Queue (bandwidth-delay products): 0.5: "
        "55.0 % (45.0 to 65.0 %), n = 6; model 60.0 %"
    )


def test_the_dashed_line_is_the_model_of_its_panel():
    spec = spec_of()
    lines = [layer for layer in layers_of(spec, "line") if layer["mark"].get("strokeDash")]
    models = [sorted({row["model"] for row in rows_of(spec, layer)}) for layer in lines]
    assert [pytest.approx([60.0]), pytest.approx([70.0])] == models
    assert all({*QUEUES_BDP} == {row["at"] for row in rows_of(spec, layer)} for layer in lines)


def test_the_title_has_the_median_error_over_the_cells_with_enough_trials():
    """The errors are 5, 2 and 10 percentage points, in four queues each."""
    assert title_of(spec_of()) == "Median error of the model over 12 cells: 5.0 percentage points"
    few = metric_row(ONE, "iperf-bbr", "link_fraction", 0.9, n=5, setting="link-0", model_median=0.1)
    assert "over 12 cells: 5.0" in title_of(spec_of([*fractions(), few]))
    seen = "Seen: median error of the model over 1 cell: 80.0 percentage points"
    assert title_of(spec_of([few])) == seen


def test_every_point_is_in_the_description():
    spec = spec_of()
    assert all(point["label"] in spec["description"] for point in marked(spec, "point"))


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [replace(row, setting="8mbps") for row in fractions()],
        [replace(row, model_median=None) for row in fractions()],
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
