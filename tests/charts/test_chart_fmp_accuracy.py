"""Random draws of some settings of a sweep: a box for each number, and the value over all settings."""

import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.fmp_accuracy import fmp_accuracy
from scripts.charts.render import to_spec
from tests.charts.sample_fmp import FIRST, OTHER, draws, fmp_sweep
from tests.charts.specs import layers_of, marked, rows_of, subtitle_of, title_of

LABELS = make_labels([FIRST, OTHER])
ROWS = (draws(40, 0.06), draws(20, 0.1), draws(80, 0.03), draws(60, 0.045))


def spec_of(*rows):
    return to_spec(fmp_accuracy(rows or ROWS, fmp_sweep(), LABELS))


def test_a_box_has_the_quartiles_and_its_lines_the_other_draws():
    spec = spec_of()
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
    assert title == title_of(spec_of(*rows))


def test_description_and_subtitle_have_every_number():
    spec = spec_of()
    assert "20 settings: median 0.70, 90 % of the draws 0.60 to 0.80" in spec["description"]
    assert spec["description"].endswith("All 100: 0.70.")
    assert "1000 random draws" in subtitle_of(spec) and "all 100 settings, 0.70" in subtitle_of(spec)


def test_the_axis_is_the_same_in_every_chart():
    for spec in (spec_of(), spec_of(draws(20, 0.01))):
        (box,) = layers_of(spec, "bar")
        assert [0.5, 1] == box["encoding"]["y"]["scale"]["domain"]
