"""The links of a cycle's pages lead to its pages or to addresses of the archive, never to another server."""

import re

from scripts.site.cycle.build_cycle import PagesTarget
from scripts.tables.table_list import every_table
from tests.charts.sample_cycle import sample_tables
from tests.site.archives import broken_links
from tests.site.conftest import PLACE

MANIFEST = "manifest.parquet"
"""The archive adds it when the pages have their place (scripts/site/data/manifest.py)."""

HISTORY = re.compile(r"(pairs/[^/]+|services)/[^/]+/index\.html")

ROOMS = (
    *(
        "explore",
        "explore/compare",
        "search",
        "services",
        "pairs",
        "cycles",
        "changes",
        "papers",
        "data",
        "method",
    ),
    *("artifact", "status", "submit", "corrections", "about", "how-to-read", "glossary"),
)
"""The folders of the pages about all cycles that every page may name."""

LICENCE = "https://creativecommons.org/licenses/by/4.0/"


def test_every_link_within_the_cycle_and_its_fragment_resolve(either):
    assert len(either.pages) > 30
    for page in either.pages:
        for link in either.links(page):
            target, fragment = either.target(page, link)
            if not target.is_relative_to(either.base) or target == either.base / MANIFEST:
                continue
            assert target.is_file(), (page, link)
            if fragment:
                other = either.pages[str(target.relative_to(either.base))]
                assert other.find(f".//*[@id='{fragment}']") is not None, (page, link)


def test_every_link_of_an_archive_with_all_kinds_of_pages_has_its_target(published):
    assert set() == broken_links(published.root)


def test_every_other_link_is_an_address_of_the_archive(either):
    """Those of a whole archive are in test_archive.py."""
    tables = {PLACE.table(name, form) for name in every_table() for form in ("csv", "parquet")}
    known = tables | {"index.html", "feed.xml", *(f"{room}/index.html" for room in ROOMS)}
    known |= {f"latest/{PLACE.campaign}/{page}" for page in either.pages}
    for page in either.pages:
        for link in {*either.links(page)} - {LICENCE}:
            target, _fragment = either.target(page, link)
            address = str(target.relative_to(either.root))
            if not target.is_relative_to(either.base):
                assert (
                    address in known
                    or address.startswith(PLACE.captures("captures/"))
                    or (
                        # The history of a pair or a service is made with the whole archive.
                        HISTORY.fullmatch(address)
                        and page.startswith(("index", "pairs/", "solos/", "services/"))
                    )
                ), (page, link)


def test_the_files_of_a_trial_are_those_of_the_snapshot(site, cycle):
    """They stand at the base of captures, in the folders that the snapshot has."""
    base = site.root / PLACE.captures("captures/")
    linked = {
        str(target.relative_to(base))
        for page in site.pages
        for link in site.links(page)
        if (target := site.target(page, link)[0]).is_relative_to(base)
    }
    trials = cycle / "trials"
    assert linked == {str(path.relative_to(trials)) for path in trials.rglob("*") if path.is_file()}


def test_captures_may_stand_on_another_server(build, cycle, tmp_path):
    target = PagesTarget(PLACE.pages, PLACE.captures("https://files.invalid/"), PLACE.label)
    site = build(tmp_path / "public", cycle, target)
    links = site.links("trials/8mbps/iperf-bbr/01/index.html")
    assert "https://files.invalid/demo/2026-11-21/8mbps/iperf-bbr/01/trial.json" in links


def test_links_are_relative_so_that_the_site_works_below_any_folder(either):
    for page in either.pages:
        assert not [link for link in either.links(page) if link.startswith("/")], page


def test_the_site_refers_to_no_other_server_but_for_the_text_of_the_licence(either):
    for page in either.pages:
        links = [link for link in either.links(page) if link != LICENCE]
        assert not [link for link in links if re.match(r"(\w+:)?//", link)], page
    for path in either.base.rglob("*.css"):
        assert not re.search(r"url\((?!#)|@import", path.read_text())


def test_the_site_needs_no_script(either):
    for page, root in either.pages.items():
        assert not [*root.iter("iframe")], page
        drawn = [figure for figure in root.iter("figure") if figure.get("data-table")]
        # One script draws the chart of a trial; the figures and the table are there without it. Another adds
        # the arrow keys to the matrices of the first page, whose cells the pages of settings have too. A
        # third makes PNG and ZIP of charts.
        keys = any("roving" in table.get("class", "") for table in root.iter("table"))
        charts = any(element.get("data-chart") for element in root.iter())
        needed = len(drawn) + keys + charts
        assert [sorted(script.attrib) for script in root.iter("script")] == [["defer", "src"]] * needed, page
        assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")], page


def test_from_a_cell_to_the_packets_in_three_clicks(site):
    """Each heatmap cell links to its pair, the pair to its trials, and a trial to its captures."""
    cells = [link.get("href") for link in site.pages["index.html"].findall(".//td/a")]
    assert cells
    for cell in cells:
        pair, _ = site.target("index.html", cell)
        name = str(pair.relative_to(site.base))
        assert name in site.pages, cell
        if not name.startswith("pairs/"):
            continue
        trials = [site.target(name, link)[0] for link in site.links(name) if "trials/" in link]
        pages = {str(path.relative_to(site.base)) for path in trials} - {"trials/index.html"}
        assert len(pages) == 2
        for trial in pages:
            files = {site.target(trial, link)[0].name for link in site.links(trial)}
            assert {"client-c1.pcapng.zst", "client-c2.pcapng.zst", "queue.bin.zst", "trial.json"} <= files


def test_every_trial_pair_and_solo_has_its_readable_address(site):
    for row in sample_tables()["trial_services"].to_pylist():
        room = "solos" if row["clients"] == 1 else "pairs"
        assert (site.base / room / row["setting"] / row["pair"] / "index.html").is_file()
        nn = f"{row['trial']:02d}"
        assert (site.base / "trials" / row["setting"] / row["pair"] / nn / "index.html").is_file()
