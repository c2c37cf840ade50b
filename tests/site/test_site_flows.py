"""The completion times of generated flows on the pages, and what the campaign expected of them."""

from tests.site.conftest import charted
from tests.site.pages_read import row_named, table_of, text
from tests.site.sample_flows import (
    AGAINST_ITSELF,
    BESIDE,
    CHARTS,
    CUBIC,
    EXPECTED,
    MOVING,
    ONE,
    SETTING,
    TITLES,
    WEB,
    write_flows,
)


def columns(table) -> list[str]:
    """The headings of a table's columns, without the first."""
    return [text(cell) for cell in table.findall(".//thead/tr/th")][1:]


def named(page, caption: str, row: str) -> dict[str, str]:
    """A row of a table by the headings of its columns."""
    table = table_of(page, caption)
    return dict(zip(columns(table), row_named(table, row), strict=True))


def test_the_headline_says_how_slow_the_slowest_flow_was(flows):
    assert text(flows.page("").find(".//h1")).startswith(
        "8 Mbps: The slowest flow of Generated web flows (Cubic) beside iPerf (Cubic) took 13.50 times its "
        "shortest possible time (95 % interval"
    )
    assert "How long does a flow take" in text(flows.page("")) and "fair share?" not in text(flows.page(""))


def test_the_page_of_a_cell_has_the_flows_of_every_size(flows):
    page = flows.page(f"pairs/{SETTING}/{BESIDE}/")
    assert named(page, f"{TITLES[WEB]} beside {TITLES[CUBIC]}", "All sizes") == {
        "Slowdown, mean": "6.17 5.33 to ≥ 7.00",
        "Slowdown, maximum": "13.50 11.00 to ≥ 16.00",
        "Ideal (SRPT), mean": "1.25 1.25 to 1.25",
        "Ideal (SRPT), maximum": "1.25 1.25 to 1.25",
        "Completion time, median": "0.500 s 0.500 to 0.500 s",
        "Without handshake, median": "0.433 s 0.433 to 0.433 s",
        "Retransmissions, mean": "≥ 1.00 ≥ 1.00 to ≥ 1.00",
        "Flows": "18 1 not ended",
        "n": "6",
    }
    alone = named(flows.page(f"solos/{SETTING}/{WEB}/"), f"{TITLES[WEB]} alone.", "All sizes")
    assert (alone["Slowdown, maximum"], alone["Flows"], alone["n"]) == ("2.00", "3", "1")
    page, itself = flows.page(f"pairs/{SETTING}/{ONE}~{ONE}/"), f"{TITLES[ONE]} against itself"
    for client, slowdown in (
        ("first client", "2.00"),
        ("second client", "3.00"),
        ("both clients together", "3.00"),
    ):
        row = named(page, f"{itself}, {client}", "All sizes")
        assert row.get("Slowdown, maximum", row.get("Slowdown")) == slowdown


def test_a_page_without_cells_has_no_heatmap_and_says_nothing_of_shares(flows):
    page = flows.page(f"settings/{SETTING}/")
    assert not [table for table in page.iter("table") if table.get("class", "").startswith("hm")]
    assert "No two services have a valid trial" not in text(page)


def test_the_charts_that_exist_are_on_their_pages(flows):
    assert [link for link in flows.links("index.html") if link.endswith(f"charts/{CHARTS[0]}.svg")]
    links = flows.links(f"settings/{SETTING}/index.html")
    assert [link for link in links if link.endswith(f"charts/{CHARTS[1]}.svg")]


def test_the_page_of_a_pair_has_its_flows_by_size(flows):
    page = flows.page(f"pairs/{SETTING}/{BESIDE}/")
    table = table_of(page, f"{TITLES[WEB]} beside {TITLES[CUBIC]}")
    rows = {text(row.find("th")): text(row.findall("td")[1]) for row in table.findall(".//tbody/tr")}
    assert rows == {
        "All sizes": "13.50 11.00 to ≥ 16.00",
        "1 to 3 kB": "13.50 11.00 to ≥ 16.00",
        "10 to 30 kB": "3.00 3.00 to 3.00",
        "100 to 300 kB": "2.00 2.00 to 2.00",
    }
    assert "the slowest flow took 13.50 times its shortest possible time (95 % interval" in text(page)


def test_the_pairs_of_a_setting_without_a_share_have_their_slowest_flow(flows):
    listed = [text(one) for one in flows.page(f"settings/{SETTING}/").iter("li")]
    assert f"{TITLES[ONE]} against itself, slowdown of the slowest flow 3.00" in listed


