"""What the pages about all cycles say, compared with the summaries."""

import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.site.root.build_root import build_root
from scripts.site.settings import Settings
from tests.site.pages_read import text
from tests.site.root.sample_summaries import (
    FIRST,
    OTHER,
    SECOND_R2,
    SETTINGS,
    THIRD,
    TOMBSTONES,
    WITHDRAWN,
    write_archive,
)


def figures(site, place, **wanted) -> list[dict]:
    """The rows of summary.parquet with these values."""
    rows = pq.read_table(site.root / place.pages / "summary.parquet").to_pylist()
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def rows_of(page) -> list[str]:
    """The rows of all tables, with ` | ` between the cells."""
    return [" | ".join(map(text, row)) for row in page.findall(".//tbody/tr")]


def row_of(page, cycle: str) -> str:
    """The first row that begins with the name of a cycle."""
    return next(row for row in rows_of(page) if row.startswith(cycle))


def test_the_front_page_is_the_latest_cycle_of_the_chosen_campaign(archive):
    page = archive.page("")
    assert text(page.find(".//h1")) == "The watchdog campaign"
    assert "The latest cycle: 2026-12-01" in text(page)
    links = [archive.target("index.html", link)[0] for link in archive.links("index.html")]
    assert archive.root / THIRD.pages / "index.html" in links


def test_the_front_page_shows_the_lowest_shares_and_no_verdict_below_six_trials(archive):
    shares = figures(archive, THIRD, figure="share")
    lowest = min((row for row in shares if row["instance"] != "better_off"), key=lambda row: row["median"])
    item = text(archive.page("").find(".//h2[@id='8mbps']/../ul/li"))
    assert f"{100 * lowest['median']:.0f} % of its fair share (n = 4)" in item
    assert "too few trials for a verdict" in item and "interval" not in item


def test_the_front_page_without_the_chosen_campaign_shows_the_latest_cycle_of_any(build):
    site = build(write_archive, settings=Settings("panel", SETTINGS.address, "captures/"))
    assert "Campaign panel has no published cycle yet" in text(site.page(""))
    assert "The latest cycle: 2026-12-01, campaign watchdog" in text(site.page(""))


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
    assert [heading.get("id") for heading in page.findall(".//h2")] == ["watchdog", "demo"]


def test_a_history_has_the_medians_intervals_and_n_of_the_latest_revision(archive):
    name = "pairs/8mbps/bbr~cubic/index.html"
    rows = rows_of(archive.pages[name])
    for place in (FIRST, SECOND_R2):
        row = rows[next(number for number, words in enumerate(rows) if words.startswith(place.cycle))]
        [share] = figures(archive, place, pair="bbr~cubic", service="bbr", figure="share")
        [rate] = figures(archive, place, pair="bbr~cubic", service="bbr", figure="throughput_mbps")
        assert f"{100 * share['median']:.0f} % ({100 * share['low']:.0f} to {100 * share['high']:.0f})" in row
        assert f"{rate['median']:.2f} Mbps ({rate['low']:.2f} to {rate['high']:.2f})" in row
        assert " | 10 | " in row
    links = archive.links(name)
    assert "../../../" + SECOND_R2.pages + "pairs/8mbps/bbr~cubic/" in links
    assert not [link for link in links if link.endswith("cycles/watchdog/2026-11-01/pairs/8mbps/bbr~cubic/")]


def test_a_cell_with_fewer_than_six_trials_has_no_interval(archive):
    rows = rows_of(archive.page("pairs/8mbps/bbr~cubic/"))
    assert "(" not in rows[0] and "too few trials for a verdict" in rows[0]


def test_differences_of_method_code_and_host_stand_between_the_cycles(archive):
    rows = rows_of(archive.page("pairs/8mbps/bbr~cubic/"))
    between = [number for number, words in enumerate(rows) if "differs from the cycle below" in words]
    assert len(between) == 1
    [place] = between
    assert rows[place - 2].startswith(THIRD.cycle) and rows[place + 1].startswith(SECOND_R2.cycle)
    for words in ("Method differs", "Code differs", "Host differs"):
        assert words in rows[place]


def test_campaigns_are_separate_histories_and_one_cycle_has_no_chart(archive):
    page = archive.page("pairs/8mbps/bbr~cubic/")
    assert [heading.get("id") for heading in page.findall(".//h2")] == ["watchdog", "demo"]
    images = [image.get("src") for image in page.findall(".//img")]
    assert images == ["../../../charts/history/watchdog/8mbps/bbr~cubic.svg"]


