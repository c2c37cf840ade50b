"""The finding of a cycle in one sentence.

It says who leaves how little to whom, on the slowest and the fastest link. Where no two services are
compared by their shares, it says how slow generated flows are, how far two instances of one service differ,
what competition does to videos, calls and pages, or what services take alone.
"""

from collections.abc import Sequence

from scripts.figures.figure import Figure
from scripts.figures.words import certainty_words, median_words
from scripts.site.data.summary import SettingSummary
from scripts.site.story.alone import alone_headline, solos_in
from scripts.site.story.cells import Outcome, outcome_of
from scripts.site.story.completion import slowdown_headline, slowdowns_in
from scripts.site.story.instances import instance_clause, instances_in
from scripts.site.story.leads import first_words
from scripts.site.story.names import Names, place_of, upper_first
from scripts.site.story.quality import quality_headline

Told = tuple[str, Outcome]
"""The place of a setting, such as `at 8 Mbps`, and its outcome."""


def headline(settings: Sequence[SettingSummary], figures: Sequence[Figure], names: Names) -> str:
    """The sentence, without a full stop."""
    outcomes = {one.name: outcome_of(figures, one.name) for one in settings}
    measured = [one for one in settings if outcomes[one.name].cells]
    if not measured:
        return _without_shares(settings, figures, names)
    told = [(place_of(one, settings), outcomes[one.name]) for one in _chosen(measured, outcomes)]
    if not any(outcome.judged for _place, outcome in told):
        return _seen(told, names)
    if not any(outcome.of("losing") for _place, outcome in told):
        return _without_loser(told)
    if pair := _same_pair(told):
        return _of_one_pair(told, pair, names)
    return upper_first("; ".join(f"{place}, {_clause(outcome, names)}" for place, outcome in told))


def _without_shares(settings: Sequence[SettingSummary], figures: Sequence[Figure], names: Names) -> str:
    """The headline of a cycle of generated flows, of pages and calls, or of services alone."""
    places = {one.name: place_of(one, settings) for one in settings}
    slowdowns = slowdowns_in(figures)
    if row := slowdowns.worst:
        return slowdown_headline(slowdowns, places[row.setting], row, names)
    for one in settings:
        if instances := instances_in(figures, one.name):
            return upper_first(f"{places[one.name]}, {instance_clause(instances, names)}")
    for one in settings:
        if harm := quality_headline(figures, one.name, places[one.name], names):
            return harm
    alone = [(places[one.name], solos) for one in settings if (solos := solos_in(figures, one.name))]
    if alone:
        place, solos = next((told for told in alone if told[1][0].low is not None), alone[0])
        return alone_headline(solos, place, names)
    return "No two services have a valid trial yet"


def _chosen(settings: Sequence[SettingSummary], outcomes: dict[str, Outcome]) -> list[SettingSummary]:
    """The slowest link and the fastest one; of links of one rate, that with the lowest share."""
    slowest = min(settings, key=lambda one: one.rate_mbps)
    fastest = max(settings, key=lambda one: one.rate_mbps)
    if slowest.rate_mbps < fastest.rate_mbps:
        return [slowest, fastest]
    judged = [one for one in settings if outcomes[one.name].judged] or settings
    return [min(judged, key=lambda one: _lowest(outcomes[one.name]))]


def _lowest(outcome: Outcome) -> tuple[bool, float]:
    """Settings with a loser first, then by the lowest share."""
    worst = outcome.worst
    return worst is None or worst.verdict != "losing", (worst.median or 0) if worst else 0


def _seen(told: Sequence[Told], names: Names) -> str:
    place, outcome = told[0]
    cell = outcome.worst
    assert cell is not None
    who, against, share = names.of(cell.service), names.of(cell.contender), median_words(cell)
    seen = f"{who} got {share} of its fair share against {against}, {certainty_words(cell)}"
    why = "Too few trials for a verdict" if cell.low is None else "There is no verdict"
    return f"{why}: {place}, {seen}"


def _without_loser(told: Sequence[Told]) -> str:
    return upper_first("; ".join(f"{place}, {_no_loser(outcome)}" for place, outcome in told))


def _clause(outcome: Outcome, names: Names) -> str:
    cell = outcome.worst
    if cell is None or cell.verdict != "losing":
        return _no_loser(outcome)
    contender, incumbent = names.of(cell.contender), names.of(cell.service)
    moves = ", and this share still moves" if cell.moves else ""
    return f"{contender} leaves {incumbent} {first_words(cell)} of its fair share{moves}"


def _no_loser(outcome: Outcome) -> str:
    if not outcome.judged:
        few = all(cell.low is None for cell in outcome.cells)
        return "there are too few trials for a verdict" if few else "there is no verdict"
    certain = all(cell.verdict in ("fair", "winning") for cell in outcome.cells)
    return "no service loses" if certain else "no service certainly loses"


def _same_pair(told: Sequence[Told]) -> Figure | None:
    """The worst cell, if it is of the same two services in both settings and loses in both."""
    worst = [outcome.worst for _place, outcome in told]
    found = [cell for cell in worst if cell is not None and cell.verdict == "losing"]
    same = {(cell.service, cell.contender) for cell in found}
    return found[0] if len(found) == len(told) > 1 and len(same) == 1 else None


def _of_one_pair(told: Sequence[Told], pair: Figure, names: Names) -> str:
    contender, incumbent = names.of(pair.contender), names.of(pair.service)
    (one, first), (other, second) = told
    assert first.worst is not None and second.worst is not None
    shares = f"{first_words(first.worst)} of its fair share {one} and {first_words(second.worst)} {other}"
    moving = [place for place, outcome in told if outcome.worst and outcome.worst.moves]
    moves = {1: f", and the share {' '.join(moving)} still moves", 2: ", and both shares still move"}
    return upper_first(f"{contender} leaves {incumbent} {shares}{moves.get(len(moving), '')}")
