"""How often recognition is right: the matrices of the page method/, from data/library/recognition.json."""

from collections.abc import Sequence
from pathlib import Path

from scripts.base.records import read_record
from scripts.figures.words import amount, several
from scripts.recognition.confusion import EVALUATION, OUTCOMES, AnswerCount, Evaluation
from scripts.recognition.families import FAMILIES, UNKNOWN
from scripts.recognition.solos import KERNEL
from scripts.site import Row
from scripts.site.story.names import listed

TITLES = {
    "day": "One day left out",
    "family": "One family left out",
    "stack": "One stack left out",
}
RIGHT = {
    "day": "Traces of each day are named by those of the other days.",
    "family": "Traces of each family are named by those of the other families, so unknown is right.",
    "stack": "Traces of each stack are named by those of the other stacks. The kernel is one of them. "
    "Where no other stack has the family, unknown is right.",
}


def recognition_section(file: Path = EVALUATION) -> Row:
    """What the library names with a part left out; empty if there is no library.

    Returns:
        `library`, its version; `traces`, their number; `cycles` and `stacks` in words; and `parts`: for each
        kind of part that can be left out its `left_out`, `title`, `words`, the `heads` of its table and its
        `rows`, each with `title` and `counts`, None for 0.

    Raises:
        UserError: the file is wrong.
    """
    if not file.is_file():
        return {}
    evaluation = read_record(Evaluation, file)
    return {
        "library": evaluation.library,
        "traces": evaluation.traces,
        "cycles": f"{several(len(evaluation.cycles), 'day')}, {listed(evaluation.cycles)}",
        "stacks": listed([f"the {stack}" if stack == KERNEL else stack for stack in evaluation.stacks]),
        "parts": [_part(left_out, evaluation) for left_out in TITLES if evaluation.of(left_out)],
    }


def _part(left_out: str, evaluation: Evaluation) -> Row:
    named, counts = evaluation.of(left_out), evaluation.outcomes(left_out)
    total = counts.total()
    rates = [f"{amount(counts[what] / total, 'fraction')} {what}" for what in OUTCOMES]
    answers = [*FAMILIES, UNKNOWN]
    rows = dict.fromkeys((count.family, count.had_family) for count in sorted(named, key=_order))
    return {
        "left_out": left_out,
        "title": TITLES[left_out],
        "words": f"{RIGHT[left_out]} Of {several(total, 'trace')}: {listed(rates)}.",
        "heads": ["Family", *(f"# {answer}" for answer in answers)],
        "rows": [
            {
                "title": family + ("" if had_family or left_out == "family" else f", of no other {left_out}"),
                "counts": [_count(named, family, had_family, answer) or None for answer in answers],
            }
            for family, had_family in rows
        ],
    }


def _order(count: AnswerCount) -> tuple[int, bool]:
    return [*FAMILIES].index(count.family), not count.had_family


def _count(named: Sequence[AnswerCount], family: str, had_family: bool, answer: str) -> int:
    row = (family, had_family, answer)
    return sum(count.n for count in named if (count.family, count.had_family, count.answer) == row)