def test_a_self_pair_has_both_instances(archive):
    page = text(archive.page("pairs/8mbps/bbr~bbr/"))
    assert "itself, worse-off instance" in page and "itself, better-off instance" in page


def test_a_service_has_its_throughput_alone_and_its_share_over_contenders(archive):
    [alone] = figures(archive, THIRD, pair="quic", figure="throughput_mbps")
    shares = figures(archive, THIRD, service="quic", figure="share", instance="first")
    middle = sum(sorted(row["median"] for row in shares)) / 2
    assert len(shares) == 2
    row = row_of(archive.page("services/quic/"), THIRD.cycle)
    assert f"{alone['median']:.2f} Mbps | 4 | {100 * middle:.0f} %" in row


def test_a_service_that_is_no_longer_measured_says_so(archive):
    assert "its latest cycle no longer has this service" in text(archive.page("services/reno/"))
    assert "no longer has" not in text(archive.page("services/quic/"))
    assert "(no longer measured)" in text(archive.page("services/"))


def test_changes_have_the_control_family_first_and_both_medians(archive):
    page = archive.page("changes/watchdog/2026-11-01/")
    assert [heading.get("id") for heading in page.findall(".//h2")] == ["control", "services"]
    control = figures(archive, SECOND_R2, control=True)
    rows = rows_of(page)[: len(control)]
    for cell in control:
        medians = f"{cell['before_median']:.2f} Mbps | 10 | {cell['median']:.2f} Mbps | 10 |"
        assert any(medians in row for row in rows)
    others = figures(archive, SECOND_R2, control=False)
    changed = sum(row["changed"] for row in others)
    assert 0 < changed < len(others)
    assert f"{changed} of {len(others)} other cells changed" in text(page)


def test_a_cycle_that_was_not_compared_says_why(archive):
    third = text(archive.page("changes/watchdog/2026-12-01/"))
    assert "No earlier cycle was measured in the same way" in third
    assert "cycle 2026-11-01 differs in trial.duration_s" in third
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
    assert f"curl -fO '{SETTINGS.address}{address}'" in text(archive.page("data/"))


def test_titles_and_reasons_cannot_become_elements(archive):
    assert text(archive.page("services/bbr/").find(".//h1")) == "BBR <v1>"
    for path in archive.root.rglob("*"):
        if path.suffix in (".html", ".xml", ".svg") and "cycles/watchdog" not in str(path):
            content = path.read_text()
            assert "<v1>" not in content and "<wrong>" not in content and "<names>" not in content, path


def test_an_archive_without_cycles_has_pages_that_say_so(build):
    site = build(lambda site: None)
    for page in ("", "cycles/", "services/", "pairs/", "changes/", "data/"):
        assert "No cycle is published yet" in text(site.page(page)), page
    assert "There are no corrections" in text(site.page("corrections/"))


def test_the_pages_do_not_depend_on_the_order_in_which_cycles_were_written(build):
    one = build(write_archive, TOMBSTONES, name="one")
    other = build(lambda site: write_archive(site, backwards=True), TOMBSTONES, name="other")
    files = sorted(path.relative_to(one.root) for path in one.root.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(other.root) for path in other.root.rglob("*") if path.is_file())
    for file in files:
        assert (one.root / file).read_bytes() == (other.root / file).read_bytes(), file


def test_a_file_with_links_is_replaced_and_not_written_to(tmp_path):
    site, carried = tmp_path / "public", tmp_path / "carried.html"
    write_archive(site)
    carried.write_text("carried")
    (site / "index.html").hardlink_to(carried)
    build_root(site, SETTINGS, {}, ())
    assert carried.read_text() == "carried"
    assert "The latest cycle" in (site / "index.html").read_text()


def test_a_summary_in_the_folder_of_another_cycle_is_an_error(tmp_path):
    write_archive(tmp_path / "public")
    (tmp_path / "public" / FIRST.pages).rename(tmp_path / "public/cycles/watchdog/2026-10-02")
    with pytest.raises(UserError, match=r"is the summary of cycles/watchdog/2026-10-01/"):
        build_root(tmp_path / "public", SETTINGS, {}, ())
