"""Verdicts and warnings, on a cycle with enough trials for them.

Seven trials of each pair of BBR and Cubic are valid, but for one. NewReno cannot do alone what it must.
"""

import random
import re
from itertools import combinations_with_replacement

import pyarrow as pa
import pytest

from scripts.model.pairs import pair_name
from scripts.plan.set_aside import write_set_aside
from scripts.site.addresses import provisional
from scripts.site.cycle.build_cycle import PagesTarget
from scripts.snapshot.identity import Provisional
from scripts.snapshot.trials_so_far import mark_provisional
from scripts.tables.table_schema import load_schema
from tests.charts.sample_campaign import SERVICES, campaign_of, merged_config
from tests.charts.sample_cycle import per_trial_rows, summarised, trial_rows
from tests.charts.sample_files import seal, write_charts, write_tables, write_unsealed
from tests.site.pages_read import Site, row_named, table_of, text
from tests.site.test_pair_pages import cards

SETTING, UNABLE = "8mbps", "iperf-reno"
TRIALS = 7
EXPLAINED = "≠ still moving: the share has not settled"
"""What the legend of every matrix says."""


def sample() -> tuple[dict, dict[str, pa.Table]]:
    """The configuration and the tables of the cycle."""
    config = merged_config()
    config["settings"] = {SETTING: config["settings"][SETTING]}
    names = [*SERVICES, *map(pair_name, combinations_with_replacement(SERVICES, 2))]
    rng = random.Random(4)
    trials = [
        row
        for name in sorted(names)
        for number in range(1, TRIALS + 1)
        for row in trial_rows(rng, SETTING, name, number)
    ]
    for row in trials:
        row["able"] = None if row["able"] is None else row["service"] != UNABLE
        row["trial_start_ns"] = (row["trial"] % 3) * 86_400 * 10**9
    rows = per_trial_rows(rng, [trials])
    for row in rows["upstream_loss"]:
        if row["service"] == UNABLE:
            row |= {"method": "unknown", "lost_packets": None}
    return config, summarised(rows, campaign_of(config))


CONFIG, TABLES = sample()
TRIAL_SERVICES = TABLES["trial_services"]
FINDINGS = {row["finding"]: row for row in TABLES["findings"].to_pylist()}


def changed(table: str, **changes) -> pa.Table:
    """A table with these columns in the rows of BBR's share against Cubic."""
    rows = [row | (changes if _is_share(row) else {}) for row in TABLES[table].to_pylist()]
    return pa.Table.from_pylist(rows, schema=load_schema(table).arrow)


def _is_share(row: dict) -> bool:
    matchup = row.get("incumbent", row.get("service")), row["contender"], row.get("metric", "share")
    return matchup == ("iperf-bbr", "iperf-cubic", "share")


def built(folder, build, **tables) -> Site:
    """The site of the cycle with these tables replaced. The charts are those of the cycle as it was."""
    write_unsealed(folder, TABLES, CONFIG)
    write_charts(folder, "cycle")
    write_tables(tables, folder / "tables")
    return build(folder / "public", seal(folder))


@pytest.fixture(scope="module")
def judged(build, tmp_path_factory) -> Site:
    """The site of the cycle; BBR against Cubic has a second mode, depends on what was excluded, and moves."""
    of_round = {"setting": SETTING, "pair": f"iperf-bbr~{UNABLE}", "state": "closed", "reason": "service"}
    closed = [of_round | {"round": number} for number in (1, 2)]
    closed.append(closed[0] | {"pair": "iperf-bbr~iperf-cubic", "reason": "precise"})
    change = {"share_change_median": -0.2, "share_change_low": -0.25, "share_change_high": -0.15}
    modes = {"bimodal": True, "largest_gap_mbps": 1.25, "gap_in_precision": 2.5}
    return built(
        tmp_path_factory.mktemp("judged"),
        build,
        exclusion_bias=changed("exclusion_bias", warns=True),
        pairs=changed("pairs", verdict="losing", settled="still moving", **change),
        stability=changed("stability", **modes),
        plan=pa.Table.from_pylist(closed, schema=load_schema("plan").arrow),
    )


