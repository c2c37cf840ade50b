"""Heatmaps as tables of pages, and the arrow keys in them."""

from selenium.webdriver.common.keys import Keys

from scripts.charts.scales import SCALES
from scripts.site.heatmap_css import heatmap_css
from scripts.site.heatmap_table import heatmap_table
from scripts.site.hugo import SITE
from tests.site.sample_figures import figure, pair, share

ROWS = [*pair("a", "b", (0.47, 1.53)), share("a", "a", 0.9), share("b", "b", None)]


def table(*rows, kind="share"):
    return heatmap_table(rows, "8mbps", kind, str.upper)


def test_contenders_are_rows_and_incumbents_columns():
    found = table(*ROWS)
    assert found["columns"] == [row["title"] for row in found["rows"]] == ["A", "B"]
    against_b = found["rows"][1]["cells"]
    level = SCALES["share"].level(47)
    assert found["rows"][0]["cells"][0]["first"]
    assert against_b[0] == {
        "class": f"share-{level}",
        "text": "47",
        "pair": "a~b",
    }


def test_a_share_has_a_mark_that_tells_whether_it_has_settled_and_a_note_explains_the_marks():
    rows = [*pair("a", "b", (0.47, 1.53), settled="still moving"), share("a", "a", 0.9, settled="settled")]
    rows += pair("a", "c", (0.5, 1.5), settled="undecided") + pair("b", "c", (0.5, 1.5), n=5)
    found = table(*rows)
    (first, second, third) = (row["cells"] for row in found["rows"])
    assert first[0]["settled"] == {"mark": "=", "words": "settled"}
    assert first[1]["settled"] == {"mark": "≠", "words": "still moving"}
    assert third[0]["settled"] == {"mark": "?", "words": "undecided whether it has settled"}
    assert "settled" not in second[2] and "settled" not in third[1]
    assert found["notes"][-1] == (
        "share in the second half of the steady window, compared with the first: "
        "= settled, ≠ still moving, ? undecided whether it has settled"
    )
    assert not any("second half" in note for note in table(*ROWS)["notes"])
    delays = [figure("a", "b", "queueing_delay_ms", 20.0), figure("b", "a", "queueing_delay_ms", 20.0)]
    other = table(*rows, *delays, kind="delay")
    assert not any("settled" in cell for row in other["rows"] for cell in row["cells"])
    assert not any("second half" in note for note in other["notes"])


def test_a_cell_says_why_it_has_no_value():
    unable = pair("a", "c", (0.1, 1.0), verdict=None)
    found = table(*ROWS, *unable)
    cells = {
        (row["title"], column): cell
        for row in found["rows"]
        for column, cell in zip(found["columns"], row["cells"], strict=True)
    }
    assert cells["B", "B"] == {"class": "none", "text": "–", "pair": "b~b"}
    assert cells["C", "A"] == {"class": "none", "text": "unable", "pair": "a~c"}
    assert cells["C", "B"] == {"class": "none", "text": ""}
    assert found["notes"] == [
        "–: no valid trial",
        "unable: a service cannot do alone what it must",
        "empty: not measured",
        "a service against itself, no verdict: the instance that got less in each trial",
    ]


def test_a_share_without_a_verdict_is_hatched_and_the_legend_says_so():
    found = table(*pair("a", "b", (0.47, 1.53), verdict="undecided"), share("a", "a", 0.5))
    classes = [cell["class"] for row in found["rows"] for cell in row["cells"]]
    assert ["undecided", "undecided", "undecided", "none"] == classes
    assert {"class": "undecided", "words": "undecided, or no verdict"} == found["legend"][-1]
    decided = table(*pair("a", "b", (0.47, 1.53)))
    assert all(entry["class"].startswith("share-") for entry in decided["legend"])


def test_a_value_from_few_trials_is_marked_unless_all_are():
    few = table(*ROWS, *pair("a", "c", (0.1, 1.0), n=5))
    assert "10*" in [cell["text"] for row in few["rows"] for cell in row["cells"]]
    assert few["notes"][0] == "* fewer than six trials: seen, not judged"
    all_few = table(*pair("a", "b", (0.1, 1.0), n=5))
    assert all_few["notes"] == ["every value: fewer than six trials: seen, not judged", "empty: not measured"]
    assert all_few["rows"][1]["cells"][0]["text"] == "10"


def test_another_kind_shows_its_own_figure_in_the_cells_of_the_matrix():
    delays = [figure("a", "b", "queueing_delay_ms", 151.6), figure("b", "page", "queueing_delay_ms", 20.0)]
    found = table(*ROWS, *delays, kind="delay")
    assert found["rows"][1]["cells"][0]["text"] == "152"
    assert len(found["rows"]) == 2


def test_a_cell_without_harm_says_why():
    shares = [*pair("a", "b", (0.47, 1.53)), share("a", "a", 0.9), share("b", "b", None, n=0)]
    harms = [figure("a", "b", "harm_loss", None, n=0), figure("b", "a", "harm_loss", 0.5)]
    found = table(*shares, *harms, kind="harm-loss")
    texts = [[cell["text"] for cell in row["cells"]] for row in found["rows"]]
    assert [["?", "50"], ["?", "–"]] == texts
    assert "?: no ratio to the service alone" in found["notes"]
    assert found["rows"][0]["cells"][1]["class"] == f"harm-{SCALES['harm'].level(50)}"
    assert "harm-0" == found["legend"][0]["class"]


def test_calls_and_pages_are_no_incumbents_so_they_have_no_row():
    assert table(*ROWS, share("a", "page", 0.5))["columns"] == ["A", "B"]


def test_the_colours_of_the_style_sheet_are_those_of_the_charts():
    sheet = SITE / "common/assets/css/heatmap-colours.css"
    assert sheet.read_text(encoding="utf-8") == heatmap_css(), "python -m scripts.site.heatmap_css prints it"


PLACE = "const cell = arguments[0].closest('td'); return [cell.parentNode.sectionRowIndex, cell.cellIndex]"


def test_arrow_keys_move_between_the_cells_and_the_table_stays_one_stop(reader):
    reader.open("cycles/demo/2026-11-21/")
    first = reader.tab_to("table.roving td a", most=120)
    assert reader.page.execute_script(PLACE, first) == [0, 1]
    for key, place in (
        (Keys.ARROW_RIGHT, [0, 2]),
        (Keys.ARROW_DOWN, [1, 2]),
        (Keys.HOME, [1, 1]),
        (Keys.ARROW_LEFT, [1, 1]),
        (Keys.ARROW_UP, [0, 1]),
    ):
        assert reader.page.execute_script(PLACE, reader.press(key)) == place
    assert "a" == reader.press(Keys.TAB).tag_name
    assert not reader.page.execute_script("return document.activeElement.closest('td')")
