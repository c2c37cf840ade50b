"""The data of the pages papers/: every result that a paper prints, beside what the campaigns measured.

The short form of a campaign X is called X-short. Both are the same experiment. An experiment takes the newest
cycle of each form, first of the one that has a verdict on one of the figure's results. Each result is judged
by every experiment, in the first cycle that has one of its expectations.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Literal

from scripts.figures.words import bound_mark, number
from scripts.site.data.claims import FIGURES
from scripts.site.data.expectation import OUTSIDE, CheckSummary, ExpectationSummary, Verdict
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.cycle_list import running_entries
from scripts.site.root.history_pages import Row, cycle_entry
from scripts.site.root.paper_files import Paper, PaperFigure, PrintedResult

ORDERS = "fness"
"""The kind of chart that has one setting in its name but may show another one too, with the other order."""

Word = Literal["agrees", "differs", "undecided", "not comparable", "not judged", "not measured here"]
WORDS: tuple[Word, ...] = (
    "agrees",
    "differs",
    "undecided",
    "not comparable",
    "not judged",
    "not measured here",
)

SAID: dict[Verdict, Word] = {
    "did not": "differs",
    "undecided": "undecided",
    "not comparable": "not comparable",
    "came out": "agrees",
}
"""The word for each verdict of an expectation. Of several verdicts, the first in this order counts."""

MOST_CHARTS = 8
"""How many charts a figure shows of one cycle. A beginning of names may stand for many."""


def paper_pages(archive: Archive, papers: Mapping[str, Paper]) -> dict[str, Row]:
    """The page of each paper by name."""
    return {name: _paper(archive, paper) for name, paper in papers.items()}


def _paper(archive: Archive, paper: Paper) -> Row:
    figures = [_figure(archive, figure) for figure in paper.figures]
    words = Counter(result["word"] for _row, results in figures for result in results)
    return {
        "title": paper.title,
        "authors": " and ".join(paper.authors) if len(paper.authors) < 3 else ", ".join(paper.authors),
        "first_author": paper.authors[0] if len(paper.authors) == 1 else f"{paper.authors[0]} et al.",
        "published": paper.venue if paper.year is None else f"{paper.venue} {paper.year}",
        "doi": paper.doi,
        "says": paper.says,
        "left_out": paper.left_out,
        "differs_because": paper.differs_because,
        "counts": [{"word": word, "count": words[word]} for word in WORDS],
        "figures": [row for row, _results in figures],
    }


def _figure(archive: Archive, figure: PaperFigure) -> tuple[Row, list[Row]]:
    """A figure, and its results."""
    experiments = [_cycles(archive, figure, forms) for forms in _experiments(figure.campaigns)]
    results = [_result(one, experiments) for one in figure.results]
    row: Row = {
        "id": figure.name.lower().replace(" ", "-"),
        "name": figure.name,
        "title": figure.title,
        "shows": figure.shows,
        "cycles": [_cycle(cycle) for cycle in chain.from_iterable(experiments)],
        "running": [one for one in running_entries(archive) if one["campaign"] in figure.campaigns],
        "charts": [chart for cycles in experiments for chart in _charts(figure, cycles)],
        "results": results,
    }
    return row, results


def _experiments(campaigns: Sequence[str]) -> list[list[str]]:
    """The campaigns, each with its short form if that is among them."""
    long_forms = [name for name in campaigns if name.removesuffix("-short") not in set(campaigns) - {name}]
    return [[name for name in (one, f"{one}-short") if name in campaigns] for one in long_forms]


def _cycles(archive: Archive, figure: PaperFigure, forms: Iterable[str]) -> list[Cycle]:
    """The newest cycle of each form, those with a verdict on one of the figure's results first."""
    newest = [cycle for name in forms for cycle in archive.counted(name)[-1:]]
    return sorted(newest, key=lambda cycle: not any(_judges(cycle, result) for result in figure.results))


def _judges(cycle: Cycle, result: PrintedResult) -> bool:
    """Whether a cycle has a verdict on a result."""
    return any(one.verdict in ("came out", "did not") for one in _found(cycle, result))


def _found(cycle: Cycle, result: PrintedResult) -> list[ExpectationSummary]:
    """The expectations of a cycle that judge a result."""
    names = result.expectations.get(cycle.summary.campaign, ())
    return [one for one in cycle.summary.expectations if one.name in names]


def _cycle(cycle: Cycle) -> Row:
    summary = cycle.summary
    facts = {"campaign": summary.campaign, "counted": summary.counted, "kernel": summary.host.get("kernel")}
    return cycle_entry(cycle) | facts


def _charts(figure: PaperFigure, cycles: Iterable[Cycle]) -> list[Row]:
    """The charts that show a figure, of the first cycle that has some."""
    for cycle in cycles:
        if names := _chart_names(figure, cycle):
            return [
                {
                    "address": f"{cycle.pages}charts/{name}.svg",
                    "alt": _chart_words(figure, cycle, name),
                    "cycle": _cycle(cycle),
                }
                for name in names[:MOST_CHARTS]
            ]
    return []


