"""Before and after: the cells that changed beside the control."""

from dataclasses import replace

import pytest

from scripts.charts.changes import MOST_ROWS, changes_chart
from scripts.charts.chart_labels import make_labels
from scripts.charts.origin import ChartOrigin
from scripts.charts.render import to_spec, to_svg
from scripts.charts.table_rows import ChangeRow
from tests.charts.sample_campaign import SERVICES
from tests.charts.sample_sweep import changes_rows
from tests.charts.specs import layers_of, marked, records, subtitle_of, title_of

LABELS = make_labels(SERVICES)
ROWS = records(ChangeRow, changes_rows().to_pylist())
CONTROL = "iperf-reno against itself, worse-off instance (control)"
CHANGED = ROWS[0]


def spec_of(rows: list[ChangeRow] = ROWS) -> dict:
    return to_spec(changes_chart(rows, "8mbps", LABELS))


def test_both_medians_of_what_changed_and_of_the_control_are_points():
    points = marked(spec_of(), "point")
    assert [(point["row"], point["cycle"], point["value"]) for point in points] == [
        ("iperf-bbr against iperf-cubic", "previous cycle", 3.0),
        ("iperf-bbr against iperf-cubic", "this cycle", 4.5),
        (CONTROL, "previous cycle", 3.5),
        (CONTROL, "this cycle", 3.5),
    ]
    assert points[0]["href"] == "../pairs/8mbps/iperf-bbr~iperf-cubic/"
    assert points[0]["y"] < points[2]["y"]


def test_before_and_after_differ_in_shape_and_in_shade():
    (points,) = layers_of(spec_of(), "point")
    for channel in ("shape", "color"):
        assert len(set(points["encoding"][channel]["scale"]["range"])) == 2


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        (ROWS, "1 of 2 cells changed, none of the control"),
        (ROWS[:2], "1 of 2 cells changed; there is no control"),
        (
            records(ChangeRow, changes_rows(control_moved=True).to_pylist()),
            "1 of 2 cells changed, but also 1 of 1 of the control: the testbed may have changed",
        ),
    ],
)
def test_the_title_counts_the_changes_and_doubts_them_if_the_control_changed(rows, title):
    assert title == title_of(spec_of(rows))


def test_of_many_changes_the_largest_are_shown_and_all_described():
    many = [
        replace(CHANGED, pair=f"iperf-bbr~{place}", contender=str(place), after_median_mbps=3 + place / 100)
        for place in range(1, MOST_ROWS + 6)
    ]
    spec = spec_of([*many, *ROWS[1:]])
    shown = list(dict.fromkeys(point["row"] for point in marked(spec, "point")))
    assert [f"iperf-bbr against {place}" for place in range(MOST_ROWS + 5, 5, -1)] == shown[:-1]
    assert f"the {MOST_ROWS} largest changes" in subtitle_of(spec)
    assert "iperf-bbr against 1: 3.00 to 3.01 Mbps" in spec["description"]


def test_the_description_has_every_change_and_the_control():
    spec = spec_of()
    assert "3.00 to 4.50 Mbps, changed (corrected p = 0.003)" in spec["description"]
    assert f"{CONTROL}: 3.50 to 3.50 Mbps, did not change" in spec["description"]
    assert to_svg(spec, ChartOrigin("demo", "2026-11-21", "8mbps")).count("<a ") == 4
