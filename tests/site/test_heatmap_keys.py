"""The arrow keys in the heatmap of a cycle's first page, in a browser."""

from selenium.webdriver.common.keys import Keys

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
