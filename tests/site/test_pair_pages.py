"""The pages of pairs and of services alone show the values of the tables, and lead to every capture."""

import json

import pytest

from scripts.model.pairs import is_solo, pair_name
from scripts.model.rules import RULES
from tests.charts.sample_campaign import merged_config
from tests.charts.sample_cycle import FAILED_REASON, INVALID_REASON, sample_tables
from tests.site.pages_read import row_named, table_of, text

TABLES = sample_tables()
TITLES = {name: entry["title"] for name, entry in merged_config()["services"].items()}
PAIR = "iperf-bbr~iperf-cubic"
SHOWN = {
    "share": lambda value: f"{100 * value:.1f} %",
    "throughput_mbps": lambda value: f"{value:.2f} Mbps",
    "loss_rate": lambda value: f"{100 * value:.2f} %",
    "queueing_delay_ms": lambda value: f"{value:.1f} ms",
}


@pytest.mark.parametrize(
    "row",
    TABLES["pairs"].to_pylist(),
    ids=lambda r: f"{r['setting']}-{r['incumbent']}-{r['contender']}-{r['instance']}",
)
def test_the_medians_on_a_pair_page_are_those_of_the_table(site, row):
    pair = pair_name([row["incumbent"], row["contender"]])
    (table,) = [
        table
        for table in site.page(f"pairs/{row['setting']}/{pair}/").findall(".//table[caption]")
        if text(table.find("caption")).startswith(f"{TITLES[row['incumbent']]} as the incumbent")
        and (row["instance"] == "first" or row["instance"].replace("_", "-") in text(table.find("caption")))
    ]
    for label, metric in (
        ("MmF share", "share"),
        ("Throughput", "throughput_mbps"),
        ("Loss rate", "loss_rate"),
        ("Queueing delay", "queueing_delay_ms"),
    ):
        expected = [SHOWN[metric](row[f"{metric}_{name}"]) for name in ("median", "q25", "q75")]
        with_excluded = [SHOWN[metric](row[f"{metric}_all_median"])] if row["n_all"] > row["n"] else []
        assert [*expected, *with_excluded] == row_named(table, label)


def test_a_pair_page_has_each_side_together_beside_the_service_alone(site):
    page = site.page("pairs/8mbps/iperf-bbr~iperf-cubic/")
    table = table_of(page, "Each service alone and together")
    alone = {row["service"]: row for row in TABLES["solo"].to_pylist() if row["setting"] == "8mbps"}
    cells = {
        row["incumbent"]: row
        for row in TABLES["pairs"].to_pylist()
        if (row["setting"], row["pair"]) == ("8mbps", PAIR)
    }
    for label, metric, solo in (
        ("Throughput, Mbps", "throughput_mbps", "throughput_median_mbps"),
        ("Loss rate, %", "loss_rate", "loss_rate_median"),
        ("Queueing delay, ms", "queueing_delay_ms", "queueing_delay_median_ms"),
    ):
        expected = [
            " → ".join(
                SHOWN[metric](value).split()[0]
                for value in (alone[name][solo], cells[name][f"{metric}_median"])
            )
            for name in PAIR.split("~")
        ]
        shown = zip(PAIR.split("~"), row_named(table, label), strict=True)
        assert expected == [cell.removeprefix(TITLES[name]).partition(" n = ")[0] for name, cell in shown]


def drawn(page, section: str) -> list[str]:
    """The classes of the lines in the drawings of the section with this heading."""
    heading = {text(one): one for one in page.iter("section") if one.find(f"h2[@id='{section}']") is not None}
    (found,) = heading.values()
    return [
        path.get("class") for path in found.iter("path") if path.get("class") in ("pa", "pb", "pq", "out")
    ]


def test_a_pair_page_draws_its_median_trial_with_the_queue_and_what_bbr_estimates(site):
    page = site.page("pairs/50mbps/iperf-bbr~iperf-reno/")
    lines = drawn(page, "over-time")
    assert ["out", "pa", "pb", "out", "pq", "out", "pa", "out", "pa"] == lines
    without = drawn(site.page("pairs/50mbps/iperf-cubic~iperf-reno/"), "over-time")
    assert ["out", "pa", "pb", "out", "pq"] == without
    assert ["out", "pa", "out", "pq", "out", "pa", "out", "pa"] == drawn(
        site.page("solos/8mbps/iperf-bbr/"), "over-time"
    )


