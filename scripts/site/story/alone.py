"""What services take alone, in sentences, where no two services compete."""

from collections.abc import Sequence

from scripts.figures.figure import WIRE_RATE, Figure
from scripts.figures.words import certainty_words, several
from scripts.site.story.leads import first_certainty, first_words, lead_in, others_words
from scripts.site.story.names import Names, Part, Sentence, page_of, upper_first


def solos_in(figures: Sequence[Figure], setting: str) -> list[Figure]:
    """The wire rates of services alone, the highest first; without those of few trials if others have six."""
    rows = [
        row
        for row in figures
        if (row.setting, row.figure, row.contender) == (setting, WIRE_RATE, "") and row.median is not None
    ]
    judged = [row for row in rows if row.low is not None]
    return sorted(judged or rows, key=lambda row: (-(row.median or 0), row.service))


def alone_headline(solos: Sequence[Figure], place: str, names: Names) -> str:
    """`At 8 Mbps, A alone took 7.90 Mbps of the link, the most of 3 services`."""
    first = solos[0]
    words = f"{names.of(first.service)} alone took {first_words(first)} of the link{_most(solos)}"
    if first.low is None:
        return f"Too few trials for a verdict: {place}, {words}, {certainty_words(first)}"
    return upper_first(f"{place}, {words}")


def alone_sentences(solos: Sequence[Figure], names: Names) -> list[Sentence]:
    """What the service that takes the most of the link takes, and the one that takes the least."""
    if not solos:
        return []
    few = "" if solos[0].low is not None else "No service has the six trials that a claim needs. Seen: "
    sentences: list[Sentence] = [(Part(few), *_took(solos[0], names), Part(f"{_most(solos)}."))]
    if lead_in(solos).certain:
        sentences.append((Part("The least: "), *_took(solos[-1], names), Part(".")))
    return sentences


def _took(row: Figure, names: Names) -> Sentence:
    words = f"{names.of(row.service)} alone took {first_words(row)} of the link"
    return Part(words, page_of(row)), Part(f" ({first_certainty(row)})")


def _most(solos: Sequence[Figure]) -> str:
    """`, the most of 3 services`, or how many others cannot be told apart from the first."""
    lead = lead_in(solos, highest=True)
    if lead.certain:
        return f", the most of {several(lead.of, 'service')}"
    others = others_words(lead, "service")
    return f"; {others}" if others else ""
