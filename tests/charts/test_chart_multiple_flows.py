"""Services with several flows: the share that every incumbent keeps against each."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.render import to_spec
from scripts.charts.strips import multiple_flows_chart
from scripts.charts.table_rows import PairRow, WorkloadRow
from tests.charts.sample_campaign import SERVICES
from tests.charts.sample_cycle import sample_tables
from tests.charts.sample_qoe import BATCHED, CATALOGUE, CUBIC, IMAGES, PAGE, SETTING, VIDEO, qoe_tables
from tests.charts.specs import layers_of, marked, records, title_of

LABELS = make_labels([*CATALOGUE, *SERVICES])
PAIRS = records(PairRow, qoe_tables()["pairs"].to_pylist())
WORKLOADS = records(WorkloadRow, qoe_tables()["workloads"].to_pylist())
SERIES = [f"{BATCHED}, 6 flows", f"{VIDEO}, 4 flows"]


def spec_of(pairs: list[PairRow] = PAIRS, workloads: list[WorkloadRow] = WORKLOADS) -> dict:
    return to_spec(multiple_flows_chart(pairs, workloads, SETTING, LABELS))


def legend(spec: dict) -> dict:
    """The scale of the colours."""
    return layers_of(spec, "point")[0]["encoding"]["color"]["scale"]


def test_each_service_of_several_flows_is_a_series_in_its_colour_most_flows_first():
    scale = legend(spec_of())
    assert SERIES == scale["domain"]
    assert [LABELS.colours[BATCHED], LABELS.colours[VIDEO]] == scale["range"]


def test_flows_that_were_not_measured_are_labelled_as_declared():
    unmeasured = [replace(row, flows_measured=None) for row in WORKLOADS]
    expected = [f"{BATCHED}, 5 flows declared", f"{VIDEO}, 4 flows declared"]
    assert expected == legend(spec_of(workloads=unmeasured))["domain"]


def test_a_point_is_the_share_of_an_incumbent_in_percent():
    points = {(point["row"], point["series"]): point for point in marked(spec_of(), "point")}
    for contender, series in zip((BATCHED, VIDEO), SERIES, strict=True):
        rows = [row for row in PAIRS if row.contender == contender]
        assert rows
        for row in rows:
            point = points.pop((row.incumbent, series))
            assert pytest.approx(100 * row.share_median) == point["value"]
            assert point["href"] == f"../pairs/{SETTING}/{row.pair}/"
    assert not points


def test_the_title_has_the_median_against_the_service_with_most_flows():
    pairs = [replace(row, share_median=0.4, share_n=6) for row in PAIRS]
    kept = "40 % of a fair share, the median of 2 services"
    assert f"Against {SERIES[0]}: {kept}" == title_of(spec_of(pairs))
    assert f"Seen against {SERIES[0]}: {kept}" == title_of(
        spec_of([replace(row, share_n=5) for row in pairs])
    )


def test_the_description_has_every_share_with_the_flows():
    description = spec_of()["description"]
    for row in PAIRS:
        if row.contender == BATCHED:
            share = f"{100 * row.share_median:.0f} %, n = {row.share_n}"
            assert f"{row.incumbent} against {BATCHED}: {share} ({SERIES[0]})" in description


def test_a_page_of_many_flows_is_no_cell_and_has_no_series():
    rows = [replace(row, flows_measured=9.0) for row in WORKLOADS if row.service in (PAGE, IMAGES)]
    assert len(rows) == 2 and multiple_flows_chart(PAIRS, rows, SETTING, LABELS) is None


def test_a_cell_without_a_valid_trial_has_no_point():
    pairs = [replace(row, share_median=None) if row.incumbent == CUBIC else row for row in PAIRS]
    assert CUBIC not in {point["row"] for point in marked(spec_of(pairs), "point")}


def test_without_a_service_of_several_flows_there_is_no_chart():
    sample = sample_tables()
    pairs = records(PairRow, sample["pairs"].to_pylist())
    workloads = records(WorkloadRow, sample["workloads"].to_pylist())
    assert multiple_flows_chart(pairs, workloads, "8mbps", LABELS) is None