def test_the_median_trial_is_the_typical_one(site, cycle):
    chosen = json.loads((cycle / "charts/trials/chosen.json").read_text())["cells"]
    for cell in chosen:
        room = "solos" if is_solo(cell["pair"]) else "pairs"
        heading = site.page(f"{room}/{cell['setting']}/{cell['pair']}/").find(".//h2[@id='over-time']")
        assert text(heading) == f"Over time: trial {cell['typical']:02d}, the median one"


def test_a_pair_page_has_its_shares_over_the_time_of_all_trials(site):
    page = site.page("pairs/50mbps/iperf-bbr~iperf-reno/")
    assert ["out", "pa", "pb"] == drawn(page, "share-over-time")
    assert "medians over 2 valid trials, in bins of 1 s" in text(page)
    assert (site.base / "charts/over-time-50mbps-iperf-bbr~iperf-reno.csv").is_file()
    table = table_of(page, "Median share in each bin, and as a part of the link")
    expected: dict[str, list[str]] = {}
    for row in TABLES["share_over_time"].to_pylist():
        if (row["setting"], row["pair"]) == ("50mbps", "iperf-bbr~iperf-reno"):
            seconds = f"{row['start_s']:g}–{row['start_s'] + row['width_s']:g}"
            cells = f"{100 * row['median']:.0f} %", f"{100 * row['median'] / 2:.0f} %"
            expected.setdefault(seconds, []).extend(cells)
    assert 10 == len(expected)
    assert expected == {seconds: row_named(table, seconds) for seconds in expected}


@pytest.mark.parametrize("room", ["pairs", "solos"])
def test_the_packets_of_the_median_trial_and_every_trial_are_one_click_from_the_page_of_its_pair(
    site, cycle, room
):
    captures = site.root / "captures/demo/2026-11-21"
    for cell in {(row["setting"], row["pair"]) for row in TABLES["trial_services"].to_pylist()}:
        if is_solo(cell[1]) is not (room == "solos"):
            continue
        page = f"{room}/{'/'.join(cell)}/index.html"
        linked = {site.target(page, link)[0] for link in site.links(page)}
        rows = [row for row in TABLES["trial_services"].to_pylist() if (row["setting"], row["pair"]) == cell]
        assert {
            site.base / f"trials/{'/'.join(cell)}/{row['trial']:02d}/index.html" for row in rows
        } <= linked
        files = [path for path in linked if captures in path.parents]
        (trial,) = {path.parent for path in files}
        names = {path.name for path in (cycle / "trials" / trial.relative_to(captures)).iterdir()}
        assert {path.name for path in files} == {
            name for name in names if name.startswith(("client-", "queue."))
        }


def test_every_trial_of_a_pair_is_drawn_with_its_share_and_excluded_ones_are_hatched(site):
    trials = site.page(f"pairs/8mbps/{PAIR}/").find(".//ul[@class='multiples']").findall("li")
    share = next(
        row["share"]
        for row in TABLES["trial_fairness"].to_pylist()
        if (row["setting"], row["pair"], row["trial"], row["service"]) == ("8mbps", PAIR, 1, "iperf-bbr")
    )
    assert [None, "excluded"] == [one.get("class") for one in trials]
    assert text(trials[0]) == f"Trial 01 iPerf (BBR) {100 * share:.0f} %"
    assert text(trials[1]).endswith("%, excluded")
    assert f"Trial 02: {INVALID_REASON}" in text(site.page(f"pairs/8mbps/{PAIR}/"))
    for one in trials:
        assert ["fair", "pa", "pb"] == [path.get("class") for path in one.iter("path")]


def test_each_rule_that_a_trial_breaks_is_told_in_words_below_the_reasons(site):
    rules = {reason.partition(":")[0] for reason in INVALID_REASON.split("; ")}
    why = text(
        next(one for one in site.page(f"pairs/8mbps/{PAIR}/").iter("details") if "excluded" in text(one))
    )
    for rule in rules:
        assert f"{rule}: {RULES[rule].meaning}." in why


def test_a_failed_trial_without_captures_says_why(site):
    page = site.page("solos/50mbps/iperf-reno/")
    failed = page.find(".//ul[@class='multiples']").findall("li")[1]
    assert "Trial 02 excluded" == text(failed) and failed.find(".//svg") is None
    assert f"Trial 02: {FAILED_REASON}" in text(page)


