"""The pages show the values of the tables, and everybody can read them."""

import pytest
import yaml

from scripts.model.pairs import pair_name
from scripts.site.hugo import SITE
from scripts.tables.table_schema import load_schema
from tests.charts.sample_campaign import merged_config
from tests.charts.sample_cycle import CALIBRATION_WARNING, FAILED_REASON, INVALID_REASON, sample_tables
from tests.site.pages_read import text

TABLES = sample_tables()


def row_named(table, name: str) -> list[str]:
    """The cells of the row with this heading."""
    (row,) = [row for row in table.findall(".//tbody/tr") if text(row.find("th")) == name]
    return [text(cell) for cell in row.findall("td")]


@pytest.mark.parametrize(
    "row",
    TABLES["pairs"].to_pylist(),
    ids=lambda r: f"{r['setting']}-{r['incumbent']}-{r['contender']}-{r['instance']}",
)
def test_the_medians_on_a_pair_page_are_those_of_the_table(site, row):
    pair = pair_name([row["incumbent"], row["contender"]])
    titles = {name: entry["title"] for name, entry in merged_config()["services"].items()}
    (table,) = [
        table
        for table in site.page(f"pairs/{row['setting']}/{pair}/").findall(".//table[caption]")
        if text(table.find("caption")).startswith(f"{titles[row['incumbent']]} as the incumbent")
        and (row["instance"] == "first" or row["instance"].replace("_", "-") in text(table.find("caption")))
    ]
    for label, metric, shown in (
        ("MmF share", "share", lambda v: f"{100 * v:.1f} %"),
        ("Throughput", "throughput_mbps", lambda v: f"{v:.2f} Mbps"),
        ("Loss rate", "loss_rate", lambda v: f"{100 * v:.2f} %"),
        ("Queueing delay, mean", "queueing_delay_ms", lambda v: f"{v:.1f} ms"),
    ):
        expected = [shown(row[f"{metric}_{name}"]) for name in ("median", "q25", "q75")]
        with_excluded = [shown(row[f"{metric}_all_median"])] if row["n_all"] > row["n"] else []
        assert [*expected, "none below n = 6", *with_excluded] == row_named(table, label)


def test_a_trial_page_shows_the_figures_of_each_client(site):
    rows = [
        row
        for row in TABLES["trial_services"].to_pylist()
        if (row["setting"], row["pair"], row["trial"]) == ("50mbps", "iperf-bbr~iperf-reno", 1)
    ]
    table = site.page("trials/50mbps/iperf-bbr~iperf-reno/01/").find(".//table")
    assert [f"{row['throughput_mbps']:.2f} Mbps" for row in rows] == row_named(table, "Throughput")
    assert [f"{row['dropped_packets']:,}" for row in rows] == row_named(table, "Packets dropped")


def test_a_trial_page_shows_the_link_and_the_path_of_each_client(site):
    page = site.page("trials/50mbps/iperf-bbr~iperf-reno/01/")
    assert (
        "50 Mbps, 50 ms round trip, queue of 1024 packets (4 × BDP), CoDel (target 5 ms, interval 100 ms), "
        "0.1 % lost at random; c2 has 20 ms round trip, starts at 1 s, passes 3 ms of delay before"
    ) in text(page)
    table = page.find(".//table")
    assert ["0.25 s", "1.50 s"] == row_named(table, "Start offset")
    assert ["50.0 ms", "23.0 ms"] == row_named(table, "Round-trip time without queueing")
    assert ["none", "3 ms of delay"] == row_named(table, "Extra path before the bottleneck")


def test_a_trial_without_recorded_paths_has_no_rows_of_them(site):
    assert "Start offset" not in text(site.page("trials/8mbps/iperf-bbr~iperf-reno/01/"))


def test_the_method_page_describes_every_setting(site):
    page = text(site.page("method/"))
    assert "CoDel (target 5 ms, interval 100 ms)" in page
    assert "0.1 % lost at random. c2 has 20 ms round trip, starts at 1 s" in page


def test_an_excluded_trial_is_shown_with_its_reason(site):
    for address, reason in (
        ("pairs/8mbps/iperf-bbr~iperf-cubic/", INVALID_REASON),
        ("trials/8mbps/iperf-bbr~iperf-cubic/02/", INVALID_REASON),
        ("solos/50mbps/iperf-reno/", FAILED_REASON),
        ("trials/50mbps/iperf-reno/02/", FAILED_REASON),
        ("excluded/", FAILED_REASON),
    ):
        assert reason in text(site.page(address)), address
    assert "broken" in text(site.page("trials/8mbps/iperf-bbr~iperf-cubic/02/"))


