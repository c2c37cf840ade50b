"""The slowdown of two equal flows whose RTTs differ."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.completion_rows import CompletionRow
from scripts.charts.render import to_spec
from scripts.charts.slowdown_by_rtt import slowdown_by_rtt
from scripts.model.campaign import Campaign
from tests.charts.sample_completions import (
    BULK,
    ONE,
    OTHER,
    SETTING,
    WEB,
    completions_campaign,
    few,
    figure,
)
from tests.charts.specs import layers_of, marked, subtitle_of, title_of

CAMPAIGN = completions_campaign()
LABELS = make_labels(CAMPAIGN.services)
MEDIANS = {
    (SETTING, "first"): 1.75,
    (SETTING, "second"): 2.0,
    (OTHER, "first"): 1.5,
    (OTHER, "second"): 2.875,
}
ROWS = [
    figure(ONE, ONE, median, setting=setting, instance=instance)
    for (setting, instance), median in MEDIANS.items()
]


def spec_of(rows: list[CompletionRow] = ROWS, campaign: Campaign = CAMPAIGN) -> dict:
    return to_spec(slowdown_by_rtt(rows, campaign, LABELS))


def points_of(spec: dict) -> list[dict]:
    return [row for row in marked(spec, "point") if "label" in row]


def test_a_point_is_the_slowdown_of_a_flow_at_the_rtt_of_the_second():
    found = {(point["rtt_ms"], point["line"]): point["slowdown"] for point in points_of(spec_of())}
    assert found == {
        (20, "First flow"): 1.75,
        (20, "Second flow"): 2.0,
        (100, "First flow"): 1.5,
        (100, "Second flow"): 2.875,
    }


def test_both_flows_together_have_no_line():
    together = [replace(row, instance="both", median=9.0) for row in ROWS]
    assert {point["line"] for point in points_of(spec_of([*ROWS, *together]))} == {
        "First flow",
        "Second flow",
    }


def test_a_dashed_rule_is_where_both_flows_have_half_the_rate():
    rules = [row for row in marked(spec_of(), "rule") if "line" not in row]
    assert [{"slowdown": 2}] == rules


def test_equal_links_share_a_panel_and_other_links_have_their_own():
    one = spec_of()
    (panel,) = one["vconcat"]
    words = " ".join(panel["title"]["text"])
    assert words == f"{ONE}, first flow at 50 ms; 8 Mbps, drop-tail, 128 packets"
    longer = replace(CAMPAIGN.settings[OTHER], queue_packets=1000)
    campaign = replace(CAMPAIGN, settings=CAMPAIGN.settings | {OTHER: longer})
    two = spec_of(campaign=campaign)["vconcat"]
    assert ["128 packets", "1000 packets"] == [
        " ".join(panel["title"]["text"]).split(", ")[-1] for panel in two
    ]
    assert 1 == len({str(layers_of(panel, "line")[0]["encoding"]["y"]["scale"]) for panel in two})


def test_the_title_has_the_highest_median_with_its_rtt():
    assert title_of(spec_of()).startswith(f"Highest median slowdown 2.88, second flow at 100 ms, {ONE}, ")
    assert title_of(spec_of(ROWS[:1])).startswith(
        "Highest median slowdown 1.75, first flow beside one at 20 ms"
    )
    seen = spec_of([few(row) for row in ROWS])
    assert title_of(seen).startswith("Seen: highest median slowdown 2.88")


def test_a_flow_that_had_not_ended_is_a_lower_bound():
    rows = [*ROWS[:3], replace(ROWS[3], at_least=2.5, censored=1)]
    spec = spec_of(rows)
    assert "slowdown at least 2.88" in title_of(spec) and "Arrow: at least so much" in subtitle_of(spec)
    assert [rows[3].high] == [row["end"] for row in marked(spec, "point") if row["end"] is not None][:1]


def test_the_description_has_every_point_and_points_link_to_the_pair():
    spec = spec_of()
    assert f"second flow at 100 ms, {ONE}, first flow at 50 ms" in spec["description"]
    assert "128 packets: 2.88 (2.59 to 3.16), n = 6" in spec["description"]
    assert {f"../pairs/{setting}/{ONE}~{ONE}/" for setting in (SETTING, OTHER)} == {
        point["href"] for point in points_of(spec)
    }


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [figure(ONE, BULK)],
        [figure(WEB, WEB, instance="second")],
        [figure(ONE)],
        [replace(row, median=None) for row in ROWS],
    ],
)
def test_without_two_equal_flows_there_is_no_chart(rows):
    assert slowdown_by_rtt(rows, CAMPAIGN, LABELS) is None


def test_where_the_second_client_has_no_rtt_of_its_own_there_is_no_chart():
    alike = {name: replace(setting, clients=()) for name, setting in CAMPAIGN.settings.items()}
    assert slowdown_by_rtt(ROWS, replace(CAMPAIGN, settings=alike), LABELS) is None
