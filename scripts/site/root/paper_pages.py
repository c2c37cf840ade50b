"""The data of the pages papers/: every result that a paper prints, beside what the campaigns measured.

A figure takes the newest cycle of each of its campaigns, in the order in which the paper's file lists them;
cycles with a verdict on one of the figure's results come first. Each result takes the first cycle that has
one of its expectations.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from scripts.site.data.expectation import CheckSummary, ExpectationSummary
from scripts.site.figure_words import bound_mark, number
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.cycle_list import running_entries
from scripts.site.root.history_pages import Row, cycle_entry
from scripts.site.root.paper_files import Paper, PaperFigure, PrintedResult

Word = Literal["agrees", "differs", "undecided", "not measured here"]
WORDS: tuple[Word, ...] = ("agrees", "differs", "undecided", "not measured here")


def paper_pages(archive: Archive, papers: Mapping[str, Paper]) -> dict[str, Row]:
    """The page of each paper by name."""
    return {name: _paper(archive, paper) for name, paper in papers.items()}


def _paper(archive: Archive, paper: Paper) -> Row:
    figures = [_figure(archive, figure) for figure in paper.figures]
    words = Counter(result["word"] for _row, results in figures for result in results)
    return {
        "title": paper.title,
        "authors": " and ".join(paper.authors) if len(paper.authors) < 3 else ", ".join(paper.authors),
        "venue": paper.venue,
        "year": paper.year,
        "doi": paper.doi,
        "says": paper.says,
        "left_out": paper.left_out,
        "differs_because": paper.differs_because,
        "counts": [{"word": word, "count": words[word]} for word in WORDS],
        "figures": [row for row, _results in figures],
    }


def _figure(archive: Archive, figure: PaperFigure) -> tuple[Row, list[Row]]:
    """A figure, and its results."""
    cycles = _cycles(archive, figure)
    results = [_result(one, cycles) for one in figure.results]
    row: Row = {
        "id": figure.name.lower().replace(" ", "-"),
        "name": figure.name,
        "title": figure.title,
        "shows": figure.shows,
        "cycles": [_cycle(cycle) for cycle in cycles],
        "running": [one for one in running_entries(archive) if one["campaign"] in figure.campaigns],
        "charts": next(filter(None, (_charts(figure, cycle) for cycle in cycles)), []),
        "results": results,
    }
    return row, results


def _cycles(archive: Archive, figure: PaperFigure) -> list[Cycle]:
    """The newest cycle of each campaign of a figure, those with a verdict on one of its results first."""
    newest = [cycle for name in figure.campaigns for cycle in archive.counted(name)[-1:]]
    return sorted(newest, key=lambda cycle: not any(_judges(cycle, result) for result in figure.results))


def _judges(cycle: Cycle, result: PrintedResult) -> bool:
    """Whether a cycle has a verdict on a result."""
    return any(one.verdict != "undecided" for one in _found(cycle, result))


def _found(cycle: Cycle, result: PrintedResult) -> list[ExpectationSummary]:
    """The expectations of a cycle that judge a result."""
    names = result.expectations.get(cycle.summary.campaign, ())
    return [one for one in cycle.summary.expectations if one.name in names]


def _cycle(cycle: Cycle) -> Row:
    summary = cycle.summary
    facts = {"campaign": summary.campaign, "counted": summary.counted, "kernel": summary.host.get("kernel")}
    return cycle_entry(cycle) | facts


def _charts(figure: PaperFigure, cycle: Cycle) -> list[Row]:
    """The charts of a cycle that show a figure."""
    return [
        {
            "address": f"{cycle.pages}charts/{name}.svg",
            "alt": ", ".join([figure.title, *_setting(cycle, name.removeprefix(wanted))]),
            "cycle": _cycle(cycle),
        }
        for wanted in figure.charts
        for name in cycle.summary.charts
        if name == wanted or (wanted.endswith("-") and name.startswith(wanted))
    ]


def _setting(cycle: Cycle, name: str) -> list[str]:
    """The heading of a setting that is the end of a chart's name."""
    return [cycle.labels.settings[name]] if name in cycle.labels.settings else []


def _result(printed: PrintedResult, cycles: Iterable[Cycle]) -> Row:
    """A printed result, and what judges it."""
    row: Row = {"result": printed.result, "of": printed.of, "where": printed.where}
    for cycle in cycles:
        if found := _found(cycle, printed):
            return row | {
                "word": _word(found),
                "cycle": _cycle(cycle),
                "expectations": [
                    {"says": one.says, "checks": [_check(check) for check in one.checks]} for one in found
                ],
            }
    row["word"] = "not measured here"
    if printed.not_measured:
        return row | {"reason": printed.not_measured}
    return row | {"commands": [f"make cycle CAMPAIGN={name}" for name in printed.expectations]}


def _word(found: Iterable[ExpectationSummary]) -> Word:
    """Whether a result agrees with all that was measured of it."""
    verdicts = {one.verdict for one in found}
    if "did not" in verdicts:
        return "differs"
    return "agrees" if verdicts == {"came out"} else "undecided"


def _check(check: CheckSummary) -> Row:
    """One comparison as a row of the table."""
    low, high = check.low, check.high
    return {
        "figure": check.figure,
        "expected": check.expected,
        "n": check.n,
        "median": _value(check, check.median),
        "interval": "" if low is None or high is None else f"{_value(check, low)} to {_value(check, high)}",
        "verdict": "too few trials" if low is None else check.verdict,
    }


def _value(check: CheckSummary, value: float | None) -> str:
    """A value; with `≥` if it is a lower bound; a dash if there is none."""
    return "–" if value is None else bound_mark(value, check.at_least) + number(value, "")
