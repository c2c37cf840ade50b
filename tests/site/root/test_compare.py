"""What a browser shows of two sides on the page compare, against the rows of their summaries."""

import re
import shutil

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.site.root.root_read import figures
from tests.site.root.sample_tables_site import EARLIER, LATER, MANY

pytestmark = pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")

PAIR = "iperf-bbr~iperf-cubic"
NUMBER = re.compile(r"[−+]?[\d,]+(\.\d+)?")


def number(words: str) -> float:
    """The first number of a text."""
    return float(NUMBER.search(words)[0].replace("−", "-").replace(",", ""))


def rows_of(browsed, place, setting: str, **wanted) -> dict[str, dict]:
    """The figures of a side by name."""
    rows = figures(browsed, place, setting=setting, **wanted)
    return {row["figure"]: row for row in rows}


def width_px(browsed, mark: str) -> float:
    """How wide the first mark of this class is drawn."""
    return float(
        browsed.all(f"#result svg {mark}")[0].value_of_css_property("stroke-width").removesuffix("px")
    )


def test_two_pairs_have_the_numbers_of_their_tables(browsed):
    browsed.open(
        f"explore/compare/?a={EARLIER.campaign}/{EARLIER.cycle}/8mbps/{PAIR}&b=demo/{LATER.cycle}/50mbps/{PAIR}",
        "Shown",
    )
    tables = browsed.all("#result table")
    assert 2 == len(tables)
    wanted = {"pair": PAIR, "service": "iperf-bbr"}
    one, other = rows_of(browsed, EARLIER, "8mbps", **wanted), rows_of(browsed, LATER, "50mbps", **wanted)
    shown = {row[0]: row[2:] for row in browsed.rows("#result table:first-child")}
    for title, name in (("Throughput", "throughput_mbps"), ("Queueing delay", "queueing_delay_ms")):
        sides, difference = shown[title]
        a, b = sides.splitlines()
        a_n, b_n = (side.partition("n = ")[2].partition(",")[0] for side in (a, b))
        assert (str(one[name]["n"]), str(other[name]["n"])) == (a_n, b_n)
        assert one[name]["median"] == pytest.approx(number(a), abs=0.51 if "delay" in name else 0.006)
        assert other[name]["median"] == pytest.approx(number(b), abs=0.51 if "delay" in name else 0.006)
        expected = other[name]["median"] - one[name]["median"]
        assert expected == pytest.approx(number(difference), abs=0.51 if "delay" in name else 0.006)
    assert 100 * one["share"]["median"] == pytest.approx(
        number(shown["MmF share"][0].split("\n")[0]), abs=0.51
    )


def test_below_six_trials_there_is_neither_verdict_nor_interval(browsed):
    browsed.open(
        f"explore/compare/?a=demo/{LATER.cycle}/8mbps/{PAIR}&b=demo/{LATER.cycle}/8mbps/{PAIR}", "Shown"
    )
    shown = browsed.text("result").replace("100 = fair", "")  # of the axis
    assert "too few trials" in shown and not re.search(r"\b(loses|wins|fair)\b", shown)
    assert all("too few trials" in row[3] for row in browsed.rows("#result"))
    assert browsed.all("#result svg .h") and not browsed.all("#result svg .i")
    assert width_px(browsed, ".h") < width_px(browsed, ".d")  # A dot is hollow, not covered.
    assert "fewer than 6 trials" in browsed.text("few")


def test_two_settings_are_sorted_by_the_size_of_the_difference_and_all_but_the_first_cells_unfold(browsed):
    browsed.open(f"explore/compare/?a=watchdog/{MANY.cycle}/8mbps&b=watchdog/{MANY.cycle}/50mbps", "Shown")
    first = [row for row in browsed.all("#result tbody tr") if row.is_displayed()]
    assert 20 == len(first)
    browsed.tab_to("#result summary")
    browsed.press(Keys.ENTER)
    assert all(row.is_displayed() for row in browsed.all("#result tbody tr"))
    rows = browsed.rows("#result")
    sizes = [abs(number(row[3])) for row in rows]
    assert sorted(sizes, reverse=True) == sizes and "The other 16 of 36 cells" in browsed.text("result")
    expected = {(row["service"], row["contender"]) for row in figures(browsed, MANY, figure="share")}
    assert len(expected) == len(rows)
    assert {"apart", "overlap"} >= {row[3].split()[-1] for row in rows}
    links = [
        link.get_attribute("href") for link in browsed.all("#result table:first-child tbody tr:first-child a")
    ]
    assert [
        f"{MANY.pages}pairs/{setting}/" in link
        for setting, link in zip(("8mbps", "50mbps"), links, strict=True)
    ]


