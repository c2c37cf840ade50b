"""The pages of pairs and of services alone show the values of the tables, and lead to every capture."""

import pytest

from scripts.model.pairs import is_solo, pair_name
from tests.charts.sample_campaign import merged_config
from tests.charts.sample_cycle import FAILED_REASON, INVALID_REASON, sample_tables
from tests.site.pages_read import row_named, table_of, text

TABLES = sample_tables()
TITLES = {name: entry["title"] for name, entry in merged_config()["services"].items()}
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


def test_a_pair_page_has_each_side_beside_the_service_alone(site):
    table = table_of(site.page("pairs/8mbps/iperf-bbr~iperf-cubic/"), "Medians, each with its 95 % interval")
    one, other = TITLES["iperf-bbr"], TITLES["iperf-cubic"]
    rows = {
        (row["incumbent"], row["contender"]): row
        for row in TABLES["pairs"].to_pylist()
        if row["setting"] == "8mbps"
    }
    for service, contender, title in (
        ("iperf-bbr", "iperf-cubic", f"{one} against {other}"),
        ("iperf-cubic", "iperf-bbr", f"{other} against {one}"),
    ):
        row = rows[service, contender]
        figures = [show(row[f"{metric}_median"]) for metric, show in SHOWN.items()]
        assert [*figures, str(row["n"])] == row_named(table, title)
    for row in TABLES["solo"].to_pylist():
        if row["setting"] == "8mbps" and row["service"] in ("iperf-bbr", "iperf-cubic"):
            alone = row_named(table, f"{TITLES[row['service']]} alone")
            throughput = SHOWN["throughput_mbps"](row["throughput_median_mbps"])
            loss = SHOWN["loss_rate"](row["loss_rate_median"])
            delay = SHOWN["queueing_delay_ms"](row["queueing_delay_median_ms"])
            assert ["–", throughput, loss, delay, str(row["n"])] == alone


def test_a_pair_page_has_its_shares_over_time_as_its_first_picture_of_time_and_as_a_table(site):
    page = site.page("pairs/50mbps/iperf-bbr~iperf-reno/")
    images = [image.get("src").rpartition("/")[2] for image in page.iter("img")]
    over_time = [name for name in images if name.startswith(("over-time-", "trial-"))]
    assert "over-time-50mbps-iperf-bbr~iperf-reno.svg" == over_time[0]
    assert (site.base / f"charts/{over_time[0]}").with_suffix(".csv").is_file()
    table = table_of(page, "The MmF share in each bin of 1 s: the median over 2 valid trials")
    expected: dict[str, list[str]] = {}
    for row in TABLES["share_over_time"].to_pylist():
        if (row["setting"], row["pair"]) == ("50mbps", "iperf-bbr~iperf-reno"):
            median, low, high = (f"{100 * row[name]:.0f} %" for name in ("median", "minimum", "maximum"))
            link = f"{100 * row['median'] / 2:.0f} %"
            seconds = f"{row['start_s']:g}–{row['start_s'] + row['width_s']:g}"
            expected.setdefault(seconds, []).extend([f"{median} ({low} to {high})", link])
    assert 10 == len(expected)
    assert expected == {seconds: row_named(table, seconds) for seconds in expected}


@pytest.mark.parametrize("room", ["pairs", "solos"])
def test_every_capture_and_queue_log_is_one_click_from_the_page_of_its_pair(site, cycle, room):
    for row in TABLES["trial_services"].to_pylist():
        if is_solo(row["pair"]) is not (room == "solos"):
            continue
        cell = f"{row['setting']}/{row['pair']}"
        trial = cycle / "trials" / cell / f"{row['trial']:02d}"
        published = [path for path in trial.iterdir() if path.name.startswith(("client-", "queue."))]
        page = f"{room}/{cell}/index.html"
        linked = {site.target(page, link)[0] for link in site.links(page)}
        base = site.root / "captures/demo/2026-11-21"
        assert {base / path.relative_to(cycle / "trials") for path in published} <= linked
        assert len(published) == (0 if row["status"] == "failed" else row["clients"] + 1)


def test_every_trial_of_a_pair_has_a_row_with_shares_start_and_sizes(site, cycle):
    table = table_of(site.page("pairs/8mbps/iperf-bbr~iperf-cubic/"), "2 trials. No median")
    shares = {
        (row["trial"], row["client"]): SHOWN["share"](row["share"])
        for row in TABLES["trial_fairness"].to_pylist()
        if (row["setting"], row["pair"]) == ("8mbps", "iperf-bbr~iperf-cubic")
    }
    first = row_named(table, "Trial 01 typical, worst")
    size = len((cycle / "trials/8mbps/iperf-bbr~iperf-cubic/01/client-c1.pcapng.zst").read_bytes())
    assert first[:2] == [shares[1, "c1"], shares[1, "c2"]] and first[2] == f"01/c1 {size} B"
    assert first[5].startswith("2026-11-21 ") and first[6] == "yes"
    assert row_named(table, "Trial 02")[-1] == f"excluded: {INVALID_REASON}"


def test_a_failed_trial_without_captures_says_why(site):
    table = table_of(site.page("solos/50mbps/iperf-reno/"), "2 trials")
    failed = row_named(table, "Trial 02")
    assert failed == ["–", "none", "none", failed[3], f"excluded: {FAILED_REASON}"]


def test_a_pair_page_says_why_its_two_trials_were_chosen(site):
    words = text(site.page("pairs/50mbps/iperf-bbr~iperf-reno/"))
    assert "Typical: the MmF share of iPerf (BBR) is nearest to the median of all valid trials." in words
    assert "Worst: it has the lowest MmF share of any client." in words
    alone = text(site.page("solos/50mbps/iperf-bbr/"))
    assert "Worst: its wire rate is the lowest." in alone


def test_a_pair_page_leads_to_its_history(site):
    page = "pairs/8mbps/iperf-bbr~iperf-cubic/index.html"
    assert site.root / page in [site.target(page, link)[0] for link in site.links(page)]
    assert "No earlier cycle was measured in the same way" in text(site.pages[page])


def test_few_trials_have_no_interval(site):
    words = text(site.page("pairs/8mbps/iperf-bbr~iperf-bbr/"))
    assert words.count("no 95 % interval") == 1
    assert "No verdict: two instances of one service are not judged." in words
    words = text(site.page("pairs/8mbps/iperf-bbr~iperf-cubic/"))
    assert "No verdict: that needs six valid trials." in words


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


@pytest.mark.parametrize(("room", "kind"), [("pairs", "Pairs"), ("solos", "Services alone")])
def test_a_list_is_a_table_with_the_key_number_of_every_page(site, room, kind):
    for setting in ("8mbps", "50mbps"):
        page = f"{room}/{setting}/index.html"
        (table,) = site.pages[page].iter("table")
        made = {site.target(page, link.get("href"))[0].parent for link in table.iter("a")}
        assert made == {path for path in (site.base / room / setting).iterdir() if path.is_dir()}
        assert text(site.pages[page].find(".//h1")).startswith(kind)
    row = min(
        (
            row
            for row in TABLES["pairs"].to_pylist()
            if (row["setting"], row["pair"]) == ("8mbps", "iperf-bbr~iperf-cubic")
        ),
        key=lambda row: row["share_median"],
    )
    if room == "pairs":
        table = site.page("pairs/8mbps/").find(".//table")
        shown = [TITLES[row["incumbent"]], f"{100 * row['share_median']:.0f} %", str(row["n"])]
        assert shown == row_named(table, "iPerf (BBR) against iPerf (Cubic)")[:3]
