"""Where no two services are compared: what services take alone, and how far two instances of one differ."""

from collections.abc import Sequence

from scripts.figures.figure import INSTANCE_DIFFERENCE, WIRE_RATE, Figure
from scripts.figures.words import certainty_words, median_words, several
from scripts.site.story.leads import first_certainty, first_words, lead_in, others_words
from scripts.site.story.names import Names, Sentence, SentencePart, page_of


def solos_in(figures: Sequence[Figure], setting: str) -> list[Figure]:
    """The wire rates of services alone, the highest first; without those of few trials if others have six."""
    rows = [
        row
        for row in figures
        if (row.setting, row.figure, row.contender) == (setting, WIRE_RATE, "") and row.median is not None
    ]
    judged = [row for row in rows if row.low is not None]
    return sorted(judged or rows, key=lambda row: (-(row.median or 0), row.service))


def alone_sentences(solos: Sequence[Figure], names: Names) -> list[Sentence]:
    """What the service that takes the most of the link takes, and the one that takes the least."""
    if not solos:
        return []
    few = "" if solos[0].low is not None else "No service has the six trials that a claim needs. Seen: "
    sentences: list[Sentence] = [
        (SentencePart(few), *_took(solos[0], names), SentencePart(f"{_most(solos)}."))
    ]
    if lead_in(solos).certain:
        sentences.append((SentencePart("The least: "), *_took(solos[-1], names), SentencePart(".")))
    return sentences


def _took(row: Figure, names: Names) -> Sentence:
    words = f"{names.of(row.service)} alone took {first_words(row)} of the link"
    return SentencePart(words, page_of(row)), SentencePart(f" ({first_certainty(row)})")


def _most(solos: Sequence[Figure]) -> str:
    """`, the most of 3 services`, or how many others cannot be told apart from the first."""
    lead = lead_in(solos, highest=True)
    if lead.certain:
        return f", the most of {several(lead.of, 'service')}"
    others = others_words(lead, "service")
    return f"; {others}" if others else ""


def instances_in(figures: Sequence[Figure], setting: str) -> list[Figure]:
    """The differences between two instances of each service, the smallest first."""
    rows = [
        row
        for row in figures
        if (row.setting, row.figure) == (setting, INSTANCE_DIFFERENCE) and row.median is not None
    ]
    return sorted(rows, key=lambda row: (row.median or 0, row.service))


def instance_sentences(instances: Sequence[Figure], names: Names) -> list[Sentence]:
    """By how much two instances of a service differ; of several services, the least and the most."""
    if not instances:
        return []
    first, last = instances[0], instances[-1]
    if len(instances) == 1:
        who, by = names.of(first.service), median_words(first)
        words = f"Two instances of {who} differ by {by} of the fair share in the median trial"
        return [(SentencePart(words, page_of(first)), SentencePart(f" ({certainty_words(first)})."))]
    ends = " to ".join(f"{median_words(row)} ({names.of(row.service)})" for row in (first, last))
    words = f"Two instances of one service differ by {ends} of the fair share in the median trial."
    return [(SentencePart(words),)]