def test_the_data_of_every_picture_is_one_click_from_it(site):
    page = site.page(f"pairs/8mbps/{PAIR}/")
    names = {
        link.get("href").rpartition("/")[2] if "charts/" in link.get("href") else link.text
        for link in page.iter("a")
        if "download" in link.attrib
    }
    charts = (f"dots-8mbps-{PAIR}.csv", f"over-time-8mbps-{PAIR}.csv")
    tables = ("trial_fairness.csv", "pairs.csv", "figures.csv", "share_over_time.csv", "trial_series.parquet")
    assert {*charts, *tables} <= names


def test_a_pair_page_leads_to_its_history(site):
    page = "pairs/8mbps/iperf-bbr~iperf-cubic/index.html"
    assert site.root / page in [site.target(page, link)[0] for link in site.links(page)]
    assert "No earlier cycle was measured in the same way" in text(site.pages[page])


def cards(page) -> list:
    """The verdict cards of a page."""
    return [one for one in page.iter("div") if (one.get("class") or "").startswith("card ")]


def test_few_trials_have_no_interval(site):
    words = text(site.page("pairs/8mbps/iperf-bbr~iperf-bbr/"))
    assert words.count("no 95 % interval") == 1
    for card in cards(site.page(f"pairs/8mbps/{PAIR}/")):
        assert "too few trials" == text(card.find("p/span"))
        assert "v few" == card.find("p/span").get("class")


def test_below_six_trials_a_page_says_what_was_seen_and_calls_nobody_a_loser(site):
    card = cards(site.page("pairs/50mbps/iperf-bbr~iperf-reno/"))[0]
    rows = [
        row
        for row in TABLES["trial_fairness"].to_pylist()
        if (row["setting"], row["service"], row["contender"]) == ("50mbps", "iperf-bbr", "iperf-reno")
    ]
    low, high = (f"{100 * pick(row['share'] for row in rows):.0f} %" for pick in (min, max))
    assert f"of its fair share in 2 trials, from {low} to {high}" in text(card)
    assert 2 == next(path.get("d") for path in card.iter("path") if path.get("class") == "h").count("h.1")
    assert "Too few trials for a verdict" in text(site.page(""))
    for page, root in site.pages.items():
        if not page.startswith(("method/", "definitions/")):
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
    card = text(cards(site.page("pairs/50mbps/iperf-bbr~iperf-reno/"))[0])
    assert f"{rate:.2f} Mbps on the wire; fair is {allocation:.2f} Mbps." in card


def test_a_self_pair_has_both_instances_on_its_page(site):
    page = site.page("pairs/8mbps/iperf-cubic~iperf-cubic/")
    titles = [text(card.find("p/b")) for card in cards(page)]
    assert ["iPerf (Cubic), worse-off instance", "iPerf (Cubic), better-off instance"] == titles
    assert ["no verdict", ""] == [text(card.find("p/span[1]")).partition("n =")[0] for card in cards(page)]
    assert ["fair", "out", "pa", "pb"] == sorted(
        path.get("class") for path in page.find(".//h2[@id='over-time']/..").find("div").iter("path")
    )


def test_a_pair_page_compares_the_excluded_with_the_kept(site):
    page = site.page("pairs/8mbps/iperf-bbr~iperf-cubic/")
    table = next(
        one
        for one in page.findall(".//table[caption]")
        if "Median share of the trials" in text(one.find("caption"))
    )
    rows = [[text(cell) for cell in row.findall("td")] for row in table.findall(".//tbody/tr")]
    assert [row[0] for row in rows] == ["capture_missing_packets"] * 2
    assert {row[-1] for row in rows} == {"no"}
    assert "Excluded against kept" not in text(site.page("pairs/50mbps/iperf-bbr~iperf-cubic/"))


@pytest.mark.parametrize("room", ["pairs", "solos"])
def test_the_page_of_a_setting_leads_to_all_its_pairs_and_services_alone(site, room):
    for setting in ("8mbps", "50mbps"):
        page, made = f"settings/{setting}/index.html", site.base / room / setting
        links = site.pages[page].findall(".//main//a[@href]")
        led = {site.target(page, link.get("href"))[0].parent for link in links}
        assert {path for path in made.iterdir() if path.is_dir()} == {
            path for path in led if path.parent == made
        }


def test_the_shares_of_a_pair_are_in_the_matrix(site):
    cells = site.page("settings/8mbps/").findall(".//table[@class='hm']//td/a")
    shown = [text(cell).split()[0] for cell in cells if cell.get("href").endswith(f"/{PAIR}/")]
    rows = [row for row in TABLES["pairs"].to_pylist() if (row["setting"], row["pair"]) == ("8mbps", PAIR)]
    assert sorted(f"{100 * row['share_median']:.0f}" for row in rows) == sorted(shown)
