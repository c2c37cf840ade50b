"""A heatmap as a table of a page: contenders in rows, incumbents in columns, each cell with a link."""

from collections.abc import Callable, Container, Iterable, Sequence

from scripts.charts.heatmap_cells import HARMS, HEATMAPS, Heatmap
from scripts.charts.scales import MISSING
from scripts.figures.figure import SHARE, Figure, matrix
from scripts.figures.words import SETTLED, SETTLED_MARKS

Row = dict[str, object]

Key = tuple[str, str]
"""Incumbent and contender."""

QUESTIONS = {
    "share": "Which services get a fair share",
    "utilization": "How well the link is used",
    "loss": "Which services lose packets",
    "delay": "Which services wait in the queue",
    "harm-throughput": "Harm to throughput",
    "harm-delay": "Harm to the round-trip time",
    "harm-loss": "Harm by loss",
}
"""What each kind of heatmap tells."""

FEW = "*"
"""The mark of a value from fewer than six trials."""

HALVES = "share in the second half of the steady window, compared with the first"
"""What the marks beside shares are about."""

UNDECIDED = "undecided"
"""The class of a share without a verdict: hatched."""


def heatmap_table(figures: Sequence[Figure], setting: str, kind: str, title: Callable[[str], str]) -> Row:
    """One heatmap of one setting, for the partial heatmap-table.html.

    Args:
        figures: the figures of the cycle.
        setting: the setting.
        kind: a key of HEATMAPS or HARMS.
        title: gives the title of a service.

    Returns:
        `columns` (titles of the incumbents) and `rows`, each with `title` and `cells`. A cell has `class`,
        `text`, `pair` if it was measured, `settled` (the word and its `mark`) if that is known of its share,
        and `first` if it is the first of these. `legend` is a list of
        `class` and `words`; `notes` are the meanings of cells unlike the others; `kind`, `setting`,
        `question`, `reading` and `unit` are texts.
    """
    look = (HEATMAPS | HARMS)[kind]
    scale = look.scale
    shares = {_key(row): row for row in matrix(figures, setting)}
    values = {_key(row): row for row in matrix(figures, setting, look.metric)}
    services = sorted({name for key in shares for name in key})
    few = [row.low is None for row in values.values() if row.median is not None]
    mark = "" if all(few) else FEW
    places = [(incumbent, contender) for contender in services for incumbent in services]
    cells = {key: _cell(shares[key], values.get(key), look, mark) for key in places if key in shares}
    for cell in list(cells.values())[:1]:
        cell["first"] = True
    return {
        "kind": kind,
        "setting": setting,
        "question": QUESTIONS[kind],
        "reading": look.reading,
        "columns": [title(name) for name in services],
        "rows": [
            {"title": title(contender), "cells": [cells.get((one, contender), _EMPTY) for one in services]}
            for contender in services
        ],
        "legend": [
            *(
                {"class": f"{look.scale_name}-{level}", "words": scale.words(level)}
                for level in range(len(scale.colours))
            ),
            *_undecided(cells.values()),
        ],
        "unit": scale.unit,
        "notes": [
            *_notes([str(cell["text"]) for cell in cells.values()], len(places), few, shares),
            *_settled_notes({share.settled for share in shares.values()} if look.metric == SHARE else ()),
        ],
    }


def _undecided(cells: Iterable[Row]) -> list[Row]:
    """The entry of the legend for shares without a verdict, if there are any."""
    hatched = any(cell["class"] == UNDECIDED for cell in cells)
    return [{"class": UNDECIDED, "words": MISSING["undecided"].meaning}] if hatched else []


_EMPTY: Row = {"class": "none", "text": MISSING["unmeasured"].text}


def _key(row: Figure) -> Key:
    return row.service, row.contender


def _cell(share: Figure, row: Figure | None, look: Heatmap, mark: str) -> Row:
    """A cell: its text with the mark of few trials, the class of its colour, and its pair."""
    if share.unable:
        return {"class": "none", "text": MISSING["unable"].text, "pair": share.pair}
    if row is None or row.median is None:
        return {"class": "none", "text": MISSING[look.state(share.n)].text, "pair": share.pair}
    value = row.median * look.factor
    colour = f"{look.scale_name}-{look.scale.level(value)}"
    cell: Row = {
        "class": colour if look.decided(None if share.against_itself else share.verdict) else UNDECIDED,
        "text": look.shown(value) + (mark if row.low is None else ""),
        "pair": row.pair,
    }
    if look.metric == SHARE and share.settled:
        cell["settled"] = {"mark": SETTLED_MARKS[share.settled], "words": SETTLED[share.settled]}
    return cell


def _settled_notes(found: Container[str | None]) -> list[str]:
    """What the marks beside shares mean, if there are any."""
    marks = [f"{mark} {SETTLED[word]}" for word, mark in SETTLED_MARKS.items() if word in found]
    return [f"{HALVES}: {', '.join(marks)}"] if marks else []


def _notes(texts: Sequence[str], places: int, few: Sequence[bool], shares: Iterable[Key]) -> list[str]:
    """What marks and empty cells mean, if there are any: `few` says which values have too few trials."""
    of_few = "fewer than six trials: seen, not judged"
    notes = [
        (f"every value: {of_few}", all(few) and bool(few)),
        (f"{FEW} {of_few}", any(few) and not all(few)),
    ]
    for missing in (MISSING["invalid"], MISSING["unable"], MISSING["incomparable"]):
        notes.append((f"{missing.text}: {missing.meaning}", missing.text in texts))
    notes.append((f"empty: {MISSING['unmeasured'].meaning}", len(texts) < places))
    itself = any(incumbent == contender for incumbent, contender in shares)
    notes.append(("a service against itself, no verdict: the instance that got less in each trial", itself))
    return [note for note, present in notes if present]