def test_a_share_says_whether_it_has_settled(browsed):
    browsed.open(
        f"explore/compare/?a=watchdog/{MANY.cycle}/8mbps/{PAIR}&b=watchdog/{MANY.cycle}/50mbps/{PAIR}",
        "Shown",
    )
    shown = [row for row in browsed.rows("#result") if row[0] == "MmF share"]
    words = {"undecided": "perhaps still moving"}
    for place, setting in ((0, "8mbps"), (1, "50mbps")):
        rows = figures(browsed, MANY, setting=setting, pair=PAIR, figure="share")
        expected = {row["service"]: words.get(row["settled"], row["settled"]) for row in rows}
        assert sorted(expected.values()) == sorted(
            cells[2].split("\n")[place].rpartition(", ")[2] for cells in shown
        )


def test_what_was_measured_in_another_way_is_said(browsed):
    browsed.open(f"explore/compare/?a=watchdog/{MANY.cycle}/8mbps&b=watchdog/{MANY.cycle}/50mbps", "Shown")
    assert "measured in different ways" in browsed.text("method")
    assert "setting.queue_packets: A 128, B 1024" in browsed.text("method")
    for name, setting in (("a", "8mbps"), ("b", "50mbps")):
        links = [link.get_attribute("href") for link in browsed.all(f"#{name}-pages a")]
        assert browsed.served.address(f"{MANY.pages}settings/{setting}/") in links


def test_the_sides_are_chosen_by_keyboard_and_back_returns(browsed):
    browsed.open("explore/compare/", "Shown")
    before = browsed.text("status")
    browsed.tab_to("#b-setting")
    browsed.press("5" if "8 Mbps" in Select(browsed.all("#b-setting")[0]).first_selected_option.text else "8")
    browsed.until(
        lambda: browsed.text("status") != before and "Shown" in browsed.text("status"), "another setting"
    )
    first = browsed.query()
    assert f"b=demo/{EARLIER.cycle}/50mbps" in first
    browsed.press(Keys.TAB)
    browsed.press("iperf-bbr against itself"[:1])
    browsed.until(lambda: browsed.query() != first, "a pair in the address")
    browsed.browser.back()
    browsed.until(
        lambda: browsed.query() == first and browsed.all("#b-pair")[0].get_attribute("value") == "", "back"
    )


def test_a_setting_that_is_not_there_is_said_and_the_other_side_holds(browsed):
    browsed.open(
        f"explore/compare/?a=demo/{LATER.cycle}/nowhere&b=watchdog/{MANY.cycle}/50mbps&figure=constructor",
        "Shown",
    )
    assert "no setting “nowhere”" in browsed.text("problems")
    assert "no figure “constructor”" in browsed.text("problems")
    assert "50mbps" == browsed.browser.find_element(By.ID, "b-setting").get_attribute("value")
    assert [] == browsed.browser.get_log("browser")


def test_the_dots_are_at_their_medians_on_the_axis_of_shares(browsed):
    browsed.open(
        f"explore/compare/?a=watchdog/{MANY.cycle}/8mbps/{PAIR}&b=watchdog/{MANY.cycle}/50mbps/{PAIR}",
        "Shown",
    )
    drawn = browsed.all("#result table:first-child tr:first-child svg .d")
    places = [float(re.match(r"M([\d.]+)", path.get_attribute("d"))[1]) for path in drawn]
    medians = [
        rows_of(browsed, MANY, setting, pair=PAIR, service="iperf-bbr")["share"]["median"]
        for setting in ("8mbps", "50mbps")
    ]
    assert [100 * median for median in medians] == pytest.approx(places, abs=0.01)
