"""What the search finds: its index against the pages, and the page in a browser."""

import json
import shutil

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from scripts.site.root.search_index import ADDRESS, Heading, headings
from tests.site.root.sample_archive import THIRD

in_a_browser = pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")


@pytest.fixture(scope="module")
def index(archive) -> list[dict]:
    return json.loads((archive.root / ADDRESS).read_text())


def test_every_entry_leads_to_a_page_and_to_its_section(archive, index):
    for entry in index:
        path, _, section = entry["address"].partition("#")
        assert (archive.root / path / "index.html").is_file(), entry
        if section:
            assert archive.page(path).find(f".//*[@id='{section}']") is not None, entry


def test_every_service_pair_and_cycle_has_an_entry(archive, index):
    addresses = {entry["address"] for entry in index}
    services = {page for page in archive.pages if page.startswith(("services/", "pairs/"))}
    assert {page.removesuffix("index.html") for page in services} <= addresses
    assert THIRD.pages in addresses
    assert ["Service"] == [entry["kind"] for entry in index if entry["title"] == "BBR <v1>"]


def test_the_sections_of_the_method_are_found(index):
    assert "How cycles are compared" in {entry["title"] for entry in index if entry["kind"] == "Section"}


def test_headings_are_the_title_and_the_sections_with_an_id():
    page = "<h1>A <em>page</em></h1><h2>No id</h2><h2 id=one>One &amp;\n two</h2><h4 id=x>Small</h4>"
    assert [Heading("A page", None), Heading("One & two", "one")] == headings(page)


@pytest.mark.parametrize(
    ("question", "kind", "title"),
    [
        ("iperf-bbr", "Service", "IPERF-BBR"),
        ("netfl", "Service", "IPERF-BBR"),
        ("reno cubic", "Pair", "IPERF-CUBIC against IPERF-RENO"),
    ],
)
class TestInABrowser:
    pytestmark = in_a_browser

    def test_a_question_in_the_address_finds_it_first(self, browsed, question, kind, title):
        browsed.open(f"search/?q={question.replace(' ', '+')}", "entr")
        first = browsed.all("#found li")[0].text
        assert first.startswith(f"{title} {kind}")

    def test_typing_finds_it_and_changes_the_address(self, browsed, question, kind, title):
        browsed.open("search/", "A service, a pair", "search")
        browsed.tab_to("#q")
        browsed.press(question)
        browsed.until(lambda: browsed.all("#found li"), "entries")
        assert browsed.query() == f"?q={question.replace(' ', '+')}"
        browsed.press(Keys.TAB)
        link = browsed.browser.switch_to.active_element
        assert title == link.text
        assert (browsed.root / link.get_attribute("href").split("/", 3)[3] / "index.html").is_file()
        assert [] == browsed.browser.get_log("browser")


class TestWithoutEntries:
    pytestmark = in_a_browser

    def test_some_of_the_words_are_better_than_nothing(self, browsed):
        browsed.open("search/?q=netflix+zebra", "No entry has all words; these have some.")
        assert browsed.all("#found li")

    def test_nothing_found_is_said(self, browsed):
        browsed.open("search/?q=zebra", "Nothing is called “zebra”.")
        assert [] == browsed.browser.find_elements(By.CSS_SELECTOR, "#found li")
