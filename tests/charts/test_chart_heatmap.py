"""Heatmaps: their cells, titles and legend, and scales on which numbers can be read."""

import re
from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.heatmap import heatmap
from scripts.charts.heatmap_cells import HARMS, HEATMAPS
from scripts.charts.render import to_spec, to_svg
from scripts.charts.scales import INKS, MISSING, MOVING, SCALES
from scripts.charts.table_rows import PairRow
from scripts.metrics.fairness import LOSING_BELOW, WINNING_ABOVE
from tests.charts.sample_campaign import SERVICES
from tests.charts.sample_cycle import sample_tables
from tests.charts.specs import contrast, records, rows_of

PAIRS = records(PairRow, sample_tables()["pairs"].to_pylist())
LABELS = make_labels(SERVICES)
KINDS = HEATMAPS | HARMS
ROW = next(row for row in PAIRS if row.setting == "8mbps" and row.instance == "first")
SELF = "iperf-reno~iperf-reno"


def cells(spec: dict) -> dict[tuple[str, str], dict]:
    """The cells of a heatmap's specification, by incumbent and contender."""
    return {(row["incumbent"], row["contender"]): row for row in rows_of(spec, matrix(spec))}


def matrix(spec: dict) -> dict:
    """The cells, below the legend."""
    return spec["vconcat"][1]


def layers(view: dict) -> list[tuple[str, dict]]:
    return [(layer["mark"]["type"], layer["encoding"]) for layer in view["layer"]]


def words(part: object) -> str:
    """The lines of a title."""
    return part if isinstance(part, str) else " ".join(part)


def title(pairs: list[PairRow], kind: str, setting: str = "8mbps") -> str:
    return words(to_spec(heatmap(pairs, setting, kind, LABELS))["title"]["text"])


def test_the_incumbent_is_the_column_and_the_contender_the_row():
    spec = to_spec(heatmap(PAIRS, "8mbps", "share", LABELS))
    for _mark, encoding in layers(matrix(spec)):
        assert (encoding["x"]["field"], encoding["y"]["field"]) == ("incumbent", "contender")
        assert encoding["x"]["title"].startswith("Incumbent")
        assert encoding["y"]["title"].startswith("Contender")


@pytest.mark.parametrize("kind", KINDS)
def test_each_cell_shows_its_row_of_the_table_in_the_unit_of_the_chart(kind):
    look = KINDS[kind]
    found = cells(to_spec(heatmap(PAIRS, "50mbps", kind, LABELS)))
    rows = [row for row in PAIRS if row.setting == "50mbps" and row.instance != "better_off"]
    assert len(rows) == len(found) == 9
    for row in rows:
        cell = found[row.incumbent, row.contender]
        value = getattr(row, f"{look.metric}_median") * look.factor
        assert value == cell["value"]
        assert f"{round(value, look.decimals) + 0.0:.{look.decimals}f}" == cell["text"]


def test_each_cell_links_to_the_page_of_its_pair_in_either_direction():
    found = cells(to_spec(heatmap(PAIRS, "8mbps", "share", LABELS)))
    expected = "../pairs/8mbps/iperf-bbr~iperf-cubic/"
    assert expected == found["iperf-bbr", "iperf-cubic"]["href"] == found["iperf-cubic", "iperf-bbr"]["href"]
    assert found["iperf-reno", "iperf-reno"]["href"] == "../pairs/8mbps/iperf-reno~iperf-reno/"


def test_a_cell_that_was_not_measured_is_empty_and_says_so():
    kept = [row for row in PAIRS if (row.incumbent, row.contender) != ("iperf-bbr", "iperf-cubic")]
    spec = to_spec(heatmap(kept, "8mbps", "share", LABELS))
    cell = cells(spec)["iperf-bbr", "iperf-cubic"]
    assert (cell["value"], cell["text"], cell["state"]) == (None, "·", "unmeasured")
    assert "not measured" in cell["label"] and cell["label"] in spec["description"]
    assert "href" not in cell
    assert to_svg(spec).count("<a ") == 2 * 8 and "undefined" not in to_svg(spec)


def test_a_pair_without_a_valid_trial_is_empty_but_links_to_its_page():
    unmeasured = replace(ROW, share_median=None, n=0, excluded=3)
    pairs = [unmeasured if row == ROW else row for row in PAIRS]
    found = cells(to_spec(heatmap(pairs, unmeasured.setting, "share", LABELS)))
    cell = found[unmeasured.incumbent, unmeasured.contender]
    assert (cell["value"], cell["text"], cell["state"]) == (None, "×", "invalid")
    assert "no valid trial, 3 excluded" in cell["label"] and "href" in cell


