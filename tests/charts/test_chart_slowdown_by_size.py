"""The slowdown of flows alone by their size."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.completion_rows import CompletionRow, FlowRow
from scripts.charts.render import to_spec
from scripts.charts.slowdown_by_size import MOST_DOTS, slowdown_by_size
from tests.charts.sample_completions import BULK, OTHER, SETTING, WEB, completions_campaign, few, figure, flow
from tests.charts.sample_completions import ONE as LISTED
from tests.charts.specs import layers_of, marked, rows_of, subtitle_of, title_of

SECOND = "flows-web-bbr"
LABELS = make_labels([WEB, SECOND, LISTED])
CAMPAIGN = completions_campaign()
SMALL = {"size_class": "1 to 3 kB", "from_bytes": 1000, "to_bytes": 3000}
LARGE = {"size_class": "30 MB and more", "from_bytes": 30_000_000, "to_bytes": None}
ROWS = [
    figure(WEB, median=2.0, **SMALL),
    figure(WEB, median=1.5, **LARGE),
    figure(SECOND, median=2.25, **SMALL),
    figure(SECOND, median=4.125, **LARGE),
]
FLOWS = [flow(WEB), flow(SECOND, size_bytes=40_000_000, slowdown=7.0)]


def spec_of(rows: list[CompletionRow] = ROWS, flows: list[FlowRow] = FLOWS) -> dict:
    return to_spec(slowdown_by_size(rows, lambda: flows, SETTING, CAMPAIGN, LABELS))


def points_of(spec: dict) -> list[dict]:
    return [row for row in marked(spec, "point") if "label" in row]


def test_a_point_is_the_median_of_a_size_class_in_its_middle():
    found = {
        (point["line"], point["size_class"]): (point["size_bytes"], point["slowdown"])
        for point in points_of(spec_of())
    }
    assert found[WEB, "1 to 3 kB"] == (pytest.approx(1732, abs=1), 2.0)
    assert found[SECOND, "30 MB and more"] == (pytest.approx(53.3e6, rel=0.01), 4.125)
    assert len(found) == 4


def test_sizes_are_on_a_logarithmic_axis_that_holds_every_flow():
    (line,) = layers_of(spec_of(), "line")
    scale = line["encoding"]["x"]["scale"]
    assert (scale["type"], scale["domain"][0]) == ("log", 1448)
    assert line["encoding"]["y"]["scale"]["domain"][1] > 7


def test_a_flow_is_a_dot_at_its_own_size_if_there_are_not_too_many():
    (dots,) = layers_of(spec_of(), "circle")
    assert [(row["size_bytes"], row["slowdown"]) for row in dots["data"]["values"]] == [
        *((1448, 2.5), (40_000_000, 7.0))
    ]
    many = spec_of(flows=[flow(WEB, trial=number) for number in range(MOST_DOTS + 1)])
    assert [] == marked(many, "circle") and "Small dot" not in subtitle_of(many)


def test_a_service_with_a_list_of_sizes_has_a_point_for_each_of_them():
    listed = [
        flow(LISTED, trial=trial, size_bytes=size, slowdown=slowdown + trial / 100)
        for trial in range(1, 7)
        for size, slowdown in ((1448, 2.0), (2896, 3.0))
    ]
    of_class = figure(LISTED, median=2.5, **SMALL)
    spec = spec_of([*ROWS, of_class], listed)
    points = [point for point in points_of(spec) if point["line"] == LISTED]
    assert [(1448, "1.45 kB", 2.035), (2896, "2.9 kB", 3.035)] == [
        (point["size_bytes"], point["size_class"], point["slowdown"]) for point in points
    ]
    assert slowdown_by_size([], lambda: listed[::2], SETTING, CAMPAIGN, LABELS) is None


def test_flows_against_a_contender_are_not_shown():
    against = [replace(row, contender=BULK) for row in ROWS]
    spec = spec_of([*ROWS, *against], [*FLOWS, flow(WEB, BULK, slowdown=50.0)])
    assert len(points_of(spec)) == 4 and len(marked(spec, "circle")) == 2
    assert slowdown_by_size(against, lambda: FLOWS, SETTING, CAMPAIGN, LABELS) is None


def test_the_services_differ_in_colour_dash_and_shape():
    point = layers_of(spec_of(), "point")[-1]["encoding"]
    assert point["color"]["scale"]["domain"] == [SECOND, WEB]
    assert len(set(point["shape"]["scale"]["range"])) == 2


def test_there_is_a_rule_at_the_ideal_and_at_two():
    rules = [rows_of({}, layer) for layer in layers_of(spec_of(), "rule")]
    assert [[{"slowdown": 1}], [{"slowdown": 2}]] == rules[:2]


def test_the_title_has_the_highest_median_of_those_with_enough_trials():
    assert title_of(spec_of()) == f"Highest median slowdown alone 4.1, {SECOND}, 30 MB and more"
    some = [*map(few, ROWS[2:]), *ROWS[:2]]
    assert title_of(spec_of(some)) == f"Highest median slowdown alone 2.0, {WEB}, 1 to 3 kB"
    assert title_of(spec_of([*map(few, ROWS)])).startswith("Seen: highest median slowdown alone 4.1")


def test_below_six_trials_there_is_no_interval():
    spec = spec_of([*map(few, ROWS)])
    bars = [layer for layer in layers_of(spec, "rule") if "y2" in layer["encoding"]]
    assert bars[0]["transform"] == [{"filter": "datum.low !== null"}]
    assert {None} == {row["low"] for row in rows_of(spec, bars[0])}


def test_a_lower_bound_has_an_arrow_at_its_end():
    bound = replace(ROWS[3], at_least=4.0, censored=2)
    spec = spec_of([*ROWS[:3], bound])
    arrows = [layer for layer in layers_of(spec, "point") if layer["mark"].get("yOffset")]
    assert [(4.125, bound.high)] == [(row["slowdown"], row["end"]) for row in rows_of(spec, arrows[0])]
    assert "Arrow: at least so much" in subtitle_of(spec) and "alone at least 4.1" in title_of(spec)
    assert f"≥ 4.12 (3.71 to ≥ {bound.high:.2f}), n = 6, 2 flows not ended" in spec["description"]
    assert "Arrow" not in subtitle_of(spec_of())
    assert "Arrow" in subtitle_of(spec_of(flows=[replace(FLOWS[0], censored=True)]))


def test_a_point_links_to_the_service_alone():
    assert {f"../solos/{SETTING}/{name}/" for name in (WEB, SECOND)} == {
        point["href"] for point in points_of(spec_of())
    }


def test_without_several_sizes_in_the_setting_there_is_no_chart():
    for rows in (ROWS[:1], [replace(row, setting=OTHER) for row in ROWS], [figure(WEB)], []):
        assert slowdown_by_size(rows, lambda: FLOWS, SETTING, CAMPAIGN, LABELS) is None