def _chart_names(figure: PaperFigure, cycle: Cycle) -> list[str]:
    """The charts of a cycle that show a figure: in the order of the figure's `charts`."""
    return [
        name
        for wanted in figure.charts
        for name in cycle.summary.charts
        if name == wanted or (wanted.endswith("-") and name.startswith(wanted))
    ]


def _chart_words(figure: PaperFigure, cycle: Cycle, name: str) -> str:
    """What a chart shows: the kind of chart, or else the title of the figure, and its setting or its pair."""
    if name in FIGURES:
        return FIGURES[name]
    if setting := _end_of(name, cycle.labels.settings):
        kind = name.removesuffix(f"-{setting}")
        if kind == ORDERS:
            return FIGURES[kind]
        return f"{FIGURES.get(kind, figure.title)}, {cycle.labels.setting(setting)}"
    pair = _end_of(name, {row.pair for row in cycle.figures})
    swept = name.removesuffix(f"-{pair}").replace("-", " ")
    return ", ".join([figure.title, swept, *([cycle.labels.pair(pair)] if pair else [])])


def _end_of(name: str, ends: Iterable[str]) -> str:
    """The longest of these with which a chart's name ends; empty if there is none."""
    return max((end for end in ends if name.endswith(f"-{end}")), key=len, default="")


def _result(printed: PrintedResult, experiments: Iterable[Iterable[Cycle]]) -> Row:
    """A printed result, and what judges it."""
    row: Row = {"result": printed.result, "of": printed.of, "where": printed.where}
    if printed.not_measured:
        return row | {"word": "not measured here", "reason": printed.not_measured}
    if judging := [found for cycles in experiments if (found := _judging(printed, cycles)) is not None]:
        judged = [_judged(cycle, expectations) for cycle, expectations in judging]
        return row | _word(printed, [expectations for _cycle, expectations in judging]) | {"judged": judged}
    if showing := _showing(printed, experiments):
        return row | {"word": "not judged", "shown": [_cycle(one) for one in showing], "by": printed.shown_by}
    campaigns = [*printed.expectations, *printed.shown_in]
    commands = [f"make cycle CAMPAIGN={name}" for name in campaigns]
    return row | {"word": "not measured here", "commands": commands}


def _showing(printed: PrintedResult, experiments: Iterable[Iterable[Cycle]]) -> list[Cycle]:
    """The first cycle of each experiment that shows a result."""
    shown = ([one for one in cycles if one.summary.campaign in printed.shown_in] for cycles in experiments)
    return [cycles[0] for cycles in shown if cycles]


def _judging(
    printed: PrintedResult, cycles: Iterable[Cycle]
) -> tuple[Cycle, list[ExpectationSummary]] | None:
    """The first cycle that has an expectation of a result, with all that it has; None if there is none."""
    return next(((cycle, found) for cycle in cycles if (found := _found(cycle, printed))), None)


def _judged(cycle: Cycle, expectations: Iterable[ExpectationSummary]) -> Row:
    """What a cycle says about a result."""
    return {
        "cycle": _cycle(cycle),
        "expectations": [
            {"says": one.says, "when": one.when, "checks": [_check(check) for check in one.checks]}
            for one in expectations
        ],
    }


def _word(printed: PrintedResult, judging: Sequence[Sequence[ExpectationSummary]]) -> Row:
    """Whether a result agrees with every experiment that can be compared with it, or why none can.

    Args:
        printed: the result.
        judging: the expectations that judge it, of each experiment.
    """
    words = {_experiment_word(expectations) for expectations in judging}
    word = next((one for one in ("differs", "undecided", "agrees") if one in words), "not comparable")
    if word == "differs" and printed.not_comparable is not None:
        return {"word": "not comparable", "why": [printed.not_comparable.words]}
    if word != "not comparable":
        return {"word": word}
    checks = (check for expectations in judging for one in expectations for check in one.checks)
    return {"word": word, "why": list(dict.fromkeys(check.why.words for check in checks if check.why))}


def _experiment_word(expectations: Iterable[ExpectationSummary]) -> Word:
    """What the expectations of one experiment say. One whose models hold nowhere leaves it to the others."""
    verdicts = {one.verdict for one in expectations if any(not _is_outside(check) for check in one.checks)}
    return next((word for verdict, word in SAID.items() if verdict in verdicts), "not comparable")


def _is_outside(check: CheckSummary) -> bool:
    """Whether the model of a check does not hold where it was measured."""
    return check.why is not None and check.why.cause == OUTSIDE


def _check(check: CheckSummary) -> Row:
    """One comparison as a row of the table."""
    low, high = check.low, check.high
    return {
        "figure": check.figure,
        "expected": check.expected,
        "n": check.n,
        "median": _value(check, check.median),
        "interval": "" if low is None or high is None else f"{_value(check, low)} to {_value(check, high)}",
        "compared": check.compared,
        "verdict": _verdict(check),
    }


def _verdict(check: CheckSummary) -> str:
    """The verdict of a check, and why it is not comparable."""
    return check.verdict if check.why is None else f"{check.verdict}: {check.why.words}"


def _value(check: CheckSummary, value: float | None) -> str:
    """A value; with `≥` if it is a lower bound; a dash if there is none."""
    return "–" if value is None else bound_mark(value, check.at_least) + number(value, "")
