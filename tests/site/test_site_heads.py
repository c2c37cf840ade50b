"""What a page tells search engines, previews and people who cite it."""

import json

from PIL import Image

from tests.site.archives import SETTINGS
from tests.site.pages_read import text

PAIR = "cycles/demo/2026-11-21/pairs/8mbps/iperf-bbr~iperf-cubic/"
CYCLE = "cycles/demo/2026-11-21/"


def heads(published):
    """The head of every page except those that only lead to others or stand for one, by its path."""
    return {
        page: root.find("head")
        for page, root in published.pages.items()
        if not page.startswith("latest/") and "/embed/" not in page
    }


def meta(head, key: str) -> str | None:
    """The content of a meta element, by its name or property."""
    found = [one.get("content") for one in head.iter("meta") if key in (one.get("name"), one.get("property"))]
    return found[0] if found else None


def test_every_page_has_its_own_title_and_description(published):
    found = heads(published)
    assert len(found) == len({text(head.find("title")) for head in found.values()})
    for page, head in found.items():
        assert 20 < len(meta(head, "description")), page


def test_every_page_names_its_permanent_address(published):
    for page, head in heads(published).items():
        links = [link.get("href") for link in head.iter("link") if link.get("rel") == "canonical"]
        expected = SETTINGS.address + page.removesuffix("index.html")
        assert ([] if page == "404.html" else [expected]) == links, page


def test_a_pair_has_its_shares_in_words_and_a_picture_of_them(published):
    head = published.page(PAIR).find("head")
    assert "of the max-min fair share, n = 2" in meta(head, "description")
    picture = published.root / meta(head, "og:image").removeprefix(SETTINGS.address)
    with Image.open(picture) as opened:
        assert (600, 315) == opened.size
    assert picture.stat().st_size <= 15_000


def test_pages_of_data_list_files_that_exist(published):
    for page in ("data/", CYCLE, f"{CYCLE}data/", PAIR):
        (script,) = (one for one in published.page(page).iter("script") if one.get("type"))
        dataset = json.loads("".join(script.itertext()))
        assert "Dataset" == dataset["@type"] and dataset["license"].endswith("/by/4.0/")
        files = [one["contentUrl"].removeprefix(SETTINGS.address) for one in dataset["distribution"]]
        assert files and all((published.root / file).is_file() for file in files), page
