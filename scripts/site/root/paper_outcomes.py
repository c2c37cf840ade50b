"""What became of the results that a paper prints: which cycle judges each, and what it measured.

The short form of a campaign X is called X-short. Both are the same experiment. An experiment takes the newest
cycle of each form, first of the one that has a verdict on one of the figure's results. Each result is judged
by every experiment, in the first cycle that has one of its expectations.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from scripts.figures.figure import Figure
from scripts.figures.keys import key_words
from scripts.model.expectations import FigureKey
from scripts.model.pairs import contender_name, members
from scripts.site.data.expectation import (
    OUTSIDE,
    STAND_IN,
    CheckSummary,
    ExpectationSummary,
    ExpectationVerdict,
    NotComparable,
)
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.paper_axis import MeasuredNumber
from scripts.site.root.paper_files import PaperFigure, PrintedNumber, PrintedResult

Word = Literal["differs", "agrees", "undecided", "not comparable", "not judged", "not measured"]
WORDS: tuple[Word, ...] = get_args(Word)
"""What is said of results, in the order of a page."""

SAID: dict[ExpectationVerdict, Word] = {
    "did not": "differs",
    "undecided": "undecided",
    "not comparable": "not comparable",
    "came out": "agrees",
}
"""The word for each verdict of an expectation. Of several verdicts, the first in this order counts."""

JUDGED: tuple[Word, ...] = ("differs", "undecided", "agrees")
"""Of the words of several experiments, the first in this order counts."""

Experiment = Sequence[Cycle]
"""The newest cycle of each form of a campaign, the one that counts first."""

Judging = tuple[Cycle, list[ExpectationSummary]]
"""A cycle, and its expectations that judge a result."""


@dataclass(frozen=True)
class PaperOutcome:
    """A printed result and what became of it.

    Attributes:
        figure: the figure of the paper that has it.
        printed: the result.
        word: what is said of it.
        why: why it is not comparable; empty if it is.
        judging: what judges it; empty if nothing is expected of it, or nobody measured it.
        cycles: the cycles that judge it or else show it.
        measured: for each of its numbers the figures that measure it, each of the first of these that has it.
    """

    figure: PaperFigure
    printed: PrintedResult
    word: Word
    why: tuple[NotComparable, ...] = ()
    judging: tuple[Judging, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    measured: tuple[tuple[MeasuredNumber, ...], ...] = ()

    @property
    def comparable(self) -> bool:
        """Whether it was judged, or a number was measured beside the printed one."""
        return bool(self.judging) or any(self.measured)


def experiments_of(archive: Archive, figure: PaperFigure) -> list[Experiment]:
    """The cycles of each experiment that a figure names; none of an experiment that was never measured."""
    return [_cycles(archive, figure, forms) for forms in _forms(figure.campaigns)]


def outcome_of(
    figure: PaperFigure, printed: PrintedResult, experiments: Sequence[Experiment]
) -> PaperOutcome:
    """What became of a result of a figure.

    Args:
        figure: the figure of the paper.
        printed: one of its results.
        experiments: the cycles of each experiment that the figure names.
    """
    if printed.not_measured:
        return PaperOutcome(figure, printed, "not measured")
    if judging := [judged for cycles in experiments if (judged := _judging(printed, cycles)) is not None]:
        word, why = _word(printed, [expectations for _cycle, expectations in judging])
        cycles = tuple(cycle for cycle, _expectations in judging)
        return PaperOutcome(figure, printed, word, why, tuple(judging), cycles, _measured(printed, cycles))
    shown = (
        [cycle for cycle in cycles if cycle.summary.campaign in printed.shown_in] for cycles in experiments
    )
    if showing := tuple(cycles[0] for cycles in shown if cycles):
        measured = _measured(printed, showing)
        return PaperOutcome(figure, printed, "not judged", cycles=showing, measured=measured)
    return PaperOutcome(figure, printed, "not measured")


def _measured(printed: PrintedResult, cycles: Sequence[Cycle]) -> tuple[tuple[MeasuredNumber, ...], ...]:
    """For each number of a result the figures that measure it, each of the first cycle that has it."""
    return tuple(_figures(number, cycles) for number in printed.numbers)


def _figures(printed: PrintedNumber, cycles: Sequence[Cycle]) -> tuple[MeasuredNumber, ...]:
    of_keys = ((_number(cycle, key) for cycle in cycles) for key in printed.measured)
    numbers = (next((number for number in numbers if number is not None), None) for numbers in of_keys)
    return tuple(number for number in numbers if number is not None)


def _number(cycle: Cycle, key: FigureKey) -> MeasuredNumber | None:
    """A figure of a cycle: from a check of its expectations, else from its summary; None if it has none."""
    key = replace(key, contender=contender_name(members(key.contender)) if key.contender else "")
    words, wanted = key_words(key), (key.metric, key.setting, key.service, key.contender, key.instance)
    figures: list[CheckSummary | Figure] = [
        *(
            check
            for expectation in cycle.summary.expectations
            for check in expectation.checks
            if check.figure == words
        ),
        *(
            row
            for row in cycle.figures
            if (row.figure, row.setting, row.service, row.contender, row.instance) == wanted
        ),
    ]
    for figure in figures:
        if figure.median is not None:
            numbers = (figure.n, figure.median, figure.low, figure.high, figure.at_least)
            return MeasuredNumber(*numbers, cycle.labels.matchup(key.service, key.contender, key.instance))
    return None


def _forms(campaigns: Sequence[str]) -> list[list[str]]:
    """The campaigns, each with its short form if that is among them."""
    long_forms = [name for name in campaigns if name.removesuffix("-short") not in set(campaigns) - {name}]
    return [
        [name for name in (campaign, f"{campaign}-short") if name in campaigns] for campaign in long_forms
    ]


def _cycles(archive: Archive, figure: PaperFigure, forms: Iterable[str]) -> list[Cycle]:
    """The newest cycle of each form, those with a verdict on one of the figure's results first."""

    def judges(cycle: Cycle) -> bool:
        expectations = (expectation for result in figure.results for expectation in _found(cycle, result))
        return any(expectation.verdict in ("came out", "did not") for expectation in expectations)

    newest = [cycle for name in forms for cycle in archive.counted(name)[-1:]]
    return sorted(newest, key=judges, reverse=True)


