"""Heatmaps as tables of pages, and the arrow keys in them."""

import re
from dataclasses import replace

import pytest
from selenium.webdriver.common.keys import Keys

from scripts.charts.scales import SCALES
from scripts.site.heatmap_table import heatmap_table
from scripts.site.hugo import SITE
from tests.site.sample_figures import figure, pair, share

ROWS = [*pair("a", "b", (0.47, 1.53)), share("a", "a", 0.9), share("b", "b", None)]


def table(*rows, kind="share"):
    return heatmap_table(rows, "8mbps", kind, str.upper)


def cells_by_title(found):
    """The cells of a table, by the titles of row and column."""
    return {
        (row["title"], column): cell
        for row in found["rows"]
        for column, cell in zip(found["columns"], row["cells"], strict=True)
    }


def test_the_contender_that_takes_most_is_the_first_row_and_the_incumbent_that_loses_most_the_first_column():
    found = table(*ROWS)
    assert ["B", "A"] == [row["title"] for row in found["rows"]]
    assert ["A", "B"] == found["columns"]
    level = SCALES["share"].level(47)
    assert {"class": f"s{level}", "text": "47", "pair": "a~b"} == found["rows"][0]["cells"][0]


def test_the_order_is_that_of_all_settings_of_the_cycle():
    elsewhere = [replace(row, setting="50mbps") for row in pair("a", "b", (1.9, 0.1))]
    more = [replace(row, setting="100mbps") for row in pair("a", "b", (1.8, 0.2))]
    assert ["B", "A"] == table(*ROWS, *elsewhere, *more)["columns"]


def test_a_share_that_still_moves_is_marked():
    rows = [*pair("a", "b", (0.47, 1.53), settled="still moving"), share("a", "a", 0.9, settled="settled")]
    found = cells_by_title(table(*rows))
    assert found["B", "A"]["moves"] and "moves" not in found["A", "A"]
    delays = [figure("a", "b", "queueing_delay_ms", 20.0), figure("b", "a", "queueing_delay_ms", 20.0)]
    assert not any("moves" in cell for cell in cells_by_title(table(*rows, *delays, kind="delay")).values())


def test_a_cell_says_why_it_has_no_value():
    unable = pair("a", "c", (0.1, 1.0), verdict=None)
    cells = cells_by_title(table(*ROWS, *unable))
    assert {"class": "no", "text": "×", "pair": "b~b", "words": "no valid trial"} == cells["B", "B"]
    assert ("–", "a~c") == (cells["C", "A"]["text"], cells["C", "A"]["pair"])
    assert {"class": "no", "text": "·"} == cells["C", "B"]


@pytest.mark.parametrize(
    ("row", "look", "words"),
    [
        ({"verdict": "losing"}, "s1", None),
        ({"verdict": "undecided"}, "undecided", "undecided"),
        ({"verdict": "provisional"}, "few", "no verdict yet"),
        ({"verdict": "seen", "n": 5}, "few", "too few trials"),
    ],
)
def test_a_colour_is_a_verdict(row, look, words):
    (one, other) = pair("a", "b", (0.47, 1.53), **row)
    cell = cells_by_title(table(one, other))["B", "A"]
    assert (look, words) == (cell["class"], cell.get("words"))


def test_a_share_against_itself_has_no_colour():
    cell = cells_by_title(table(*ROWS))["A", "A"]
    assert "self" == cell["class"] and "words" not in cell


def test_another_kind_shows_its_own_figure_in_shades_of_grey_with_a_legend():
    delays = [figure("a", "b", "queueing_delay_ms", 151.6), figure("b", "page", "queueing_delay_ms", 20.0)]
    found = table(*ROWS, *delays, kind="delay")
    assert ("152", "m8") == tuple(cells_by_title(found)["B", "A"][key] for key in ("text", "class"))
    assert len(found["rows"]) == 2
    assert [f"m{level}" for level in range(10)] == [entry["class"] for entry in found["legend"]]
    assert [] == table(*ROWS)["legend"]


def test_a_cell_without_harm_says_why():
    shares = [*pair("a", "b", (0.47, 1.53)), share("a", "a", 0.9), share("b", "b", None, n=0)]
    harms = [figure("a", "b", "harm_loss", None, n=0), figure("b", "a", "harm_loss", 0.5)]
    cells = cells_by_title(table(*shares, *harms, kind="harm-loss"))
    assert ["?", "?", "50", "×"] == [
        cells[key]["text"] for key in (("A", "A"), ("B", "A"), ("A", "B"), ("B", "B"))
    ]
    assert cells["A", "B"]["class"] == f"m{SCALES['harm'].level(50)}"


def test_calls_and_pages_are_no_incumbents_so_they_have_no_row():
    assert table(*ROWS, share("a", "page", 0.5))["columns"] == ["A", "B"]


def test_the_tones_of_shares_in_the_style_sheet_are_those_of_the_charts():
    sheet = (SITE / "common/assets/css/base.css").read_text(encoding="utf-8").partition("@media")[0]
    tones = dict(re.findall(r"--(s\d): (#[0-9a-f]{6})", sheet))
    assert {f"s{level}": colour for level, colour in enumerate(SCALES["share"].colours)} == tones


PLACE = "const cell = arguments[0].closest('td'); return [cell.parentNode.sectionRowIndex, cell.cellIndex]"


def test_arrow_keys_move_between_the_cells_and_the_table_stays_one_stop(reader):
    reader.open("cycles/demo/2026-11-21/")
    first = reader.tab_to("table.roving td a", most=120)
    assert reader.page.execute_script(PLACE, first) == [0, 1]
    for key, place in (
        (Keys.ARROW_RIGHT, [0, 2]),
        (Keys.ARROW_DOWN, [2, 2]),  # the cell between was not measured
        (Keys.ARROW_RIGHT, [2, 3]),
        (Keys.HOME, [2, 2]),
        (Keys.ARROW_LEFT, [2, 2]),
        (Keys.ARROW_UP, [0, 2]),
    ):
        assert reader.page.execute_script(PLACE, reader.press(key)) == place
    assert "a" == reader.press(Keys.TAB).tag_name
    assert not reader.page.execute_script("return document.activeElement.closest('td')")
