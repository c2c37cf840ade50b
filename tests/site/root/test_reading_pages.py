"""How to read the results, and the glossary: their numbers, their words, their sources."""

import re

import pytest
import yaml

from scripts.figures.words import SETTLED, VERDICTS
from scripts.metrics.fairness import FEWEST
from scripts.site.hugo import SITE
from scripts.site.root import reading_page as module
from scripts.site.root.reading_page import reading_page
from scripts.site.verdict_words import EXAMPLES
from tests.site.html_check import assert_valid
from tests.site.pages_read import text

GLOSSARY = yaml.safe_load((SITE / "root/data/glossary.yaml").read_text(encoding="utf-8"))
TERMS = [term for group in GLOSSARY for term in group["words"]]
WANTED = (
    *(
        "Max-min fair share",
        "Harm",
        "Bandwidth-delay product",
        "Drop-tail",
        "Settled",
        "undecided",
        "n",
        "Interval",
    ),
    *(
        "excluded",
        "Stand-in",
        "Incumbent and contender",
        "Congestion control",
        "Pacing",
        "Demand",
        "Two modes",
    ),
)


@pytest.fixture
def page(archive):
    return archive.page("how-to-read/")


def test_every_word_of_a_verdict_is_explained(page):
    rows = [row for table in page.iter("table") for row in table.findall(".//tbody/tr")]
    said = " ".join(text(row).lower() for row in rows)
    assert all(word in said for word in [*VERDICTS.values(), *SETTLED.values()])
    assert len(VERDICTS) + len(SETTLED) == len(rows)
    assert all(text(row.find("th")) and text(row.find("td")) for row in rows)


def test_the_drawings_tell_the_link_the_fair_share_and_the_verdict(page):
    link, share, verdict = page.findall(".//figure")
    assert "one bottleneck of 8 Mbps, which has one queue of 4 BDP" in link.find("svg").get("aria-label")
    assert "here 128 packets, or 4 bandwidth-delay products" in text(link)
    bars = [text(bar) for bar in share.findall("dl/dd/span")]
    assert ["4.0 and 4.0 Mbps", "1.5 and 6.5 Mbps", "1.6 and 6.4 Mbps", "2.4 Mbps below fair"] == bars
    assert "Steady window of one trial: 1.6 of 4.0 Mbps, 40 %" in text(verdict)
    assert f"48 % 38 to 62 %, n = {FEWEST}" in text(verdict)
    assert "loses" == text(verdict.find(".//span[@class='v losing']"))
    assert f"A verdict needs {FEWEST} trials or more" in text(verdict)


def test_each_verdict_that_follows_from_trials_has_some_drawn(page):
    drawn = [
        strip.get("d") for strip in page.findall(".//table//svg/path") if strip.get("class").startswith("d")
    ]
    wanted = ["".join(f"M{round(100 * share)} " for share in sorted(shares)) for shares in EXAMPLES.values()]
    assert wanted == ["".join(re.findall(r"M\d+ ", path)) for path in drawn]


def test_each_drawing_has_two_or_three_sentences(page):
    for caption in page.iter("figcaption"):
        assert 2 <= len(re.findall(r"[^\d]\.(?= |$)|[\d%]\.(?= [A-Z]|$)", text(caption))) <= 3, text(caption)


def test_the_share_of_the_drawn_trial_is_that_of_its_steady_window(monkeypatch):
    monkeypatch.setattr(module, "RATES_MBPS", (99.0,) * 6 + (2.0,) * 18 + (99.0,) * 6)
    page = reading_page()
    assert (2, 0.5) == (page["got_mbps"], page["share"])
    assert "2.0 and 6.0\u00a0Mbps" == page["bar"]["rows"][2]["words"]
    assert "M50 " in page["strip"]["marks"][0]["d"]


def test_a_link_is_divided_as_max_min_fairness_says(monkeypatch):
    monkeypatch.setattr(module, "NEEDS_MBPS", 5)
    assert "4.0 and 4.0\u00a0Mbps" == reading_page()["bar"]["rows"][1]["words"]


def test_the_glossary_has_the_words_of_the_field_each_with_where_it_comes_from(archive):
    shown = [text(term) for term in archive.page("glossary/").iter("dt")]
    assert shown == [term["title"] for term in TERMS]
    for word in WANTED:
        assert any(re.search(rf"\b{re.escape(word)}\b", title) for title in shown), word
    for term in TERMS:
        assert {"source", "in_full", "page"} & term.keys(), term["title"]
        assert len(re.findall(r"\.(?= [A-Z]|$)", term["words"])) <= 3, term["title"]


def test_an_rfc_leads_to_its_text(archive):
    named = {number for term in TERMS for number in re.findall(r"RFC (\d+)", term.get("source", ""))}
    linked = set(archive.links("glossary/index.html"))
    assert named and {f"https://doi.org/10.17487/RFC{number}" for number in named} <= linked


def test_a_word_without_a_cycle_needs_no_definitions(build):
    page = build(lambda site: None).page("glossary/")
    assert "In\u00a0full" not in text(page) and "Pacing" in text(page)


def test_both_pages_are_valid(archive, tmp_path):
    for name in ("how-to-read", "glossary"):
        assert_valid(archive.root / name, tmp_path)
