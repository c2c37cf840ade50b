"""The front page of the largest cycle: 15 services, all against all, in two settings."""

from dataclasses import replace

import pytest

from scripts.plan.campaign_file import load_campaign
from scripts.site.addresses import Place
from scripts.site.data.campaign_summary import service_summaries
from scripts.site.root.archive_cycles import read_archive
from scripts.site.root.build_root import build_root
from scripts.site.root.front_page import MOST_LOSERS, losers
from tests.site.pages_read import Site, text
from tests.site.root.sample_archive import SETTINGS
from tests.site.root.sample_summaries import make_rows, make_summary, write_pages

PLACE = Place("watchdog", "2026-12-01")
MOST_BYTES = 90_000


@pytest.fixture(scope="module")
def largest(tmp_path_factory) -> Site:
    """The pages of an archive with this cycle."""
    site = tmp_path_factory.mktemp("largest") / "public"
    services = service_summaries(load_campaign("reference"))
    summary = make_summary(PLACE, [service.name for service in services], ["8mbps", "50mbps"])
    summary = replace(summary, services=services)
    write_pages(site, summary, make_rows(summary))
    build_root(site, SETTINGS, {}, ())
    return Site(site)


def stops(page) -> list:
    """The elements that the Tab key stops at."""
    focusable = [one for one in page.iter() if one.tag in ("a", "button", "summary") or one.get("tabindex")]
    return [one for one in focusable if one.get("tabindex") != "-1"]


def test_the_largest_front_page_is_small(largest):
    assert (largest.root / "index.html").stat().st_size <= MOST_BYTES


def test_each_matrix_has_all_cells_and_the_keyboard_reaches_each_without_a_script(largest):
    tables = [one for one in largest.page("").iter("table") if one.get("class") == "hm roving"]
    assert [len(table.findall(".//td/a")) for table in tables] == [225, 225]
    assert [len(stops(table)) for table in tables] == [225, 225]


def test_a_stand_in_is_never_named_as_the_service_it_stands_for(largest):
    words = text(largest.page("").find(".//main"))
    assert "stand-in for" in text(largest.page("").find(".//h1/.."))
    for name in ("Netflix", "Mega", "Dropbox", "YouTube", "OneDrive", "Vimeo"):
        assert words.count(name) == words.count(f"stand-in for {name}") > 0, name


def test_a_cycle_in_which_services_compete_comes_before_a_later_one_of_services_alone(tmp_path):
    for day, campaign, left_out in ((1, "a", ()), (2, "pairs", ()), (3, "alone", ("pairs/",))):
        summary = make_summary(Place(campaign, f"2026-12-0{day}"), ["bbr", "cubic"])
        pages = tuple(page for page in summary.pages if not page.startswith(left_out))
        write_pages(tmp_path, replace(summary, pages=pages), make_rows(summary), stubs=False)
    archive = read_archive(tmp_path, SETTINGS, {}, ())
    assert "pairs" == archive.front.summary.campaign
    assert ["pairs", "a", "alone"] == archive.campaigns
    assert ["alone", "pairs", "a"] == replace(archive, settings=replace(SETTINGS, campaign="alone")).campaigns


def archive_of(site, campaigns):
    """An archive with a cycle of these services in each of these campaigns."""
    for campaign, services in campaigns.items():
        summary = make_summary(Place(campaign, "2026-12-01"), services, ["8mbps", "50mbps"])
        write_pages(site, summary, make_rows(summary), stubs=False)
    return read_archive(site, SETTINGS, {}, ())


def test_who_loses_most_in_all_campaigns_is_a_row_of_its_lowest_share(tmp_path):
    services = ["bbr", "cubic", "quic", "reno"]
    archive = archive_of(tmp_path, {"one": services, "two": services})
    losing = [
        (row.median, cycle.page(f"pairs/{row.setting}/{row.pair}/"), row.service, row.contender)
        for cycle in archive.cycles
        for row in cycle.figures
        if (row.figure, row.verdict) == ("share", "losing")
    ]
    lowest = {}
    for share, page, *sides in sorted(losing):
        lowest.setdefault(tuple(sides), (share, page))
    assert len(losing) > len(lowest) > 2, "some service loses twice beside another"
    expected = [page for _share, page in sorted(lowest.values())[:MOST_LOSERS]]
    rows = losers(archive)
    assert expected == [row["page"] for row in rows]
    assert f"{100 * min(losing)[0]:.0f}\u00a0%" == rows[0]["strip"]["number"]


def test_one_campaign_has_its_matrices_instead(tmp_path):
    assert [] == losers(archive_of(tmp_path, {"one": ["bbr", "cubic", "reno"]}))


def test_a_cycle_of_many_services_has_its_matrices_instead(tmp_path):
    many = ["bbr", "cubic", "quic", "reno", "video", "vegas"]
    assert [] == losers(archive_of(tmp_path, {"one": many[:3], "two": many}))


def test_a_campaign_that_tests_the_testbed_is_neither_first_nor_among_the_losers(tmp_path):
    names = ["bbr", "cubic", "reno"]
    before = archive_of(tmp_path, {"one": names, "two": names[:2], "three": names})
    tested = before.front.summary
    write_pages(tmp_path, replace(tested, tests_testbed=True), make_rows(tested), stubs=False)
    after = read_archive(tmp_path, SETTINGS, {}, ())
    assert tested.campaign != after.front.summary.campaign
    campaigns, others = (
        {row["page"].split("/")[1] for row in losers(archive)} for archive in (before, after)
    )
    assert tested.campaign in campaigns
    assert tested.campaign not in others != set()
