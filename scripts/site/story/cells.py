"""What happens in one setting: who gets little, against whom, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from scripts.figures.figure import Figure, matrix
from scripts.figures.words import amount, several
from scripts.metrics.fairness import LOSING_BELOW, WINNING_ABOVE
from scripts.site.story.leads import first_certainty, first_words, lead_in, others_words
from scripts.site.story.names import Names, Sentence, SentencePart, page_of, upper_first

NO_VERDICT = "There is no verdict before the cycle is complete"


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
                return min(cells, key=lambda cell: (cell.median or 0, cell.service, cell.contender))
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
        return [(SentencePart("No two services have a valid trial in this setting."),)]
    if not outcome.judged:
        few = all(cell.low is None for cell in outcome.cells)
        missing = "the six trials that a verdict needs" if few else "a verdict"
        seen = SentencePart(f"No cell has {missing}. The lowest share seen: ")
        return [(seen, *_share_of(outcome.worst, names, "got"), SentencePart("."))]
    return [*_worst(outcome.worst, outcome.cells, names), (SentencePart(counts(outcome)),)]


def shares_so_far(figures: Sequence[Figure], setting: str) -> list[Sentence]:
    """Between what shares the cells of a setting lie, in a cycle that still runs.

    Its pages are made again and again. A verdict at each look would be wrong far more often than one at the
    end.
    """
    cells = outcome_of(figures, setting).cells
    shares = [cell.median for cell in cells if cell.median is not None]
    if not shares:
        return [(SentencePart(f"{NO_VERDICT}."),)]
    lowest, highest = (amount(end, "fraction") for end in (min(shares), max(shares)))
    seen = f"So far, the median shares of {several(len(shares), 'cell')} lie between {lowest} and {highest}."
    return [(SentencePart(seen),), (SentencePart(f"{NO_VERDICT}."),)]


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
    if moving := sum(cell.moves for cell in outcome.of("losing")):
        words += f"; {moving} of the losing shares still {_verb(moving, 'move')}"
    return f"{words}."


def _verb(count: int, verb: str) -> str:
    return f"{verb}s" if count == 1 else verb


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _worst(cell: Figure, cells: Sequence[Figure], names: Names) -> list[Sentence]:
    """The lowest share of these cells, whether it is a loss, and whether it is certainly the lowest."""
    lead = lead_in(cells)
    if cell.verdict == "losing":
        sentences: list[Sentence] = [(*_share_of(cell, names, "got only"), SentencePart("."))]
        sentences += [(SentencePart(words),) for words in doubts(cell)]
        others = "This is the most unfair pair" if lead.certain else upper_first(others_words(lead, "pair"))
        if cell.may_be_lowest and others:
            sentences.append((SentencePart(f"{others}."),))
        return sentences
    why = no_loser(cells)
    if lead.exclusive:
        return [
            (SentencePart(f"{why} The lowest share: "), *_share_of(cell, names, "got"), SentencePart("."))
        ]
    tied = f"{lead.tied} of {several(lead.of, 'pair')} cannot be told apart by their lower shares"
    return [(SentencePart(f"{why} {tied}." if lead.tied > 1 else why),)]


def doubts(cell: Figure) -> list[str]:
    """What the median of a share does not tell, in sentences."""
    words = []
    if cell.two_outcomes:
        words.append("The trials fall into two groups, and the median is between them or in one of them.")
    if cell.moves:
        words.append("The share had not settled when the trials ended.")
    return words


def no_loser(cells: Sequence[Figure]) -> str:
    """What is said of cells of which none loses."""
    certain = all(cell.verdict in ("fair", "winning") for cell in cells)
    return "No service loses." if certain else "No service certainly loses."


def _share_of(cell: Figure, names: Names, got: str) -> Sentence:
    """`A got only 12 % of its fair share against B (95 % interval 9 to 14 %, n = 10)`, with a link."""
    who = upper_first(names.of(cell.service))
    words = f"{who} {got} {first_words(cell)} of its fair share against {names.of(cell.contender)}"
    return SentencePart(words, page_of(cell)), SentencePart(f" ({first_certainty(cell)})")