def test_a_share_that_still_moves_has_a_mark_and_the_legend_explains_it():
    words = {"iperf-bbr": "still moving", "iperf-cubic": "undecided", "iperf-reno": "settled"}
    pairs = [replace(row, settled=words[row.incumbent]) for row in PAIRS]
    spec = to_spec(heatmap(pairs, "8mbps", "share", LABELS))
    found = cells(spec)
    assert found["iperf-bbr", "iperf-cubic"]["mark"] == "≠"
    assert found["iperf-bbr", "iperf-cubic"]["label"].endswith(", still moving")
    assert not any("mark" in found[one, "iperf-bbr"] for one in ("iperf-cubic", "iperf-reno"))
    assert layers(matrix(spec))[-1][1]["text"]["field"] == "mark"
    svg = to_svg(spec)
    assert svg.count(">≠</text>") == 3 + 1 and MOVING.meaning in svg


@pytest.mark.parametrize("change", [{}, {"provisional": True}, {"unable": "iperf-reno"}])
def test_without_six_trials_in_a_running_cycle_and_in_a_closed_pair_no_share_has_a_mark(change):
    settled = {"settled": "still moving"} if change else {}
    spec = to_spec(heatmap([replace(row, **settled, **change) for row in PAIRS], "8mbps", "share", LABELS))
    assert not any("mark" in cell for cell in cells(spec).values())
    assert MOVING.text not in to_svg(spec)


def test_only_shares_have_marks():
    moving = [replace(row, settled="still moving") for row in PAIRS]
    for kind in KINDS.keys() - {"share"}:
        assert not any(
            "mark" in cell for cell in cells(to_spec(heatmap(moving, "8mbps", kind, LABELS))).values()
        )


def test_the_title_says_that_the_lowest_share_still_moves():
    losing = {"share_low": 0.1, "share_high": 0.2, "verdict": "losing"}
    pairs = [replace(row, **losing) if row == ROW else row for row in PAIRS]
    moving = [replace(row, settled="still moving") if row.verdict else row for row in pairs]
    assert "(still moving); 1 of 1 cell loses" in title(moving, "share")
    assert "moving" not in title(pairs, "share")


def test_a_self_pair_shows_its_worse_off_instance_with_the_fairness_of_both():
    (worse,) = [row for row in PAIRS if (row.setting, row.pair, row.instance) == ("8mbps", SELF, "worse_off")]
    spec = to_spec(heatmap([replace(row, jain_median=0.87) for row in PAIRS], "8mbps", "share", LABELS))
    cell = cells(spec)["iperf-reno", "iperf-reno"]
    assert cell["value"] == 100 * worse.share_median < 100
    assert cell["label"].startswith("iperf-reno against itself, worse-off instance: ")
    assert cell["label"].endswith(", n = 2, Jain’s index 0.87")
    judged = [replace(row, share_n=6) for row in PAIRS]
    spec = to_spec(heatmap(judged, "8mbps", "share", LABELS))
    assert "self" == cells(spec)["iperf-reno", "iperf-reno"]["state"]
    assert MISSING["self"].meaning in to_svg(spec)


def test_a_pair_with_a_service_that_is_unable_alone_shows_a_dash_and_no_figure():
    unable = [replace(row, unable="iperf-reno") if "iperf-reno" in row.pair else row for row in PAIRS]
    for kind in KINDS:
        spec = to_spec(heatmap(unable, "8mbps", kind, LABELS))
        cell = cells(spec)["iperf-bbr", "iperf-reno"]
        assert (cell["value"], cell["text"]) == (None, "–")
        why = "iperf-reno cannot do alone what a service must"
        assert cell["label"] == f"iperf-bbr against iperf-reno: unable ({why})"
        assert cells(spec)["iperf-bbr", "iperf-cubic"]["value"] is not None
        assert "<a " in to_svg(spec) and "a service cannot do alone what it must" in to_svg(spec)


def test_a_figure_has_the_number_of_trials_that_it_is_the_median_of():
    fewer = [replace(row, n=9, share_n=9, loss_rate_n=7, excluded=0) for row in PAIRS]
    for kind, n in (("share", 9), ("loss", 7)):
        cell = cells(to_spec(heatmap(fewer, "8mbps", kind, LABELS)))["iperf-bbr", "iperf-cubic"]
        assert cell["label"].endswith(f", n = {n}")


