"""Services with several flows: a panel each, with the share that every incumbent keeps."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.multiple_flows import multiple_flows_chart
from scripts.charts.render import to_spec
from scripts.charts.table_rows import PairRow, WorkloadRow
from tests.charts.sample_campaign import SERVICES
from tests.charts.sample_cycle import sample_tables
from tests.charts.sample_qoe import BATCHED, CATALOGUE, CUBIC, IMAGES, PAGE, SETTING, VIDEO, qoe_tables
from tests.charts.specs import records, rows_of

LABELS = make_labels([*CATALOGUE, *SERVICES])
PAIRS = records(PairRow, qoe_tables()["pairs"].to_pylist())
WORKLOADS = records(WorkloadRow, qoe_tables()["workloads"].to_pylist())


def spec_of(pairs: list[PairRow] = PAIRS, workloads: list[WorkloadRow] = WORKLOADS) -> dict:
    return to_spec(multiple_flows_chart(pairs, workloads, SETTING, LABELS))


def points_of(spec: dict, panel: dict) -> list[dict]:
    (layer,) = [one for one in panel["layer"] if one["mark"]["type"] == "point"]
    return rows_of(spec, layer, panel)


def test_each_service_of_several_flows_is_a_panel_with_its_flows_most_flows_first():
    assert [panel["title"]["text"] for panel in spec_of()["hconcat"]] == [
        [BATCHED, "6 flows"],
        [VIDEO, "4 flows"],
    ]


def test_flows_that_were_not_measured_are_labelled_as_declared():
    unmeasured = [replace(row, flows_measured=None) for row in WORKLOADS]
    titles = [panel["title"]["text"] for panel in spec_of(workloads=unmeasured)["hconcat"]]
    assert titles == [[BATCHED, "5 flows declared"], [VIDEO, "4 flows declared"]]


def test_a_point_is_the_share_of_an_incumbent_in_percent_on_axes_that_can_be_compared():
    spec = spec_of()
    domains = set()
    for contender, panel in zip((BATCHED, VIDEO), spec["hconcat"], strict=True):
        expected = {
            row.incumbent: (pytest.approx(100 * row.share_median), f"../pairs/{SETTING}/{row.pair}/")
            for row in PAIRS
            if row.contender == contender
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
    rows = [replace(row, flows_measured=9.0) for row in WORKLOADS if row.service in (PAGE, IMAGES)]
    assert len(rows) == 2 and multiple_flows_chart(PAIRS, rows, SETTING, LABELS) is None


def test_where_every_service_has_one_flow_there_is_no_chart():
    tables = sample_tables()
    pairs = records(PairRow, tables["pairs"].to_pylist())
    workloads = records(WorkloadRow, tables["workloads"].to_pylist())
    assert workloads and multiple_flows_chart(pairs, workloads, "8mbps", LABELS) is None


def test_the_description_has_every_share_with_the_flows():
    (row,) = [row for row in PAIRS if (row.incumbent, row.contender) == (CUBIC, BATCHED)]
    words = f"{CUBIC} against {BATCHED}: {100 * row.share_median:.0f} %, n = 1 (6 flows)"
    assert words in spec_of()["description"]
