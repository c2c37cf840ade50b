"""The widths of texts: as the renderer measures them, and lines that fit."""

import json
import re

import pytest
import vl_convert

from scripts.charts.chart_labels import label_lines
from scripts.charts.text_widths import lines_of, text_width

WORDS = "Web page of images from several hosts (BBR)"


def measured(text: str, size: float, bold: bool) -> float:
    """The width that the renderer gives a picture of this text."""
    shown = {
        "text": text,
        "font": "Liberation Sans",
        "fontSize": size,
        "fontWeight": "bold" if bold else "normal",
    }
    enter = {name: {"value": value} for name, value in shown.items()}
    mark = {"type": "text", "encode": {"enter": enter}}
    spec = {"autosize": "pad", "padding": 0, "width": 1, "height": 1, "marks": [mark]}
    return float(re.search(r'width="([\d.]+)"', vl_convert.vega_to_svg(json.dumps(spec)))[1])


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize(
    "text", [WORDS, "Median MmF share, percent (90–110 % is fair)", "BBR starves Cubic: 24 % (5 × QUIC)"]
)
def test_a_text_is_as_wide_as_the_renderer_draws_it(text, bold):
    assert measured(text, 16, bold) == pytest.approx(text_width(text, 16, bold), abs=2)


def test_lines_fit_and_are_of_even_length():
    assert ["Web page of images from", "several hosts (BBR)"] == lines_of(WORDS, 200)
    assert [WORDS] == lines_of(WORDS, 600)
    assert " ".join(lines_of(WORDS, 90)) == WORDS
    assert max(text_width(line, 13) for line in lines_of(WORDS, 90)) <= 90


def test_a_word_that_is_too_long_has_its_own_line():
    assert ["a", "Donaudampfschifffahrt"] == lines_of("a Donaudampfschifffahrt", 40)
    assert [] == lines_of("", 40)


def test_only_labels_of_several_lines_are_rewritten():
    expression = label_lines(["Dropbox", WORDS], 200)
    assert {WORDS: lines_of(WORDS, 200)} == json.loads(expression.split("[datum.label]")[0])