@pytest.mark.parametrize("kind", KINDS)
def test_a_colour_means_the_same_in_every_setting(kind):
    """One scale a quantity: neither the values nor the setting move it."""
    colours = []
    for setting, pairs in (("8mbps", PAIRS), ("50mbps", PAIRS), ("8mbps", [ROW])):
        spec = to_spec(heatmap(pairs, setting, kind, LABELS))
        colours += [
            encoding["color"]["scale"]
            for view in spec["vconcat"]
            for mark, encoding in layers(view)
            if mark == "rect" and "color" in encoding
        ]
    assert len(colours) == 6 and all(scale == colours[0] for scale in colours)
    assert list(KINDS[kind].scale.colours) == colours[0]["range"]


def test_the_legend_has_every_break_and_the_looks_of_the_cells_without_a_value():
    kept = [row for row in PAIRS if (row.incumbent, row.contender) != ("iperf-bbr", "iperf-cubic")]
    svg = to_svg(to_spec(heatmap(kept, "8mbps", "loss", LABELS)))
    for text in ("0.01", "0.1", "20", "not measured"):
        assert f">{text}</text>" in svg
    assert "no valid trial" not in svg


def test_the_title_says_who_gets_least_and_how_many_lose():
    judged = [replace(row, share_median=0.95, verdict="fair") for row in PAIRS]
    starved = replace(ROW, share_median=0.24, verdict="losing")
    names = f"{ROW.incumbent} gets 24 % of its fair share against {ROW.contender}"
    losing = [starved, *(row for row, before in zip(judged, PAIRS, strict=True) if before != ROW)]
    assert f"{names}; 1 of 6 cells loses" == title(losing, "share")
    assert title(judged, "share").startswith("No service loses here; ")
    undecided = [replace(row, verdict="undecided") for row in judged]
    assert title(undecided, "share").startswith("No service certainly loses here; ")


@pytest.mark.parametrize("verdict", ["losing", "fair", "winning", "undecided", None])
def test_the_colour_of_a_share_is_its_verdict_and_other_shares_have_none(verdict):
    """A share far from fair that is not proven to lose looks like no verdict."""
    share = {"losing": 0.5, "winning": 1.5}.get(verdict, 1.0)
    row = replace(ROW, share_median=share, verdict=verdict, share_n=6)
    spec = to_spec(heatmap([row, *(one for one in PAIRS if one != ROW)], "8mbps", "share", LABELS))
    cell = cells(spec)[ROW.incumbent, ROW.contender]
    assert f"{100 * row.share_median:.0f}" == cell["text"]
    decided = verdict in ("losing", "fair", "winning")
    assert ("measured" if decided else verdict or "few") == cell["state"]
    assert (cell["level"] is not None) == decided
    assert f">{cell['text']}</text>" in to_svg(spec)


def test_below_six_trials_no_cell_of_any_metric_has_a_colour():
    for kind, look in KINDS.items():
        rows = [replace(row, verdict="losing", **{f"{look.metric}_n": 5}) for row in PAIRS]
        assert {"few"} == {
            cell["state"] for cell in cells(to_spec(heatmap(rows, "8mbps", kind, LABELS))).values()
        }


def test_services_stand_by_result_and_the_order_is_the_same_in_both_settings():
    gets = {"iperf-bbr": 0.9, "iperf-cubic": 1.5, "iperf-reno": 0.4}
    pairs = [replace(row, share_median=gets[row.incumbent]) for row in PAIRS]
    for setting in ("8mbps", "50mbps"):
        (_mark, encoding), *_ = layers(matrix(to_spec(heatmap(pairs, setting, "share", LABELS))))
        assert ["iperf-cubic", "iperf-bbr", "iperf-reno"] == encoding["y"]["sort"]
        assert ["iperf-reno", "iperf-bbr", "iperf-cubic"] == encoding["x"]["sort"]


def test_below_six_trials_a_title_says_only_what_was_seen():
    seen = [replace(row, share_low=None, share_high=None) for row in PAIRS]
    assert title(seen, "share").startswith("Too few trials for a verdict; ")
    for kind in ("utilization", "loss", "delay", *HARMS):
        assert re.search(r" \(seen in (1 trial|2 trials)\)$", title(seen, kind))
        assert "seen" not in title([replace(row, **{f"{KINDS[kind].metric}_n": 6}) for row in seen], kind)


def test_a_title_of_zeros_and_one_of_nothing():
    assert "No service lost packets in the queue" == title(
        [replace(row, loss_rate_median=0.0) for row in PAIRS], "loss"
    )
    assert "No pair has a valid trial" == title([replace(row, share_median=None) for row in PAIRS], "share")


