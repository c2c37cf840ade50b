"""Strips, bars of a link and series: their records, and the pages that show them."""

import pytest

from scripts.figures.figure import THROUGHPUT
from scripts.site.drawn.cycles import drawn_cycles
from scripts.site.drawn.link_bar import Bar, drawn_bar
from scripts.site.drawn.series import SeriesLine, SmallSeries, drawn_series, thinned
from scripts.site.drawn.strip import Strip, StripDot, cell_strip, drawn_strip, opponents_strip
from scripts.site.hugo import run_hugo, stage
from scripts.site.verdict_words import verdict_words
from tests.site.pages_read import parse, text
from tests.site.sample_figures import figure, share

LOSES = share("a", "b", 0.4)
TRIALS = [(0.38, True), (0.41, True), (0.9, False)]
CELL = drawn_strip(cell_strip(LOSES, TRIALS))
BAR = drawn_bar(
    8,
    [
        Bar("Video alone", (7.8, None)),
        Bar("File alone", (None, None)),
        Bar("Fair", (4, 4)),
        Bar("Together", (1.6, 6.2), tall=True),
    ],
    4,
)
FAST = SeriesLine("a", [(second / 10, 2) for second in range(101)])
SERIES = drawn_series(
    SmallSeries((FAST, SeriesLine("q", [(0, 0), (5, 64)])), 10, 8, "Mbps", fair=4, window=(2, 9))
)
PAGE = """{{ define "main" }}{{ with hugo.Data.drawn }}
<div id="strip">{{ partial "strip.html" (dict "strip" .strip "wide" true) }}</div>
{{ partial "link-bar.html" .bar }}{{ partial "series.html" .series }}
<p id="chip">{{ partial "verdict.html" (dict "verdict" "seen") }}</p>{{ end }}{{ end }}"""
BASE = '<!DOCTYPE html><html lang="en"><body>{{ block "main" . }}{{ end }}</body></html>'


