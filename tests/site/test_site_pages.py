"""The pages show the values of the tables, and everybody can read them."""

import re

from scripts.figures.catalogue import CATALOGUE
from scripts.model.rules import RULES
from tests.charts.sample_cycle import CALIBRATION_WARNING, sample_tables
from tests.site.pages_read import row_named, table_of, text

TABLES = sample_tables()


def test_the_definitions_describe_every_setting(site):
    page = text(site.page("definitions/"))
    assert "CoDel (target 5 ms, interval 100 ms)" in page
    assert "0.1 % lost at random; client c2 has 20 ms round trip and starts at 1 s" in page


def test_the_ranking_of_services_is_that_of_the_table(site):
    tables = [
        table
        for table in site.page("services/").iter("table")
        if "the most contentious first" in text(table.find("caption"))
    ]
    for setting, table in zip(("8mbps", "50mbps"), tables, strict=True):
        rows = [row for row in TABLES["services"].to_pylist() if row["setting"] == setting]
        rows.sort(key=lambda row: row["contentiousness"])
        shown = [text(row.findall("td")[0]) for row in table.findall(".//tbody/tr")]
        assert [f"{100 * row['contentiousness']:.1f} %" for row in rows] == shown


def test_the_front_page_counts_the_trials_and_gives_no_verdict_on_few_of_them(site):
    facts = [[text(part) for part in fact] for fact in site.page("").findall(".//dl[@class='facts']/div")]
    assert facts[:3] == [["Trials measured", "36 of 36 planned"], ["Valid", "34"], ["Excluded", "2 why"]]
    assert "Too few trials for a verdict" in text(site.page("").find(".//h1/../p[@class='lede']"))
    assert site.page("").find(".//*[@class='d lo']") is None is site.page("").find(".//*[@class='d wi']")
    for setting in ("8mbps", "50mbps"):
        table = table_of(site.page(f"settings/{setting}/"), "Each number with the rows that it counts")
        assert ["100.0 %", "6", "6", "–"] == row_named(table, "Cells without verdict")
        assert "most unfair" not in text(table).lower()


def test_one_of_something_is_singular(either):
    plural = re.compile(r"(?<![\d.,])(?<!of )1\s(?:packets|pairs|rows|trials)\b")
    for page, root in either.pages.items():
        assert [] == plural.findall(text(root.find(".//main"))), page


def test_every_table_has_a_caption_and_every_heading_cell_a_scope(either):
    for page, root in either.pages.items():
        for table in root.iter("table"):
            assert text(table.find("caption")), page
            assert all(cell.get("scope") for cell in table.iter("th")), page


def test_every_chart_says_what_it_shows(either):
    for page, root in either.pages.items():
        assert all(image.get("alt") for image in root.find(".//main").iter("img")), page
        assert all(chart.get("aria-label") or chart.get("aria-hidden") for chart in root.iter("svg")), page


def test_every_page_has_a_language_a_title_one_heading_and_landmarks(either):
    for page, root in either.pages.items():
        assert root.get("lang") == "en" and text(root.find(".//title")), page
        assert len([*root.iter("h1")]) == 1 and len([*root.iter("main")]) == 1, page
        identities = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(set(identities)) == len(identities), page


def listed(page, heading: str) -> list[tuple[str, str]]:
    """The names below a heading of the page of a table, each with its meaning."""
    items = page.findall(f".//ul[@aria-labelledby='{heading}']/li")
    return [(text(item.find("code")), text(item).partition("): ")[2]) for item in items]


def test_the_data_page_offers_every_table_and_explains_every_column(site):
    page = site.page("data/")
    for name, table in TABLES.items():
        row = page.find(f".//tr[@id='table-{name}']")
        assert {name, "CSV", "PARQUET"} <= {text(link) for link in row.iter("a")}
        columns = listed(site.page(f"data/{name}/"), "columns")
        assert sorted(table.column_names) == sorted(column for column, _meaning in columns)
        assert all(meaning for _column, meaning in columns), name


def test_many_columns_of_statistics_are_folded_and_few_are_not(site):
    (folded,) = site.page("data/pairs/").findall(".//main//details[ul]")
    shown = {text(item.find("code")) for item in folded.iter("li")}
    assert folded.get("open") is None and {"share_median", "jain_n", "harm_loss_all_median"} <= shown
    assert shown.isdisjoint({"setting", "n", "n_all", "allocation_mbps", "verdict", "settled"})
    assert f"{len(shown)} more columns" in text(folded.find("summary"))
    assert [] == site.page("data/solo/").findall(".//main//details[ul]")


def test_the_rules_of_validity_unfold_at_their_address(site):
    (place,) = site.page("trials/").findall(".//main//details/section[@id='rules']")
    rows = [text(row.find("th")) for row in place.findall(".//tbody/tr")]
    assert sorted({row["rule"] for row in TABLES["validity"].to_pylist()}) == rows
    assert any(link.endswith("trials/#rules") for link in site.links("definitions/index.html"))


