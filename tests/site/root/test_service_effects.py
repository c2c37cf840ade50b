"""The page of a service: what happens to it, and what it does to others, compared with the summaries."""

from dataclasses import replace

from scripts.figures.figure import SHARE, THROUGHPUT, Figure
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.service_effects import effects
from scripts.site.root.service_pages import service_histories, service_pages
from scripts.snapshot.absent import Tombstone
from tests.site.pages_read import row_named, table_of, text
from tests.site.root.root_read import figures
from tests.site.root.sample_archive import FIRST, SECOND_R2, SETTINGS, THIRD
from tests.site.root.sample_summaries import TITLES, make_summary

HAPPENS, DOES = (
    "Its median MmF share against each contender",
    "The median MmF share of each service against it",
)
PAIR = Figure(
    *("8mbps", "bbr~cubic", "bbr", "cubic", "first", SHARE, "fraction", 10, 0.47, 0.42, 0.51, "losing"),
    *(None, None, None, None, None, None),
)


def of(service: str, *rows: Figure) -> dict:
    """The effects of a service in a cycle with these figures."""
    summary = make_summary(FIRST, ["bbr", "cubic", "reno"])
    return effects(Cycle((summary,), (Tombstone(),), rows), "8mbps", service)


def test_both_tables_have_the_shares_of_the_latest_cycle_that_measured_the_service(archive):
    page = archive.page("services/reno/")
    happens, does = table_of(page, HAPPENS), table_of(page, DOES)
    for contender in ("bbr", "cubic", "quic"):
        for table, service, against in ((happens, "reno", contender), (does, contender, "reno")):
            [row] = figures(archive, SECOND_R2, service=service, contender=against, figure="share")
            shown = [
                f"{100 * row['median']:.0f} %",
                f"{100 * row['low']:.0f} to {100 * row['high']:.0f}",
                "10",
            ]
            assert shown == row_named(table, TITLES[contender])[:3]
    assert "itself, worse-off instance" in text(happens) and "itself" not in text(does)


def test_a_page_has_the_short_title_of_its_service_or_else_the_title():
    summary = make_summary(FIRST, ["bbr", "cubic"])
    services = replace(summary.services[0], short="BBR"), summary.services[1]
    cycle = Cycle((replace(summary, services=services),), (Tombstone(),), (replace(PAIR, contender="cubic"),))
    archive = Archive(SETTINGS, (cycle,), ())
    pages = service_pages(archive, service_histories(archive), [], {})
    assert {"bbr": "BBR"} == {name: page["short"] for name, page in pages.items()}
    assert TITLES["cubic"] == archive.labels.short("cubic")


def test_every_row_leads_to_the_page_of_its_pair_in_that_cycle(archive):
    page = "services/quic/index.html"
    table = table_of(archive.pages[page], HAPPENS)
    targets = {archive.target(page, link.get("href"))[0] for link in table.iter("a")}
    pairs = archive.root / THIRD.pages / "pairs/8mbps"
    assert targets == {pairs / pair / "index.html" for pair in ("bbr~quic", "cubic~quic", "quic~quic")}


def test_the_lowest_share_comes_first():
    better = replace(PAIR, pair="bbr~reno", contender="reno", median=0.9)
    shares = [row["title"] for row in of("bbr", better, PAIR)["happens"]]
    assert shares == [TITLES["cubic"], TITLES["reno"]]


def test_below_six_trials_there_is_no_verdict(archive):
    table = table_of(archive.page("services/quic/"), HAPPENS)
    verdicts = {row_named(table, TITLES[name])[-1] for name in ("bbr", "cubic")}
    assert verdicts == {"too few trials"}


def test_a_pair_with_a_service_that_is_unable_is_closed():
    (row,) = of("bbr", replace(PAIR, verdict=None))["happens"]
    assert row["verdict"] == "closed"


def test_the_verdict_says_whether_the_share_has_settled():
    for settled, words in (
        ("still moving", "loses, still moving"),
        ("settled", "loses, settled"),
        (None, "loses"),
    ):
        (row,) = of("bbr", replace(PAIR, settled=settled))["happens"]
        assert row["verdict"] == words


def test_a_contender_of_three_clients_is_named_whole():
    row = replace(PAIR, pair="bbr~cubic~reno", contender="cubic~reno")
    found = of("reno", row)
    assert found["happens"] == []
    assert [one["title"] for one in found["does"]] == ['BBR <v1> against Cubic & co and Reno "classic"']


def test_a_page_shows_what_its_users_see_beside_the_value_alone():
    load = replace(PAIR, figure="web_speed_index_s", unit="s", median=2.0, verdict=None)
    alone = replace(load, pair="bbr", contender="", median=1.0)
    (seen,) = of("cubic", load, alone)["seen"]
    assert seen["title"] == "BBR <v1> against Cubic & co"
    assert seen["figures"] == [{"title": "SpeedIndex", "median": "2.00\u00a0s", "alone": "1.00\u00a0s"}]
    assert of("reno", load, alone)["seen"] == []


def test_a_page_shows_the_slowdowns_of_generated_flows():
    slowest = replace(PAIR, figure="slowdown_maximum", unit="times", median=12.0, verdict=None)
    (seen,) = of("bbr", slowest)["seen"]
    assert seen["figures"] == [{"title": "Slowdown, maximum", "median": "12.00\u00a0times", "alone": "–"}]


def test_a_service_alone_has_throughput_loss_and_delay():
    solo = replace(PAIR, pair="bbr", contender="", figure=THROUGHPUT, unit="Mbps", median=7.5, verdict=None)
    loss = replace(solo, figure="loss_rate", unit="fraction", median=0.0007)
    delay = replace(solo, figure="queueing_delay_ms", unit="ms", median=8.0)
    alone = of("bbr", solo, loss, delay)["alone"]
    assert (alone["throughput"], alone["loss"], alone["delay"]) == (
        "7.50\u00a0Mbps",
        "0.07\u00a0%",
        "8.00\u00a0ms",
    )
    assert of("bbr", PAIR)["alone"] is None
