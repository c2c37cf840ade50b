"""The page status/, its feed and its data."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from scripts.base.errors import UserError
from scripts.model.operation import read_status, status_text
from scripts.site.__main__ import main
from scripts.site.archive import build_archive
from scripts.site.root.build_root import build_root
from tests.site.archives import contents
from tests.site.html_check import assert_valid
from tests.site.pages_read import Site, text
from tests.site.root.root_read import rows_of
from tests.site.root.sample_archive import SECOND_R2, SETTINGS, THIRD, TOMBSTONES, write_archive
from tests.site.root.sample_operation import IDLE, OPERATION, RUNNING

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def built(folder, operation):
    """The root's pages of the sample archive with this operation."""
    write_archive(folder / "public")
    build_root(folder / "public", SETTINGS, TOMBSTONES, (), operation)
    return Site(folder / "public")


def test_the_page_tells_the_last_success_what_is_due_and_how_to_read_it(archive):
    words = text(archive.page("status/").find(".//main"))
    assert "This is how it stood at 2027-01-02 03:04 UTC" in words
    assert "Last success 2026-12-14 05:06 UTC Its cycle 2026-12-01" in words
    assert "Next cycle due since 2027-01-01 At that time cycle 2027-01-01: measuring" in words
    assert (
        "If the last success is older than 21 days when you read this, the observatory stands still" in words
    )
    round_words = "Round 2: 12 of 1,234 trials planned so far are measured."
    assert f"{round_words} Valid: 9. Excluded: 3, of which failed: 1." in words
    assert "Measured and not published yet: 2026-12-18." in words


def test_the_page_lists_cycles_failures_and_services_set_aside(archive):
    page = archive.page("status/")
    assert rows_of(page) == [
        "2027-01-01 | 2027-01-01 03:00 UTC | not yet | – | – | 4",
        "2026-12-01 | 2026-12-01 03:00 UTC | 2026-12-14 05:06 UTC | 1,800 | 10.0 GB | 1",
        "2026-11-01.r2 | – | 2026-11-20 00:00 UTC | 1 | 10 B | 0",
        "2027-01-01 03:04 UTC | 2027-01-01 | health | <disk>: 3 GB are free; free 20 GB",
        "2026-12-13 03:00 UTC | 2026-12-01 | publish | s3:observatory: cannot be reached",
        'Reno "classic" | 2027-01-01 | no <answer> alone',
    ]
    assert "3 earlier ones are not shown" in text(page)
    linked = [archive.target("status/index.html", link)[0] for link in archive.links("status/index.html")]
    for place in (THIRD, SECOND_R2):
        assert archive.root / place.pages / "index.html" in linked


def test_the_page_is_valid_html(archive, tmp_path):
    assert_valid(archive.root / "status", tmp_path)


def test_the_feed_has_an_entry_for_each_completed_cycle_and_each_failed_step(archive):
    entries = ElementTree.parse(archive.root / "status/feed.xml").findall("a:entry", ATOM)
    told = [
        (entry.findtext("a:updated", None, ATOM), entry.findtext("a:title", None, ATOM)) for entry in entries
    ]
    assert told == [
        ("2027-01-01T03:04:05Z", f"Failed: health of cycle {RUNNING} of campaign watchdog"),
        ("2026-12-14T05:06:07Z", f"Cycle {THIRD.cycle} of campaign watchdog is published"),
        ("2026-12-13T03:00:01Z", f"Failed: publish of cycle {THIRD.cycle} of campaign watchdog"),
        ("2026-11-20T00:00:00Z", "Cycle 2026-11-01.r2 of campaign watchdog is published"),
    ]
    page = archive.page("status/")
    for entry in entries:
        address = entry.findtext("a:id", None, ATOM).removeprefix(f"{SETTINGS.address}status/#")
        assert page.find(f".//*[@id='{address}']") is not None


def test_only_the_page_itself_differs_when_the_status_changes(tmp_path):
    later = replace(OPERATION, written="2027-01-03T00:00:00Z", failures=(), failures_total=0, cycles=())
    one, other = (contents(built(tmp_path / name, of).root) for name, of in (("a", OPERATION), ("b", later)))
    assert one.keys() == other.keys()
    changed = {name for name in one if one[name] != other[name]}
    assert changed == {"status/index.html", "status/feed.xml", "status/status.json"}


def test_before_the_first_cycle_the_page_says_so_and_has_an_empty_feed(tmp_path):
    site = built(tmp_path, IDLE)
    words = text(site.page("status/"))
    for sentence in ("Last success none yet", "No cycle has begun yet", "No step has failed"):
        assert sentence in words
    assert not ElementTree.parse(site.root / "status/feed.xml").findall("a:entry", ATOM)


def test_without_operation_the_page_says_that_nothing_is_scheduled(tmp_path):
    site = built(tmp_path, None)
    page = site.page("status/")
    assert "Nothing is scheduled" in text(page) and not page.findall(".//script")
    assert not (site.root / "status/status.json").exists()


def test_the_status_stays_when_a_build_is_given_none(tmp_path):
    status, public = tmp_path / "status.json", tmp_path / "public"
    status.write_text(status_text(OPERATION))
    (tmp_path / "snapshots").mkdir()
    build = ["build", "--snapshots", str(tmp_path / "snapshots"), "-o", str(public)]
    assert main([*build, "--status", str(status)]) == 0
    before = contents(public)
    assert main(build) == 0
    assert contents(public) == before
    assert read_status(public / "status/status.json") == OPERATION


@pytest.mark.parametrize(
    "content", ["", "{}", status_text(OPERATION).replace('"version": 1', '"version": 2')]
)
def test_a_status_that_cannot_be_read_leaves_the_site_as_it_was(tmp_path, content):
    status, public = tmp_path / "status.json", tmp_path / "public"
    status.write_text(content)
    (tmp_path / "snapshots").mkdir()
    with pytest.raises(UserError, match=r"status\.json: "):
        build_archive(tmp_path / "snapshots", public, SETTINGS, status)
    assert not public.exists()
