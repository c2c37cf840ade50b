"""The pages papers/ as readers get them, with the papers of config/papers/."""

from collections import Counter
from dataclasses import replace

import pytest

from scripts.figures.keys import key_words
from scripts.site.root.paper_files import read_papers
from scripts.site.root.paper_pages import WORDS
from tests.site.pages_read import text
from tests.site.root.root_read import row_of, rows_of
from tests.site.root.sample_papers import CAME_OUT, DID_NOT, MOVING, paper_summary
from tests.site.root.sample_summaries import make_rows, write_pages

PAPERS = read_papers()
PAPER = PAPERS["zapletal"]
JUDGED = next(figure for figure in PAPER.figures if figure.campaigns)
CAMPAIGN = JUDGED.campaigns[0]
FIRST, SECOND, _SAME, THIRD = JUDGED.results[:4]
AGREES = replace(CAME_OUT, figure=key_words(FIRST.numbers[0].measured[0]))
PLACE = f"cycles/{CAMPAIGN}/2026-11-23"


def write_measured(site):
    """A cycle of a campaign of the paper: the first result agrees, the second differs, one is not settled."""
    results = (FIRST, AGREES), (SECOND, DID_NOT), (THIRD, MOVING)
    checks = {one.expectations[CAMPAIGN][0]: check for one, check in results}
    summary = paper_summary(CAMPAIGN, "2026-11-23", **checks)
    write_pages(site, summary, make_rows(summary))
    for name in summary.charts:
        chart = site / PLACE / f"charts/{name}.svg"
        chart.parent.mkdir(exist_ok=True)
        chart.write_text("<svg/>")


@pytest.fixture
def measured(build):
    return build(write_measured)


def results_of(page) -> list[list[str]]:
    """The cells of every result that was measured: the result, the paper, the number here, the verdict."""
    return [[text(cell) for cell in row] for row in page.findall(".//table/tbody/tr")]


def folded(page, beginning: str) -> list[str]:
    """The items of the folded list whose heading begins so."""
    (found,) = [one for one in page.iter("details") if text(one.find("summary")).startswith(beginning)]
    return [text(item) for item in found.findall(".//li")]


def named(result) -> str:
    """How a list names a result."""
    return f"{result.of}: {result.result}"


@pytest.mark.parametrize("name", PAPERS)
def test_without_cycles_every_result_is_folded_with_a_command_or_a_reason(archive, name):
    page = archive.page(f"papers/{name}/")
    results = [one for figure in PAPERS[name].figures for one in figure.results]
    items = folded(page, f"Not measured here: {len(results)}")
    assert [] == results_of(page)
    for one, item in zip(results, items, strict=True):
        assert item.startswith(f"{named(one)} ("), item
        commands = [f"make cycle CAMPAIGN={name}" for name in (*one.expectations, *one.shown_in)]
        ending = f"To measure it: {' or '.join(commands)}" if commands else one.not_measured
        assert item.endswith(ending), item


def test_a_paper_without_doi_and_year_has_its_venue_only(archive):
    page = archive.page("papers/slides/")
    assert "Justine Sherry, CyLab conference, Carnegie Mellon University." in text(page.find(".//main"))
    assert "DOI:" not in text(page.find(".//main"))
    assert "DOI: 10.1145/3651890.3672229" in text(archive.page("papers/prudentia/").find(".//main"))


def test_a_row_has_what_the_paper_says_what_was_measured_and_the_verdict_differences_first(measured):
    differs, _same, agrees, third = results_of(measured.page("papers/zapletal/"))[:4]
    assert (SECOND.result, "differs") == (differs[1], differs[3].split(" ")[0])
    assert (FIRST.result, f"agrees {CAMPAIGN}") == (agrees[1], agrees[3])
    assert agrees[0].startswith(f"{FIRST.of} {JUDGED.name}, {FIRST.where}")
    assert "2.04 times 2.01 to 2.10 n = 6" in agrees[2]
    assert third[3].startswith("not comparable not settled (1).")
    notes = [text(item) for item in measured.page("papers/zapletal/").findall(".//main//ol/li")]
    assert ["Not comparable: not settled (still moving)."] == notes


def test_the_paper_s_number_and_the_measured_one_are_drawn_on_one_axis(measured):
    rows = measured.page("papers/zapletal/").findall(".//table/tbody/tr")
    (svg,) = next(row for row in rows if text(row).startswith(FIRST.of)).iter("svg")
    assert "true" == svg.get("aria-hidden")
    drawn = {path.get("class"): path.get("d") for path in svg.iter("path")}
    assert {"i": "M40.2 4H42", "d": "M40.8 4h.1", "p": "M40 0v8"} == drawn, "an axis from 0 to 10"


def test_a_figure_has_its_expectations_and_its_charts(measured):
    address = "papers/zapletal/figures/index.html"
    page = measured.pages[address]
    row = f"{AGREES.figure}: between 1.9 and 2.2 | 2.04 | 2.01 to 2.10 | 6 | came out"
    assert row in rows_of(page)
    linked = [measured.target(address, link)[0] for link in measured.links(address) if "://" not in link]
    assert measured.root / PLACE / "charts/slowdown-by-size-8mbps.svg" in linked
    assert measured.root / PLACE / "index.html" in linked
    assert all(target.is_file() for target in linked)


def test_every_result_leads_to_its_figure(measured):
    page = measured.page("papers/zapletal/")
    rows = [*page.findall(".//main//th"), *page.findall(".//main//li")]
    links = [link.get("href") for row in rows for link in row.iter("a")]
    links = [link for link in links if link.startswith("figures/#")]
    results = [one for figure in PAPER.figures for one in figure.results]
    assert len(results) == len(links)
    ids = {one.get("id") for one in measured.page("papers/zapletal/figures/").findall(".//main//details")}
    assert {link.split("#")[1] for link in links} == ids


def test_the_list_of_papers_counts_the_results(measured):
    row = row_of(measured.page("papers/"), PAPER.title)
    title, *counts = row.split(" | ")
    assert title.endswith("Adrian Zapletal et al., HotNets 2023")
    numbers = [int(count) for count in counts if count]
    page = measured.page("papers/zapletal/")
    shown = Counter(next(word for word in WORDS if row[3].startswith(word)) for row in results_of(page))
    shown["not measured"] = len(folded(page, "Not measured here"))
    assert [shown[word] for word in WORDS] == numbers
    assert not {shown[word] for word in ("agrees", "differs", "not comparable")} & {0}


def test_the_bar_of_a_paper_has_a_part_for_each_word_that_occurs(measured):
    page = measured.page("papers/")
    (row,) = [one for one in page.findall(".//tbody/tr") if PAPER.title in text(one)]
    parts = {part.get("class"): float(part.get("width").rstrip("%")) for part in row.iter("rect")}
    assert {"agrees", "differs", "not-comparable", "not-measured"} == parts.keys()
    assert sum(parts.values()) == pytest.approx(100, abs=0.1)


def test_every_page_leads_to_the_papers(archive):
    for page in ("", "services/", "papers/zapletal/"):
        targets = [
            archive.target(f"{page}index.html", link)[0]
            for link in archive.links(f"{page}index.html")
            if "://" not in link
        ]
        assert archive.root / "papers/index.html" in targets
