"""The overview of a cycle in which services compete for shares, for the front pages of site and cycle."""

from collections.abc import Sequence
from dataclasses import dataclass

from scripts.figures.figure import Figure, matrix
from scripts.figures.words import amount, several
from scripts.metrics.fairness import LOSING_BELOW
from scripts.site import Row
from scripts.site.data.recognised import Recognised
from scripts.site.data.service_change import ServiceChange
from scripts.site.data.summary import ServiceSummary, SettingSummary
from scripts.site.drawn.strip import opponents_strip
from scripts.site.heatmap_table import heatmap_table, service_order
from scripts.site.story.cells import outcome_of
from scripts.site.story.certainty import certainty_sentences, stacked_bar, trials_words
from scripts.site.story.changes import Changes, change_rows, change_words, changes_in
from scripts.site.story.names import Names, short_place
from scripts.site.story.users import user_rows
from scripts.site.story.worst_pair import pair_entry, worst_pair


@dataclass(frozen=True)
class StoryInput:
    """What the story of a cycle is made from.

    Attributes:
        settings: its settings, in the campaign's order.
        services: its services, likewise.
        figures: its figures.
        counted, excluded: the numbers of trials that count and that do not.
        compared_with: the earlier cycle that it is compared with.
        service_changes: its services compared with that cycle.
        recognised: the family of congestion controllers that each service alone runs.
        provisional: whether it still runs: then its story has no verdict.
    """

    settings: Sequence[SettingSummary]
    services: Sequence[ServiceSummary]
    figures: Sequence[Figure]
    counted: int
    excluded: int
    compared_with: str | None
    service_changes: Sequence[ServiceChange] = ()
    recognised: Sequence[Recognised] = ()
    provisional: bool = False

    @property
    def changes(self) -> Changes:
        """What differs from the earlier cycle."""
        return changes_in(self.figures, self.service_changes, self.recognised)


SHOWN = 2
"""So many settings are on the page. The others have pages of their own."""


def overview(measured: StoryInput) -> Row | None:
    """The overview for Hugo (partial overview.html).

    Returns:
        None if no two services are compared by their shares, else:
        `counts`, how many results are losses; `verdicts`, whether there is any; `pair` (pair_entry), None in
        a cycle that still runs; `places` of the settings shown; `ranking` (_ranking_rows); `matrices` with
        `name`, `heading` and `table` (heatmap_table); `others`, the number of further settings with
        cells; `users` with `place` and `rows` (user_rows), or None; `changes` with `words` and `rows`
        (change_rows), or None; `stacks` with `place` and `parts` (stacked_bar); `certainty`, a text; and
        `stand_ins`, whether a service stands for another. Pages are below the folder of the cycle.
    """
    names, figures, settings = Names(measured.services), measured.figures, measured.settings
    with_cells = [setting for setting in settings if outcome_of(figures, setting.name).cells]
    if not with_cells:
        return None
    shown, every = with_cells[:SHOWN], [setting.name for setting in with_cells]
    chosen = [setting.name for setting in shown]
    worst = None if measured.provisional else worst_pair(figures, every)
    place = worst.cell.setting if worst else None
    changes = changes_in([]) if measured.provisional else measured.changes
    words = change_words(changes, measured.compared_with, names)
    return {
        "counts": _counts(
            figures, next((setting for setting in settings if setting.name == place), shown[0]), settings
        ),
        "verdicts": any(outcome_of(figures, name).judged for name in every),
        "pair": pair_entry(worst, figures, settings, names) if worst else None,
        "places": [short_place(setting, settings) for setting in shown],
        "ranking": _ranking_rows(figures, chosen, names),
        "matrices": [
            {
                "name": setting.name,
                "heading": short_place(setting, settings),
                "table": heatmap_table(figures, setting.name, "share", names.short),
            }
            for setting in shown
        ],
        "others": len(with_cells) - len(shown),
        "users": _users(measured, names),
        "changes": {"words": words, "rows": change_rows(changes, settings, names)} if words else None,
        "stacks": [
            {"place": short_place(setting, settings), "parts": stacked_bar(figures, setting.name)}
            for setting in shown
        ],
        "certainty": certainty_text(measured),
        "stand_ins": any(service.stands_for for service in measured.services),
    }


def _counts(figures: Sequence[Figure], setting: SettingSummary, settings: Sequence[SettingSummary]) -> str:
    """In how many judged pairs of a setting a service loses; empty without any. One of a pair can."""
    outcome = outcome_of(figures, setting.name)
    if not outcome.judged:
        return ""
    place, losing = short_place(setting, settings), len(outcome.of("losing"))
    pairs = several(len({cell.pair for cell in outcome.judged}), "judged pair")
    if not losing:
        return f"At {place}, no service is found to lose in {pairs}."
    return (
        f"At {place}, one service loses in {losing} of {pairs}: "
        f"it gets less than {amount(LOSING_BELOW, 'fraction')} of its fair share."
    )


def _ranking_rows(figures: Sequence[Figure], settings: Sequence[str], names: Names) -> list[Row]:
    """A row for each service that is in the matrix of one of these settings, the one that takes most first.

    Returns:
        Rows with `name`, `title`, `stands_for`, and `strips`: for each setting what it gets and what it
        leaves others (drawn_strip), each None if no opponent has a result.
    """
    cells = [cell for name in settings for cell in matrix(figures, name) if not cell.against_itself]
    ranked = {cell.service for cell in cells} | {cell.contender for cell in cells}
    return [
        {
            "name": name,
            "title": names.short(name),
            "stands_for": names.stands_for(name),
            "strips": [
                strip
                for setting in settings
                for strip in (
                    opponents_strip(
                        cell for cell in cells if (cell.setting, cell.service) == (setting, name)
                    ),
                    opponents_strip(
                        cell for cell in cells if (cell.setting, cell.contender) == (setting, name)
                    ),
                )
            ],
        }
        for name in service_order(figures)
        if name in ranked
    ]


def _users(measured: StoryInput, names: Names) -> Row | None:
    """What users notice in the first setting with videos, calls or pages."""
    for setting in () if measured.provisional else measured.settings:
        if rows := user_rows(measured.figures, setting.name, names):
            return {"place": short_place(setting, measured.settings), "rows": rows}
    return None


def certainty_text(measured: StoryInput) -> str:
    """What counts, how many cells are judged, and what their intervals are."""
    if measured.provisional:
        return trials_words(measured.counted, measured.excluded)
    settings = [setting.name for setting in measured.settings]
    sentences = certainty_sentences(measured.figures, settings, measured.counted, measured.excluded)
    return " ".join(sentences)