def test_the_page_of_the_excluded_has_each_rule_with_its_figure(site):
    table = site.page("excluded/").find(".//table")
    rows = [[text(cell) for cell in row.findall("td")] for row in table.findall(".//tbody/tr")]
    assert sorted((row[1], *row[3:]) for row in rows) == [
        ("capture_missing_packets", "3", "0"),
        ("completed", "1", "0"),
    ]


def test_every_finding_of_a_setting_links_to_the_rows_it_counts(site):
    page = site.page("findings/")
    for row in TABLES["findings"].to_pylist():
        section = page.find(f".//section[@id='{row['setting']}-{row['finding']}']")
        assert len([key for key in row["rows"].split(",") if key]) == len(section.findall("ul/li"))
        assert f"{row['counted']} of {row['total']} rows of {row['source']}" in text(section)
    for setting in ("8mbps", "50mbps"):
        links = [link for link in site.links(f"settings/{setting}/index.html") if "findings/#" in link]
        assert len(links) >= 8


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


def test_every_finding_is_put_into_words():
    (finding,) = [column for column in load_schema("findings").columns if column.name == "finding"]
    words = yaml.safe_load((SITE / "cycle/data/finding_words.yaml").read_text(encoding="utf-8"))
    assert set(finding.values) == set(words)


def test_the_front_page_counts_the_trials_and_gives_no_verdict_on_few_of_them(site):
    facts = [[text(part) for part in fact] for fact in site.page("").findall(".//dl[@class='facts']/div")]
    assert facts[:3] == [["Trials measured", "36 of 36 planned"], ["Valid", "34"], ["Excluded", "2 why"]]
    for setting in ("8mbps", "50mbps"):
        assert "No cell has the six trials" in text(site.page("").find(f".//section[@id='{setting}']/p[2]"))
        words = text(site.page(f"settings/{setting}/").find(".//ul[@class='words']"))
        assert "9 of 9 cells have too few for a 95 % interval" in words
        assert "most unfair" not in words


def test_few_trials_have_no_interval(site):
    assert "no 95 % interval" in text(site.page("pairs/8mbps/iperf-bbr~iperf-bbr/"))


def test_every_table_has_a_caption_and_every_heading_cell_a_scope(either):
    for page, root in either.pages.items():
        for table in root.iter("table"):
            assert text(table.find("caption")), page
            assert all(cell.get("scope") for cell in table.iter("th")), page


def test_every_chart_says_what_it_shows(either):
    for page, root in either.pages.items():
        assert all(image.get("alt") for image in root.iter("img")), page
        assert all(chart.get("aria-label") or chart.get("aria-hidden") for chart in root.iter("svg")), page


def test_a_trial_over_time_is_described_in_words(site):
    (image,) = site.page("trials/8mbps/iperf-bbr~iperf-cubic/01/").iter("img")
    assert "mean throughput" in image.get("alt")


def test_every_page_has_a_language_a_title_one_heading_and_landmarks(either):
    for page, root in either.pages.items():
        assert root.get("lang") == "en" and text(root.find(".//title")), page
        assert len([*root.iter("h1")]) == 1 and len([*root.iter("main")]) == 1, page
        identities = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(set(identities)) == len(identities), page


def test_the_data_page_offers_every_table_and_explains_every_column(site):
    page = site.page("data/")
    for name, table in TABLES.items():
        section = page.find(f".//section[@aria-labelledby='table-{name}']")
        assert {f"{name}.csv", f"{name}.parquet"} <= {text(link) for link in section.iter("a")}
        rows = section.findall(".//tbody/tr")
        assert table.column_names == [text(row.find("th")) for row in rows]
        assert all(text(row.findall("td")[2]) for row in rows), name


def test_the_method_draws_its_figures_from_the_campaign(site):
    page = text(site.page("method/"))
    assert "lasts 11 s" in page and "the 7 s between them" in page
    assert "1024 packets (4 × BDP)" in page and "capture_missing_packets" in page


def test_the_method_shows_what_both_switches_gave(site):
    page = site.page("method/")
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


def test_every_calibration_is_on_the_method_page_and_links_to_its_trial(site):
    for row in TABLES["calibration"].to_pylist():
        address = f"trials/{row['setting']}/calibration/01/"
        (line,) = [
            line
            for line in site.page("method/").findall(".//tbody/tr")
            if any(link.get("href").endswith(address) for link in line.iter("a"))
        ]
        shown = [text(cell) for cell in line.findall("td")]
        assert [f"{row['small_rate_mbps']:.4f} Mbps", "–", f"{row['large_rate_mbps']:.4f} Mbps"] == shown[2:5]
        assert "128 of 128" == shown[5] and f"{row['added_delay_p99_ms']:.3f} ms" == shown[8]
        page = site.page(address)
        assert "queue.bin.zst" in text(page) and "25.03" in text(page)