def _found(cycle: Cycle, result: PrintedResult) -> list[ExpectationSummary]:
    """The expectations of a cycle that judge a result."""
    names = result.expectations.get(cycle.summary.campaign, ())
    return [expectation for expectation in cycle.summary.expectations if expectation.name in names]


def _judging(printed: PrintedResult, cycles: Iterable[Cycle]) -> Judging | None:
    """The first cycle that has an expectation of a result, with all that it has; None if there is none."""
    return next(((cycle, expectations) for cycle in cycles if (expectations := _found(cycle, printed))), None)


def _word(
    printed: PrintedResult, judging: Sequence[Sequence[ExpectationSummary]]
) -> tuple[Word, tuple[NotComparable, ...]]:
    """Whether a result agrees with every experiment that can be compared with it, or why none can.

    Args:
        printed: the result.
        judging: the expectations that judge it, of each experiment.

    Returns:
        The word, and the causes if it is not comparable.
    """
    words = {_experiment_word(expectations) for expectations in judging}
    word: Word = next((word for word in JUDGED if word in words), "not comparable")
    why = printed.not_comparable
    if why is not None and (why.cause == STAND_IN or word == "differs"):
        return "not comparable", (why,)
    if word != "not comparable":
        return word, ()
    checks = (
        check for expectations in judging for expectation in expectations for check in expectation.checks
    )
    return word, tuple(dict.fromkeys(check.why for check in checks if check.why))


def _experiment_word(expectations: Iterable[ExpectationSummary]) -> Word:
    """What the expectations of one experiment say. One whose models hold nowhere leaves it to the others."""
    verdicts = {
        expectation.verdict
        for expectation in expectations
        if any(check.why is None or check.why.cause != OUTSIDE for check in expectation.checks)
    }
    return next((word for verdict, word in SAID.items() if verdict in verdicts), "not comparable")
