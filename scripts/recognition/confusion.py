"""How often recognition is right: every labelled trace is named by a library that lacks a part.

- one day left out: the traces of each day are named by those of the other days.
- one family left out: its traces are named by those of the other families. `unknown` is right.
- one stack left out: the traces of each stack (the kernel is one) are named by those of the others. Where
  no other stack has a controller of the family, `unknown` is right.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scripts.recognition import LIBRARY
from scripts.recognition.answers import Answer, answer_of, limits_of
from scripts.recognition.families import UNKNOWN
from scripts.recognition.library import TraceLabel
from scripts.recognition.traces import LinkKey, Numbers

PARTS = {"day": "cycle", "family": "family", "stack": "stack"}
"""What is left out, and the field of a label that tells it."""

OUTCOMES = ("right", "abstained", "wrong")

EVALUATION = LIBRARY.with_suffix(".json")


@dataclass(frozen=True)
class AnswerCount:
    """How many traces of a family were given an answer with a part of the library left out.

    `had_family` is whether the rest of the library had the family. If not, the right answer is `unknown`.
    """

    left_out: str
    part: str
    family: str
    had_family: bool
    answer: str
    n: int

    @property
    def outcome(self) -> str:
        """`right`, `wrong`, or `abstained` if the family could have been named and was not."""
        right = self.family if self.had_family else UNKNOWN
        return "right" if self.answer == right else "abstained" if self.answer == UNKNOWN else "wrong"


@dataclass(frozen=True)
class Evaluation:
    """The library of this version, and what it names when a part of it is left out."""

    library: str
    cycles: tuple[str, ...]
    stacks: tuple[str, ...]
    traces: int
    named: tuple[AnswerCount, ...]

    def of(self, left_out: str) -> list[AnswerCount]:
        """What was named with a part of this kind left out."""
        return [one for one in self.named if one.left_out == left_out]

    def outcomes(self, left_out: str) -> Counter[str]:
        """How many traces have each outcome with a part of this kind left out."""
        counts = Counter[str]()
        for one in self.of(left_out):
            counts[one.outcome] += one.n
        return counts


def confusion(labels: Sequence[TraceLabel], between: dict[LinkKey, Numbers]) -> list[AnswerCount]:
    """Every answer for every part that is left out, counted over all links.

    A library of one day or one stack has none with that left out.

    Args:
        labels: the labelled traces.
        between: the distances of the traces of each link (scripts/recognition/library.py).
    """
    counts: Counter[tuple[str, str, str, bool, str]] = Counter()
    for left_out, field in PARTS.items():
        for link, square in between.items():
            own = [label for label in labels if label.link == link]
            parts = [getattr(label, field) for label in own]
            for place, has_family, answer in _answers(own, parts, square):
                key = (left_out, parts[place], own[place].family, has_family, answer.family)
                counts[key] += 1
    return [AnswerCount(*key, n) for key, n in sorted(counts.items())]


def _answers(
    labels: Sequence[TraceLabel], parts: Sequence[str], square: Numbers
) -> Iterator[tuple[int, bool, Answer]]:
    """The answer for each trace without the traces of its part; whether its family was among the rest."""
    for part in sorted({*parts}):
        queries = [place for place, own in enumerate(parts) if own == part]
        rest = [place for place, own in enumerate(parts) if own != part]
        if not rest:
            continue
        families = [labels[place].family for place in rest]
        implementations = [labels[place].implementation for place in rest]
        days = [labels[place].cycle for place in rest]
        found = limits_of(square[np.ix_(rest, rest)], implementations, days)
        limits = [found[name] for name in implementations]
        for place in queries:
            has_family = labels[place].family in families
            yield place, has_family, answer_of(square[place, rest], families, limits)
