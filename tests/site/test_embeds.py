"""The pages that other sites show in a frame: one for each pair and setting, small and complete in itself."""

import re

from selenium.webdriver.common.by import By

from scripts.site.cycle.build_cycle import PagesTarget
from scripts.site.settings import Unlisted
from tests.services.local_site import serving
from tests.site.archives import below, contents
from tests.site.conftest import PLACE
from tests.site.pages_read import text

CELL = "8mbps/iperf-bbr~iperf-cubic"
CYCLE = "cycles/demo/2026-11-21/"
"""The newest of the archive that has the pair; a later one has not."""
MOST_BYTES = 2_200


def folders(site, room: str) -> set[str]:
    """The settings and pairs that have a page in a room of a cycle."""
    found = (re.fullmatch(rf"{room}/([^/]+/[^/]+)/index\.html", page) for page in site.pages)
    return {match[1] for match in found if match}


def test_each_pair_and_setting_has_one_more_file_which_is_small(either):
    pairs, embeds = folders(either, "pairs"), folders(either, "embed")
    assert embeds and embeds <= pairs
    assert embeds == {
        pair for pair in pairs if either.page(f"pairs/{pair}/").find(".//*[@id='alone']") is not None
    }
    files = below(contents(either.base), "embed/")
    assert {f"embed/{pair}/index.html" for pair in embeds} == files.keys()
    assert [] == [name for name, page in files.items() if len(page) > MOST_BYTES]


def test_it_names_the_cycle_the_licence_and_the_page_of_the_pair(site):
    page = f"embed/{CELL}/index.html"
    words, links = text(site.pages[page]), [link.get("href") for link in site.pages[page].iter("a")]
    assert "cycle 2026-11-21" in words and "CC BY 4.0" in words
    assert site.base / f"pairs/{CELL}/index.html" in [site.target(page, link)[0] for link in links]
    assert "_top" == site.pages[page].find(".//base").get("target")


def test_the_page_of_a_pair_has_the_code_of_the_newest_one(published):
    (code,) = [
        text(code) for code in published.page(f"{CYCLE}pairs/{CELL}/").iter("code") if "<iframe" in text(code)
    ]
    address = re.search(r'src="http://localhost:8000/([^"]+)"', code)[1]
    refresh = published.page(address).find(".//meta[@http-equiv='refresh']").get("content")
    target, _ = published.target(f"{address}index.html", refresh.split("url=")[1])
    assert published.root / f"{CYCLE}embed/{CELL}/index.html" == target


def test_unlisted_pages_have_none(build, cycle, tmp_path):
    target = PagesTarget(PLACE.pages, PLACE.captures("captures/"), PLACE.label, unlisted=Unlisted(None))
    site = build(tmp_path / "public", cycle, target)
    assert not (site.base / "embed").exists()
    assert "Embed" not in text(site.page(f"pairs/{CELL}/"))


def test_a_frame_of_another_site_shows_it_and_no_other_page(reader):
    addresses = (f"latest/demo/embed/{CELL}/", f"{CYCLE}embed/{CELL}/", f"{CYCLE}pairs/{CELL}/")
    frames = "".join(f'<iframe src="{reader.root}{address}"></iframe>' for address in addresses)
    with serving() as other:
        other.add("/", frames)
        reader.page.get(other.address("/", "localhost"))
        reader.wait_for_new_page()  # a frame that leads on may end the browser's own wait
        shown = []
        for frame in reader.all("iframe"):
            reader.page.switch_to.frame(frame)
            shown.append(reader.page.find_element(By.TAG_NAME, "body").text)
            reader.page.switch_to.default_content()
    assert ["CC BY 4.0" in words for words in shown] == [True, True, False]
