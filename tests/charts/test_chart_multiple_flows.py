"""Services of several flows: a panel each, with what every incumbent keeps against it."""

import pytest

from scripts.charts.flows import flows_chart
from scripts.charts.labels import make_labels
from scripts.charts.render import to_spec
from tests.charts.sample_cycle import SERVICES, sample_tables
from tests.charts.sample_panel import BATCHED, CATALOGUE, CUBIC, SETTING, VIDEO, panel_tables
from tests.charts.specs import rows_of

LABELS = make_labels([*CATALOGUE, *SERVICES])
PAIRS = panel_tables()["pairs"].to_pylist()
WORKLOADS = panel_tables()["workloads"].to_pylist()


def spec_of(pairs: list[dict] = PAIRS, workloads: list[dict] = WORKLOADS) -> dict:
    return to_spec(flows_chart(pairs, workloads, SETTING, LABELS))


def points_of(spec: dict, panel: dict) -> list[dict]:
    (layer,) = [one for one in panel["layer"] if one["mark"]["type"] == "point"]
    return rows_of(spec, layer, panel)


def test_each_service_of_several_flows_is_a_panel_with_its_flows_most_flows_first():
    assert [panel["title"]["text"] for panel in spec_of()["hconcat"]] == [
        [BATCHED, "6 flows"],
        [VIDEO, "4 flows"],
    ]


def test_flows_that_were_not_measured_are_said_to_be_declared():
    unmeasured = [row | {"flows_measured": None} for row in WORKLOADS]
    titles = [panel["title"]["text"] for panel in spec_of(workloads=unmeasured)["hconcat"]]
    assert titles == [[BATCHED, "5 flows declared"], [VIDEO, "4 flows declared"]]


def test_a_point_is_the_share_of_an_incumbent_in_percent_on_axes_that_can_be_compared():
    spec = spec_of()
    domains = set()
    for contender, panel in zip((BATCHED, VIDEO), spec["hconcat"], strict=True):
        expected = {
            row["incumbent"]: (pytest.approx(100 * row["share_median"]), f"../pairs/{SETTING}/{row['pair']}/")
            for row in PAIRS
            if row["contender"] == contender
        }
        assert expected == {
            point["service"]: (point["value"], point["href"]) for point in points_of(spec, panel)
        }
        domains |= {tuple(one["encoding"]["x"]["scale"]["domain"]) for one in panel["layer"]}
    assert len(domains) == 1


def test_the_fair_share_is_a_line():
    spec = spec_of()
    (rule,) = [one for one in spec["hconcat"][0]["layer"] if "y" not in one["encoding"]]
    assert [row["value"] for row in rows_of(spec, rule)] == [100]


def test_a_page_of_many_flows_is_no_cell_and_has_no_panel():
    rows = [row | {"flows_measured": 9.0} for row in WORKLOADS if row["category"] == "Web"]
    assert len(rows) == 2 and flows_chart(PAIRS, rows, SETTING, LABELS) is None


def test_where_every_service_has_one_flow_there_is_no_chart():
    tables = sample_tables()
    rows = tables["pairs"].to_pylist(), tables["workloads"].to_pylist()
    assert rows[1] and flows_chart(*rows, "8mbps", LABELS) is None


def test_the_description_tells_every_share_with_the_flows():
    (row,) = [row for row in PAIRS if (row["incumbent"], row["contender"]) == (CUBIC, BATCHED)]
    told = f"{CUBIC} against {BATCHED}: {100 * row['share_median']:.0f} %, n = 1 (6 flows)"
    assert told in spec_of()["description"]
