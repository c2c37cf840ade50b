"""K of a pair over the settings of a sweep: histograms by a swept key, and boxes of random draws."""

from dataclasses import replace

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.fmp_charts import ROOM, chart_names, fmp_accuracy, fmp_pairs, fmp_sweeps, k_by_key
from scripts.charts.render import to_spec
from scripts.charts.theme import LEGEND, MUTED
from tests.charts.sample_fmp import (
    DISCIPLINES,
    FIRST,
    LOSSES,
    OTHER,
    PAIR,
    draws,
    fmp_row,
    fmp_settings,
    fmp_sweep,
    ks,
    of_losses,
)
from tests.charts.sample_sweep import sweep_settings
from tests.charts.specs import layers_of, marked, rows_of, subtitle_of, title_of

LABELS = make_labels([FIRST, OTHER])
KEY = "random_loss"


def spec_of(settings=None, rows=None, key=KEY):
    """The specification of the chart of one key."""
    settings = ks(-0.3, -0.27, 0.0, 0.5, None, 0.26) if settings is None else settings
    return to_spec(k_by_key(settings, rows or of_losses(0.28, 0.25, 0.26), fmp_sweep(), key, LABELS))


def bars(spec):
    """The bars by value: side, ends and number of settings."""
    found = {}
    for bar in marked(spec, "rect"):
        found.setdefault(bar["value"], []).append((bar["side"], bar["low"], bar["high"], bar["settings"]))
    return found


def test_a_bar_counts_the_settings_with_this_k_and_this_value():
    """A setting without a valid trial is in no bar. The first service dominates left of 0."""
    assert bars(spec_of()) == {
        "0": [("first", -0.3, -0.25, 1), ("first", -0.35, -0.3, 1)],
        "0.01": [("other", 0, 0.05, 1), ("other", 0.45, 0.5, 1)],
        "0.2": [("other", 0.25, 0.3, 1)],
    }


def test_the_bar_of_the_most_settings_fills_the_room_of_a_row():
    rows = marked(spec_of(ks(-0.3, -0.31, 0.1, 0.2, 0.3, 0.4)), "rect")
    heights = {(row["value"], row["settings"]): row["bottom"] - row["top"] for row in rows}
    assert {("0", 2): ROOM, ("0.01", 1): ROOM / 2, ("0.2", 1): ROOM / 2} == heights


def test_the_ends_of_k_are_in_the_last_bars():
    settings = ks(-0.5, 0.5, 0, 0, 0, 0)
    assert {("first", -0.5, -0.45, 1), ("other", 0.45, 0.5, 1)} == {*bars(spec_of(settings))["0"]}


def test_a_row_names_its_value_with_median_interval_and_n():
    spec = spec_of()
    names = [" ".join(row["text"]) for row in rows_with_names(spec)]
    assert names[0] == "0: median |K| 0.28 (0.14 to 0.50), n = 6"
    assert [str(loss) for loss in LOSSES] == [name.split(":")[0] for name in names]
    assert all(name in spec["description"] for name in names)


def rows_with_names(spec):
    """The headings of the rows."""
    (headings,) = [part for part in spec["layer"] if part.get("name") == LEGEND]
    return rows_of(spec, headings["layer"][0], headings)


def test_the_title_has_the_largest_and_the_smallest_median():
    assert "Random loss (fraction of packets): median |K| 0.28 at 0, 0.25 at 0.01" == title_of(spec_of())


def test_below_six_settings_the_title_says_what_was_seen():
    rows = of_losses(0.3, 0.2, 0.1, n=5, k_abs_low=None, k_abs_high=None)
    spec = spec_of(rows=rows)
    assert title_of(spec).startswith("Seen: ")
    assert "0: median |K| 0.30, n = 5" in spec["description"]


def test_a_value_without_a_valid_trial_is_said():
    spec = spec_of(rows=of_losses(0.3, None, 0.1))
    assert "0.01: no valid trial" in spec["description"]


