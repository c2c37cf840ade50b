"""What the pages about all cycles say, compared with the summaries."""

from dataclasses import replace

import pytest

from scripts.base.errors import UserError
from scripts.site.addresses import Place
from scripts.site.root.build_root import build_root
from scripts.site.settings import SiteSettings
from tests.site.pages_read import text
from tests.site.root.root_read import figures, row_of
from tests.site.root.sample_archive import (
    FIRST,
    OTHER,
    SECOND_R2,
    SETTINGS,
    THIRD,
    TOMBSTONES,
    WITHDRAWN,
    write_archive,
)
from tests.site.root.sample_summaries import make_rows, make_summary, write_pages


def test_the_front_page_is_the_latest_cycle_of_the_chosen_campaign(archive):
    page = archive.page("")
    assert "Too few trials for a verdict" in text(page.find(".//h1/.."))
    assert "Cycle 2026-12-01 of campaign watchdog" in text(page)
    links = [archive.target("index.html", link)[0] for link in archive.links("index.html")]
    assert archive.root / THIRD.pages / "index.html" in links


def test_the_front_page_shows_the_lowest_share_and_no_verdict_below_six_trials(archive):
    shares = figures(archive, THIRD, figure="share")
    others = [row for row in shares if row["service"] != row["contender"]]
    lowest = f"{100 * min(row['median'] for row in others):.0f} % of its fair share"
    words = text(archive.page("").find(".//h1/.."))
    assert "The lowest share seen: " in words and f"{lowest} at 8 Mbps (seen in 4 trials)." in words


def test_the_front_page_without_the_chosen_campaign_shows_one_that_judged_shares(build):
    """The cycle of watchdog is later, but has no verdict."""
    site = build(write_archive, settings=SiteSettings("panel", SETTINGS.address, "captures/"))
    assert f"Cycle {OTHER.cycle} of campaign demo" in text(site.page(""))


def test_every_page_has_the_short_title_of_a_setting_as_the_pages_of_cycles_have_it(archive):
    assert "8 Mbps, campaign demo" in text(archive.page("pairs/8mbps/bbr~cubic/"))
    assert [] == [name for name, page in archive.pages.items() if "constrained (8 Mbps" in text(page)]


def test_running_cycles_are_on_the_front_page_and_in_the_list(archive):
    words = "Cycle 2027-01-01 of campaign watchdog still runs: 12 of 1,234 trials planned so far are measured"
    assert words in text(archive.page("")) and words in text(archive.page("cycles/"))


def test_the_list_of_cycles_tells_what_is_new_against_the_cycle_before(archive):
    page = archive.page("cycles/")
    assert "the first cycle of its campaign" in row_of(page, FIRST.cycle)
    assert "new: service QUIC" in row_of(page, SECOND_R2.cycle)
    third = row_of(page, THIRD.cycle)
    assert 'no longer measured: service Reno "classic"' in third
    assert "method: trial.duration_s: 600, then 300" in third
    assert "code: commit: 0123456789, then ffffffffff" in third
    assert "kernel: 6.1.0, then 6.6.0" in third
    assert "load" not in third


def test_the_list_of_cycles_tells_their_status_and_revisions(archive):
    page = archive.page("cycles/")
    assert "| latest |" in row_of(page, THIRD.cycle)
    second = row_of(page, SECOND_R2.cycle)
    assert "superseded by cycle 2026-12-01; corrected by revision 2" in second
    assert "Revision 2, 2026-11-20: A clock was <wrong>." in second and "Revision 1" in second
    assert "2 files removed" in row_of(page, FIRST.cycle)
    assert [group.get("id") for group in page.findall(".//tbody/tr[@id]")] == ["watchdog", "demo"]


def test_a_cycle_over_another_switch_supersedes_none(build):
    def write(site):
        for day, switch in (("01", "embedded"), ("02", "embedded"), ("03", "bess")):
            summary = make_summary(Place("two", f"2026-12-{day}"), ["bbr", "cubic"])
            method = dict(summary.method) | {"bottleneck": switch}
            summary = replace(summary, method=method, tests_testbed=True)
            write_pages(site, summary, make_rows(summary))

    page = build(write).page("cycles/")
    statuses = {day: row_of(page, f"2026-12-{day}") for day in ("01", "02", "03")}
    assert "superseded by cycle 2026-12-02" in statuses["01"]
    assert all("| latest |" in statuses[day] for day in ("02", "03"))
    assert "It tests the testbed" in text(page)


def test_a_pair_in_the_list_names_its_campaign_and_its_verdict(build):
    def write(site):
        for campaign, n in (("one", 10), ("two", 4)):
            summary = make_summary(Place(campaign, "2026-12-01"), ["bbr", campaign])
            write_pages(site, summary, make_rows(summary, n))

    entries = [text(entry) for entry in build(write).page("pairs/").findall(".//main//li")]
    of_campaigns = {
        name: [entry for entry in entries if entry.endswith(f"; {name})")] for name in ("one", "two")
    }
    assert all("n = 4, too few trials" in entry for entry in of_campaigns["two"] if "itself" not in entry)
    assert len(entries) == sum(map(len, of_campaigns.values())) + len([e for e in entries if "got" not in e])
    assert any("n = 10, " in entry for entry in of_campaigns["one"])