def test_front_page_and_findings_name_the_same_pair_with_the_same_share(judged):
    unfair = FINDINGS["most_unfair"]
    assert (unfair["incumbent"], unfair["contender"]) == ("iperf-bbr", "iperf-cubic")
    share = f"{100 * unfair['value']:.0f} %"
    page = judged.page(f"settings/{SETTING}/")
    headline = text(judged.page("").find(".//h1/.."))
    findings = table_of(page, "Each number with the rows that it counts")
    assert f"iPerf (Cubic) leaves iPerf (BBR) {share} of its fair share" in headline
    assert f"iPerf (BBR) got only {share} of its fair share against iPerf (Cubic)" in text(page)
    shown = row_named(findings, "Most unfair iPerf (BBR) against iPerf (Cubic)")
    assert [f"{100 * unfair['value']:.1f} %", str(unfair["counted"]), str(unfair["total"])] == shown[:3]
    assert str(len(unfair["may_be_first"].split(","))) == shown[3]


def test_a_page_that_calls_a_service_a_loser_says_that_its_share_still_moves(judged):
    pair = judged.page(f"pairs/{SETTING}/iperf-bbr~iperf-cubic/")
    assert text(cards(pair)[0].find("p")).startswith("loses ≠ still moving")
    setting = judged.page(f"settings/{SETTING}/")
    assert "The share had not settled when the trials ended." in text(judged.page("").find(".//h1/.."))
    assert "The share had not settled when the trials ended." in text(setting)


def test_whether_a_share_has_settled_stands_beside_it(judged):
    pair = judged.page(f"pairs/{SETTING}/iperf-bbr~iperf-cubic/")
    assert (
        "The share changed by −20.0 points from the first half of the steady window to the second "
        "(95 % interval −25.0 to −15.0): still moving."
    ) in text(pair)


@pytest.mark.parametrize("address", ["", f"settings/{SETTING}/"])
def test_the_mark_of_a_share_in_the_matrix_has_words_and_a_note(judged, address):
    page = judged.page(address)
    (link,) = (link for link in page.findall(".//table[caption]//td/a") if link.find("sup") is not None)
    assert link.get("href").endswith(f"pairs/{SETTING}/iperf-bbr~iperf-cubic/")
    assert "≠ still moving" in text(link)
    assert EXPLAINED in text(page)


def headings(table):
    """The headings of the rows of a table."""
    return [text(row.find("th")) for row in table.findall(".//tbody/tr")]


def test_the_page_of_excluded_trials_has_the_tests_and_other_thresholds(judged):
    page = judged.page("trials/")
    tested = [row["rule"] for row in TABLES["exclusion_tests"].to_pylist()]
    assert tested == headings(table_of(page, "Excluded trials of all pairs"))
    thresholds = TABLES["threshold_sensitivity"].to_pylist()
    names = [f"{row['rule']} × {row['factor']:g}" for row in thresholds]
    assert thresholds and names == headings(
        table_of(page, "Each rule with half and with twice its threshold")
    )


def test_a_cell_that_closed_as_precise_says_so_beside_its_interval(judged):
    words = "Stopped when precise: trials ended because the interval was narrow enough"
    assert words in text(judged.page(f"pairs/{SETTING}/iperf-bbr~iperf-cubic/"))
    assert words not in text(judged.page(f"pairs/{SETTING}/iperf-cubic~iperf-cubic/"))


def test_the_pages_of_a_cycle_that_still_runs_have_no_verdict(build, tmp_path):
    write_unsealed(tmp_path, TABLES, CONFIG)
    write_tables({"pairs": changed("pairs", settled="still moving")}, tmp_path / "tables")
    mark_provisional(tmp_path / "tables")
    write_charts(tmp_path, "cycle")
    target = PagesTarget(provisional("demo"), None, None, Provisional("demo", "2026-11-21", 36, 180))
    site = build(tmp_path / "public", tmp_path, target)
    assert "There is no verdict before the cycle is complete." in text(site.page("").find(".//h1/.."))
    assert "So far, the median shares of 2 cells lie between" in text(site.page(f"settings/{SETTING}/"))
    pair = site.page(f"pairs/{SETTING}/iperf-bbr~iperf-cubic/")
    assert ["no verdict yet"] * 2 == [text(card.find("p/span")) for card in cards(pair)]
    for name, page in site.pages.items():
        if name.startswith(("index", "settings", "pairs")):
            found = re.search(
                r"\b(got only|loses to|certainly loses|leaves iPerf|most unfair|lose \()", text(page)
            )
            assert found is None, (name, found)
            assert "still moving" not in text(page).replace(EXPLAINED, ""), name
        for verdict in ("losing", "winning", "fair"):
            explains = name.startswith(("method/", "definitions/"))
            marked = [one for one in page.iterfind(f".//*[@class='{verdict}']") if one.tag != "path"]
            assert explains or not marked, (name, verdict)
    titles = [path.read_text() for path in (tmp_path / "charts").rglob(f"share-{SETTING}.svg")]
    assert all("no verdict before the cycle" in title for title in titles) and titles