def test_the_data_page_names_every_metric_of_the_figures(site):
    metrics = site.page("data/figures/").findall(".//ul[@aria-labelledby='metrics']/li")
    titles = {text(metric.find("code")): text(metric) for metric in metrics}
    assert sorted(titles) == sorted(set(TABLES["figures"]["metric"].to_pylist()))
    assert all(f"{name}, {CATALOGUE[name].name} (" in title for name, title in titles.items())
    assert not any(title.endswith(":") for title in titles.values())


def test_the_definitions_draw_their_figures_from_the_campaign(site):
    page = text(site.page("definitions/"))
    assert "lasts 11 s" in page and "the 7 s between them" in page
    assert "1,024 packets (4 × BDP)" in page


def test_the_definitions_show_what_both_switches_gave(site):
    page = site.page("definitions/")
    (table,) = [
        table for table in page.findall(".//table[caption]") if "over BESS" in text(table.find("caption"))
    ]
    rows = [[text(cell) for cell in row.findall("td")] for row in table.findall(".//tbody/tr")]
    bbr, cubic = "iperf-bbr", "iperf-cubic"
    different = ["1.00 [0.70, 1.30]", "0.50", "different"]
    equivalent = ["-0.10 [-0.30, 0.10]", "0.50", "equivalent"]
    assert rows == [
        [bbr, cubic, "5.00 [4.80, 5.20], n = 6", "4.00 [3.80, 4.20], n = 6", *different],
        [cubic, bbr, "3.00 [2.80, 3.20], n = 6", "3.10 [2.90, 3.30], n = 6", *equivalent],
        ["iperf-reno", "none", "7.50, n = 2", "7.50, n = 2", "0.00", "0.50", "undecided"],
    ]
    assert "Of 3 medians, 1 is equivalent, 1 different and 1 undecided" in text(page)


def test_every_calibration_is_among_the_definitions_and_links_to_its_trial(site):
    for row in TABLES["calibration"].to_pylist():
        address = f"trials/{row['setting']}/calibration/01/"
        links = [link.get("href") for link in site.page("definitions/").iter("a")]
        assert f"../{address}" in links
        page = site.page(address)
        assert "queue.bin.zst" in text(page) and "25.03" in text(page)


def test_a_warning_of_a_calibration_is_on_the_front_page(site):
    # A warning may be that a rate is not known.
    assert "Not every calibration found the testbed within its tolerances: 1 of 2 did not" in text(
        site.page("")
    )
    for address in ("", "definitions/", "trials/50mbps/calibration/01/"):
        assert CALIBRATION_WARNING in text(site.page(address)), address
    assert CALIBRATION_WARNING not in text(site.page("trials/8mbps/calibration/01/"))


def test_every_rule_is_explained_with_its_class(site):
    table = next(
        table
        for table in site.page("trials/").findall(".//table[caption]")
        if text(table.find("caption")).startswith("Rules and thresholds")
    )
    shown = {text(row.find("th")): [text(cell) for cell in row.findall("td")] for row in table.iter("tr")}
    for name in {row["rule"] for row in TABLES["validity"].to_pylist()}:
        assert [RULES[name].kind, RULES[name].meaning] == shown[name][:2]


def test_the_switch_is_the_one_that_the_trials_report(site):
    for address in ("", "definitions/"):
        assert "embedded switch 9.9.0 (36 trials)" in text(site.page(address)), address


def test_arrivals_and_departures_are_explained_where_the_figures_lead_to(site):
    trial = "trials/8mbps/iperf-reno/01/index.html"
    links = [link for link in site.links(trial) if link.endswith("definitions/#what-the-figures-mean")]
    assert links and "packets that waited at one of its ends are in one of the counts only" in text(
        site.page("definitions/")
    )


def matrices(page):
    """The number of linked cells of each matrix of a page."""
    found = [one for one in page.iter("table") if one.get("class", "").startswith("hm")]
    return [len(one.findall(".//td/a")) for one in found]


def test_every_metric_of_a_setting_has_a_page_with_its_matrix(site):
    metrics = ["Share", "Utilization", "Loss", "Delay", "Harm to throughput", "Harm to delay", "Harm by loss"]
    for setting in ("8mbps", "50mbps"):
        base = f"settings/{setting}/"
        links = site.page(base).findall(".//nav[@aria-label='Metric']/a")
        assert metrics == [text(link) for link in links][:7]
        for link in links[:7]:
            target, _fragment = site.target(f"{base}index.html", link.get("href"))
            page = site.pages[str(target.relative_to(site.base))]
            assert [9] == matrices(page)
            (here,) = [
                one for one in page.findall(".//nav[@aria-label='Metric']/a") if one.get("aria-current")
            ]
            assert text(link) == text(here)


def test_the_front_page_has_the_matrix_of_shares_of_each_setting(site):
    page = site.page("")
    assert [9, 9] == matrices(page)
    links = [link.get("href") for link in page.iter("a")]
    assert {"./settings/8mbps/", "./settings/50mbps/"} <= set(links)