def test_changes_are_counted_and_lead_to_the_page_of_their_cycle(archive):
    others = figures(archive, SECOND_R2, control=False)
    changed = sum(row["changed"] for row in others)
    assert 0 < changed < len(others)
    name = "changes/watchdog/2026-11-01/index.html"
    assert f"Since cycle 2026-10-01, {changed} of {len(others)} cells changed" in text(archive.pages[name])
    assert f"../../../{SECOND_R2.pages}changes/" in archive.links(name)


def test_a_cycle_that_was_not_compared_says_why(archive):
    third = text(archive.page("changes/watchdog/2026-12-01/"))
    assert "No earlier cycle was measured in the same way" in third
    assert "first cycle of its campaign" in text(archive.page("changes/watchdog/2026-10-01/"))


def test_corrections_are_dated_and_the_latest_stands_first(archive):
    page = archive.page("corrections/")
    assert [date.get("datetime") for date in page.findall(".//time")] == ["2026-12-05", "2026-11-20"]
    removed = text(page.find(".//section"))
    for file in TOMBSTONES[FIRST].removed:
        assert file.path in removed and file.sha256 in removed
    assert "4,321 B" in removed and "Has <names>." in removed


def test_a_withdrawn_cycle_is_listed_but_has_no_history(build):
    site = build(write_archive, WITHDRAWN)
    assert "withdrawn on 2026-12-06: The switch was broken." in text(site.page("cycles/"))
    assert "Withdrawn: cycle 2026-11-21 of campaign demo" in text(site.page("corrections/"))
    assert not (site.root / "pairs/50mbps").exists()
    assert not (site.root / f"changes/{OTHER.campaign}").exists()


def test_the_data_page_links_the_tables_of_the_latest_cycle_and_has_commands(archive):
    address = THIRD.table("pairs", "parquet")
    assert f"../{address}" in archive.links("data/index.html")
    assert f"../{THIRD.pages}data/" in archive.links("data/index.html")
    page = text(archive.page("data/"))
    assert f"curl -fO '{SETTINGS.address}{address}'" in page
    for table in ("pairs", "trial_fairness"):
        assert f"read_parquet('{SETTINGS.address}{THIRD.table(table, 'parquet')}'" in page


def test_the_data_page_begins_with_all_cycles_and_says_what_each_table_has(archive):
    page = archive.page("data/")
    cycles, tables = page.findall(".//main//table")
    first = [text(cell) for cell in cycles.findall(".//tbody/tr[1]/*")]
    assert [f"{THIRD.cycle} {THIRD.campaign}", f"{THIRD.cycle} to 2026-12-02", "90", "2.5 kB"] == first[:4]
    words = "What every incumbent got against every contender, over the valid trials."
    name, meaning, rows = (text(cell) for cell in tables.findall(".//tbody/tr[1]/*")[:3])
    assert (name, rows) == ("pairs", "12") and meaning.startswith(words)
    assert f"../{SECOND_R2.pages}manifest.parquet" in archive.links("data/index.html")


def test_titles_and_reasons_cannot_become_elements(archive):
    assert text(archive.page("services/bbr/").find(".//h1")) == "BBR <v1>"
    for path in archive.root.rglob("*"):
        if path.suffix in (".html", ".xml", ".svg") and "cycles/watchdog" not in str(path):
            content = path.read_text()
            assert "<v1>" not in content and "<wrong>" not in content and "<names>" not in content, path


def test_an_archive_without_cycles_has_pages_that_say_so(build):
    site = build(lambda site: None)
    for page in ("", "cycles/", "services/", "pairs/", "changes/", "data/", "explore/", "explore/compare/"):
        assert "No cycle is published yet" in text(site.page(page)), page
    assert "There are no corrections" in text(site.page("corrections/"))


def test_the_pages_do_not_depend_on_the_order_in_which_cycles_were_written(build):
    one = build(write_archive, TOMBSTONES, name="one")
    other = build(lambda site: write_archive(site, backwards=True), TOMBSTONES, name="other")
    files = sorted(path.relative_to(one.root) for path in one.root.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(other.root) for path in other.root.rglob("*") if path.is_file())
    for file in files:
        assert (one.root / file).read_bytes() == (other.root / file).read_bytes(), file


def test_the_tenth_cycle_of_a_day_is_after_the_second(build):
    def write(site):
        for number in ("", "-2", "-10"):
            summary = make_summary(Place("watchdog", f"2026-12-05{number}"), ("bbr", "cubic"))
            write_pages(site, summary, make_rows(summary))

    site = build(write)
    assert "./cycles/watchdog/2026-12-05-10/" in site.links("index.html")
    rows = [text(row.find("th")) for row in site.page("cycles/").findall(".//tbody/tr")[1:]]
    assert ["2026-12-05-10", "2026-12-05-2", "2026-12-05"] == rows


def test_a_file_with_links_is_replaced_and_not_written_to(tmp_path):
    site, carried = tmp_path / "public", tmp_path / "carried.html"
    write_archive(site)
    carried.write_text("carried")
    (site / "index.html").hardlink_to(carried)
    build_root(site, SETTINGS, {}, ())
    assert carried.read_text() == "carried"
    assert "of campaign" in (site / "index.html").read_text()


def test_a_summary_in_the_folder_of_another_cycle_is_an_error(tmp_path):
    write_archive(tmp_path / "public")
    (tmp_path / "public" / FIRST.pages).rename(tmp_path / "public/cycles/watchdog/2026-10-02")
    with pytest.raises(UserError, match=r"is the summary of cycles/watchdog/2026-10-01/"):
        build_root(tmp_path / "public", SETTINGS, {}, ())
