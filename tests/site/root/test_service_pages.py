"""The page of a service over all cycles: its latest shares, and each opponent over the cycles."""

from dataclasses import replace

from scripts.site.addresses import Place
from scripts.site.root.archive_cycles import read_archive
from scripts.site.root.service_pages import service_pages
from tests.site.pages_read import row_named, table_of, text
from tests.site.root.root_read import figures
from tests.site.root.sample_archive import SECOND_R2, SETTINGS, THIRD
from tests.site.root.sample_summaries import TITLES, make_rows, make_summary, write_pages


def shown_campaign(site, **campaigns) -> str:
    """The campaign on the page of bbr, if these campaigns measured services in so many trials."""
    for name, (services, n, tests_testbed) in campaigns.items():
        summary = make_summary(Place(name, "2026-12-01"), services)
        rows = make_rows(summary, n)
        write_pages(site, replace(summary, tests_testbed=tests_testbed), rows, stubs=False)
    return service_pages(read_archive(site, SETTINGS, {}, ()))["bbr"]["campaign"]


def test_the_campaign_that_judged_a_service_beside_most_comes_first(tmp_path):
    few, many = ["bbr", "cubic"], ["bbr", "cubic", "reno"]
    assert "many" == shown_campaign(tmp_path / "1", few=(few, 10, False), many=(many, 10, False))
    assert "few" == shown_campaign(tmp_path / "2", few=(few, 10, False), many=(many, 4, False))
    assert "few" == shown_campaign(tmp_path / "3", few=(few, 10, False), many=(many, 10, True))


def test_of_campaigns_without_a_verdict_the_one_with_most_opponents_and_trials_comes_first(tmp_path):
    few, many = ["bbr", "cubic"], ["bbr", "cubic", "reno"]
    assert "many" == shown_campaign(tmp_path / "1", zero=(few, 4, False), many=(many, 1, False))
    assert "four" == shown_campaign(
        tmp_path / "2", one=(few, 1, False), zero=(few, 1, False), four=(few, 4, False)
    )


def test_both_directions_have_the_shares_of_the_latest_cycle_that_measured_the_service(archive):
    page = archive.page("services/reno/")
    gets, leaves = table_of(page, "What others leave it"), table_of(page, "What it leaves others")
    for contender in ("bbr", "cubic", "quic"):
        for table, service, against in ((gets, "reno", contender), (leaves, contender, "reno")):
            [row] = figures(archive, SECOND_R2, service=service, contender=against, figure="share")
            interval = f"{100 * row['low']:.0f} to {100 * row['high']:.0f} %, n = 10"
            (shown,) = row_named(table, TITLES[contender])
            assert f"{100 * row['median']:.0f} % {interval}" in shown
    assert "Itself" in text(gets) and "Itself" not in text(leaves)


def test_every_cell_leads_to_the_page_of_its_pair_in_that_cycle(archive):
    page = "services/quic/index.html"
    table = table_of(archive.pages[page], "What others leave it")
    targets = {archive.target(page, link.get("href"))[0] for link in table.iter("a")}
    pairs = archive.root / THIRD.pages / "pairs/8mbps"
    assert targets == {pairs / pair / "index.html" for pair in ("bbr~quic", "cubic~quic", "quic~quic")}


def test_each_opponent_has_a_picture_over_the_cycles_that_leads_to_their_pair(archive):
    page = "services/reno/index.html"
    alone, *entries = archive.pages[page].findall(".//ul[@class='multiples']/li")
    assert text(alone).startswith("Alone") and text(alone).endswith("Mbps")
    assert {*TITLES.values(), "Itself"} >= {text(entry.find("a")) for entry in entries} > {"Itself"}
    for entry in entries:
        target, _fragment = archive.target(page, entry.find("a").get("href"))
        assert target.is_relative_to(archive.root / "pairs/8mbps") and target.is_file()
        assert entry.find("svg/path") is not None and "%" in text(entry)


def test_alone_is_the_throughput_of_the_latest_cycle_and_leads_to_its_trials(archive):
    [alone] = figures(archive, THIRD, pair="quic", figure="throughput_mbps")
    page = "services/quic/index.html"
    entry = archive.pages[page].find(".//ul[@class='multiples']/li")
    assert f"{alone['median']:.2f} Mbps" in text(entry)
    assert archive.target(page, entry.find("a").get("href"))[0].is_relative_to(archive.root / THIRD.pages)
