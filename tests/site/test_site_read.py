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


def test_the_packets_of_a_trial_are_two_clicks_from_the_front_page(reader):
    reader.open("")
    reader.follow("main table a[href*='pairs/8mbps/']")
    packets = next(link for link in reader.all("main a[href$='.pcapng.zst']") if reader.shows(link))
    assert "/captures/demo/" in packets.get_attribute("href")


def test_the_command_of_a_reviewer_is_on_the_page(reader, published):
    reader.open(f"{published.folder}cycles/demo/2026-11-21/pairs/8mbps/iperf-cubic~ref-video-4-reno/")
    reader.page.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    shown = [code.text for code in reader.all("main code") if reader.shows(code)]
    assert any(
        re.match("make reproduce SNAPSHOT=.* ONLY=pairs/8mbps/iperf-cubic~ref-video", one) for one in shown
    )


def test_the_data_of_a_figure_is_one_click_from_its_picture(reader, published):
    reader.open(f"{published.folder}cycles/demo/2026-11-21/pairs/8mbps/iperf-cubic~ref-video-4-reno/")
    script = (
        "const places = [...document.querySelectorAll('main svg')]"
        ".map((picture) => picture.closest('section, .c5, main'));"
        "const data = (place) => [...place.querySelectorAll('a[download]')];"
        "return places.filter((place) => !data(place).some((link) => link.checkVisibility()))"
        ".map((place) => place.textContent.trim().slice(0, 60))"
    )
    assert [] == reader.page.execute_script(script)
    assert len(reader.all("main svg")) > 6


@pytest.mark.parametrize(("width", "most"), [(1280, 6000), (390, 12_000)])
def test_the_page_of_a_pair_is_short(reader, published, width, most):
    pages = [page for page in kinds_of_pages(published) if "/pairs/" in page and "~" in page]
    assert pages
    for page in pages:
        reader.open(page, width)
        assert reader.page.execute_script("return document.documentElement.scrollHeight") <= most, page


SCREEN = 800
"""The height in px of a usual laptop's window."""


def test_who_hurts_whom_is_seen_without_scrolling(reader, published):
    for address in ("", published.folder):
        reader.open(address)
        (together,) = reader.all("main .link .tall")
        (said,) = [one for one in reader.all("main p:has(> strong)") if "of its fair share" in one.text]
        for one in (together, said):
            assert 0 < one.rect["y"] < one.rect["y"] + one.rect["height"] <= SCREEN, address
        assert re.search(r"(\w.+) leaves (\w.+) \d+\s% of its fair share", said.text)
        assert 2 == len(together.find_elements("css selector", "rect"))


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


LONG_SETTING = "BBR first, queue of 32 BDP (10 Mbps, 40 ms)"
"""Settings have such titles that differ in more than rate and round-trip time."""


def test_a_long_title_of_a_setting_fits_into_the_ranking_on_a_telephone(reader):
    reader.open("", 390)
    script = (
        "const cells = [...document.querySelectorAll('.rank td')];"
        "for (const one of cells) if (one.dataset.l) one.dataset.l = 'gets, ' + arguments[0];"
        "return cells.map((one) => one.scrollWidth <= one.clientWidth)"
    )
    fit = reader.page.execute_script(script, LONG_SETTING)
    assert fit and all(fit)


def test_long_titles_of_settings_are_whole_in_the_selector_on_a_telephone(reader):
    """No cycle of this archive has several settings, so the test writes them into the page."""
    reader.open("cycles/demo/2026-11-21/settings/8mbps/", 390)
    script = (
        "const seg = '<div class=seg>' + `<a href=/>${arguments[0]}</a>`.repeat(4) + '</div>';"
        "document.querySelector('.ctx .wrap').insertAdjacentHTML('beforeend', seg);"
        "return [...document.querySelectorAll('.seg a')].map((one) => one.clientWidth)"
    )
    widths = reader.page.execute_script(script, LONG_SETTING)
    assert 4 == len(widths) and min(widths) > 200


@pytest.mark.parametrize("width", [360, 1280])
def test_the_six_entries_and_the_search_are_visible_on_every_screen(reader, width):
    reader.open("about/", width)
    entries = reader.all("header.top a")
    assert 1 + 6 + 1 == len(entries)
    for entry in entries:
        box = entry.rect
        assert box["height"] >= 24 and box["x"] >= 0 and box["x"] + box["width"] <= width, entry.text
