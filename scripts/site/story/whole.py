"""The story of a cycle, for the front page of the site and for the pages of the cycle."""

from collections.abc import Callable, Sequence

from scripts.figures.figure import Figure
from scripts.site import Row
from scripts.site.data.summary import SettingSummary
from scripts.site.story.alone import alone_sentences, instance_sentences, instances_in, solos_in
from scripts.site.story.cells import NO_VERDICT, outcome_of, setting_sentences, shares_so_far
from scripts.site.story.changes import change_words
from scripts.site.story.completion import slowdown_sentences, slowdowns_in
from scripts.site.story.names import Names, Sentence, plain, short_place
from scripts.site.story.overview import StoryInput, certainty_text, overview
from scripts.site.story.quality import quality_sentences

AddressOf = Callable[[str], str | None]


def story(measured: StoryInput, address: AddressOf = str) -> Row:
    """The story for Hugo.

    Args:
        measured: the cycle.
        address: gives the address of a page of the cycle, or None if there is no such page.

    Returns:
        `overview` (overview.py), and `changes`, a text or None. A cycle without an overview has its
        `headline`, `settings` and `quality`, lists of sentences by the name of the setting, and `certainty`,
        a text. A sentence is a list of parts, each with `text` and `page` (story/names.py).
    """
    names = Names(measured.services)
    content: Row = {"overview": overview(measured), "changes": None}
    if not measured.provisional:
        content["changes"] = change_words(measured.changes, measured.compared_with, names)
    if content["overview"] is None:
        content["headline"] = NO_VERDICT if measured.provisional else headline(measured, names)
        pages = {
            setting.name: setting_story(measured, setting.name, address) for setting in measured.settings
        }
        content["settings"] = {name: page["words"] for name, page in pages.items()}
        content["quality"] = {name: page["quality"] for name, page in pages.items() if page["quality"]}
        content["certainty"] = certainty_text(measured)
    return content


def headline(measured: StoryInput, names: Names) -> str:
    """The finding of a cycle in which no two services are compared by their shares, in one sentence.

    It is the first sentence about the setting with the slowest flow, or about the first one that has any.
    Where only services alone are measured, a setting in which one has the trials of a claim comes first.
    """
    figures, settings = measured.figures, measured.settings
    worst = slowdowns_in(figures).worst

    def later(setting: SettingSummary) -> bool:
        if worst is not None:
            return setting.name != worst.setting
        return all(solo.low is None for solo in solos_in(figures, setting.name))

    for setting in sorted(settings, key=later):
        sentences = _instances_and_flows(figures, setting.name, names)
        sentences = sentences or quality_sentences(figures, setting.name, names)
        if told := sentences or alone_sentences(solos_in(figures, setting.name), names):
            return f"{short_place(setting, settings)}: {plain(told[0])}"
    return "No two services have a valid trial yet"


def setting_story(measured: StoryInput, setting: str, address: AddressOf = str) -> Row:
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
    sentences = [*shares, *_instances_and_flows(figures, setting, names)]
    return (
        sentences or alone_sentences(solos_in(figures, setting), names) or setting_sentences(outcome, names)
    )


def _instances_and_flows(figures: Sequence[Figure], setting: str, names: Names) -> list[Sentence]:
    """How far two instances of one service differ, and the slowdown of generated flows."""
    instances = instance_sentences(instances_in(figures, setting), names)
    return [*instances, *slowdown_sentences(slowdowns_in(figures, setting), names)]


def _parts(sentences: Sequence[Sentence], address: AddressOf) -> list[list[Row]]:
    """Sentences for Hugo, with the addresses of their links."""
    return [
        [{"text": part.text, "page": address(part.page) if part.page else None} for part in sentence]
        for sentence in sentences
    ]
