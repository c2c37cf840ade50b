"""The pages papers/ as readers get them, with the papers of config/papers/."""

import re
from collections import Counter

import pytest

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
PLACE = f"cycles/{CAMPAIGN}/2026-11-23"


def write_measured(site):
    """A cycle of a campaign of the paper: the first result agrees, the second differs, one is not settled."""
    results = (FIRST, CAME_OUT), (SECOND, DID_NOT), (THIRD, MOVING)
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


def results_of(page) -> dict[str, str]:
    """The paragraph below the heading of each result."""
    main = list(page.find(".//main").iter())
    headings = [place for place, one in enumerate(main) if one.tag == "h3"]
    return {
        text(main[place]): text(next(one for one in main[place:] if one.tag == "p")) for place in headings
    }


def campaigns_of(result) -> list[str]:
    """The campaigns that measure a result."""
    return [*result.expectations, *result.shown_in]


def heading(result) -> str:
    """The heading of a result."""
    return f"{result.of}: {result.result}"


@pytest.mark.parametrize("name", PAPERS)
def test_without_cycles_every_result_is_listed_and_has_no_verdict(archive, name):
    page = archive.page(f"papers/{name}/")
    shown = results_of(page)
    results = [one for figure in PAPERS[name].figures for one in figure.results]
    assert [heading(one) for one in results] == list(shown)
    for one, words in zip(results, shown.values(), strict=True):
        assert words.startswith(f"Not measured here. Printed in {one.where}."), words
    commands = {text(code) for code in page.findall(".//p/code")}
    assert {
        f"make cycle CAMPAIGN={campaign}" for one in results for campaign in campaigns_of(one)
    } == commands


def test_a_paper_without_doi_and_year_has_its_venue_only(archive):
    page = archive.page("papers/slides/")
    assert "Justine Sherry, CyLab conference, Carnegie Mellon University." in text(page.find(".//main"))
    assert "DOI:" not in text(page.find(".//main"))
    assert "DOI: 10.1145/3651890.3672229" in text(archive.page("papers/prudentia/").find(".//main"))


def test_a_result_stands_with_where_it_is_printed_and_what_was_measured(measured):
    page = measured.page("papers/zapletal/")
    shown = results_of(page)
    words = f"Agrees. Printed in {FIRST.where}. Measured in cycle 2026-11-23 of campaign {CAMPAIGN}."
    assert shown[heading(FIRST)].startswith(words)
    assert shown[heading(SECOND)].startswith("Differs.")
    assert shown[heading(THIRD)].startswith("Not comparable: not settled (still moving). Printed in")
    row = "median slowdown: between 1.9 and 2.2 | 2.04 | 2.01 to 2.10 | 6 | came out"
    assert row == rows_of(page)[0]


def test_a_figure_shows_the_chart_of_its_cycle_and_links_the_cycle(measured):
    page = "papers/zapletal/index.html"
    (image,) = measured.pages[page].iter("img")
    drawn, _fragment = measured.target(page, image.get("src"))
    assert measured.root / PLACE / "charts/slowdown-by-size-8mbps.svg" == drawn
    linked = [measured.target(page, link)[0] for link in measured.links(page) if "://" not in link]
    assert measured.root / PLACE / "index.html" in linked
    assert all(target.is_file() for target in linked)


def test_the_list_of_papers_counts_the_results(measured):
    row = row_of(measured.page("papers/"), PAPER.title)
    _title, published, *counts = row.split(" | ")
    assert "Adrian Zapletal et al., HotNets 2023" == published
    shown = results_of(measured.page("papers/zapletal/")).values()
    counted = Counter(re.split("[.:]", one.lower())[0] for one in shown)
    assert counts == [str(counted[word]) for word in WORDS]
    assert not {counted[word] for word in ("agrees", "differs", "not comparable")} & {0}


def test_every_page_leads_to_the_papers(archive):
    for page in ("", "services/", "papers/zapletal/"):
        targets = [
            archive.target(f"{page}index.html", link)[0]
            for link in archive.links(f"{page}index.html")
            if "://" not in link
        ]
        assert archive.root / "papers/index.html" in targets
