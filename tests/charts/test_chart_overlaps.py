"""No text of a chart overprints another or is cut: fifteen services, long names, every kind of cell."""

import shutil
from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.cycle_charts import cycle_charts
from scripts.charts.heatmap import heatmap
from scripts.charts.heatmap_cells import HARMS, HEATMAPS
from scripts.charts.origin import ChartOrigin
from scripts.charts.render import to_spec, to_svg
from tests.charts.text_boxes import Texts, texts_of
from tests.charts.wide_cycle import SERVICES, SETTING, wide_campaign, wide_pairs, write_wide

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium"),
]

CAMPAIGN = wide_campaign()
PAIRS = wide_pairs()
LABELS = make_labels(CAMPAIGN.services, CAMPAIGN)
ORIGIN = ChartOrigin("a-campaign-with-a-long-name", "2026-11-21-2", SETTING)
TITLES = [service.title for service in CAMPAIGN.services.values()]


@pytest.fixture
def shown(browser):
    """The texts of a chart as the browser lays them out."""

    def shown(chart) -> Texts:
        return texts_of(browser, to_svg(to_spec(chart), ORIGIN))

    return shown


@pytest.mark.parametrize("count", [1, 2, 6, 15])
@pytest.mark.parametrize("kind", HEATMAPS | HARMS)
def test_a_heatmap_has_every_name_whole(shown, kind, count):
    kept = [row for row in PAIRS if {row.incumbent, row.contender} <= {*SERVICES[-count:]}]
    texts = shown(heatmap(kept, SETTING, kind, LABELS))
    assert ([], []) == (texts.overlaps(), texts.cut())
    words = " ".join(line.text for line in texts.lines)
    assert "…" not in words
    assert all(all(word in words for word in title.split()) for title in TITLES[-count:])
    assert texts.smallest >= 12


@pytest.mark.parametrize("most", [2, pytest.param(20, marks=pytest.mark.soak(minutes=1))])
def test_no_text_of_any_chart_of_a_cycle_overlaps_or_is_cut(shown, tmp_path, most):
    """The first and the last ones of every kind."""
    kinds: dict[str, list] = {}
    for chart in cycle_charts(write_wide(tmp_path), CAMPAIGN):
        kinds.setdefault(chart.name.split("-")[0], []).append(chart)
    found = {}
    for chart in [one for kind in kinds.values() for one in (*kind[: most // 2], *kind[-most // 2 :])]:
        if (figure := chart.draw()) is not None:
            texts = shown(figure)
            found[chart.name] = (texts.overlaps(), texts.cut())
    assert {
        "share",
        "dots",
        "changes",
        "flows",
        "video",
        "rtc",
        "web",
        "slowdown",
        "completion",
        "k",
        "fmp",
        "models",
        "predictions",
        "fness",
    } <= {name.split("-")[0] for name in found}
    assert {} == {name: wrong for name, wrong in found.items() if any(wrong)}


@pytest.mark.parametrize("missing", [{"unable": SERVICES[0]}, {"share_median": None}])
def test_a_heatmap_without_any_value(shown, missing):
    texts = shown(heatmap([replace(row, **missing) for row in PAIRS], SETTING, "share", LABELS))
    assert ([], []) == (texts.overlaps(), texts.cut())
