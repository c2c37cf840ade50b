"""A released submission is in the archive, and nothing about other cycles depends on it."""

import json
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.model.comparison import comparison
from scripts.site.archive import build_provisional
from scripts.snapshot.identity import Provisional
from tests.site.archives import SETTINGS, broken_links, build, contents
from tests.site.generated_archive import write_snapshots
from tests.site.html_check import assert_valid
from tests.site.pages_read import Site, text
from tests.site.root.root_read import rows_of
from tests.site.submitted import CAMPAIGN, CYCLE, write_submitted

PAGES = f"cycles/{CAMPAIGN}/{CYCLE}/"
OWN = (PAGES, f"captures/{CAMPAIGN}/", f"latest/{CAMPAIGN}/")
LISTS = {
    "corrections/tombstones.json",
    "cycles/index.html",
    "data/v1/index.json",
    "explore/compare/index.html",
    "explore/index.html",
    "feed.xml",
    "search/index.json",
    "sitemap.xml",
}
"""The files that list the cycles of the archive."""


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("archives with a submission")


@pytest.fixture(scope="module")
def without(root) -> dict[str, bytes]:
    """The archive of two cycles of the panel."""
    snapshots = write_snapshots(root / "panel", 2)
    return contents(build(root, *snapshots))


@pytest.fixture(scope="module")
def site(root, without) -> Site:
    """The same archive after the release of a submission."""
    return Site(build(root, write_submitted(root / "submitted")))


def test_nothing_but_lists_of_cycles_changes(without, site):
    now = contents(site.root)
    tables = {name for name in now if name.startswith("data/v1/") and f"/campaign={CAMPAIGN}/" in name}
    added = {name for name in now if name.startswith(OWN)} | tables
    assert len(added) > 30 and len(without) > 200
    assert LISTS | added == {name for name, content in now.items() if content != without.get(name)}
    assert without.keys() <= now.keys()


def test_the_list_of_cycles_has_it_under_a_heading_of_its_own(site):
    page = site.page("cycles/")
    headings = [text(heading) for heading in page.findall(".//main//h2")]
    assert ["Submitted services"] == headings
    labels = [section.get("aria-label") for section in page.iter("section")]
    assert len({*labels}) == len(labels) > 1
    table = page.find(f".//tr[@id='{CAMPAIGN}']/..")
    assert "Submission: O'Neil (x), +1 (submitted)" == text(table[0])
    assert text(table[1]).startswith(CYCLE)
    assert any(row.startswith(CYCLE) for row in rows_of(page))


def test_explore_and_compare_offer_it_by_its_title(site):
    words = f"Submission: O'Neil (x), +1 (submitted), cycle {CYCLE}"
    for side in ("a", "b"):
        options = {
            one.get("value"): text(one)
            for one in site.page("explore/compare/").findall(f".//*[@id='{side}-cycle']/*")
        }
        assert words == options[f"{CAMPAIGN}/{CYCLE}"]
    index = json.loads((site.root / "data/v1/index.json").read_text())
    assert CAMPAIGN in {cycle["campaign"] for cycle in index["cycles"]}
    titles = json.loads(site.page("explore/").find(".//*[@id='explore']").get("data-titles"))
    assert "O'Neil (x), +1 (submitted)" == titles[CAMPAIGN]


def test_search_finds_its_cycle_and_no_page_that_it_lacks(site):
    entries = json.loads((site.root / "search/index.json").read_text())
    found = [one for one in entries if CAMPAIGN in one["address"]]
    assert [PAGES] == [one["address"] for one in found]


def test_its_pages_lead_to_no_page_about_several_cycles_that_lacks_it(site):
    assert set() == broken_links(site.root)
    assert "Pages about several cycles leave it out" in text(site.page(PAGES))
    assert "Pages about several cycles leave it out" not in text(site.page("cycles/demo/2026-11-21/"))
    for folder in ("services", "pairs", "changes"):
        assert not list((site.root / folder).rglob(f"*{CAMPAIGN}*"))


def test_its_pages_are_valid(site, tmp_path):
    assert_valid(site.root / PAGES, tmp_path)


def test_a_cycle_of_the_panel_is_never_compared_with_it(root, site):
    data = root / "data"
    (data / "snapshots").mkdir(parents=True)
    for snapshot in (root / "snapshots").iterdir():
        (data / "snapshots" / snapshot.name).symlink_to(snapshot.resolve())
    later = data / "demo/2027-01-01"
    (later / "plan").mkdir(parents=True)
    config = next((root / "panel").glob("demo-*/plan/config.json")).read_text()
    (later / "plan/config.json").write_text(config)
    assert "2026-12-05" == comparison(later).before


def test_a_submission_that_still_runs_has_no_provisional_pages(root, site):
    with pytest.raises(UserError, match="no provisional pages"):
        build_provisional(root, site.root, SETTINGS, Provisional(CAMPAIGN, CYCLE, 1, 2))
