"""The wire rates of services alone."""

from scripts.charts.chart_labels import make_labels
from scripts.charts.render import to_spec
from scripts.charts.solo_rates import SoloRateRow, solo_rates
from tests.charts.sample_models import BBR, CUBIC, RENO, models_campaign
from tests.charts.specs import marked, title_of

CAMPAIGN = models_campaign()
LABELS = make_labels(CAMPAIGN.services, CAMPAIGN)
ROWS = [
    SoloRateRow("8mbps", BBR, 6, 7.5),
    SoloRateRow("8mbps", CUBIC, 6, 7.9),
    SoloRateRow("8mbps", RENO, 0, None),
]


def test_each_service_with_a_rate_has_a_bar_and_the_fastest_is_first():
    spec = to_spec(solo_rates(ROWS, "8mbps", LABELS))
    assert [7.9, 7.5] == [bar["value"] for bar in sorted(marked(spec, "bar"), key=lambda bar: bar["y"])]
    assert "Fastest alone: iPerf (Cubic): 7.90 Mbps, n = 6" == title_of(spec)
    assert solo_rates(ROWS, "50mbps", LABELS) is None
