"""The data of the pages of pairs: a history as a table, and as a chart."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from scripts.base.records import to_json
from scripts.figures.figure import SHARE, Figure
from scripts.figures.words import amount, interval_words, median_words, title_of, verdict_words
from scripts.model.pairs import members
from scripts.site import Row
from scripts.site.drawn.cycles import SHARE_END, DrawnCycles, drawn_cycles
from scripts.site.drawn.strip import judged_strip
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.history import FiguresBySide, History, Side
from scripts.site.root.history_chart import history_svg
from scripts.site.times import utc


def chart_address(campaign: str, setting: str, name: str) -> str:
    """The address of the chart of a pair or a service in the site."""
    return f"charts/history/{campaign}/{setting}/{name}.svg"


def pair_pages(archive: Archive, pairs: Iterable[History], charts: Collection[str]) -> dict[str, Row]:
    """The page of each pair by `<setting>/<pair>`. Each campaign that measured it is a section.

    Args:
        archive: the cycles.
        pairs: the histories of all pairs.
        charts: the addresses of those that have a chart.
    """
    of_pairs: dict[str, list[History]] = defaultdict(list)
    for history in pairs:
        of_pairs[f"{history.setting}/{history.pair}"].append(history)
    return {key: _pair_page(archive, of_pair, charts) for key, of_pair in sorted(of_pairs.items())}


def pair_charts(pairs: Iterable[History]) -> dict[str, str]:
    """The chart of every pair with medians of two cycles or more as SVG, by its address."""
    charts = {}
    for history in pairs:
        cycles = [cycle for cycle, _measured in history.points]
        breaks = [
            (cycles.index(cycle), kind)
            for cycle, differences in history.breaks.items()
            for kind in dict.fromkeys(what.kind for what in differences)
        ]
        rows = _chart_rows(history, sorted({place for place, _kind in breaks}))
        if len(cycles) > 1 and rows:
            address = chart_address(history.campaign, history.setting, history.pair)
            charts[address] = history_svg(
                rows, [cycle.name for cycle in cycles], breaks, _description(history)
            )
    return charts


def _chart_rows(history: History, breaks: Sequence[int]) -> list[tuple[str, DrawnCycles]]:
    """A row for each figure of each side. The rows of one figure have one axis."""
    labels, rows = history.last.labels, []
    for name in history.shown:
        of_sides = {
            side: [
                (place, measured[side][name])
                for place, (_cycle, measured) in enumerate(history.points)
                if name in measured.get(side, {})
            ]
            for side in history.sides
        }
        every = [figure for figures in of_sides.values() for _place, figure in figures]
        end = SHARE_END if name == SHARE else max(figure.high or figure.median or 0 for figure in every) or 1
        axis = f"{title_of(name)}, 0 to {amount(end, every[0].unit)}"
        for side, figures in of_sides.items():
            drawn = drawn_cycles(figures, len(history.points), breaks, end)
            if drawn.words:
                rows.append((f"{labels.matchup(*side)}: {axis}. Latest: {drawn.words}", drawn))
    return rows


def cycle_entry(cycle: Cycle) -> Row:
    """A cycle as tables name it."""
    day = utc(cycle.summary.first_start_ns)
    return {"cycle": cycle.name, "pages": cycle.pages, "day": day[:10] if day else None}


def share_entry(cell: Figure, cycle: Cycle) -> Row:
    """A share in one cycle as lists over several campaigns have it (share-rows.html)."""
    return {
        "title": cycle.labels.service(cell.service),
        "contender": "Itself" if cell.against_itself else cycle.labels.contender(cell.contender),
        "where": f"{cycle.labels.setting(cell.setting)}, campaign {cycle.summary.campaign}",
        "page": cycle.page(f"pairs/{cell.setting}/{cell.pair}/"),
        "strip": judged_strip(cell),
    }


def _pair_page(archive: Archive, of_pair: Sequence[History], charts: Collection[str]) -> Row:
    first = of_pair[0]
    labels = archive.labels
    services = dict.fromkeys(members(first.pair))
    return {
        "setting": first.setting,
        "pair": first.pair,
        "title": labels.pair(first.pair),
        "services": [{"name": name, "title": labels.service(name)} for name in services],
        "campaigns": [_section(history, charts) for history in of_pair],
    }


def _section(history: History, charts: Collection[str]) -> Row:
    labels = history.last.labels
    address = chart_address(history.campaign, history.setting, history.pair)
    return {
        "campaign": history.campaign,
        "heading": labels.setting(history.setting),
        "columns": [title_of(name) for name in history.shown],
        "rows": [
            cycle_entry(cycle)
            | {
                "page": cycle.page(f"pairs/{history.setting}/{history.pair}/"),
                "sides": [_line(history, side, measured) for side in history.sides if side in measured],
                "before": [to_json(difference) for difference in history.breaks.get(cycle, ())],
            }
            for cycle, measured in reversed(history.points)
        ],
        "chart": address if address in charts else None,
        "alt": _description(history),
        "lowest": _lowest(history),
    }


def _lowest(history: History) -> Row | None:
    """The lowest share in the latest cycle; None if no side has one."""
    shares = [
        measured[SHARE]
        for side, measured in history.points[-1][1].items()
        if SHARE in measured and side[2] != "better_off" and not measured[SHARE].unable
    ]
    known = [(share.median, share) for share in shares if share.median is not None]
    if not known:
        return None
    share = min(known, key=lambda item: item[0])[1]
    return {
        "of": history.last.labels.service(share.service),
        "share": median_words(share),
        "words": ", ".join(filter(None, (f"n\u00a0=\u00a0{share.n}", verdict_words(share)))),
    }


def _line(history: History, side: Side, measured: FiguresBySide) -> Row:
    """A row of the table: what one side got in one cycle."""
    figures = measured[side]
    shown = [figures.get(name) for name in history.shown]
    share = figures.get(SHARE)
    return {
        "title": history.last.labels.matchup(*side),
        "n": max((figure.n for figure in shown if figure), default=0),
        "cells": [{"median": median_words(figure), "interval": interval_words(figure)} for figure in shown],
        "verdict": verdict_words(share) if share else None,
    }


def _description(history: History) -> str:
    labels, (cycle, measured) = history.last.labels, history.points[-1]
    last = "; ".join(
        f"{labels.matchup(*side)}: "
        + ", ".join(f"{title_of(name)} {median_words(figures.get(name))}" for name in history.shown)
        for side, figures in sorted(measured.items())
    )
    return (
        f"{labels.pair(history.pair)}, {labels.setting(history.setting)}, over {len(history.points)} cycles "
        f"of campaign {history.campaign}. In the latest, {cycle.name}: {last}."
    ).replace("\u00a0", " ")