def test_a_warning_of_a_calibration_is_on_the_front_page(site):
    for address in ("", "method/", "trials/50mbps/calibration/01/"):
        assert CALIBRATION_WARNING in text(site.page(address)), address
    assert CALIBRATION_WARNING not in text(site.page("trials/8mbps/calibration/01/"))


def test_every_rule_is_explained_with_its_class(site):
    table = next(
        table
        for table in site.page("method/").findall(".//table[caption]")
        if text(table.find("caption")).startswith("Rules and thresholds")
    )
    shown = {text(row.find("th")): [text(cell) for cell in row.findall("td")] for row in table.iter("tr")}
    rules = {rule.name: rule for rule in load_schema("validity").rules}
    for name in {row["rule"] for row in TABLES["validity"].to_pylist()}:
        assert [rules[name].rule_class, rules[name].meaning] == shown[name][:2]


def test_the_switch_is_the_one_that_the_trials_report(site):
    for address in ("", "method/"):
        assert "embedded switch 9.9.0 (36 trials)" in text(site.page(address)), address


def test_below_six_trials_a_page_says_what_was_seen_and_calls_nobody_a_loser(site):
    words = text(site.page("pairs/50mbps/iperf-bbr~iperf-reno/"))
    rows = [
        row
        for row in TABLES["trial_fairness"].to_pylist()
        if (row["setting"], row["service"], row["contender"]) == ("50mbps", "iperf-bbr", "iperf-reno")
    ]
    low, high = (f"{100 * pick(row['share'] for row in rows):.0f} %" for pick in (min, max))
    assert f"of its fair share in 2 trials, from {low} to {high} (" in words
    assert "Too few trials for a verdict" in text(site.page(""))
    for page, root in site.pages.items():
        assert "loses to" not in text(root), page
        assert not root.findall(".//*[@class='losing']"), page


def test_a_share_stands_beside_the_rate_that_it_is_of(site):
    row = next(
        row
        for row in TABLES["pairs"].to_pylist()
        if (row["setting"], row["incumbent"], row["contender"]) == ("50mbps", "iperf-bbr", "iperf-reno")
    )
    rate, allocation = row["wire_rate_mbps_median"], row["allocation_mbps"]
    assert row["share_median"] == pytest.approx(rate / allocation)
    words = text(site.page("pairs/50mbps/iperf-bbr~iperf-reno/"))
    assert words.count("iPerf (BBR) got ") == 1
    assert f"({rate:.2f} Mbps wire rate of {allocation:.2f} Mbps)" in words


def test_a_self_pair_has_both_instances_on_its_page(site):
    words = text(site.page("pairs/8mbps/iperf-cubic~iperf-cubic/"))
    assert "The worse-off instance of iPerf (Cubic) got" in words and "The better-off one got" in words


def test_a_pair_page_compares_the_excluded_with_the_kept(site):
    page = site.page("pairs/8mbps/iperf-bbr~iperf-cubic/")
    table = next(
        one for one in page.iter("table") if "Median share of the trials" in text(one.find("caption"))
    )
    rows = [[text(cell) for cell in row.findall("td")] for row in table.findall(".//tbody/tr")]
    assert [row[0] for row in rows] == ["capture_missing_packets"] * 2
    assert {row[-1] for row in rows} == {"no"}
    assert "Excluded against kept" not in text(site.page("pairs/50mbps/iperf-bbr~iperf-cubic/"))


def test_a_pair_page_says_how_the_loss_before_the_bottleneck_is_known(site):
    words = text(site.page("pairs/8mbps/iperf-bbr~iperf-reno/"))
    assert "iPerf (BBR): known from the gaps in TCP sequence numbers" in words


def test_arrivals_and_departures_are_explained_where_the_figures_lead_to(site):
    trial = "trials/8mbps/iperf-reno/01/index.html"
    links = [link for link in site.links(trial) if link.endswith("method/#what-the-figures-mean")]
    assert links and "packets that waited at one of its ends are in one of the counts only" in text(
        site.page("method/")
    )


def test_the_page_of_a_setting_has_all_its_heatmaps_and_the_front_page_one_of_each(site):
    shares = [text(table.find("caption")) for table in site.page("").iter("table")]
    assert len(shares) == 2 and all("fair share" in caption for caption in shares)
    for setting in ("8mbps", "50mbps"):
        page = site.page(f"settings/{setting}/")
        heatmaps = [one for one in page.iter("table") if "heatmap" in one.get("class", "")]
        assert [len(one.findall(".//td/a")) for one in heatmaps] == [9] * 4
        captions = [text(caption) for caption in page.iter("caption")]
        assert any("medians of every incumbent against every contender" in caption for caption in captions)
        front = site.page("").find(f".//section[@id='{setting}']")
        assert f"./settings/{setting}/" in [link.get("href") for link in front.iter("a")]