def test_a_pair_page_says_within_how_many_days_its_trials_are(judged):
    words = text(judged.page(f"pairs/{SETTING}/iperf-bbr~iperf-cubic/"))
    assert (
        ", all within 3 days. The 95 % intervals are exact intervals of the median of such trials." in words
    )
    assert "They do not tell how other days differ." in words


def test_from_five_days_on_a_pair_page_says_that_intervals_are_by_days(build, tmp_path):
    rows = [row | {"trial_start_ns": row["trial"] * 86_400 * 10**9} for row in TRIAL_SERVICES.to_pylist()]
    table = pa.Table.from_pylist(rows, schema=load_schema("trial_services").arrow)
    site = built(tmp_path, build, trial_services=table)
    words = text(site.page(f"pairs/{SETTING}/iperf-bbr~iperf-cubic/"))
    assert re.search(
        r"n = \d, on \d days\. The 95 % intervals are exact intervals of the median, by days:", words
    )


def test_the_page_of_a_setting_has_the_sign_test_of_places(judged):
    (row,) = TABLES["positions"].to_pylist()
    words = text(judged.page(f"settings/{SETTING}/"))
    of = row["c1_more"] + row["c2_more"]
    assert f"The first client got more than the second one in {row['c1_more']} of {of} trials." in words
    assert f"with a probability of {row['p']:.2g} (exact sign test)" in words


def test_the_findings_of_a_setting_are_the_rows_of_the_table(judged):
    table = table_of(judged.page(f"settings/{SETTING}/"), "Each number with the rows that it counts")
    assert sorted(FINDINGS) == sorted(
        text(row.find("th")).split(" iPerf")[0].lower().replace(" ", "_")
        for row in table.findall(".//tbody/tr")
    )


def test_a_share_far_below_fair_that_no_test_proves_is_undecided(build, tmp_path):
    """The pages take the verdict from the table, whatever the share and its interval are."""
    site = built(tmp_path, build, pairs=changed("pairs", verdict="undecided"))
    page = site.page("")
    assert "No service certainly loses. The lowest share: " in text(page.find(".//h1/.."))
    card = cards(site.page(f"pairs/{SETTING}/iperf-bbr~iperf-cubic/"))[0]
    assert ("undecided", "v undecided") == (text(card.find("p/span")), card.find("p/span").get("class"))
    marks = {path.get("class") for path in card.iter("path")}
    assert {"d", "h", "i", "m"} == marks
    hatched = [text(cell).split()[0] for cell in page.iter("td") if cell.get("class") == "undecided"]
    assert f"{100 * FINDINGS['most_unfair']['value']:.0f}" in hatched


def test_two_instances_of_one_service_differ_and_have_no_verdict(judged):
    page = text(judged.page(f"pairs/{SETTING}/iperf-bbr~iperf-bbr/"))
    assert "no verdict iPerf (BBR), worse-off instance" in page
    assert "In the median trial the two instances differ by" in page
    assert "Chance alone would make them differ by" in page
    assert "The worse of two gets less than 100 % by definition, so this is no verdict." in page


