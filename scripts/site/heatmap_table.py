"""A matrix of a setting as a table of a page: contenders in rows, incumbents in columns."""

from collections.abc import Callable, Iterable, Sequence

from scripts.charts.heatmap_cells import HARMS, HEATMAPS, Heatmap
from scripts.charts.scales import MISSING, Scale
from scripts.figures.figure import SHARE, Figure, matrix
from scripts.figures.order import by_result
from scripts.figures.words import VERDICTS
from scripts.site import Row

MatrixKey = tuple[str, str]
"""Incumbent and contender."""

TITLES = {
    "share": ("Share", "Which services get a fair share"),
    "utilization": ("Utilization", "How well the link is used"),
    "loss": ("Loss", "Which services lose packets"),
    "delay": ("Delay", "Which services wait in the queue"),
    "harm-throughput": ("Harm to throughput", "Harm to throughput"),
    "harm-delay": ("Harm to delay", "Harm to the round-trip time"),
    "harm-loss": ("Harm by loss", "Harm by loss"),
}
"""The title of the page of each kind of matrix, and what the matrix tells."""

WORDS = {"undecided": "undecided", "few": VERDICTS["seen"], "unable": "no result"}
"""What a cell whose look is no verdict says to screen readers; its headings name a service against itself."""


def service_order(figures: Iterable[Figure]) -> list[str]:
    """The services of a cycle's matrices by result, over all its settings (scripts/figures/order.py)."""
    rows = list(figures)
    cells = [cell for setting in {row.setting for row in rows} for cell in matrix(rows, setting)]
    return by_result(
        (cell.service, cell.contender, cell.median)
        for cell in cells
        if cell.median is not None and not cell.unable
    )


def heatmap_table(figures: Sequence[Figure], setting: str, kind: str, short: Callable[[str], str]) -> Row:
    """One matrix of one setting, for the partial heatmap-table.html.

    Args:
        figures: the figures of the cycle: those of all settings decide the order of the services.
        setting: the setting.
        kind: a key of HEATMAPS or HARMS.
        short: gives the short title of a service.

    Returns:
        `columns` (titles of the incumbents, the one that loses most first) and `rows` (the contender that
        takes most first), each with `title` and `cells`. A cell has `class`, `text`, `pair` if measured,
        `words` if its look is no verdict, and `moves` if its share still moves. The classes are `s0` to `s8`
        (a share that loses, is fair or wins), `m0` to `m9` (another metric), `undecided`, `few` (no
        verdict: fewer than six trials), `self` (a share against itself), and `no` (no value). `legend` lists
        `class` and `words`; it is empty for shares, whose legend is keys.html. `kind`, `title`,
        `question`, `reading` and `unit` are texts.
    """
    look = (HEATMAPS | HARMS)[kind]
    shares = {_key(row): row for row in matrix(figures, setting)}
    values = {_key(row): row for row in matrix(figures, setting, look.metric)}
    present = {name for key in shares for name in key}
    ordered = [name for name in service_order(figures) if name in present]
    services = [*ordered, *sorted(present - set(ordered))]
    columns = services[::-1]
    cells = {key: _cell(row, values.get(key), look) for key, row in shares.items()}
    return {
        "kind": kind,
        "title": TITLES[kind][0],
        "question": TITLES[kind][1],
        "reading": look.reading,
        "columns": [short(name) for name in columns],
        "rows": [
            {
                "title": short(contender),
                "cells": [cells.get((incumbent, contender), UNMEASURED) for incumbent in columns],
            }
            for contender in services
        ],
        "legend": [] if look.metric == SHARE else _legend(look.scale),
        "unit": look.unit,
    }


def share_cell(share: Figure, address: str | None) -> Row:
    """A cell of a matrix of shares that leads to an address, which has no slash at its end."""
    return _cell(share, share, HEATMAPS["share"]) | {"pair": address}


UNMEASURED: Row = {"class": "no", "text": MISSING["unmeasured"].text}
"""A cell that was not measured."""


def _key(row: Figure) -> MatrixKey:
    return row.service, row.contender


def _cell(share: Figure, row: Figure | None, look: Heatmap) -> Row:
    """A cell: its text, the class of its look, and its pair."""
    if share.unable:
        return _without("unable", share)
    if row is None or row.median is None:
        return _without(look.state(share.n), share)
    value = row.median * look.factor
    state = look.uncoloured(row.low is not None, share.verdict, share.against_itself)
    colour = f"{'s' if look.metric == SHARE else 'm'}{look.scale.level(value)}"
    cell: Row = {"class": state or colour, "text": look.shown(value), "pair": row.pair}
    if state in WORDS:
        cell["words"] = VERDICTS["provisional"] if share.verdict == "provisional" else WORDS[state]
    if look.metric == SHARE and share.moves and share.judged:
        cell["moves"] = True
    return cell


def _without(state: str, share: Figure) -> Row:
    missing = MISSING[state]
    return {
        "class": "no",
        "text": missing.text,
        "pair": share.pair,
        "words": WORDS.get(state, missing.meaning),
    }


def _legend(scale: Scale) -> list[Row]:
    return [{"class": f"m{level}", "words": scale.words(level)} for level in range(len(scale.colours))]
