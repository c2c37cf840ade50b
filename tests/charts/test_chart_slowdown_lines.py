"""The slowdown of two equal flows whose RTTs differ, and of flows alone by their size."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.completion_rows import CompletionRow, FlowRow
from scripts.charts.render import to_spec
from scripts.charts.slowdown_lines import MOST_DOTS, slowdown_by_rtt, slowdown_by_size
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
    flow,
)
from tests.charts.sample_completions import ONE as LISTED
from tests.charts.specs import layers_of, marked, rows_of, subtitle_of, title_of

CAMPAIGN = completions_campaign()
LABELS = make_labels(CAMPAIGN.services)
MEDIANS = {
    (SETTING, "first"): 1.75,
    (SETTING, "second"): 2.0,
    (OTHER, "first"): 1.5,
    (OTHER, "second"): 2.875,
}
RTTS = [
    figure(ONE, ONE, median, setting=setting, instance=instance)
    for (setting, instance), median in MEDIANS.items()
]


def rtt_spec(rows: list[CompletionRow] = RTTS, campaign: Campaign = CAMPAIGN) -> dict:
    return to_spec(slowdown_by_rtt(rows, campaign, LABELS))


def points_of(spec: dict) -> list[dict]:
    return [row for row in marked(spec, "point") if "label" in row]


def test_a_point_is_the_slowdown_of_a_flow_at_the_rtt_of_the_second():
    found = {(point["rtt_ms"], point["line"]): point["slowdown"] for point in points_of(rtt_spec())}
    assert found == {
        (20, "First flow"): 1.75,
        (20, "Second flow"): 2.0,
        (100, "First flow"): 1.5,
        (100, "Second flow"): 2.875,
    }


def test_both_flows_together_have_no_line():
    together = [replace(row, instance="both", median=9.0) for row in RTTS]
    assert {point["line"] for point in points_of(rtt_spec([*RTTS, *together]))} == {
        "First flow",
        "Second flow",
    }


def test_a_dashed_rule_is_where_both_flows_have_half_the_rate():
    rules = [row for row in marked(rtt_spec(), "rule") if "line" not in row]
    assert [{"slowdown": 2}] == rules


def test_equal_links_share_a_panel_and_other_links_have_their_own():
    one = rtt_spec()
    (panel,) = one["vconcat"]
    words = " ".join(panel["title"]["text"])
    assert words == f"{ONE}, first flow at 50 ms; 8 Mbps, drop-tail, 128 packets"
    longer = replace(CAMPAIGN.settings[OTHER], queue_packets=1000)
    campaign = replace(CAMPAIGN, settings=CAMPAIGN.settings | {OTHER: longer})
    two = rtt_spec(campaign=campaign)["vconcat"]
    assert ["128 packets", "1000 packets"] == [
        " ".join(panel["title"]["text"]).split(", ")[-1] for panel in two
    ]
    assert 1 == len({str(layers_of(panel, "line")[0]["encoding"]["y"]["scale"]) for panel in two})


def test_the_title_has_the_highest_median_with_its_rtt():
    assert title_of(rtt_spec()).startswith(f"Highest median slowdown 2.88, second flow at 100 ms, {ONE}, ")
    assert title_of(rtt_spec(RTTS[:1])).startswith(
        "Highest median slowdown 1.75, first flow beside one at 20 ms"
    )
    seen = rtt_spec([few(row) for row in RTTS])
    assert title_of(seen).startswith("Seen: highest median slowdown 2.88")


def test_a_flow_that_had_not_ended_is_a_lower_bound():
    rows = [*RTTS[:3], replace(RTTS[3], at_least=2.5, censored=1)]
    spec = rtt_spec(rows)
    assert "slowdown at least 2.88" in title_of(spec) and "Arrow: at least so much" in subtitle_of(spec)
    assert [rows[3].high] == [row["end"] for row in marked(spec, "point") if row["end"] is not None][:1]


def test_the_description_has_every_point_and_points_link_to_the_pair():
    spec = rtt_spec()
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
        [replace(row, median=None) for row in RTTS],
    ],
)
def test_without_two_equal_flows_there_is_no_chart(rows):
    assert slowdown_by_rtt(rows, CAMPAIGN, LABELS) is None


def test_where_the_second_client_has_no_rtt_of_its_own_there_is_no_chart():
    alike = {name: replace(setting, clients=()) for name, setting in CAMPAIGN.settings.items()}
    assert slowdown_by_rtt(RTTS, replace(CAMPAIGN, settings=alike), LABELS) is None


SECOND = "flows-web-bbr"
SIZE_LABELS = make_labels([WEB, SECOND, LISTED])
SMALL = {"size_class": "1 to 3 kB", "from_bytes": 1000, "to_bytes": 3000}
LARGE = {"size_class": "30 MB and more", "from_bytes": 30_000_000, "to_bytes": None}
SIZES = [
    figure(WEB, median=2.0, **SMALL),
    figure(WEB, median=1.5, **LARGE),
    figure(SECOND, median=2.25, **SMALL),
    figure(SECOND, median=4.125, **LARGE),
]
FLOWS = [flow(WEB), flow(SECOND, size_bytes=40_000_000, slowdown=7.0)]


def size_spec(rows: list[CompletionRow] = SIZES, flows: list[FlowRow] = FLOWS) -> dict:
    return to_spec(slowdown_by_size(rows, lambda: flows, SETTING, CAMPAIGN, SIZE_LABELS))


def test_a_point_is_the_median_of_a_size_class_in_its_middle():
    found = {
        (point["line"], point["size_class"]): (point["size_bytes"], point["slowdown"])
        for point in points_of(size_spec())
    }
    assert found[WEB, "1 to 3 kB"] == (pytest.approx(1732, abs=1), 2.0)
    assert found[SECOND, "30 MB and more"] == (pytest.approx(53.3e6, rel=0.01), 4.125)
    assert len(found) == 4


def test_sizes_are_on_a_logarithmic_axis_that_holds_every_flow():
    (line,) = layers_of(size_spec(), "line")
    scale = line["encoding"]["x"]["scale"]
    assert (scale["type"], scale["domain"][0]) == ("log", 1448)
    assert line["encoding"]["y"]["scale"]["domain"][1] > 7


def test_a_flow_is_a_dot_at_its_own_size_if_there_are_not_too_many():
    (dots,) = layers_of(size_spec(), "circle")
    assert [(row["size_bytes"], row["slowdown"]) for row in dots["data"]["values"]] == [
        *((1448, 2.5), (40_000_000, 7.0))
    ]
    many = size_spec(flows=[flow(WEB, trial=number) for number in range(MOST_DOTS + 1)])
    assert [] == marked(many, "circle") and "Small dot" not in subtitle_of(many)


def test_a_service_with_a_list_of_sizes_has_a_point_for_each_of_them():
    listed = [
        flow(LISTED, trial=trial, size_bytes=size, slowdown=slowdown + trial / 100)
        for trial in range(1, 7)
        for size, slowdown in ((1448, 2.0), (2896, 3.0))
    ]
    of_class = figure(LISTED, median=2.5, **SMALL)
    spec = size_spec([*SIZES, of_class], listed)
    points = [point for point in points_of(spec) if point["line"] == LISTED]
    assert [(1448, "1.45 kB", 2.035), (2896, "2.9 kB", 3.035)] == [
        (point["size_bytes"], point["size_class"], point["slowdown"]) for point in points
    ]
    assert slowdown_by_size([], lambda: listed[::2], SETTING, CAMPAIGN, SIZE_LABELS) is None


def test_flows_against_a_contender_are_not_shown():
    against = [replace(row, contender=BULK) for row in SIZES]
    spec = size_spec([*SIZES, *against], [*FLOWS, flow(WEB, BULK, slowdown=50.0)])
    assert len(points_of(spec)) == 4 and len(marked(spec, "circle")) == 2
    assert slowdown_by_size(against, lambda: FLOWS, SETTING, CAMPAIGN, SIZE_LABELS) is None


def test_the_services_differ_in_colour_dash_and_shape():
    point = layers_of(size_spec(), "point")[-1]["encoding"]
    assert point["color"]["scale"]["domain"] == [SECOND, WEB]
    assert len(set(point["shape"]["scale"]["range"])) == 2


def test_there_is_a_rule_at_the_ideal_and_at_two():
    rules = [rows_of({}, layer) for layer in layers_of(size_spec(), "rule")]
    assert [[{"slowdown": 1}], [{"slowdown": 2}]] == rules[:2]


def test_the_title_has_the_highest_median_of_those_with_enough_trials():
    assert title_of(size_spec()) == f"Highest median slowdown alone 4.1, {SECOND}, 30 MB and more"
    some = [*map(few, SIZES[2:]), *SIZES[:2]]
    assert title_of(size_spec(some)) == f"Highest median slowdown alone 2.0, {WEB}, 1 to 3 kB"
    assert title_of(size_spec([*map(few, SIZES)])).startswith("Seen: highest median slowdown alone 4.1")


def test_below_six_trials_there_is_no_interval():
    spec = size_spec([*map(few, SIZES)])
    bars = [layer for layer in layers_of(spec, "rule") if "y2" in layer["encoding"]]
    assert bars[0]["transform"] == [{"filter": "datum.low !== null"}]
    assert {None} == {row["low"] for row in rows_of(spec, bars[0])}


def test_a_lower_bound_has_an_arrow_at_its_end():
    bound = replace(SIZES[3], at_least=4.0, censored=2)
    spec = size_spec([*SIZES[:3], bound])
    arrows = [layer for layer in layers_of(spec, "point") if layer["mark"].get("yOffset")]
    assert [(4.125, bound.high)] == [(row["slowdown"], row["end"]) for row in rows_of(spec, arrows[0])]
    assert "Arrow: at least so much" in subtitle_of(spec) and "alone at least 4.1" in title_of(spec)
    assert f"≥ 4.12 (3.71 to ≥ {bound.high:.2f}), n = 6, 2 flows not ended" in spec["description"]
    assert "Arrow" not in subtitle_of(size_spec())
    assert "Arrow" in subtitle_of(size_spec(flows=[replace(FLOWS[0], censored=True)]))


def test_a_point_links_to_the_service_alone():
    assert {f"../solos/{SETTING}/{name}/" for name in (WEB, SECOND)} == {
        point["href"] for point in points_of(size_spec())
    }


def test_without_several_sizes_in_the_setting_there_is_no_chart():
    for rows in (SIZES[:1], [replace(row, setting=OTHER) for row in SIZES], [figure(WEB)], []):
        assert slowdown_by_size(rows, lambda: FLOWS, SETTING, CAMPAIGN, SIZE_LABELS) is None
