"""The page of a service in a cycle: a dot for each of its trials, and links to its pairs."""

from tests.charts.sample_cycle import sample_tables
from tests.site.pages_read import table_of

SERVICE = "iperf-bbr"
SHARES = [row for row in sample_tables()["trial_fairness"].to_pylist() if row["share"] is not None]


def dots(table) -> int:
    """How many dots the strips of a table have, without the smaller ones that make them hollow."""
    marks = [path.get("d") for path in table.iter("path") if path.get("class", "").split()[0] == "d"]
    return sum(mark.count("h.1") for mark in marks)


def places(rows) -> int:
    """How many dots these rows of trial_fairness have: one for those of a cell at the same place."""
    keys = ("setting", "service", "contender")
    return len({(*(row[key] for key in keys), min(200, round(100 * row["share"]))) for row in rows})


def test_both_directions_have_a_dot_for_each_trial(site):
    page = site.page(f"services/{SERVICE}/")
    cells = [row for row in SHARES if row["instance"] in ("first", "worse_off")]
    mine = [row for row in cells if row["service"] == SERVICE]
    others = [row for row in cells if row["contender"] == SERVICE and row["service"] != SERVICE]
    assert places(mine) == dots(table_of(page, "What others leave it")) > 0
    assert places(others) == dots(table_of(page, "What it leaves others")) > 0


def test_every_cell_leads_to_its_pair_and_the_setting_is_a_column(site):
    name = f"services/{SERVICE}/index.html"
    table = table_of(site.pages[name], "What others leave it")
    settings = [cell.text for cell in table.findall(".//thead/tr/th")][1:]
    assert ["8\u00a0Mbps", "50\u00a0Mbps"] == settings
    for row in table.findall(".//tbody/tr"):
        for cell, setting in zip(row.findall("td"), ("8mbps", "50mbps"), strict=True):
            target, _fragment = site.target(name, cell.find("a").get("href"))
            assert target.is_relative_to(site.base / "pairs" / setting)
            assert SERVICE in target.parent.name and target.is_file()


def test_the_page_leads_to_the_service_alone_and_from_there_back(site):
    page = f"services/{SERVICE}/index.html"
    targets = {site.target(page, link)[0] for link in site.links(page)}
    for setting in ("8mbps", "50mbps"):
        alone = f"solos/{setting}/{SERVICE}/index.html"
        assert site.base / alone in targets
        assert site.base / page in {site.target(alone, link)[0] for link in site.links(alone)}
