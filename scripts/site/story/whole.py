"""The story of a cycle, for the front page of the site and for the pages of the cycle."""

from collections.abc import Callable, Sequence

from scripts.figures.figure import Figure
from scripts.site import Row
from scripts.site.data.summary import SettingSummary
from scripts.site.story.alone import alone_headline, alone_sentences, solos_in
from scripts.site.story.cells import outcome_of, setting_sentences
from scripts.site.story.changes import change_sentences, changes_in
from scripts.site.story.completion import slowdown_headline, slowdown_sentences, slowdowns_in
from scripts.site.story.instances import instance_clause, instance_sentences, instances_in
from scripts.site.story.measured import Measured
from scripts.site.story.names import Names, Sentence, place_of, upper_first
from scripts.site.story.overview import certainty_text, overview
from scripts.site.story.quality import quality_headline, quality_sentences
from scripts.site.story.so_far import NO_VERDICT, shares_so_far

Address = Callable[[str], str | None]


def story(measured: Measured, address: Address = str) -> Row:
    """The story for Hugo.

    Args:
        measured: the cycle.
        address: gives the address of a page of the cycle, or None if there is no such page.

    Returns:
        `overview` (overview.py), and `changes`, a list of sentences. A cycle without an overview has its
        `headline`, `settings` and `quality`, lists of sentences by the name of the setting, and `certainty`,
        a text. A sentence is a list of parts, each with `text` and `page` (story/names.py).
    """
    names, figures, settings = Names(measured.services), measured.figures, measured.settings
    told: Row = {"overview": overview(measured), "changes": []}
    if not measured.provisional:
        compared = changes_in(figures, measured.service_changes)
        changes = change_sentences(compared, measured.compared_with, settings, names)
        told["changes"] = _parts(changes, address)
    if told["overview"] is None:
        told["headline"] = NO_VERDICT if measured.provisional else headline(settings, figures, names)
        pages = {one.name: setting_story(measured, one.name, address) for one in settings}
        told["settings"] = {name: page["words"] for name, page in pages.items()}
        told["quality"] = {name: page["quality"] for name, page in pages.items() if page["quality"]}
        told["certainty"] = certainty_text(measured)
    return told


def headline(settings: Sequence[SettingSummary], figures: Sequence[Figure], names: Names) -> str:
    """The finding of a cycle in which no two services are compared by their shares, without a full stop.

    It says how slow generated flows are, how far two instances of one service differ, what competition does
    to videos, calls and pages, or what services take alone.
    """
    places = {one.name: place_of(one, settings) for one in settings}
    slowdowns = slowdowns_in(figures)
    if row := slowdowns.worst:
        return slowdown_headline(slowdowns, places[row.setting], row, names)
    for name, place in places.items():
        if instances := instances_in(figures, name):
            return upper_first(f"{place}, {instance_clause(instances, names)}")
    for name, place in places.items():
        if harm := quality_headline(figures, name, place, names):
            return harm
    alone = [(place, solos) for name, place in places.items() if (solos := solos_in(figures, name))]
    if alone:
        place, solos = next((told for told in alone if told[1][0].low is not None), alone[0])
        return alone_headline(solos, place, names)
    return "No two services have a valid trial yet"


def setting_story(measured: Measured, setting: str, address: Address = str) -> Row:
    """The sentences (`words` and `quality`) about one setting, which name every stand-in themselves."""
    if measured.provisional:
        return {"words": _parts(shares_so_far(measured.figures, setting), address), "quality": []}
    names = Names(measured.services)
    sentences = _setting_sentences(measured.figures, setting, names)
    quality = quality_sentences(measured.figures, setting, names)
    return {"words": _parts(sentences, address), "quality": _parts(quality, address)}


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
