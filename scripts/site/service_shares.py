"""The pictures of one service: what others leave it, what it leaves them, and what users notice.

The page of a service in a cycle has them with every trial, the one over all cycles with the medians of the
latest cycle. The partial is service-pictures.html.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import CellKey, grouped
from scripts.figures.catalogue import metrics_of
from scripts.figures.figure import SHARE, SLOWEST, WIRE_RATE, Figure
from scripts.figures.words import median_words, scaled, several, title_of, unit_of
from scripts.model.pairs import contenders, is_solo
from scripts.site import Row
from scripts.site.data.recognised import Recognised
from scripts.site.data.summary import ServiceSummary, SettingSummary
from scripts.site.drawn.strip import DECIDED, Strip, StripDot, drawn_strip, judged_strip, opponents_strip
from scripts.site.story.names import listed, short_titles

MOST_SETTINGS = 3
"""The most columns of settings. A sweep has more, which the page then leaves to those of its settings."""

TrialShares = Mapping[CellKey, Sequence[tuple[float, bool]]]
"""The share of every trial of a cell as a fraction, and whether it counts."""


@dataclass(frozen=True)
class MeasuredServices:
    """What the pictures are made of.

    Attributes:
        figures: the figures of one cycle.
        settings: its settings.
        services: its services.
        labels: their titles.
        page: the address of one of the cycle's pages, from the root of Hugo's site; None if there is none.
        trials: the trials of its cells; empty where only medians are known.
        recognised: the families of congestion controllers that its services run.
    """

    figures: Sequence[Figure]
    settings: Sequence[SettingSummary]
    services: Sequence[ServiceSummary]
    labels: Labels
    page: Callable[[str], str | None]
    trials: TrialShares = field(default_factory=dict)
    recognised: Sequence[Recognised] = ()

    @cached_property
    def titles(self) -> dict[str, str]:
        """The short title of each setting."""
        return short_titles(self.settings)

    @cached_property
    def shares(self) -> list[Figure]:
        """The shares among the figures. Calls, pages and generated flows have none."""
        return [row for row in self.figures if row.figure == SHARE]

    @cached_property
    def with_share(self) -> frozenset[str]:
        """The pairs that have a share."""
        return frozenset(row.pair for row in self.shares)

    def of(self, service: str) -> list[Figure]:
        """The figures that a service has or affects, without those of better-off and second instances."""
        return [
            row
            for row in self.figures
            if row.of_service and service in (row.service, *contenders(row.contender))
        ]


def service_pictures(measured: MeasuredServices, service: str) -> Row:
    """The pictures of a service in one cycle.

    Returns:
        `settings`, the titles of the columns, and `further`, the number of settings that have none; `facts`,
        a list of title and value; `words`, sentences on its verdicts; `overall`, for each setting a strip of
        what it `gets` and of what it `leaves`; `gets` and `leaves`, rows with a strip for each setting, the
        lowest share first; `users`, a table of what its own users notice, if they notice more than the rate;
        `others`, rows of what the users of calls and pages notice beside it.
    """
    rows = measured.of(service)
    present = {row.setting for row in rows}
    settings = [setting for setting in measured.settings if setting.name in present]
    titles, incumbents = measured.titles, {(row.setting, row.service) for row in measured.shares}
    names = [setting.name for setting in settings[:MOST_SETTINGS]]
    shares = [row for row in rows if row.figure == SHARE and row.median is not None]
    gets = [row for row in shares if row.service == service]
    leaves = [row for row in shares if row.service != service]
    cells = [row for row in gets if (row.setting, row.contender) in incumbents]
    return {
        "settings": [titles[name] for name in names],
        "further": len(settings) - len(names),
        "facts": _facts(measured, service, rows, names),
        "words": [words for name in names if (words := _verdicts(gets, name, titles[name]))],
        "overall": [
            {"title": titles[name], "gets": _overall(cells, name), "leaves": _overall(leaves, name)}
            for name in names
        ],
        "gets": _direction(measured, gets, names, mine=True),
        "leaves": _direction(measured, leaves, names, mine=False),
        "users": _users(measured, service, rows, names),
        "others": _others(measured, service, rows, names),
    }


def _recognised(measured: MeasuredServices, service: str) -> str | None:
    """What a service is taken for in each setting by the queue that it makes alone; None if nothing tells."""
    words = [
        f"{answer.words} ({answer.named} of {several(answer.n, 'trial')}, {measured.titles[answer.setting]})"
        for answer in measured.recognised
        if answer.service == service
    ]
    return "; ".join(words) or None


def _facts(
    measured: MeasuredServices, service: str, rows: Sequence[Figure], names: Sequence[str]
) -> list[Row]:
    """What the service is, and what it gets alone."""
    facts: list[tuple[str, str | None]] = []
    for summary in measured.services:
        if summary.name == service:
            facts += [
                ("Stands for", "itself, live on the Internet" if summary.live else summary.stands_for),
                ("Kind", summary.category),
                ("Congestion control", summary.cca),
                ("Flows", str(summary.flows) if summary.flows else None),
            ]
    facts.append(("Recognised as", _recognised(measured, service)))
    alone = {row.setting: row for row in rows if row.figure == WIRE_RATE and is_solo(row.pair)}
    for name in names:
        if (row := alone.get(name)) and row.median is not None:
            facts.append(
                (f"Alone on the wire, {measured.titles[name]}", f"{median_words(row)}, n\u00a0=\u00a0{row.n}")
            )
    return [{"title": title, "value": value} for title, value in facts if value]


def _verdicts(gets: Sequence[Figure], setting: str, title: str) -> str:
    """How many opponents it loses to and wins against, in a setting; empty without an opponent."""
    met = [row for row in gets if row.setting == setting and not row.against_itself and not row.unable]
    if not met:
        return ""
    judged = Counter(row.verdict for row in met if row.verdict in (*DECIDED, "undecided"))
    if not judged:
        return f"At {title}, {several(len(met), 'opponent')} met it, without a verdict."
    others = {"winning": "wins against", "fair": "gets a fair share from", "undecided": "is undecided with"}
    counts = [f"{words} {judged[verdict]}" for verdict, words in others.items() if judged[verdict]]
    of = several(judged.total(), "opponent") + (" with a verdict" if judged.total() < len(met) else "")
    lost = f"loses to {judged['losing']} of {of}"
    return f"At {title} it {listed([lost, *counts])}."


def _overall(shares: Sequence[Figure], setting: str) -> Row | None:
    return opponents_strip(row for row in shares if row.setting == setting and not row.against_itself)


def _direction(
    measured: MeasuredServices, shares: Sequence[Figure], names: Sequence[str], mine: bool
) -> list[Row]:
    """A row for each opponent with a cell for each setting, by the share in the first setting.

    Itself, and then calls and pages, which are no cells of the matrix, come last.
    """
    of_pairs = grouped(
        (share for share in shares if share.setting in names), lambda share: (share.service, share.contender)
    )
    rows = [{share.setting: share for share in of_pair} for of_pair in of_pairs.values()]

    def order(figures_of_row: Mapping[str, Figure]) -> tuple[bool, bool, list[float], str]:
        first = next(iter(figures_of_row.values()))
        medians = [figures_of_row[name].median if name in figures_of_row else None for name in names]
        in_order = [inf if value is None else value for value in medians]
        no_cell = first.verdict == "unjudged" and not first.against_itself
        return no_cell, first.against_itself, in_order, first.service

    return [
        _names(measured, next(iter(figures_of_row.values())), mine)
        | {"cells": [_cell(measured, figures_of_row.get(name)) for name in names]}
        for figures_of_row in sorted(rows, key=order)
    ]


def _names(measured: MeasuredServices, row: Figure, mine: bool) -> Row:
    """The `title` of the other side, and below it (`sub`) what that service stands for."""
    if row.against_itself:
        return {"title": "Itself", "sub": "the instance that got less"}
    if not mine and len(contenders(row.contender)) > 1:
        return {"title": measured.labels.matchup(row.service, row.contender), "sub": ""}
    other = row.contender if mine else row.service
    stands_for = {summary.name: summary.stands_for for summary in measured.services}.get(other)
    return {"title": _short(measured, other), "sub": f"stands for {stands_for}" if stands_for else ""}


def _short(measured: MeasuredServices, contender: str) -> str:
    single = len(contenders(contender)) == 1
    return measured.labels.short(contender) if single else measured.labels.contender(contender)


def _cell(measured: MeasuredServices, row: Figure | None) -> Row | None:
    """The strip of a share with its page, or why there is none."""
    if row is None:
        return None
    page = measured.page(f"pairs/{row.setting}/{row.pair}/")
    if row.unable:
        return {"page": page, "words": "cannot do alone what it must"}
    trials = measured.trials.get((row.setting, row.service, row.contender, row.instance), ())
    return {"page": page, "strip": judged_strip(row, trials)}


def _shown_metrics(rows: Sequence[Figure], service: str) -> list[str]:
    """The figures that users of the service notice, the most telling first."""
    known = {row.figure for row in rows if row.service == service and row.median is not None}
    return [name for name in (*metrics_of("qoe_pairs"), SLOWEST) if name in known]


def _users(
    measured: MeasuredServices, service: str, rows: Sequence[Figure], names: Sequence[str]
) -> Row | None:
    """A row for each contender, with the most telling figure beside it and alone; None without one."""
    if not (metrics := _shown_metrics(rows, service)):
        return None
    mine = [row for row in rows if (row.service, row.figure) == (service, metrics[0])]
    table = [
        {
            "title": "Itself" if contender == service else _short(measured, contender),
            "cells": _cells_beside(measured, mine, contender, names),
        }
        for contender in dict.fromkeys(row.contender for row in mine if row.contender)
    ]
    high = f"{_highest(mine):.3g}"
    return {"title": title_of(metrics[0]), "unit": unit_of(mine[0]), "high": high, "rows": table}


def _others(
    measured: MeasuredServices, service: str, rows: Sequence[Figure], names: Sequence[str]
) -> list[Row]:
    """What the users of services without a share notice beside it, each by its most telling figure."""
    judged = {row.service for row in measured.shares}
    beside = dict.fromkeys(row.service for row in rows if row.contender == service != row.service)
    table: list[Row] = []
    for other in [name for name in beside if name not in judged]:
        every = [row for row in measured.figures if row.service == other and row.contender in ("", service)]
        for metric in _shown_metrics(every, other)[:1]:
            mine = [row for row in every if row.figure == metric]
            cells = _cells_beside(measured, mine, service, names)
            table.append({"title": measured.labels.short(other), "sub": title_of(metric), "cells": cells})
    return table


def _highest(rows: Sequence[Figure]) -> float:
    return max(scaled(row.median or 0.0, row.unit) for row in rows)


def _cells_beside(
    measured: MeasuredServices, mine: Sequence[Figure], contender: str, names: Sequence[str]
) -> list[Row | None]:
    """A figure of a service beside a contender in each setting, on a scale for all rows of it."""
    figures = {(row.setting, row.contender): row for row in mine}
    high = _highest(mine) or 1.0
    return [
        _beside(measured, figures.get((name, contender)), figures.get((name, "")), high) for name in names
    ]


def _beside(measured: MeasuredServices, row: Figure | None, alone: Figure | None, high: float) -> Row | None:
    """A value beside a contender as a dot, and alone as a line; None if it was not measured.

    It leads to its pair if no share of the pair does.
    """
    if row is None or row.median is None:
        return None
    line = scaled(alone.median, alone.unit) if alone and alone.median is not None else None
    by_itself = median_words(alone).partition("\u00a0")[0]  # the value beside the contender has the unit
    words = f"alone {by_itself}, n\u00a0=\u00a0{row.n}" if alone else f"n\u00a0=\u00a0{row.n}"
    dot = StripDot(scaled(row.median, row.unit), hollow=row.low is None)
    strip = Strip(median_words(row), words, dots=(dot,), median=line, high=high)
    page = None if row.pair in measured.with_share else measured.page(f"pairs/{row.setting}/{row.pair}/")
    return {"page": page, "strip": drawn_strip(strip)}
