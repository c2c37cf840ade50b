"""The fness of every pair by which client starts first: a box for each order."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import Labels
from scripts.charts.fness_boxes import fness_boxes
from scripts.charts.render import to_spec
from scripts.charts.setting_groups import OrderGroup, order_groups
from scripts.charts.table_rows import FnessRow, OrderRow
from scripts.model.settings import ClientPath
from tests.charts.sample_campaign import campaign_of, merged_config
from tests.charts.specs import layers_of, rows_of, subtitle_of, title_of

ONE_FIRST, TWO_FIRST, OTHER = "half-1-first", "half-2-first", "double"
AT_ONCE, LATER = ClientPath(), ClientPath(start_s=5)
LINK = replace(
    campaign_of(merged_config()).settings["8mbps"],
    title="Half, the first client first",
    clients=(AT_ONCE, LATER),
)
TURNED = replace(LINK, title="Half, the second client first", clients=(LATER, AT_ONCE))
GROUP = OrderGroup({ONE_FIRST: LINK, TWO_FIRST: TURNED})
LABELS = Labels()
PAIR, SELF = "bbr~cubic", "bbr~bbr"
ROW = OrderRow(
    setting=ONE_FIRST,
    pair=PAIR,
    client="c1",
    service="bbr",
    contender="cubic",
    started="first",
    metric="fness_in_order",
    n=6,
    median=-0.5,
    q25=-0.6,
    q75=-0.4,
    low=-0.7,
    high=-0.3,
)
SECOND = replace(ROW, setting=TWO_FIRST, started="second", median=-0.75)
SELF_ROW = replace(ROW, pair=SELF, contender="bbr", median=0.25)
ROWS = [
    *(SECOND, ROW, SELF_ROW),
    *(replace(row, client="c2", median=0.99) for row in (ROW, SECOND, SELF_ROW)),
    replace(ROW, metric="queue_fraction", median=0.99),
    replace(ROW, setting=OTHER, median=0.99),
]
TRIALS = [
    FnessRow(ONE_FIRST, PAIR, 2, "c1", "bbr", True, -0.625),
    FnessRow(ONE_FIRST, PAIR, 1, "c1", "bbr", True, -0.375),
    FnessRow(ONE_FIRST, PAIR, 1, "c2", "cubic", True, 0.375),
    FnessRow(ONE_FIRST, PAIR, 3, "c1", "bbr", False, 0.125),
    FnessRow(ONE_FIRST, PAIR, 4, "c1", "bbr", True, None),
    FnessRow(TWO_FIRST, PAIR, 1, "c1", "bbr", True, -0.75),
    FnessRow(ONE_FIRST, SELF, 1, "c1", "bbr", True, 0.25),
    FnessRow(OTHER, PAIR, 1, "c1", "bbr", True, 0.875),
]


def spec_of(rows: list[OrderRow] = ROWS, group: OrderGroup = GROUP) -> dict:
    return to_spec(fness_boxes(rows, TRIALS, group, LABELS))


def test_a_pair_has_a_box_for_each_order_and_a_self_pair_that_of_its_first_client():
    spec = spec_of()
    band, rect = layers_of(spec, "rect")
    assert ("low", "high") == tuple(band["encoding"][end]["field"] for end in ("x", "x2"))
    assert ("q25", "q75") == tuple(rect["encoding"][end]["field"] for end in ("x", "x2"))
    assert [(SELF, ONE_FIRST, 0.25), (PAIR, ONE_FIRST, -0.5), (PAIR, TWO_FIRST, -0.75)] == sorted(
        ((row["pair"], row["setting"], row["median"]) for row in rows_of(spec, rect)),
        key=lambda row: (row[0] != SELF, row[1]),
    )


def test_a_dot_is_a_valid_trial_the_first_at_the_top_and_links_to_the_pair():
    (layer,) = layers_of(spec_of(), "point")
    dots = [row for row in rows_of({}, layer) if (row["setting"], row["pair"]) == (ONE_FIRST, PAIR)]
    assert [(1, -0.375), (2, -0.625)] == [(dot["trial"], dot["fness"]) for dot in dots]
    assert dots[0]["y"] < dots[1]["y"]
    assert {f"../pairs/{ONE_FIRST}/{PAIR}/"} == {dot["href"] for dot in dots}
    assert "bbr against cubic, first service starts first, trial 01: −0.38" == dots[0]["label"]


def test_an_order_has_its_colour_and_its_shape():
    (layer,) = layers_of(spec_of(), "point")
    colour, shape = (layer["encoding"][channel]["scale"] for channel in ("color", "shape"))
    orders = ["First service starts first", "Second service starts first"]
    assert orders == colour["domain"] == shape["domain"]
    assert 2 == len({*colour["range"]}) == len({*shape["range"]})
    (alone,) = layers_of(spec_of([ROWS[0]]), "point")
    assert orders[1:] == alone["encoding"]["color"]["scale"]["domain"]
    assert colour["range"][1:] == alone["encoding"]["color"]["scale"]["range"]


def test_the_axis_is_that_of_fness_and_says_who_dominates():
    (layer,) = layers_of(spec_of(), "point")
    assert [-1, 1] == layer["encoding"]["x"]["scale"]["domain"]
    assert layer["encoding"]["x"]["title"].startswith("← first dominates")


def test_below_six_trials_there_are_dots_alone():
    spec = spec_of([replace(row, n=5, low=None, high=None) for row in ROWS])
    (points,) = layers_of(spec, "point")
    assert "transform" not in points
    marks = [*layers_of(spec, "rect"), *layers_of(spec, "rule")]
    assert [[{"filter": "datum.n >= 6"}]] * 3 == [layer["transform"] for layer in marks]
    assert title_of(spec).startswith("Seen: median fness from −0.75 to")


def test_the_title_has_the_range_of_the_medians_with_enough_trials():
    assert "Median fness from −0.75 to 0.25" == title_of(spec_of())
    few = [replace(row, n=5) if row.pair == PAIR else row for row in ROWS]
    assert "Median fness from 0.25 to 0.25" == title_of(spec_of(few))


def test_the_description_has_every_median_with_its_interval():
    described = spec_of()["description"]
    assert "bbr against cubic, second service starts first: −0.75 (−0.70 to −0.30), n = 6" in described
    assert "Half (8 Mbps, 50 ms)" in described
    assert "Half (8 Mbps, 50 ms)" in subtitle_of(spec_of())


@pytest.mark.parametrize("rows", [[], [replace(ROW, median=None)], [replace(ROW, setting=OTHER)]])
def test_without_a_fness_there_is_no_chart(rows):
    assert fness_boxes(rows, TRIALS, GROUP, LABELS) is None


def grouped(**settings) -> list[list[str]]:
    return [list(group.settings) for group in order_groups(settings)]


def test_settings_that_differ_only_in_who_starts_first_are_a_group():
    assert [["one", "turned"]] == grouped(one=LINK, turned=TURNED)
    larger = replace(LINK, queue_packets=999)
    assert [["one", "turned"], ["larger"]] == grouped(one=LINK, larger=larger, turned=TURNED)
    far = replace(TURNED, clients=(LATER, replace(AT_ONCE, rtt_ms=99)))
    assert [["one"], ["far"]] == grouped(one=LINK, far=far)


def test_settings_whose_clients_start_at_once_are_in_no_group():
    assert [] == grouped(together=replace(LINK, clients=()), both=replace(LINK, clients=(AT_ONCE, AT_ONCE)))


def test_a_group_has_the_name_of_its_first_setting_and_the_words_that_titles_share():
    (group,) = order_groups({ONE_FIRST: LINK, TWO_FIRST: TURNED})
    assert (f"fness-{ONE_FIRST}", "Half (8 Mbps, 50 ms)") == (group.chart, group.title)
    bbr, cubic = replace(LINK, title="BBR first"), replace(TURNED, title="Cubic first")
    assert "BBR first; Cubic first (8 Mbps, 50 ms)" == OrderGroup({"a": bbr, "b": cubic}).title