def test_a_campaign_that_can_prove_no_single_loss_says_so(build, tmp_path):
    few = {"trials": CONFIG["trials"] | {"most": 5}, "pairs": ["iperf-bbr~iperf-cubic"]}
    write_unsealed(tmp_path, TABLES, CONFIG | few)
    write_charts(tmp_path, "cycle")
    site = build(tmp_path / "public", seal(tmp_path))
    for page in ("", f"settings/{SETTING}/"):
        assert "This campaign can only see, not judge: a verdict needs 6 trials" in text(site.page(page))


def test_the_cells_of_a_service_that_is_unable_alone_are_closed(judged):
    words = "Closed: iPerf (NewReno) cannot do this alone"
    assert words in text(judged.page(f"pairs/{SETTING}/iperf-bbr~{UNABLE}/"))
    assert "iPerf (NewReno) cannot do this alone." in text(judged.page(f"solos/{SETTING}/{UNABLE}/"))
    setting = judged.page(f"settings/{SETTING}/")
    words = text(setting)
    assert "4 cells have no result" in text(judged.page(""))
    assert "iPerf (NewReno) cannot do alone what it must in this setting, so its cells are closed" in words
    assert "no more trials of iPerf (BBR) against iPerf (NewReno)." in words


def test_the_services_that_were_set_aside_are_named_with_the_reason_and_their_pairs(build, tmp_path):
    closed = [
        {"setting": SETTING, "pair": pair, "state": "closed", "reason": "set_aside", "round": 1}
        for pair in ("iperf-bbr", "iperf-bbr~iperf-cubic", "iperf-reno", "iperf-cubic~iperf-reno")
    ]
    solos = TABLES["trial_services"].to_pylist()
    for row in solos:
        if (row["pair"], row["trial"]) == ("iperf-reno", TRIALS):
            row |= {"reason": "the browser failed", "valid": False}
    write_set_aside(tmp_path / "plan", {"iperf-bbr": "the page did not answer within 9 s"})
    site = built(
        tmp_path,
        build,
        plan=pa.Table.from_pylist(closed, schema=load_schema("plan").arrow),
        trial_services=pa.Table.from_pylist(solos, schema=load_schema("trial_services").arrow),
    )
    words = text(site.page(f"settings/{SETTING}/"))
    assert (
        "iPerf (BBR) was set aside: it did not answer before the cycle (the page did not answer within 9 s). "
        "It has no more trials, nor have iPerf (BBR) against iPerf (Cubic)."
    ) in words
    assert (
        "iPerf (NewReno) was set aside: its last three trials alone in this setting failed (the browser "
        "failed). It has no more trials, nor have iPerf (Cubic) against iPerf (NewReno)."
    ) in words


def test_a_cell_that_depends_on_what_was_excluded_has_a_warning(judged):
    pair = judged.page(f"pairs/{SETTING}/iperf-bbr~iperf-cubic/")
    assert 1 == text(pair).count("What was excluded matters here."), "one for both services"
    assert pair.find(".//h2[@id='exclusion-bias']") is not None


def test_a_second_mode_is_told_with_its_gap(judged):
    words = text(judged.page(f"pairs/{SETTING}/iperf-bbr~iperf-cubic/"))
    assert "two outcomes iPerf (BBR)" in words and "two groups with a gap of 1.25 Mbps" in words


def test_what_nobody_knows_of_the_loss_before_the_bottleneck_is_said(judged):
    words = text(judged.page(f"pairs/{SETTING}/iperf-bbr~{UNABLE}/"))
    assert (
        "iPerf (NewReno): loss before the bottleneck is not known. Its packet numbers are encrypted" in words
    )


def test_the_page_of_a_service_alone_says_where_its_demand_comes_from(build, tmp_path):
    demands = {
        "iperf-bbr": ("catalogue", 4.1, "a demand of 4.10 Mbps on the wire"),
        "iperf-cubic": ("solos", 3.9, "never takes the whole link, so 3.90 Mbps"),
        "iperf-reno": ("capacity", None, "It takes what this link offers"),
    }
    rows = TABLES["solo"].to_pylist()
    for row in rows:
        row["demand_from"], row["demand_mbps"], _words = demands[row["service"]]
    site = built(tmp_path, build, solo=pa.Table.from_pylist(rows, schema=load_schema("solo").arrow))
    for service, (_from, _mbps, words) in demands.items():
        assert words in text(site.page(f"solos/{SETTING}/{service}/"))
