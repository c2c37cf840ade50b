"""The site in a browser, with its headers: every kind of page, light and dark, on narrow and wide screens."""

import re

import pytest
from selenium.webdriver.common.keys import Keys

from tests.site.reader import kinds_of_pages


def test_axe_finds_nothing_on_any_page(reader, published):
    found = []
    for address in kinds_of_pages(published):
        for scheme, rules in (("light", ()), ("dark", ("color-contrast",))):
            reader.open(address, scheme=scheme)
            found += [f"{address or '/'} ({scheme}): {problem}" for problem in reader.violations(*rules)]
    assert not found, "\n".join(found)


def test_no_page_breaks_the_policy_or_loads_anything_from_elsewhere(reader, published):
    found = []
    for address in kinds_of_pages(published):
        reader.open(address)
        found += [f"{address or '/'}: {entry['message']}" for entry in reader.page.get_log("browser")]
        found += [f"{address or '/'}: {name}" for name in reader.foreign]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("width", [360, 390, 3840])
def test_no_page_scrolls_sideways(reader, published, width):
    found = []
    for address in kinds_of_pages(published):
        reader.open(address, width)
        found += [f"{address or '/'}: {reader.overflow} px"] if reader.overflow else []
    assert not found, "\n".join(found)


def test_a_capture_is_three_clicks_from_the_front_page(reader):
    reader.open("")
    clicks = 0
    for step in ("main a[href*='pairs/8mbps/']", "main a[href*='trials/8mbps/']"):
        if not reader.all("main a[href$='.pcapng.zst']"):
            reader.follow(step)
            clicks += 1
    assert clicks <= 2
    assert reader.all("main a[href$='.pcapng.zst']")


def test_a_heatmap_leads_to_a_pair_by_keyboard(reader):
    reader.open("")
    reader.tab_to("main table td a", most=120)
    reader.page.execute_script("document.documentElement.id = 'former'")
    reader.press(Keys.ENTER)
    reader.wait_for_new_page()
    assert re.search(r"pairs/8mbps/[^/]+~[^/]+/$", reader.address)


def test_the_first_stop_of_the_keyboard_skips_the_links(reader, published):
    reader.open(published.folder)
    assert "Skip to content" == reader.press(Keys.TAB).text
    reader.press(Keys.ENTER)
    assert "main" == reader.page.switch_to.active_element.get_attribute("id")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_six_entries_and_the_search_are_visible_on_every_screen(reader, width):
    reader.open("about/", width)
    entries = reader.all("header.top a")
    assert 1 + 6 + 1 == len(entries)
    for entry in entries:
        box = entry.rect
        assert box["height"] >= 24 and box["x"] >= 0 and box["x"] + box["width"] <= width, entry.text
