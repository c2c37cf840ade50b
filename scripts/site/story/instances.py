"""How far two instances of one service differ in a setting. The worse of two always gets less: no verdict."""

from collections.abc import Sequence

from scripts.figures.figure import INSTANCE_DIFFERENCE, Figure
from scripts.figures.words import certainty_words, median_words
from scripts.site.story.names import Names, Part, Sentence, page_of, upper_first


def instances_in(figures: Sequence[Figure], setting: str) -> list[Figure]:
    """The differences between two instances of each service, the smallest first."""
    found = [
        row
        for row in figures
        if (row.setting, row.figure) == (setting, INSTANCE_DIFFERENCE) and row.median is not None
    ]
    return sorted(found, key=lambda row: (row.median or 0, row.service))


def instance_clause(instances: Sequence[Figure], names: Names) -> str:
    """`two instances of A differ by 12 % of the fair share`, or from what to what if there are several."""
    first, last = instances[0], instances[-1]
    if len(instances) == 1:
        who, by = names.of(first.service), median_words(first)
        return f"two instances of {who} differ by {by} of the fair share in the median trial"
    ends = (f"{median_words(row)} ({names.of(row.service)})" for row in (first, last))
    return f"two instances of one service differ by {' to '.join(ends)} of the fair share in the median trial"


def instance_sentences(instances: Sequence[Figure], names: Names) -> list[Sentence]:
    """The same as a sentence, with a link and how sure it is if it is about one service."""
    if not instances:
        return []
    clause = upper_first(instance_clause(instances, names))
    if len(instances) > 1:
        return [(Part(f"{clause}."),)]
    (only,) = instances
    return [(Part(clause, page_of(only)), Part(f" ({certainty_words(only)})."))]
