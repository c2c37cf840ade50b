"""How long generated flows take, in sentences: the slowest flow, over the shortest time that it could take.

A claim needs six trials. The text names the flow with the largest median among those with six,
or among all if none has six.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from scripts.figures.figure import SLOWDOWN, SLOWEST, Figure
from scripts.figures.words import several
from scripts.model.pairs import contenders
from scripts.site.story.leads import Lead, first_certainty, first_words, lead_in, others_words
from scripts.site.story.names import Names, Sentence, SentencePart, page_of, upper_first

TOGETHER = "both"
"""The instance of a self-pair that is named: the flows of both clients together."""

ITS_SHORTEST = "its shortest possible time"


@dataclass(frozen=True)
class Slowdowns:
    """The mean and the maximum slowdown of the flows of every service, alone and against each contender."""

    means: tuple[Figure, ...]
    maxima: tuple[Figure, ...]

    @cached_property
    def judged(self) -> list[Figure]:
        """The maxima with the six trials that a claim needs."""
        return [row for row in self.maxima if row.low is not None]

    @cached_property
    def worst(self) -> Figure | None:
        """The largest maximum: of the judged ones in pairs, else of all judged ones, else of all."""
        in_pairs = [row for row in self.judged if row.contender]
        for rows in (in_pairs, self.judged, list(self.maxima)):
            if rows:
                return max(rows, key=_by_median)
        return None

    def lead(self, row: Figure, *, highest: bool = True) -> Lead:
        """How the largest or the smallest maximum of the row's setting compares with the others."""
        return lead_in([other for other in self.maxima if other.setting == row.setting], highest=highest)

    def several_flows(self, maximum: Figure) -> bool:
        """Whether a trial of the row has several flows: a single one is both mean and maximum."""
        key = _key(maximum)
        return any(_key(row) == key and row.median != maximum.median for row in self.means)


def slowdowns_in(figures: Sequence[Figure], setting: str | None = None) -> Slowdowns:
    """The slowdowns of a setting, or of all; of a self-pair, those of both clients together."""
    rows = [
        row
        for row in figures
        if setting in (None, row.setting)
        and row.median is not None
        and row.instance == (TOGETHER if row.against_itself else "first")
    ]
    means, maxima = ([row for row in rows if row.figure == name] for name in (SLOWDOWN, SLOWEST))
    return Slowdowns(tuple(means), tuple(maxima))


def slowdown_sentences(slowdowns: Slowdowns, names: Names) -> list[Sentence]:
    """The largest maximum of a setting, and the smallest one of its pairs or of its services alone."""
    worst = slowdowns.worst
    if worst is None:
        return []
    if not slowdowns.judged:
        few = "No service has the six trials that a claim needs. The slowest flow seen: "
        return [(SentencePart(few), *_told(slowdowns, worst, names), SentencePart("."))]
    others = others_words(slowdowns.lead(worst), "pair")
    sentences: list[Sentence] = [
        (*_told(slowdowns, worst, names, first=True), SentencePart(f"; {others}." if others else "."))
    ]
    rivals = [row for row in slowdowns.judged if bool(row.contender) == bool(worst.contender)]
    best = min(rivals, key=_by_median)
    if slowdowns.lead(best, highest=False).certain and not best.is_bound:
        least = f"The least of {several(len(rivals), 'such figure')}: "
        sentences.append((SentencePart(least), *_told(slowdowns, best, names), SentencePart(".")))
    return sentences


def _told(slowdowns: Slowdowns, row: Figure, names: Names, first: bool = False) -> Sentence:
    """Who took how long, with a link, and how sure that is."""
    who = _who(slowdowns, row, names)
    words = f"{upper_first(who) if first else who} took {first_words(row)} {ITS_SHORTEST}"
    return SentencePart(words, page_of(row)), SentencePart(f" ({first_certainty(row)})")


def _who(slowdowns: Slowdowns, row: Figure, names: Names) -> str:
    """The flows of a row: `the slowest flow of A beside B`, or `A alone` if A is one flow."""
    service = names.of(row.service)
    if row.against_itself:
        return f"the slowest flow of two instances of {service}"
    flows = f"the slowest flow of {service}" if slowdowns.several_flows(row) else service
    beside = " and ".join(map(names.of, contenders(row.contender)))
    return f"{flows} beside {beside}" if beside else f"{flows} alone"


def _key(row: Figure) -> tuple[str, ...]:
    return row.setting, row.pair, row.service, row.contender, row.instance


def _by_median(row: Figure) -> tuple[float, tuple[str, ...]]:
    return row.median or 0, _key(row)
