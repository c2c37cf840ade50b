"""Pages about several cycles are the same with and without the cycles of submissions."""

import json
from dataclasses import replace

from scripts.site.addresses import Place
from scripts.site.root.archive_cycles import read_archive
from scripts.site.root.choices import choices
from scripts.site.root.front_page import front_page
from scripts.site.settings import Unlisted
from tests.site.archives import contents
from tests.site.pages_read import text
from tests.site.root.sample_archive import SETTINGS, THIRD, write_archive
from tests.site.root.sample_summaries import make_rows, make_summary, write_pages

SUBMITTED = Place("submission-a1b2c3d4", "2027-06-01")
LISTS = {
    "explore/compare/index.html",
    "cycles/index.html",
    "explore/index.html",
    "feed.xml",
    "search/index.json",
    "sitemap.xml",
}


def write_with_submission(site):
    """The sample archive, and a later submission that gives other titles and colours to its contenders."""
    write_archive(site)
    write_submission(site)


def write_submission(site):
    summary = make_summary(SUBMITTED, ["bbr", "cubic", SUBMITTED.campaign])
    other = tuple(replace(one, title=f"Other {one.name}", colour="#123456") for one in summary.services)
    headings = tuple(replace(one, heading="Another link") for one in summary.settings)
    write_pages(site, replace(summary, services=other, settings=headings), make_rows(summary))


def test_titles_colours_and_figures_of_a_submission_are_in_no_page_about_several_cycles(build):
    without = contents(build(write_archive, name="without").root)
    both = contents(build(write_with_submission, name="with").root)
    own = ("cycles/submission-", "latest/submission-")
    root = {name for name in both if not name.startswith(own) and SUBMITTED.label not in name}
    assert len(root) > 100
    assert LISTS == {name for name in root if both[name] != without.get(name)}


def test_the_front_page_is_of_no_submission_even_without_another_cycle(build):
    site = build(write_submission)
    archive = read_archive(site.root, SETTINGS, {}, ())
    assert archive.front is None and "cycle" not in front_page(archive)
    assert "Submitted services" in text(site.page("cycles/"))
    assert not (site.root / "services/bbr").exists()


def test_unlisted_pages_have_their_submission_as_any_other_cycle(build):
    settings = replace(SETTINGS, unlisted=Unlisted("2027-07-01"))
    site = build(write_submission, settings=settings)
    assert SUBMITTED.cycle == read_archive(site.root, settings, {}, ()).front.name
    assert (site.root / f"services/{SUBMITTED.campaign}/index.html").is_file()
    assert "Submitted services" not in text(site.page("cycles/"))


def test_explore_keeps_the_titles_and_colours_of_the_panel(build):
    site = build(write_with_submission)
    archive = read_archive(site.root, SETTINGS, {}, ())
    offered, before = choices(archive), choices(archive.panel)
    assert f"{THIRD.campaign}/{THIRD.cycle}" == offered["latest"]
    assert before["titles"].items() < offered["titles"].items()
    assert before["colours"].items() < offered["colours"].items()
    assert f"Other {SUBMITTED.campaign}" == offered["titles"][SUBMITTED.campaign]


def test_search_finds_the_cycle_of_a_submission_and_no_history_of_it(build):
    site = build(write_with_submission)
    entries = json.loads((site.root / "search/index.json").read_text())
    found = [one["address"] for one in entries if SUBMITTED.campaign in json.dumps(one)]
    assert [SUBMITTED.pages] == found
