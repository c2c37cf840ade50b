"""The feeds and the sitemap."""

from dataclasses import replace
from datetime import datetime
from xml.etree import ElementTree

from scripts.site.root.archive_cycles import read_archive
from scripts.site.root.sitemap import write_sitemap
from tests.site.root.root_read import figures
from tests.site.root.sample_archive import FIRST, OTHER, SECOND, SECOND_R2, SETTINGS, THIRD
from tests.site.root.sample_summaries import make_rows, make_summary, write_pages

ATOM = {"a": "http://www.w3.org/2005/Atom"}
SITEMAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
BASE = SETTINGS.address


def entries(site, feed: str = "feed.xml") -> dict[str, ElementTree.Element]:
    """The entries of a feed by id, in their order. An id that is not unique is an error."""
    found = ElementTree.parse(site.root / feed).findall("a:entry", ATOM)
    by_id = {entry.findtext("a:id", None, ATOM): entry for entry in found}
    assert len(by_id) == len(found)
    return by_id


def test_every_feed_has_what_rfc_4287_demands(archive):
    feeds = sorted(archive.root.rglob("feed.xml"))
    assert len(feeds) == 6
    for path in feeds:
        root = ElementTree.parse(path).getroot()
        name = path.relative_to(archive.root).as_posix()
        assert root.find("a:link[@rel='self']", ATOM).get("href") == BASE + name
        assert root.find("a:author/a:name", ATOM) is not None
        for element in (root, *root.findall("a:entry", ATOM)):
            assert element.findtext("a:id", None, ATOM) and element.findtext("a:title", None, ATOM)
            datetime.fromisoformat(element.findtext("a:updated", None, ATOM))


def test_the_feed_has_cycles_changes_corrections_and_removals_the_latest_first(archive):
    by_id = entries(archive)
    assert [name for name in by_id if "#" not in name] == [
        BASE + THIRD.pages,
        BASE + OTHER.pages,
        f"{BASE}changes/watchdog/2026-11-01/",
        BASE + SECOND_R2.pages,
        BASE + SECOND.pages,
        BASE + FIRST.pages,
    ]
    removed = [name for name in by_id if name.startswith(f"{BASE}corrections/#removed-watchdog-2026-10-01-")]
    assert next(iter(by_id)) == removed[0]
    assert by_id[BASE + SECOND_R2.pages].findtext("a:summary", None, ATOM) == "A clock was <wrong>."


def test_the_times_of_a_feed_are_those_of_the_measurement_and_of_the_correction(archive):
    by_id = entries(archive)
    updated = {name: entry.findtext("a:updated", None, ATOM) for name, entry in by_id.items()}
    assert updated[BASE + SECOND.pages] == "2026-11-02T00:00:00Z"
    assert updated[BASE + SECOND_R2.pages] == "2026-11-20T00:00:00Z"


def test_the_feed_of_a_service_has_the_cycles_that_measured_it(archive):
    cycles = [name for name in entries(archive, "services/reno/feed.xml") if "services/" in name]
    assert cycles == [f"{BASE}services/reno/#watchdog-{place.cycle}" for place in (SECOND, FIRST)]


def test_an_entry_names_the_changed_cells_with_both_medians(archive):
    text = entries(archive)[f"{BASE}changes/watchdog/2026-11-01/"].findtext("a:summary", None, ATOM)
    changed = figures(archive, SECOND_R2, changed=True)
    assert changed
    for cell in changed:
        assert f"{cell['before_median']:.2f} Mbps, now {cell['median']:.2f} Mbps." in text


def test_the_sitemap_has_the_root_and_the_latest_revisions(archive):
    urls = {
        element.text
        for element in ElementTree.parse(archive.root / "sitemap.xml").findall("*/s:loc", SITEMAP)
    }
    assert {BASE, f"{BASE}cycles/", f"{BASE}services/reno/", BASE + SECOND_R2.pages} <= urls
    assert f"{BASE}{THIRD.pages}pairs/8mbps/bbr~cubic/" in urls
    assert BASE + SECOND.pages not in urls and f"{BASE}404.html" not in urls
    assert not [url for url in urls if "/latest/" in url]
    for url in urls:
        assert (archive.root / url.removeprefix(BASE) / "index.html").is_file(), url


def test_a_long_sitemap_is_an_index_of_several(archive, tmp_path):
    read = read_archive(archive.root, SETTINGS, {}, ())
    write_sitemap(tmp_path, read, ["", "cycles/"], most=10)
    parts = ElementTree.parse(tmp_path / "sitemap.xml").findall("s:sitemap/s:loc", SITEMAP)
    urls = []
    for part in parts:
        listed = ElementTree.parse(tmp_path / part.text.removeprefix(BASE)).findall("s:url/s:loc", SITEMAP)
        assert len(listed) <= 10
        urls += [element.text for element in listed]
    assert len(urls) == len(set(urls)) == 2 + sum(len(cycle.summary.pages) for cycle in read.cycles)


def test_a_cycle_without_trials_has_the_time_of_its_name(build):
    def write(site):
        summary = replace(make_summary(FIRST, ["bbr"]), first_start_ns=None, last_stop_ns=None)
        write_pages(site, summary, make_rows(summary))

    entry = entries(build(write))[BASE + FIRST.pages]
    assert entry.findtext("a:updated", None, ATOM) == "2026-10-01T00:00:00Z"