@pytest.mark.parametrize(
    ("contender", "right", "colour"),
    [
        (OTHER, OTHER, LABELS.colours[OTHER]),
        (FIRST, "the second client", LABELS.colours[FIRST]),
        (f"{OTHER}~{OTHER}", "another service", MUTED),
    ],
)
def test_the_sides_say_who_dominates(contender, right, colour):
    spec = spec_of(rows=of_losses(0.3, 0.2, 0.1, contender=contender))
    assert f"right: {right}" in subtitle_of(spec)
    (layer,) = layers_of(spec, "rect")
    assert [LABELS.colours[FIRST], colour] == layer["encoding"]["color"]["scale"]["range"]


def test_words_are_in_the_order_of_the_campaign():
    rows = [fmp_row(), *(fmp_row("discipline", name, 0.1) for name in reversed(DISCIPLINES))]
    names = [" ".join(row["text"]) for row in rows_with_names(spec_of(rows=rows, key="discipline"))]
    assert [*DISCIPLINES] == [name.split(":")[0] for name in names]


def test_only_sweeps_of_several_keys_are_judged_together():
    assert ["link"] == [sweep.name for sweep in fmp_sweeps(fmp_settings())]
    assert [] == fmp_sweeps(sweep_settings())
    assert [] == fmp_sweeps(sweep_settings(rates=(8,)))


def test_only_pairs_with_six_settings_have_charts():
    rows = [fmp_row(), fmp_row(pair="a~b", n=5), fmp_row("random_loss", "0"), fmp_row(sweep="another")]
    assert [PAIR] == [row.pair for row in fmp_pairs(rows, fmp_sweep())]
    assert [f"k-by-random-loss-link-{PAIR}", f"k-by-discipline-link-{PAIR}", f"fmp-accuracy-link-{PAIR}"] == (
        chart_names(fmp_sweep(), PAIR)
    )


def test_the_same_rows_in_another_order_give_the_same_chart():
    settings, rows = ks(-0.3, -0.27, 0.0, 0.5, None, 0.26), of_losses(0.28, 0.25, 0.26)
    assert spec_of(settings, rows) == spec_of(settings[::-1], [replace(row) for row in rows[::-1]])


ROWS = (draws(40, 0.06), draws(20, 0.1), draws(80, 0.03), draws(60, 0.045))


def accuracy_spec(*rows):
    return to_spec(fmp_accuracy(rows or ROWS, fmp_sweep(), LABELS))


def test_a_box_has_the_quartiles_and_its_lines_the_other_draws():
    spec = accuracy_spec()
    (box,) = layers_of(spec, "bar")
    all_draws, most, exact = layers_of(spec, "rule")
    assert [("q25", "q75"), ("lowest", "highest"), ("p5", "p95")] == [
        (layer["encoding"]["y"]["field"], layer["encoding"]["y2"]["field"])
        for layer in (box, all_draws, most)
    ]
    assert [20, 40, 60, 80] == [row["drawn_settings"] for row in rows_of(spec, box)]
    assert [{"exact": 0.7}] == rows_of(spec, exact)
    assert [0.7] * 4 == [row["median"] for row in marked(spec, "tick")]


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        (ROWS, "From 60 settings on, 90 % of the draws are within 0.05 of 0.70"),
        (
            (draws(20, 0.04), draws(40, 0.06)),
            "90 % of the draws of 40 settings give 0.64 to 0.76, all 100 give 0.70",
        ),
        (
            (draws(20, 0.04), draws(40, 0.06), draws(60, 0.01)),
            "From 60 settings on, 90 % of the draws are within 0.05 of 0.70",
        ),
    ],
)
def test_the_title_says_how_many_settings_are_enough(rows, title):
    """They are not if a larger number is not."""
    assert title == title_of(accuracy_spec(*rows))


def test_description_and_subtitle_have_every_number():
    spec = accuracy_spec()
    assert "20 settings: median 0.70, 90 % of the draws 0.60 to 0.80" in spec["description"]
    assert spec["description"].endswith("All 100: 0.70.")
    assert "1000 random draws" in subtitle_of(spec) and "all 100 settings, 0.70" in subtitle_of(spec)


def test_the_axis_is_the_same_in_every_chart():
    for spec in (accuracy_spec(), accuracy_spec(draws(20, 0.01))):
        (box,) = layers_of(spec, "bar")
        assert [0.5, 1] == box["encoding"]["y"]["scale"]["domain"]