def test_no_verdict_on_shares_stands_above_the_completion_times_of_a_pair(flows):
    page = flows.page(f"pairs/{SETTING}/{BESIDE}/")
    headings = [text(one) for one in page.iter("h2")]
    assert "Completion times" in headings and "Who gets the link" not in headings
    assert "Generated flows are judged by their completion times." in text(page)


def test_flows_of_one_size_have_one_row(flows):
    page = flows.page(f"pairs/{SETTING}/{AGAINST_ITSELF}/")
    table = table_of(page, f"{TITLES[ONE]} against itself, both clients together")
    assert [text(row.find("th")) for row in table.findall(".//tbody/tr")] == ["All sizes"]
    first = table_of(page, f"{TITLES[ONE]} against itself, first client")
    assert columns(first)[:3] == ["Slowdown", "Ideal (SRPT)", "Completion time"]
    solo = flows.page(f"solos/{SETTING}/{ONE}/")
    assert "alone: the flow took 1.50 times its shortest possible time (seen in 1 trial)." in text(solo)


def test_the_demand_of_flows_is_their_mean_rate(flows):
    words = text(flows.page(f"solos/{SETTING}/{WEB}/"))
    assert "This mean rate is its demand" in words and "never takes the whole link" not in words


def test_every_trial_has_its_slowest_flow(flows):
    page = flows.page(f"pairs/{SETTING}/{BESIDE}/")
    trials = [text(one) for one in page.find(".//ul[@class='multiples']").findall("li")]
    assert trials[0].endswith("slowdown 11.00") and trials[5].endswith("slowdown ≥ 16.00")


def test_the_page_of_a_trial_counts_its_flows_and_says_how_late_the_generator_was(flows):
    table = table_of(flows.page(f"trials/{SETTING}/{BESIDE}/06/"), "The generated flows")
    rows = {text(row.find("th")): text(row.find("td")) for row in table.findall(".//tbody/tr")}
    assert rows == {
        "Flows planned, started, counted": "3 / 3 / 3",
        "Not ended with the trial": "1",
        "Lateness of the generator, 99th percentile": "0.50 ms",
        "Slowdown, mean": "≥ 7.00",
        "Slowdown, maximum": "≥ 16.00",
        "Ideal slowdown (SRPT), mean": "1.25",
        "Ideal slowdown (SRPT), maximum": "1.25",
    }
    bulk = [text(heading) for heading in flows.page(f"trials/{SETTING}/{CUBIC}/01/").iter("h2")]
    assert bulk and "Completion times" not in bulk


def test_what_was_expected_stands_with_what_came_out(flows):
    summaries = [text(one) for one in flows.page("").findall(".//details/summary")]
    assert f"As expected. Expected: {EXPECTED.says} Added after measurement." in summaries
    assert "The times are the operator’s word" in text(flows.page(""))
    table = table_of(flows.page(""), f"{EXPECTED.source}. {EXPECTED.when}")
    assert row_named(table, "maximum slowdown, expected: at least 10") == [
        "13.50 11.00 to ≥ 16.00",
        "6",
        "came out",
    ]


def test_what_cannot_be_compared_says_why(flows):
    assert f"Not comparable. Expected: {MOVING.says}" in text(flows.page(""))
    table = table_of(flows.page(""), MOVING.source)
    assert "not comparable: not settled (still moving)" == table.findall(".//tbody/tr/td")[-1].text
    assert flows.page("definitions/").find(".//*[@id='not-comparable']") is not None


def test_the_data_page_has_the_registration(flows):
    table = table_of(flows.page("data/"), "What was registered, and after how many trials")
    time, trials, changed, checksum = row_named(table, "1")
    assert ("2026-11-26 05:41 UTC", "10", "–", 64) == (time, trials, changed, len(checksum))


def test_a_cycle_without_a_registration_has_no_such_section(site):
    assert "operator wrote the times" not in text(site.page("data/"))


def test_a_cycle_that_expected_nothing_has_no_such_section(site):
    assert "What was expected" not in text(site.page(""))


def test_a_cycle_without_generated_flows_does_not_mention_completion_times(site):
    for name, page in site.pages.items():
        assert name == "definitions/index.html" or name.startswith("data/") or "slowdown" not in text(page), (
            name
        )


def test_services_that_were_measured_alone_are_not_called_pairs(build, tmp_path):
    site = build(tmp_path / "public", charted(write_flows(tmp_path / "alone", alone=True)))
    assert "This cycle measured 3 services alone over 1 controlled bottleneck." in text(site.page(""))
    assert text(site.page("").find(".//h1")).startswith(
        "8 Mbps: No service has the six trials that a claim needs. The slowest flow seen: "
    )
