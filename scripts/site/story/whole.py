"""The story of a cycle, for the front page of the site and for that of the cycle."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scripts.figures.figure import Figure
from scripts.site.data.service_change import ServiceChange
from scripts.site.data.summary import ServiceSummary, SettingSummary
from scripts.site.story.alone import alone_sentences, solos_in
from scripts.site.story.cells import outcome_of, setting_sentences
from scripts.site.story.certainty import certainty_sentences, trials_words
from scripts.site.story.changes import change_sentences, changes_in
from scripts.site.story.completion import slowdown_sentences, slowdowns_in
from scripts.site.story.headline import headline
from scripts.site.story.instances import instance_sentences, instances_in
from scripts.site.story.names import Names, Sentence
from scripts.site.story.quality import quality_sentences
from scripts.site.story.so_far import NO_VERDICT, shares_so_far

Row = dict[str, object]

Address = Callable[[str], str | None]


@dataclass(frozen=True)
class Measured:
    """What the story of a cycle is made from.

    Attributes:
        settings: its settings, in the campaign's order.
        services: its services, likewise.
        figures: its figures.
        counted, excluded: the numbers of trials that count and that do not.
        compared_with: the earlier cycle that it is compared with.
        service_changes: its services compared with that cycle.
        provisional: whether it still runs: then its story has no verdict.
    """

    settings: Sequence[SettingSummary]
    services: Sequence[ServiceSummary]
    figures: Sequence[Figure]
    counted: int
    excluded: int
    compared_with: str | None
    service_changes: Sequence[ServiceChange] = ()
    provisional: bool = False


def story(measured: Measured, address: Address = str) -> Row:
    """The story for Hugo.

    Args:
        measured: the cycle.
        address: gives the address of a page of the cycle, or None if there is no such page.

    Returns:
        `headline`; `settings` and `quality`, lists of sentences by the name of the setting; `changes`, a list
        of sentences; `certainty`, a list of texts; `stand_ins`, a list with `title` and `stands_for`. A
        sentence is a list of parts, each with `text` and `page` (story/names.py).
    """
    names, figures, settings = Names(measured.services), measured.figures, measured.settings
    if measured.provisional:
        settings_so_far = {one.name: _parts(shares_so_far(figures, one.name), address) for one in settings}
        so_far = [trials_words(measured.counted, measured.excluded), f"{NO_VERDICT}."]
        return {"headline": NO_VERDICT, "settings": settings_so_far, "quality": {}, "changes": []} | {
            "certainty": so_far,
            "stand_ins": _stand_ins(measured),
        }
    first = headline(settings, figures, names)
    cells = {one.name: _setting_sentences(figures, one.name, names) for one in settings}
    quality = {one.name: quality_sentences(figures, one.name, names) for one in settings}
    compared = changes_in(figures, measured.service_changes)
    changes = change_sentences(compared, measured.compared_with, settings, names)
    return {
        "headline": first,
        "settings": {name: _parts(sentences, address) for name, sentences in cells.items()},
        "quality": {name: _parts(sentences, address) for name, sentences in quality.items() if sentences},
        "changes": _parts(changes, address),
        "certainty": certainty_sentences(
            figures, [one.name for one in settings], measured.counted, measured.excluded
        ),
        "stand_ins": _stand_ins(measured),
    }


def _stand_ins(measured: Measured) -> list[Row]:
    """The services that stand for others."""
    return [
        {"title": service.title, "stands_for": service.stands_for}
        for service in measured.services
        if service.stands_for
    ]


def setting_story(measured: Measured, setting: str) -> Row:
    """The sentences (`words` and `quality`) of the page of one setting, which names every stand-in itself."""
    if measured.provisional:
        return {"words": _parts(shares_so_far(measured.figures, setting), str), "quality": []}
    names = Names(measured.services)
    sentences = _setting_sentences(measured.figures, setting, names)
    quality = quality_sentences(measured.figures, setting, names)
    return {"words": _parts(sentences, str), "quality": _parts(quality, str)}


def _setting_sentences(figures: Sequence[Figure], setting: str, names: Names) -> list[Sentence]:
    """The shares in a setting and the slowdown of its flows; without both, what services take alone."""
    outcome = outcome_of(figures, setting)
    shares = setting_sentences(outcome, names) if outcome.cells else []
    shares += instance_sentences(instances_in(figures, setting), names)
    slowdowns = slowdown_sentences(slowdowns_in(figures, setting), names)
    told = [*shares, *slowdowns] or alone_sentences(solos_in(figures, setting), names)
    return told or setting_sentences(outcome, names)


def _parts(sentences: Sequence[Sentence], address: Address) -> list[list[Row]]:
    """Sentences for Hugo, with the addresses of their links."""
    return [
        [{"text": part.text, "page": address(part.page) if part.page else None} for part in sentence]
        for sentence in sentences
    ]
