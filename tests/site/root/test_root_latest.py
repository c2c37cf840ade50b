"""Addresses below /latest/ lead to the latest cycle that has the page."""

import pytest

from scripts.snapshot.absent import Tombstone, Withdrawn
from tests.site.root.sample_archive import FIRST, OTHER, SECOND_R2, THIRD
from tests.site.root.sample_summaries import make_rows, make_summary, write_pages


def redirect(site, folder: str) -> str:
    """Where a page below /latest/ leads to, by all three of its links."""
    name = f"latest/{folder}index.html"
    page = site.pages[name]
    _delay, refresh = page.find(".//meta[@http-equiv='refresh']").get("content").split("; url=")
    canonical, link = page.find(".//link[@rel='canonical']").get("href"), page.find(".//a").get("href")
    assert refresh == canonical == link
    return str(site.target(name, link)[0].relative_to(site.root)).removesuffix("index.html")


def test_latest_leads_to_the_latest_cycle(archive):
    assert redirect(archive, "") == THIRD.pages
    assert redirect(archive, "pairs/8mbps/bbr~cubic/") == f"{THIRD.pages}pairs/8mbps/bbr~cubic/"


def test_a_page_that_the_latest_cycle_lacks_leads_to_the_last_cycle_that_has_it(archive):
    """Reno was measured last in the second cycle, whose second revision counts."""
    assert redirect(archive, "pairs/8mbps/bbr~reno/") == f"{SECOND_R2.pages}pairs/8mbps/bbr~reno/"


def test_every_campaign_has_its_pages_below_its_name_and_nowhere_else(build):
    def write(site):
        for place, settings in ((FIRST, ["8mbps"]), (THIRD, ["8mbps"]), (OTHER, ["50mbps"])):
            summary = make_summary(place, ["bbr", "cubic"], settings)
            write_pages(site, summary, make_rows(summary))

    site = build(write)
    for place, setting in ((THIRD, "8mbps"), (OTHER, "50mbps")):
        for folder in ("", "method/", f"pairs/{setting}/bbr~cubic/"):
            assert place.pages + folder == redirect(site, f"{place.campaign}/{folder}")
    assert not (site.root / "latest/pairs/50mbps").exists()


@pytest.mark.parametrize(("pair", "place"), [("8mbps/bbr~cubic", THIRD), ("8mbps/bbr~reno", SECOND_R2)])
def test_what_can_be_taken_along_of_a_pair_is_of_its_newest_cycle(archive, pair, place):
    embed = f"{place.campaign}/embed/{pair}/"
    assert f"{place.pages}embed/{pair}/" == redirect(archive, embed)
    for form in ("svg", "csv"):
        figure = archive.root / f"latest/{place.campaign}/pairs/{pair}/figure.{form}"
        assert f"{form} of {place.label}" == figure.read_text()


def test_every_campaign_has_it_and_a_withdrawn_cycle_gives_none(build):
    def write(site):
        for place in (FIRST, THIRD, OTHER):
            summary = make_summary(place, ["bbr", "cubic"])
            write_pages(site, summary, make_rows(summary))

    site = build(write, {THIRD: Tombstone(withdrawn=Withdrawn("2026-12-09", "Broken."))})
    for place in (FIRST, OTHER):
        assert f"{place.pages}embed/8mbps/bbr~cubic/" == redirect(
            site, f"{place.campaign}/embed/8mbps/bbr~cubic/"
        )
        figure = site.root / f"latest/{place.campaign}/pairs/8mbps/bbr~cubic/figure.csv"
        assert f"csv of {place.label}" == figure.read_text()


def test_a_withdrawn_cycle_is_not_the_latest(build):
    def write(site):
        for place in (FIRST, THIRD):
            summary = make_summary(place, ["bbr", "cubic"])
            write_pages(site, summary, make_rows(summary))

    site = build(write, {THIRD: Tombstone(withdrawn=Withdrawn("2026-12-09", "Broken."))})
    assert redirect(site, "") == FIRST.pages


def test_what_pages_of_withdrawn_cycles_call_the_latest_leads_somewhere(build):
    """Published pages keep their links, also if their cycle was the only one with such a page."""

    def write(site):
        for place, services in ((FIRST, ["bbr"]), (THIRD, ["bbr", "cubic"])):
            summary = make_summary(place, services)
            write_pages(site, summary, make_rows(summary))

    withdrawn = Tombstone(withdrawn=Withdrawn("2026-12-09", "Broken."))
    assert redirect(build(write, {THIRD: withdrawn}), "services/cubic/") == FIRST.pages
    none = build(write, {FIRST: withdrawn, THIRD: withdrawn}, name="none")
    for campaign in ("", f"{FIRST.campaign}/"):
        assert redirect(none, f"{campaign}services/cubic/") == redirect(none, campaign) == ""


def test_without_any_cycle_latest_leads_to_the_front_page(build):
    assert redirect(build(lambda site: None), "") == ""