def test_a_title_of_harm_has_a_bound_and_says_if_nobody_suffers():
    harmless = [replace(row, harm_throughput_median=-0.1, harm_throughput_n=6) for row in PAIRS]
    harmed = replace(ROW, harm_throughput_median=0.874, harm_throughput_n=6)
    others = [row for row, before in zip(harmless, PAIRS, strict=True) if before != ROW]
    assert "No service is harmed" == title(harmless, "harm-throughput")
    found = title([harmed, *others], "harm-throughput")
    assert "No median harm is above 87 %" == found


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("utilization", "Every pair uses at least 60.0 % of the link, by the medians"),
        ("loss", "No service loses more than 5.00 % of its packets, by the medians"),
        ("delay", "No service waits longer than 80 ms in the queue, by the medians"),
    ],
)
def test_a_title_has_a_bound_on_every_median(kind, words):
    names = {"utilization": "utilization", "loss": "loss_rate", "delay": "queueing_delay_ms"}
    extremes = {"utilization": (0.6, 0.9), "loss": (0.05, 0.01), "delay": (80.0, 40.0)}[kind]
    column = names[kind]
    rows = [replace(row, **{f"{column}_median": extremes[row != ROW], f"{column}_n": 6}) for row in PAIRS]
    assert words == title(rows, kind)


@pytest.mark.parametrize(("n", "words"), [(6, "no ratio to the service alone"), (0, "no valid trial")])
def test_a_harm_without_a_value_says_whether_the_pair_has_trials(n, words):
    """Harm also needs valid trials of the service alone, and a ratio to what it gets there."""
    unknown = replace(ROW, harm_loss_median=None, harm_loss_n=0, n=n, excluded=0)
    pairs = [unknown if row == ROW else row for row in PAIRS]
    spec = to_spec(heatmap(pairs, "8mbps", "harm-loss", LABELS))
    cell = cells(spec)[ROW.incumbent, ROW.contender]
    assert ({6: "?", 0: "×"}[n], None) == (cell["text"], cell["value"])
    assert cell["label"].endswith(f": {words}") and words in to_svg(spec)


def test_a_small_gain_is_no_negative_zero():
    pairs = [replace(row, harm_delay_median=-0.001, harm_delay_n=6) for row in PAIRS]
    (cell, *_) = cells(to_spec(heatmap(pairs, "8mbps", "harm-delay", LABELS))).values()
    assert ("0", 0) == (cell["text"], cell["level"])


def test_the_title_names_the_setting_and_the_description_every_cell():
    spec = to_spec(heatmap(PAIRS, "8mbps", "loss", LABELS))
    assert "8mbps" in spec["title"]["subtitle"][0]
    for cell in cells(spec).values():
        assert cell["label"] in spec["description"]


def test_a_call_that_is_never_an_incumbent_is_no_cell():
    with_call = [*PAIRS, replace(ROW, pair="call~iperf-bbr", contender="call")]
    spec = to_spec(heatmap(with_call, "8mbps", "share", LABELS))
    assert len(cells(spec)) == 9 and "call" not in spec["description"]


def test_a_trial_of_three_services_is_no_cell():
    with_three = [*PAIRS, replace(ROW, pair="a~b~c", contender="b~c")]
    assert len(cells(to_spec(heatmap(with_three, "8mbps", "share", LABELS)))) == 9


SHARE = SCALES["share"]
FAIR = len(SHARE.breaks) // 2


@pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES)
def test_every_bin_has_a_colour_of_its_own_on_which_its_ink_can_be_read(scale):
    assert list(scale.breaks) == sorted(set(scale.breaks))
    assert len({*scale.colours}) == len(scale.colours) == len(scale.breaks) + 1
    for level, colour in enumerate(scale.colours):
        assert contrast(INKS[scale.ink(level)], colour) >= 4.5, colour


@pytest.mark.parametrize(
    "share", [0, 0.5, 0.899, LOSING_BELOW, 0.901, 1, 1.099, WINNING_ABOVE, 1.101, 1.5, 2, 40]
)
def test_the_middle_bin_of_shares_is_exactly_what_neither_loses_nor_wins(share):
    level = SHARE.level(100 * share)
    assert (share < LOSING_BELOW, share > WINNING_ABOVE) == (level < FAIR, level > FAIR)


def test_a_value_at_a_break_is_in_the_bin_above_it():
    loss = SCALES["loss"]
    assert [0, 1, 6, 9, 9] == [loss.level(value) for value in (0, 0.01, 2, 20, 100)]


def test_bins_have_words():
    loss = SCALES["loss"]
    assert ["below 0.01", "0.01–0.1", "20 and more"] == [loss.words(level) for level in (0, 1, 9)]
    assert ["90–110", "above 200"] == [SHARE.words(level) for level in (FAIR, 8)]
