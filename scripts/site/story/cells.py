"""What happens in one setting: who gets little, against whom, and how sure that is."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from scripts.figures.figure import Figure, matrix
from scripts.figures.words import amount, several
from scripts.metrics.fairness import LOSING_BELOW, WINNING_ABOVE
from scripts.site.story.leads import first_certainty, first_words, lead_in, others_words
from scripts.site.story.names import Names, Part, Sentence, page_of, upper_first

FEW = 2
"""A service is named as the one that most lose against only from this many losers on."""


@dataclass(frozen=True)
class Outcome:
    """The shares of a setting's matrix that count: those of two different services."""

    cells: tuple[Figure, ...]

    @cached_property
    def judged(self) -> list[Figure]:
        """The cells with a verdict."""
        return [cell for cell in self.cells if cell.judged]

    def of(self, verdict: str) -> list[Figure]:
        """The cells with this verdict."""
        return [cell for cell in self.cells if cell.verdict == verdict]

    @cached_property
    def worst(self) -> Figure | None:
        """The lowest share: of those that lose, else of the judged ones, else of all."""
        for cells in (self.of("losing"), self.judged, list(self.cells)):
            if cells:
                return min(cells, key=_by_share)
        return None


def outcome_of(figures: Sequence[Figure], setting: str) -> Outcome:
    """The outcome of a setting.

    The worse of two instances of one service gets less in every trial, so these are no outcome.
    """
    cells = [cell for cell in matrix(figures, setting) if not cell.against_itself]
    return Outcome(tuple(cell for cell in cells if cell.median is not None and not cell.unable))


def setting_sentences(outcome: Outcome, names: Names) -> list[Sentence]:
    """A setting in a few sentences."""
    if outcome.worst is None:
        return [(Part("No two services have a valid trial in this setting."),)]
    if not outcome.judged:
        few = all(cell.low is None for cell in outcome.cells)
        missing = "the six trials that a verdict needs" if few else "a verdict"
        seen = Part(f"No cell has {missing}. The lowest share seen: ")
        return [(seen, *_share_of(outcome.worst, names, "got"), Part("."))]
    sentences = [*_worst(outcome.worst, outcome.cells, names), (Part(counts(outcome)),)]
    return [*sentences, *_extremes(outcome, names)]


def counts(outcome: Outcome) -> str:
    """How many judged cells have each verdict."""
    losing, winning, fair, undecided = (
        len(outcome.of(verdict)) for verdict in ("losing", "winning", "fair", "undecided")
    )
    judged = len(outcome.judged)
    words = (
        f"Of {several(judged, 'judged cell')}, {losing} {_verb(losing, 'lose')} "
        f"(below {amount(LOSING_BELOW, 'fraction')} of the fair share), {winning} {_verb(winning, 'win')} "
        f"(above {amount(WINNING_ABOVE, 'fraction')}) and {fair} {_are(fair)} fair"
    )
    if undecided:
        words += f"; {undecided} {_are(undecided)} undecided"
    return f"{words}{_moving(outcome.of('losing'), 'the losing')}."


def _moving(cells: Sequence[Figure], which: str) -> str:
    """`; 2 of the losing shares still move`, if `which` is `the losing`; empty if none does."""
    moving = sum(cell.moves for cell in cells)
    return f"; {moving} of {which} shares still {_verb(moving, 'move')}" if moving else ""


def _verb(count: int, verb: str) -> str:
    return f"{verb}s" if count == 1 else verb


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _worst(cell: Figure, cells: Sequence[Figure], names: Names) -> list[Sentence]:
    """The lowest share of these cells, whether it is a loss, and whether it is certainly the lowest."""
    lead = lead_in(cells)
    if cell.verdict == "losing":
        told: list[Sentence] = [(*_share_of(cell, names, "got only"), Part("."))]
        if cell.moves:
            told.append((Part("This share still moves."),))
        others = "This is the most unfair pair" if lead.certain else upper_first(others_words(lead, "pair"))
        if cell.may_be_lowest and others:
            told.append((Part(f"{others}."),))
        return told
    certain = all(one.verdict in ("fair", "winning") for one in cells)
    why = "No service loses." if certain else "No service certainly loses."
    if lead.alone:
        return [(Part(f"{why} The lowest share: "), *_share_of(cell, names, "got"), Part("."))]
    tied = f"{lead.tied} of {several(lead.of, 'pair')} cannot be told apart by their lower shares"
    return [(Part(f"{why} {tied}." if lead.tied > 1 else why),)]


def _share_of(cell: Figure, names: Names, got: str) -> Sentence:
    """`A got only 12 % of its fair share against B (95 % interval 9 to 14 %, n = 10)`, with a link."""
    who = upper_first(names.of(cell.service))
    words = f"{who} {got} {first_words(cell)} of its fair share against {names.of(cell.contender)}"
    return Part(words, page_of(cell)), Part(f" ({first_certainty(cell)})")


def _extremes(outcome: Outcome, names: Names) -> list[Sentence]:
    """A service against which several others lose, and one that loses against several others.

    The one with the most losses of each is told, but not that it has the most: no test compares such counts.
    """
    sentences: list[Sentence] = []
    if found := _most_losses(outcome.judged, lambda cell: cell.contender):
        service, losing, of = found
        lose = f"{len(losing)} of {of} other services lose{_moving(losing, 'these')}"
        sentences.append((Part(f"Against {names.of(service)}, {lose}."),))
    if found := _most_losses(outcome.judged, lambda cell: cell.service):
        service, losing, of = found
        against = f"{len(losing)} of {of} other services{_moving(losing, 'these')}"
        sentences.append((Part(f"{upper_first(names.of(service))} loses against {against}."),))
    return sentences


def _most_losses(
    cells: Sequence[Figure], key: Callable[[Figure], str]
) -> tuple[str, list[Figure], int] | None:
    """The service with the most losing cells, these, and the number of its judged cells; None on a tie."""
    grouped: dict[str, list[Figure]] = defaultdict(list)
    for cell in cells:
        grouped[key(cell)].append(cell)
    losses = {name: [cell for cell in own if cell.verdict == "losing"] for name, own in grouped.items()}
    most = max(map(len, losses.values()), default=0)
    leaders = [name for name, losing in losses.items() if len(losing) == most]
    if most < FEW or len(leaders) > 1:
        return None
    return leaders[0], losses[leaders[0]], len(grouped[leaders[0]])


def _by_share(cell: Figure) -> tuple[float, str, str]:
    return cell.median or 0, cell.service, cell.contender
