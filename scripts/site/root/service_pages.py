"""The data of the pages of services: each one alone, and its share over all contenders, over the cycles."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scripts.base.records import to_json
from scripts.figures.figure import THROUGHPUT, Figure
from scripts.figures.words import amount, interval_words, median_words
from scripts.model.pairs import is_solo, members
from scripts.site.root.archive_cycles import Archive, Cycle, services_of
from scripts.site.root.history import Break, History, breaks, shares_over_contenders
from scripts.site.root.history_chart import HistoryChart, HistoryPanel, HistoryPoint
from scripts.site.root.history_pages import (
    Row,
    break_marks,
    break_words,
    chart_address,
    cycle_entry,
    method_parts,
)
from scripts.site.root.service_effects import effects

SIDE = "Median share over its contenders; throughput alone"


@dataclass(frozen=True)
class ServicePoint:
    """A cycle's figures of a service in one setting: alone, and its share over all contenders."""

    cycle: Cycle
    solo: Figure | None
    share: float | None


@dataclass(frozen=True)
class ServiceHistory:
    """A service in one setting over the cycles of one campaign that measured it."""

    campaign: str
    setting: str
    service: str
    points: tuple[ServicePoint, ...]

    @cached_property
    def breaks(self) -> list[Break]:
        """Where method, code or host differ from the cycle before."""
        return breaks([point.cycle for point in self.points], self.setting)


def service_histories(archive: Archive) -> list[ServiceHistory]:
    """All histories of services by service, campaign and setting, without withdrawn cycles."""
    found: dict[tuple[str, str, str], list[ServicePoint]] = defaultdict(list)
    for campaign in archive.campaigns:
        for cycle in archive.counted(campaign):
            for (setting, service), point in _points(cycle).items():
                found[service, campaign, setting].append(point)
    return [
        ServiceHistory(campaign, setting, service, tuple(points))
        for (service, campaign, setting), points in sorted(found.items(), key=lambda item: item[0][0])
    ]


def service_charts(every: Sequence[ServiceHistory]) -> dict[str, HistoryChart]:
    """The chart of every history of two cycles or more, by its address."""
    return {
        chart_address(one.campaign, one.setting, one.service): _chart(one)
        for one in every
        if len(one.points) > 1
    }


def _chart(history: ServiceHistory) -> HistoryChart:
    cycles = [point.cycle for point in history.points]
    names, found = [cycle.name for cycle in cycles], history.breaks
    parts = method_parts(cycles, found)
    points: list[HistoryPoint] = []
    for place, point in enumerate(history.points):
        if point.share is not None:
            points.append(HistoryPoint(0, 0, place, parts[place], round(100 * point.share, 4), None, None))
        if (solo := point.solo) and solo.median is not None:
            points.append(HistoryPoint(1, 0, place, parts[place], solo.median, solo.low, solo.high))
    panels = (HistoryPanel("MmF share (%)", 100.0), HistoryPanel("Throughput (Mbps)"))
    marks = tuple(break_marks(names, found))
    return HistoryChart(tuple(names), panels, (SIDE,), tuple(points), marks, _description(history))


def service_pages(
    archive: Archive,
    every: Sequence[ServiceHistory],
    pairs: Sequence[History],
    charts: Mapping[str, HistoryChart],
) -> dict[str, Row]:
    """The page of each service by its name."""
    described = services_of(archive.cycles)
    of_service: dict[str, list[ServiceHistory]] = defaultdict(list)
    for history in every:
        of_service[history.service].append(history)
    return {
        name: {
            "service": to_json(described[name]) if name in described else {"name": name},
            "title": archive.labels.service(name),
            "short": archive.labels.short(name),
            "sections": [_section(history, charts) for history in _ordered(archive, histories)],
            "shares": _shares(_ordered(archive, histories)),
            "cycles": _measured_in(archive, name),
            "pairs": _pairs(archive, name, pairs),
        }
        for name, histories in sorted(of_service.items())
    }


