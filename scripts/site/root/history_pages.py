"""The data of the pages of pairs: a history as a table, and as a chart."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from scripts.charts.chart_labels import Labels
from scripts.figures.figure import SHARE, Figure
from scripts.figures.words import interval_words, median_words, scaled, title_of, unit_of, verdict_words
from scripts.model.pairs import members
from scripts.site import Row
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.history import Break, History, Measured, Side
from scripts.site.root.history_chart import MOST_SIDES, HistoryChart, HistoryPanel, HistoryPoint
from scripts.site.times import utc


def chart_address(campaign: str, setting: str, name: str) -> str:
    """The address of the chart of a pair or a service in the site."""
    return f"charts/history/{campaign}/{setting}/{name}.svg"


def pair_pages(
    archive: Archive, pairs: Iterable[History], charts: Mapping[str, HistoryChart]
) -> dict[str, Row]:
    """The page of each pair by `<setting>/<pair>`. Each campaign that measured it is a section."""
    found: dict[str, list[History]] = defaultdict(list)
    for history in pairs:
        found[f"{history.setting}/{history.pair}"].append(history)
    return {key: _pair_page(archive, of_pair, charts) for key, of_pair in sorted(found.items())}


def pair_charts(pairs: Iterable[History]) -> dict[str, HistoryChart]:
    """The chart of every pair with medians of two cycles or more, by its address."""
    charts = {chart_address(one.campaign, one.setting, one.pair): _chart(one) for one in pairs}
    return {address: chart for address, chart in charts.items() if len(chart.cycles) > 1 and chart.points}


def _chart(history: History) -> HistoryChart:
    labels = history.last.labels
    sides, names = history.sides[:MOST_SIDES], [cycle.name for cycle, _measured in history.points]
    found = history.breaks
    parts = method_parts([cycle for cycle, _measured in history.points], found)
    points = [
        HistoryPoint(panel, number, place, parts[place], *_values(figure))
        for panel, name in enumerate(history.shown)
        for number, side in enumerate(sides)
        for place, (_cycle, measured) in enumerate(history.points)
        if (figure := measured.get(side, {}).get(name)) is not None and figure.median is not None
    ]
    return HistoryChart(
        tuple(names),
        tuple(_panel(history, name) for name in history.shown),
        tuple(side_title(side, labels) for side in sides),
        tuple(points),
        tuple(break_marks(names, found)),
        _description(history, labels),
    )


def side_title(side: Side, labels: Labels) -> str:
    """A line of a history, such as `BBR against Cubic`."""
    service, contender, instance = side
    return labels.matchup(service, contender, instance)


def method_parts(cycles: list[Cycle], found: list[Break]) -> list[int]:
    """For each cycle, how many times the method has changed since the first."""
    changed = {one.after.name for one in found if any(what.kind == "method" for what in one.found)}
    return [sum(cycle.name in changed for cycle in cycles[: place + 1]) for place in range(len(cycles))]


def break_marks(names: list[str], found: list[Break]) -> list[tuple[float, str]]:
    """What differs, at its place between two cycles."""
    return [
        (names.index(one.after.name) - 0.5, kind)
        for one in found
        for kind in dict.fromkeys(what.kind for what in one.found)
    ]


def break_words(found: list[Break]) -> dict[str, list[Row]]:
    """What differs from the cycle before, by the name of the later cycle."""
    return {one.after.name: [{"kind": what.kind, "words": what.words} for what in one.found] for one in found}


def cycle_entry(cycle: Cycle) -> Row:
    """A cycle as tables name it."""
    day = utc(cycle.summary.first_start_ns)
    return {"cycle": cycle.name, "pages": cycle.pages, "day": day[:10] if day else None}


def _pair_page(archive: Archive, of_pair: Sequence[History], charts: Mapping[str, HistoryChart]) -> Row:
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


def _section(history: History, charts: Mapping[str, HistoryChart]) -> Row:
    labels = history.last.labels
    address = chart_address(history.campaign, history.setting, history.pair)
    words = break_words(history.breaks)
    return {
        "campaign": history.campaign,
        "heading": labels.setting(history.setting),
        "columns": [title_of(name) for name in history.shown],
        "rows": [
            cycle_entry(cycle)
            | {
                "page": cycle.page(f"pairs/{history.setting}/{history.pair}/"),
                "sides": [_line(history, side, measured) for side in history.sides if side in measured],
                "before": words.get(cycle.name, []),
            }
            for cycle, measured in reversed(history.points)
        ],
        "chart": address if address in charts else None,
        "alt": charts[address].description if address in charts else None,
        "hidden": max(0, len(history.sides) - MOST_SIDES),
        "worse_off": _worse_off(history),
    }


def _worse_off(history: History) -> Row | None:
    """The side with the lowest share in the latest cycle; None if no side has one."""
    cycle, measured = history.points[-1]
    shares = [
        (figures[SHARE].median, side)
        for side, figures in measured.items()
        if SHARE in figures and side[2] != "better_off" and not figures[SHARE].unable
    ]
    known = [(median, side) for median, side in shares if median is not None]
    if not known:
        return None
    side = min(known)[1]
    figure = measured[side][SHARE]
    return {
        "cycle": cycle.name,
        "title": cycle.labels.service(side[0]),
        "share": median_words(figure),
        "interval": interval_words(figure),
        "n": figure.n,
        "verdict": verdict_words(figure),
        "kind": figure.verdict,
    }


def _line(history: History, side: Side, measured: Measured) -> Row:
    """A row of the table: what one side got in one cycle."""
    figures = measured[side]
    shown = [figures.get(name) for name in history.shown]
    share = figures.get(SHARE)
    return {
        "title": side_title(side, history.last.labels),
        "n": max((figure.n for figure in shown if figure), default=0),
        "cells": [{"median": median_words(one), "interval": interval_words(one)} for one in shown],
        "verdict": verdict_words(share) if share else None,
    }


def _values(figure: Figure) -> tuple[float, float | None, float | None]:
    """Median and interval in the unit of the chart."""
    median, low, high = (
        None if value is None else round(scaled(value, figure.unit), 4)
        for value in (figure.median, figure.low, figure.high)
    )
    return median or 0.0, low, high


def _panel(history: History, name: str) -> HistoryPanel:
    figures = (of_side.get(name) for _cycle, measured in history.points for of_side in measured.values())
    unit = next(unit_of(figure) for figure in figures if figure is not None)
    return HistoryPanel(f"{title_of(name)} ({unit})", 100.0 if name == SHARE else None)


def _description(history: History, labels: Labels) -> str:
    cycle, measured = history.points[-1]
    last = "; ".join(
        f"{side_title(side, labels)}: "
        + ", ".join(f"{title_of(name)} {median_words(figures.get(name))}" for name in history.shown)
        for side, figures in sorted(measured.items())
    )
    return (
        f"{labels.pair(history.pair)}, {labels.setting(history.setting)}, over {len(history.points)} cycles "
        f"of campaign {history.campaign}. In the latest, {cycle.name}: {last}."
    ).replace("\u00a0", " ")
