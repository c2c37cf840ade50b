"""Before and after: the cells that changed beside the control."""

from scripts.charts.changes import changes_chart
from scripts.charts.chart_labels import make_labels
from scripts.charts.render import to_spec, to_svg
from scripts.charts.table_rows import ChangeRow
from tests.charts.sample_campaign import SERVICES
from tests.charts.sample_sweep import changes_rows
from tests.charts.specs import records, rows_of

LABELS = make_labels(SERVICES)
SPEC = to_spec(changes_chart(records(ChangeRow, changes_rows().to_pylist()), "8mbps", LABELS))
CONTROL = "iperf-reno against itself, worse-off instance (control)"


def layer(mark: str) -> dict:
    (found,) = [one for one in SPEC["layer"] if one["mark"]["type"] == mark]
    return found


def test_both_medians_of_what_changed_and_of_the_control_are_points():
    points = rows_of(SPEC, layer("point"))
    assert [(point["row"], point["cycle"], point["value"]) for point in points] == [
        ("iperf-bbr against iperf-cubic", "previous cycle", 3.0),
        ("iperf-bbr against iperf-cubic", "this cycle", 4.5),
        (CONTROL, "previous cycle", 3.5),
        (CONTROL, "this cycle", 3.5),
    ]
    assert points[0]["href"] == "../pairs/8mbps/iperf-bbr~iperf-cubic/"


def test_the_control_is_below_the_changed_cells():
    assert layer("point")["encoding"]["y"]["sort"] == ["iperf-bbr against iperf-cubic", CONTROL]


def test_before_and_after_differ_in_shape_and_in_shade():
    encoding = layer("point")["encoding"]
    for channel in ("shape", "color"):
        assert len(set(encoding[channel]["scale"]["range"])) == 2


def test_the_description_has_every_cell_shown_and_counts_the_others():
    assert "3.00 to 4.50 Mbps, changed (corrected p = 0.003)" in SPEC["description"]
    assert f"{CONTROL}: 3.50 to 3.50 Mbps, did not change" in SPEC["description"]
    assert "1 more cell did not change" in SPEC["description"]
    assert to_svg(SPEC).count("<a ") == 4