def marks(strip):
    return {mark["class"]: mark["d"] for mark in strip["marks"]}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A page with one of each."""
    folder = tmp_path_factory.mktemp("drawn")
    drawn = {"strip": CELL, "bar": BAR, "series": SERIES}
    stage("root", {"drawn": drawn, "verdicts": verdict_words(drawn=True)}, folder / "project")
    for path in [*(folder / "project/layouts").glob("*.html"), *(folder / "project/content").rglob("*.*")]:
        path.unlink()
    (folder / "project/layouts/baseof.html").write_text(BASE)
    (folder / "project/layouts/home.html").write_text(PAGE)
    run_hugo(folder / "project", folder / "public")
    return parse((folder / "public/index.html").read_text().removeprefix("<!DOCTYPE html>"))


def test_a_cell_has_a_dot_for_each_trial_in_the_colour_of_its_verdict_and_hollow_if_excluded():
    assert "M38 6h.1M41 6h.1" == marks(CELL)["d lo"]
    assert "M90 6h.1" == marks(CELL)["d"] == marks(CELL)["h"]
    assert ("M36 15H44", "M40 11v8") == (marks(CELL)["i lo"], marks(CELL)["m"])
    assert ("40\u00a0%", "36 to 44\u00a0%, n\u00a0=\u00a010") == (CELL["number"], CELL["words"])
    assert CELL["shares"] and CELL["tone"] == "losing"


@pytest.mark.parametrize("more", [{"verdict": "undecided"}, {"n": 5}])
def test_without_a_verdict_every_dot_is_hollow_and_nothing_has_a_colour(more):
    found = drawn_strip(cell_strip(share("a", "b", 0.4, **more), TRIALS))
    assert not {"d lo", "i lo"} & marks(found).keys()
    assert 3 == marks(found)["h"].count("h.1") == marks(found)["d"].count("h.1")
    assert "" == found["tone"]


def test_a_service_has_a_dot_for_each_opponent_in_its_own_colour_and_the_median_over_them():
    shares = [LOSES, share("a", "c", 1.5), share("a", "d", 1.0, n=5), share("a", "e", None)]
    found = opponents_strip(shares)
    assert {
        "d lo": "M40 4h.1",
        "d wi": "M150 4h.1",
        "d": "M100 4h.1",
        "h": "M100 4h.1",
        "m": "M100 0v8",
    } == marks(found)
    assert ("100", 8) == (found["number"], found["height"])


def test_dots_beyond_the_range_stand_at_its_end_and_another_range_has_no_fair_zone():
    found = drawn_strip(Strip("9", dots=(StripDot(9), StripDot(3)), high=6))
    assert "M100 4h.1M200 4h.1" == marks(found)["d"] and not found["shares"]


def test_a_median_beyond_the_range_is_an_arrowhead_at_its_end():
    assert "M200 0v8" == marks(drawn_strip(Strip("200", median=200)))["m"]
    assert "M195 0l5 4l-5 4" == marks(drawn_strip(Strip("429", median=429)))["m"]
    full = drawn_strip(Strip("8.00", median=8.0001, high=8))
    assert "M200 0v8" == marks(full)["m"], "a full link is at the end, not beyond it"


def test_the_bar_of_a_link_has_what_each_gets_alone_fair_and_together():
    assert ["Video alone", "Fair", "Together"] == [row["title"] for row in BAR["rows"]]
    together = BAR["rows"][-1]
    assert [("fa", "0%", "20%"), ("fb", "20%", "77.5%")] == [
        (one["class"], one["x"], one["width"]) for one in together["segments"]
    ]
    assert "1.6 and 6.2\u00a0Mbps" == together["words"]
    assert ("50%", "20%", "50%") == (BAR["cut"], BAR["gap"]["from"], BAR["gap"]["to"])
    assert "2.4\u00a0Mbps below fair" == BAR["gap"]["words"]


def test_a_narrow_segment_has_no_number_inside_and_a_fair_split_no_gap():
    narrow = drawn_bar(8, [Bar("Together", (0.5, 7.5), tall=True)], 4)
    assert ["", "7.5"] == [one["text"] for one in narrow["rows"][-1]["segments"]]
    assert "0.5\u00a0Mbps, 3.5 below fair" == narrow["gap"]["words"]
    other = drawn_bar(8, [Bar("Together", (7.5, 0.5), tall=True)], 4)
    assert "3.5\u00a0Mbps above fair, leaves 0.5" == other["gap"]["words"]
    assert drawn_bar(8, [Bar("Together", (3.96, 4), tall=True)], 4)["gap"] is None


def test_a_share_over_the_cycles_has_a_dot_and_an_interval_for_each_and_a_line_where_they_differ():
    found = drawn_cycles([(0, LOSES), (1, share("a", "b", 1.0, n=5))], cycles=4, breaks=[1])
    assert {
        "e": "M50 0v40",
        "i lo": "M25 33V31",
        "d lo": "M25 32h.1",
        "d": "M75 20h.1",
        "h": "M75 20h.1",
    } == marks({"marks": found.marks})
    assert "100\u00a0%, too few trials" == found.words


def test_another_figure_over_the_cycles_has_an_axis_that_its_values_fit_and_no_colour():
    rates = [figure("a", "b", THROUGHPUT, rate, n=n, unit="Mbps") for rate, n in ((4.0, 10), (8.0, 5))]
    found = drawn_cycles([*enumerate(rates)], cycles=2, end=8.0)
    assert "M50 20h.1M150 0h.1" == "".join(one["d"] for one in found.marks if one["class"] == "d")
    assert ["M150 0h.1"] == [one["d"] for one in found.marks if one["class"] == "h"]
    assert "8.00\u00a0Mbps" == found.words


def test_a_line_keeps_its_means_when_it_is_thinned():
    points = [(second, second % 2) for second in range(100)]
    found = thinned(points, 100, 10)
    assert [0.5] * 10 == [value for _time, value in found]
    assert 4.5 == found[0][0]
    assert points[:5] == thinned(points[:5], 100, 10)


def test_a_series_is_lines_in_a_stretched_view_box_with_the_window_and_the_fair_rate():
    paths = {path["class"]: path["d"] for path in SERIES["paths"]}
    assert "M0 0H80V200H0ZM360 0H400V200H360Z" == paths["out"]
    assert "M0 100H400" == paths["fair"]
    assert paths["pa"].startswith("M0 150 4 150 8 150") and paths["pa"].endswith("400 150")
    assert "M0 200 0 200 200 0 200 200Z" == paths["pq"]
    small = drawn_series(SmallSeries((FAST,), 10, 8, size="sm"))
    assert 2 * 24 == len(small["paths"][0]["d"].split())


def test_the_drawings_have_no_inline_style_and_say_in_words_what_they_show(page):
    assert not [element for element in page.iter() if element.get("style")]
    drawings = list(page.iter("svg"))
    assert 1 + 3 + 1 + 1 == len(drawings)
    assert {"true"} == {drawing.get("aria-hidden") for drawing in drawings}
    assert "40 % 36 to 44 %, n = 10" == text(page.find(".//*[@id='strip']"))
    assert "Together 1.66.21.6 and 6.2 Mbps" in " ".join(text(one) for one in page.find(".//dl"))
    assert "2.4 Mbps below fair" in text(page.find(".//dl"))
    assert "800 sMbps10 s" == text(page.find(".//div[@class='ts']"))


def test_strips_and_series_stretch_and_the_bar_has_places_in_percent(page):
    strip, series = (page.find(f".//*[@class='{name}']") for name in ("st tall", "ts"))
    assert ("0 0 200 20", "none") == (
        strip.get("viewBox") or strip.get("viewbox"),
        strip.get("preserveaspectratio"),
    )
    assert "none" == series.find("svg").get("preserveaspectratio")
    assert ["0%", "20%"] == [one.get("x") for one in page.findall(".//dd[@class='tall']//rect")]


def test_a_verdict_is_a_chip_and_below_six_trials_a_dashed_one(page):
    (chip,) = page.find(".//*[@id='chip']")
    assert ("v few", "too few trials") == (chip.get("class"), text(chip))
