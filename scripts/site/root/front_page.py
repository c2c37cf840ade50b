"""The data of the front page: the latest cycle in words."""

from scripts.metrics.fairness import LOSING_BELOW, WINNING_ABOVE
from scripts.site.data.figure_rows import SHARE, Figure
from scripts.site.figure_words import VERDICTS, amount, interval_words, median_words
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.change_pages import change_counts
from scripts.site.root.cycle_list import running_entries
from scripts.site.root.history_pages import Row, cycle_entry
from scripts.site.times import span

LOWEST, RECENT = 3, 6
"""How many of the lowest shares of a setting, and of the last cycles, the page shows."""


def front_page(archive: Archive) -> Row:
    """The latest cycle, its settings in words, its changes, and the last cycles, if there is a cycle."""
    cycle = archive.front
    page: Row = {
        "wanted": archive.settings.campaign,
        "running": running_entries(archive),
        "losing_below": amount(LOSING_BELOW, "fraction"),
        "winning_above": amount(WINNING_ABOVE, "fraction"),
    }
    if cycle is None:
        return page
    summary = cycle.summary
    recent = archive.counted(summary.campaign)[::-1][:RECENT]
    return (
        page
        | cycle_entry(cycle)
        | {
            "title": summary.title,
            "method": cycle.page("method/"),
            "campaign": summary.campaign,
            "measured_span": span(summary.first_start_ns, summary.last_stop_ns),
            "planned": summary.planned,
            "counted": summary.counted,
            "excluded": summary.excluded,
            "settings": [_setting(cycle, one.name) for one in summary.settings],
            "changes": change_counts(cycle),
            "recent": [cycle_entry(one) | {"counted": one.summary.counted} for one in recent],
        }
    )


def _setting(cycle: Cycle, name: str) -> Row:
    """The lowest shares of a setting, and how many cells lose and win."""
    cells = [row for row in cycle.figures if (row.setting, row.figure) == (name, SHARE)]
    cells = [row for row in cells if row.instance != "better_off" and row.median is not None]
    ordered = sorted(cells, key=lambda row: (row.median, row.pair, row.service, row.contender))
    return {
        "name": name,
        "heading": cycle.labels.setting(name),
        "cells": len(cells),
        "judged": sum(row.verdict not in (None, "seen") for row in cells),
        "losing": sum(row.verdict == "losing" for row in cells),
        "winning": sum(row.verdict == "winning" for row in cells),
        "lowest": [_cell(cycle, row) for row in ordered[:LOWEST]],
    }


def _cell(cycle: Cycle, row: Figure) -> Row:
    return {
        "title": cycle.labels.matchup(row.service, row.contender, row.instance),
        "page": cycle.page(f"pairs/{row.setting}/{row.pair}/"),
        "share": median_words(row),
        "interval": interval_words(row),
        "n": row.n,
        "verdict": VERDICTS.get(row.verdict or ""),
    }
