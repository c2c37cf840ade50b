"""The histories of pairs and services, compared with the summaries."""

from scripts.figures.figure import Figure
from scripts.site.root.archive_cycles import Cycle
from scripts.site.root.history import History
from scripts.snapshot.absent import Tombstone
from tests.site.pages_read import text
from tests.site.root.root_read import figures, rows_of
from tests.site.root.sample_archive import FIRST, SECOND_R2, THIRD
from tests.site.root.sample_summaries import make_summary
from tests.site.sample_figures import figure, share


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
    assert "(" not in rows[0] and "too few trials" in rows[0]


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
    assert [heading.get("id") for heading in page.findall(".//main//h2")] == ["watchdog", "demo"]
    images = [image.get("src") for image in page.findall(".//main//img")]
    assert images == ["../../../charts/history/watchdog/8mbps/bbr~cubic.svg"]


def test_a_self_pair_has_both_instances(archive):
    page = text(archive.page("pairs/8mbps/bbr~bbr/"))
    assert "itself, worse-off instance" in page and "itself, better-off instance" in page


def test_a_service_that_is_no_longer_measured_says_so(archive):
    assert "its latest cycle no longer has this service" in text(archive.page("services/reno/"))
    assert "no longer has" not in text(archive.page("services/quic/"))
    assert "(no longer measured)" in text(archive.page("services/"))


def shown(*rows: Figure) -> list[str]:
    """The figures that the page of a pair with these figures shows."""
    cycle = Cycle((make_summary(FIRST, ["bbr", "cubic"]),), (Tombstone(),), rows)
    measured: dict = {}
    for row in rows:
        measured.setdefault((row.service, row.contender, row.instance), {})[row.figure] = row
    return History("watchdog", "8mbps", "bbr~cubic", ((cycle, measured),)).shown


def test_generated_flows_show_their_slowdowns_first():
    names = ("data_s", "fct_s", "slowdown_maximum", "slowdown_mean")
    flows = [figure("bbr", "cubic", name, 2.0) for name in names]
    assert shown(share("cubic", "bbr", 0.9), *flows) == ["share", "slowdown_maximum", "slowdown_mean"]
    assert shown(*(figure("bbr", "cubic", name, 2.0) for name in ("rtc_height", "data_s"))) == [
        "data_s",
        "rtc_height",
    ]