def _ordered(archive: Archive, histories: Sequence[ServiceHistory]) -> list[ServiceHistory]:
    """By campaign, the one of the front page first, and in the order of its settings."""
    places = {name: place for place, name in enumerate(archive.campaigns)}

    def order(one: ServiceHistory) -> tuple[int, int]:
        names = [setting.name for setting in one.points[-1].cycle.summary.settings]
        return places[one.campaign], names.index(one.setting) if one.setting in names else len(names)

    return sorted(histories, key=order)


def _shares(histories: Sequence[ServiceHistory]) -> list[Row]:
    """The latest share over all contenders in each setting, of the first campaign that measured it."""
    return [
        {
            "heading": one.points[-1].cycle.labels.setting(one.setting),
            "share": amount(one.points[-1].share, "fraction"),
        }
        for one in histories
        if one.campaign == histories[0].campaign and one.points[-1].share is not None
    ]


def _points(cycle: Cycle) -> dict[tuple[str, str], ServicePoint]:
    """The figures of every service by setting and service."""
    shares = shares_over_contenders(cycle)
    rows = [row for row in cycle.figures if is_solo(row.pair) and row.figure == THROUGHPUT]
    solos = {(row.setting, row.service): row for row in rows}
    return {
        key: ServicePoint(cycle, solos.get(key), shares.get(key))
        for key in sorted({(row.setting, row.service) for row in cycle.figures})
    }


def _section(history: ServiceHistory, charts: Mapping[str, HistoryChart]) -> Row:
    labels = history.points[-1].cycle.labels
    address, words = (
        chart_address(history.campaign, history.setting, history.service),
        break_words(history.breaks),
    )
    return {
        "campaign": history.campaign,
        "setting": history.setting,
        "heading": labels.setting(history.setting),
        "latest": effects(history.points[-1].cycle, history.setting, history.service),
        "rows": [
            cycle_entry(point.cycle)
            | {
                "page": point.cycle.page(f"solos/{history.setting}/{history.service}/"),
                "n": point.solo.n if point.solo else 0,
                "solo": median_words(point.solo),
                "interval": interval_words(point.solo),
                "share": amount(point.share, "fraction"),
                "before": words.get(point.cycle.name, []),
            }
            for point in reversed(history.points)
        ],
        "chart": address if address in charts else None,
        "alt": charts[address].description if address in charts else None,
    }


def _measured_in(archive: Archive, name: str) -> list[Row]:
    """The cycles of each campaign that measured the service, the latest first."""
    found = []
    for campaign in archive.campaigns:
        counted = archive.counted(campaign)
        mine = [cycle for cycle in counted if any(one.name == name for one in cycle.summary.services)]
        if mine:
            gone = mine[-1] is not counted[-1]
            entries = [cycle_entry(cycle) for cycle in reversed(mine)]
            found.append({"campaign": campaign, "gone": gone, "cycles": entries})
    return found


def _pairs(archive: Archive, name: str, pairs: Sequence[History]) -> list[Row]:
    """The pages of the service's pairs, once for each setting."""
    mine = {(one.setting, one.pair) for one in pairs if name in members(one.pair)}
    labels = archive.labels
    return [
        {"setting": setting, "pair": pair, "title": labels.pair(pair), "heading": labels.setting(setting)}
        for setting, pair in sorted(mine)
    ]


def _description(history: ServiceHistory) -> str:
    last = history.points[-1]
    labels = last.cycle.labels
    return (
        f"{labels.service(history.service)}, {labels.setting(history.setting)}, over "
        f"{len(history.points)} cycles of campaign {history.campaign}. In the latest, {last.cycle.name}: "
        f"median share over its contenders {amount(last.share, 'fraction')}; "
        f"throughput alone {median_words(last.solo)}."
    ).replace("\u00a0", " ")
