"""No text of a chart overprints another, is cut, or is too small on a telephone, whatever the chart shows."""

import shutil
from dataclasses import replace

import pytest

from scripts.charts.bitrate import bitrate_chart
from scripts.charts.chart_labels import make_labels
from scripts.charts.cycle_charts import cycle_charts
from scripts.charts.heatmap import heatmap
from scripts.charts.heatmap_cells import HARMS, HEATMAPS
from scripts.charts.origin import ChartOrigin
from scripts.charts.render import to_spec, to_svg
from scripts.charts.sender_state import sender_state
from scripts.charts.setting_groups import sweep_groups
from scripts.charts.sweep_curves import sweep_chart
from scripts.charts.table_rows import PairRow, SenderRow, SlotRow, VideoSecondRow, WindowRow
from scripts.charts.timeline import timeline
from tests.charts.sample_sweep import PAIR, UNMEASURED, sweep_pairs, sweep_settings, swept_setting
from tests.charts.specs import records
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
    kinds_drawn = (
        "share dots over changes flows video rtc web slowdown completion k fmp models predictions fness"
    )
    assert {*kinds_drawn.split()} <= {name.split("-")[0] for name in found}
    assert {} == {name: wrong for name, wrong in found.items() if any(wrong)}


@pytest.mark.parametrize("missing", [{"unable": SERVICES[0]}, {"share_median": None}])
def test_a_heatmap_without_any_value(shown, missing):
    texts = shown(heatmap([replace(row, **missing) for row in PAIRS], SETTING, "share", LABELS))
    assert ([], []) == (texts.overlaps(), texts.cut())


TELEPHONE = 358
"""The width of a page's text on a telephone of 390 px."""

LONG = (SERVICES[4], SERVICES[7])
"""The services with the longest titles."""


@pytest.fixture
def legible(browser):
    """Whether a chart keeps its texts apart and whole, and legible on a telephone."""

    def legible(chart) -> bool:
        svg = to_svg(to_spec(chart), ORIGIN)
        texts: Texts = texts_of(browser, svg)
        assert ([], []) == (texts.overlaps(), texts.cut())
        return texts_of(browser, svg, min(TELEPHONE, texts.width)).smallest >= 10

    return legible


def slots(services: tuple[str, ...], count: int) -> tuple[list[SlotRow], list[WindowRow]]:
    """A trial of these services, and its clients."""
    clients = [(f"c{number}", service) for number, service in enumerate(services, start=1)]
    key = (SETTING, f"{LONG[0]}~{LONG[1]}", 1)
    series = [
        SlotRow(*key, client, service, slot, slot / 10, slot % 90 / 10, slot % 700, slot % 700)
        for client, service in clients
        for slot in range(count)
    ]
    return series, [
        WindowRow(*key, *client, True, 1.5, count / 10 - 0.5, 3.21, 8.0, 50.0) for client in clients
    ]


@pytest.mark.parametrize("count", [2, 11])
@pytest.mark.parametrize("duration_s", [5, 600])
def test_a_trial_over_time(legible, count, duration_s):
    services = (LONG[0], *[LONG[1]] * (count - 1))
    labels = replace(LABELS, queues={SETTING: 1024})
    assert legible(timeline(*slots(services, 10 * duration_s), labels))


@pytest.mark.parametrize("count", [2, 11])
def test_the_senders_of_a_trial(legible, count):
    """Every client has estimates, and a window of four digits."""
    duration_s, services = 600, (LONG[0], *[LONG[1]] * (count - 1))
    _, clients = slots(services, 10 * duration_s)
    samples = [
        SenderRow(
            *(client.setting, client.pair, client.trial, client.client, client.service),
            *(second, second + 0.5, 5, 9 * second, 4000, second / 60, second / 3),
        )
        for client in clients
        for second in range(duration_s)
    ]
    assert legible(sender_state(samples, clients, duration_s, LABELS))


@pytest.mark.parametrize("duration_s", [10, 600])
def test_the_bitrates_of_two_videos(legible, duration_s):
    seconds = [
        VideoSecondRow(SETTING, "~".join(LONG), 1, client, service, second, 8000.0, float(second == 7))
        for client, service in zip(("c1", "c2"), LONG, strict=True)
        for second in range(duration_s)
    ]
    assert legible(bitrate_chart(seconds, (2.5, duration_s - 2), LABELS))


@pytest.mark.parametrize(
    "settings",
    [
        sweep_settings(),
        sweep_settings(rates=(8, 50)),
        {
            f"link-{place}": swept_setting("Link", {"discipline": f"a discipline of queue {place}"})
            for place in range(6)
        },
        {f"link-{place}": swept_setting("Link", {"rtt_ms": 10 + place}) for place in range(30)},
    ],
)
def test_a_sweep(legible, settings):
    (sweep,) = sweep_groups(settings)
    row = {"pair": PAIR, "incumbent": LONG[0], "contender": LONG[1]} | UNMEASURED
    measured = [row | {"setting": name, "n": 6, "share_n": 6, "share_median": 0.8} for name in settings]
    table = sweep_pairs({})
    pairs = records(PairRow, table.from_pylist(measured, schema=table.schema).to_pylist())
    assert legible(sweep_chart(pairs, sweep, LABELS))


def test_the_charts_with_rows(legible, tmp_path):
    """One of each kind; the heatmaps have pages of their own shape."""
    kinds = {}
    for chart in cycle_charts(write_wide(tmp_path), CAMPAIGN):
        kind = chart.name.split(f"-{SETTING}")[0]
        if kind not in HEATMAPS | HARMS:
            kinds.setdefault((kind, chart.name.count("service-")), chart)
    drawn = [figure for chart in kinds.values() if (figure := chart.draw()) is not None]
    assert len(drawn) > 10
    assert all(legible(figure) for figure in drawn)
