"""The measure of texts: what it must find in a picture, and what it must not."""

import shutil

import pytest

from tests.charts.text_boxes import texts_of

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium"),
]


def picture(*texts: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200" viewBox="0 0 400 200"'
        f' font-family="Liberation Sans" font-size="20">{"".join(texts)}</svg>'
    )


def test_texts_on_one_another_overlap_and_lines_below_one_another_do_not(browser):
    texts = picture(
        '<text x="10" y="30">above</text>',
        '<text x="30" y="34">over it</text>',
        '<text x="10" y="100">one<tspan x="10" dy="24">two</tspan></text>',
    )
    assert [("above", "over it")] == texts_of(browser, texts).overlaps()


def test_slanted_texts_side_by_side_are_apart(browser):
    slanted = [f'<text transform="translate({x},120) rotate(-40)">a long label</text>' for x in (50, 90, 130)]
    assert [] == texts_of(browser, picture(*slanted)).overlaps()


def test_a_text_beyond_an_edge_is_cut(browser):
    texts = picture('<text x="390" y="30">beyond</text>', '<text x="10" y="100">inside</text>')
    assert ["beyond"] == texts_of(browser, texts).cut()


def test_a_text_anchored_at_its_end_or_its_middle_stands_before_its_place(browser):
    texts = picture(
        '<text x="399" y="30" text-anchor="end">end</text>',
        '<text x="200" y="30" text-anchor="middle">middle</text>',
        '<text x="5" y="100" text-anchor="end">cut</text>',
    )
    found = texts_of(browser, texts)
    assert (["cut"], []) == (found.cut(), found.overlaps())


def test_a_text_is_as_small_as_it_is_shown(browser):
    texts = picture('<text x="10" y="30">large</text>', '<text x="10" y="60" font-size="12">small</text>')
    assert 12 == texts_of(browser, texts).smallest
    assert 6 == pytest.approx(texts_of(browser, texts, width=200).smallest)


def test_a_text_that_nobody_sees_does_not_count(browser):
    texts = picture('<text x="10" y="30">seen</text>', '<text x="10" y="30" opacity="0">unseen</text>')
    assert [] == texts_of(browser, texts).overlaps()
