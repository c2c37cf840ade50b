"""The data of the pages papers/: every result that a paper prints, beside what the campaigns measured."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain

from scripts.figures.words import bound_mark, number
from scripts.site import Row
from scripts.site.data.claims import FIGURES
from scripts.site.data.expectation import CheckSummary, NotComparable
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.cycle_list import running_cycles
from scripts.site.root.history_pages import cycle_entry
from scripts.site.root.paper_axis import Axis, axis_of, drawing, trials_words
from scripts.site.root.paper_files import Paper, PaperFigure
from scripts.site.root.paper_outcomes import WORDS, Experiment, PaperOutcome, experiments_of, outcome_of

ORDERS = "fness"
"""The kind of chart that has one setting in its name but may show another one too, with the other order."""

MOST_CHARTS = 8
"""How many charts a figure has of one cycle. A beginning of names may stand for many."""


def paper_pages(archive: Archive, papers: Mapping[str, Paper]) -> dict[str, Row]:
    """The page of each paper by name."""
    return {name: _paper(archive, paper) for name, paper in papers.items()}


def _paper(archive: Archive, paper: Paper) -> Row:
    experiments = {figure.name: experiments_of(archive, figure) for figure in paper.figures}
    outcomes = [
        outcome_of(figure, printed, experiments[figure.name])
        for figure in paper.figures
        for printed in figure.results
    ]
    outcomes.sort(key=lambda outcome: WORDS.index(outcome.word))
    measured = [outcome for outcome in outcomes if outcome.word != "not measured"]
    reasons = _reasons(outcomes)
    return vars(paper) | {
        "authors": " and ".join(paper.authors) if len(paper.authors) < 3 else ", ".join(paper.authors),
        "first_author": paper.authors[0] if len(paper.authors) == 1 else f"{paper.authors[0]} et al.",
        "published": paper.venue if paper.year is None else f"{paper.venue} {paper.year}",
        "counts": _counts(outcomes),
        "results": _rows([outcome for outcome in measured if outcome.comparable], reasons),
        "shown": [_shown(outcome) for outcome in measured if not outcome.comparable],
        "unmeasured": [_unmeasured(outcome) for outcome in outcomes[len(measured) :]],
        "reasons": [why.words for why in reasons],
        "figures": [
            _figure(archive, figure, experiments[figure.name])
            | {"expected": _expected(outcome for outcome in outcomes if outcome.figure is figure)}
            for figure in paper.figures
        ],
    }


def _counts(outcomes: Sequence[PaperOutcome]) -> list[Row]:
    """The number of results of each word, and the part of the bar of all: where it begins, in percent."""
    counted = Counter(outcome.word for outcome in outcomes)
    parts = [100 * counted[word] / len(outcomes) for word in WORDS]
    starts = accumulate(parts, initial=0.0)
    return [
        {"word": word, "count": counted[word], "start": round(start, 2), "part": round(part, 2)}
        for word, start, part in zip(WORDS, starts, parts, strict=False)
    ]


def _rows(outcomes: Sequence[PaperOutcome], reasons: Mapping[NotComparable, int]) -> list[Row]:
    """The rows of results, each with the drawings of its numbers that are measured.

    All numbers of a metric share an axis.
    """
    axes = _axes(outcomes)
    return [
        _printed(outcome)
        | {
            "word": outcome.word,
            "why": [{"cause": why.cause, "reason": reasons.get(why)} for why in outcome.why],
            "says": [each.says for _cycle, expectations in outcome.judging for each in expectations],
            "trials": _trials(outcome),
            "cycles": [_cycle(cycle) for cycle in outcome.cycles],
            "drawings": [
                drawing(printed, measured, axes[printed.metric_name])
                for printed, measured in zip(outcome.printed.numbers, outcome.measured, strict=True)
                if measured
            ],
        }
        for outcome in outcomes
    ]


def _trials(outcome: PaperOutcome) -> str:
    """How many trials the figures have that judge a result; empty if nothing judges it."""
    counts = [check.n for _cycle, every in outcome.judging for one in every for check in one.checks]
    return trials_words(counts) if counts else ""


def _axes(outcomes: Iterable[PaperOutcome]) -> dict[str, Axis]:
    """The axis of each metric, for all numbers of these results."""
    values: dict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        for printed, measured in zip(outcome.printed.numbers, outcome.measured, strict=True):
            values[printed.metric_name] += printed.numbers
            values[printed.metric_name] += chain.from_iterable(each.values for each in measured)
    return {metric: axis_of(metric, every) for metric, every in values.items()}


def _shown(outcome: PaperOutcome) -> Row:
    """A result that cycles show, without a number beside the printed one: what shows it."""
    cycles = [_cycle(cycle) for cycle in outcome.cycles]
    return _printed(outcome) | {"by": outcome.printed.shown_by, "cycles": cycles}


def _unmeasured(outcome: PaperOutcome) -> Row:
    """A result that nobody measured: why, or the commands that measure it."""
    printed = outcome.printed
    campaigns = [*printed.expectations, *printed.shown_in]
    commands = [f"make cycle CAMPAIGN={name}" for name in campaigns]
    return _printed(outcome) | {"reason": printed.not_measured, "commands": commands}


def _printed(outcome: PaperOutcome) -> Row:
    """A result as the paper prints it, and where."""
    printed, name = outcome.printed, outcome.figure.name
    where = printed.where if name.lower() in printed.where.lower() else f"{name}, {printed.where}"
    return {"result": printed.result, "of": printed.of, "where": where, "figure": _figure_id(outcome.figure)}


def _figure_id(figure: PaperFigure) -> str:
    """The fragment of a figure on the page of figures."""
    return figure.name.lower().replace(" ", "-")


def _reasons(outcomes: Iterable[PaperOutcome]) -> dict[NotComparable, int]:
    """The reasons why results are not comparable, numbered from 1; a cause that says all has none."""
    every = dict.fromkeys(why for outcome in outcomes for why in outcome.why if why.reason)
    return {why: number for number, why in enumerate(every, start=1)}


def _expected(outcomes: Iterable[PaperOutcome]) -> list[Row]:
    """Every expectation that judges one of some results, once, with its comparisons."""
    by_name = {
        (cycle.summary.campaign, expectation.name): (cycle, expectation)
        for outcome in outcomes
        for cycle, expectations in outcome.judging
        for expectation in expectations
    }
    return [
        vars(expectation)
        | {"cycle": _cycle(cycle), "checks": [_check(check) for check in expectation.checks]}
        for cycle, expectation in by_name.values()
    ]


def _figure(archive: Archive, figure: PaperFigure, experiments: Sequence[Experiment]) -> Row:
    """What a figure shows, and what shows the same here."""
    return {
        "id": _figure_id(figure),
        "name": figure.name,
        "title": figure.title,
        "shows": figure.shows,
        "cycles": [_cycle(cycle) for cycle in chain.from_iterable(experiments)],
        "running": [cycle for cycle in running_cycles(archive) if cycle.campaign in figure.campaigns],
        "charts": [chart for cycles in experiments for chart in _charts(figure, cycles)],
    }


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


def _check(check: CheckSummary) -> Row:
    """One comparison as a row of the table."""
    low, high = check.low, check.high
    return {
        "figure": check.title or check.figure,
        "expected": check.expected,
        "n": check.n,
        "median": _value(check, check.median),
        "interval": "" if low is None or high is None else f"{_value(check, low)} to {_value(check, high)}",
        "compared": check.compared,
        "verdict": check.verdict if check.why is None else f"{check.verdict}: {check.why.words}",
    }


def _value(check: CheckSummary, value: float | None) -> str:
    """A value; with `≥` if it is a lower bound; a dash if there is none."""
    return "–" if value is None else bound_mark(value, check.at_least) + number(value, "")
