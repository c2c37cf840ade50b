"""The data of the pages of services: its pictures in the latest cycle, and its figures over the cycles."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scripts.base.records import to_json
from scripts.figures.figure import SHARE, THROUGHPUT, Figure
from scripts.figures.words import amount, interval_words, median_words
from scripts.model.cycle_names import order_of
from scripts.model.pairs import is_solo
from scripts.site import Row
from scripts.site.data.summary import ServiceSummary
from scripts.site.drawn.cycles import drawn_cycles
from scripts.site.root.archive_cycles import Archive, Cycle, services_of
from scripts.site.root.history import Breaks, breaks, shares_over_contenders
from scripts.site.root.history_pages import cycle_entry
from scripts.site.service_shares import MOST_SETTINGS, MeasuredServices, service_pictures


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
    def breaks(self) -> Breaks:
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


def service_pages(archive: Archive) -> dict[str, Row]:
    """The page of each service by its name.

    `of` has its pictures (scripts/site/service_shares.py) in the `latest` cycle of the first campaign that
    measured it; `panels`, for each setting of this campaign, its share against each opponent over the
    cycles; `sections`, the tables of all settings and campaigns.
    """
    described = services_of(archive.cycles)
    of_service: dict[str, list[ServiceHistory]] = defaultdict(list)
    for history in service_histories(archive):
        of_service[history.service].append(history)
    return {name: _page(archive, described, name, found) for name, found in sorted(of_service.items())}


def _page(
    archive: Archive, described: Mapping[str, ServiceSummary], name: str, found: Sequence[ServiceHistory]
) -> Row:
    histories = _ordered(archive, found)
    main = [one for one in histories if one.campaign == histories[0].campaign]
    latest = max((one.points[-1].cycle for one in main), key=lambda cycle: order_of(cycle.name))
    summary = latest.summary
    measured = MeasuredServices(
        latest.figures, summary.settings, summary.services, latest.labels, latest.page
    )
    return {
        "service": to_json(described[name]) if name in described else {"name": name},
        "title": archive.labels.service(name),
        "short": archive.labels.short(name),
        "of": service_pictures(measured, name),
        "latest": cycle_entry(latest) | {"page": latest.page(f"services/{name}/")},
        "panels": [_panel(archive, history) for history in main[:MOST_SETTINGS]],
        "sections": [_section(history) for history in histories],
        "cycles": _measured_in(archive, name),
    }


def _panel(archive: Archive, history: ServiceHistory) -> Row:
    """The share against each opponent over the campaign's cycles, in the order of its latest median."""
    cycles = archive.counted(history.campaign)
    found: dict[str, list[tuple[int, Figure]]] = defaultdict(list)
    pairs: dict[str, str] = {}
    for place, cycle in enumerate(cycles):
        for row in cycle.figures:
            if (row.setting, row.service, row.figure) != (history.setting, history.service, SHARE):
                continue
            if row.instance in ("first", "worse_off") and row.median is not None:
                found[row.contender].append((place, row))
                pairs[row.contender] = row.pair
    breaks = [cycles.index(cycle) for cycle in history.breaks]
    labels = archive.labels
    return {
        "heading": history.points[-1].cycle.labels.setting(history.setting),
        "cycles": len(cycles),
        "first": cycles[0].name,
        "last": cycles[-1].name,
        "opponents": [
            {
                "title": "Itself" if contender == history.service else labels.contender(contender),
                "page": f"pairs/{history.setting}/{pairs[contender]}/",
                "drawn": to_json(drawn_cycles(found[contender], len(cycles), breaks)),
            }
            for contender in sorted(found, key=lambda name: (found[name][-1][1].median or 0.0, name))
        ],
    }


def _ordered(archive: Archive, histories: Sequence[ServiceHistory]) -> list[ServiceHistory]:
    """By campaign, the one of the front page first, and in the order of its settings."""
    places = {name: place for place, name in enumerate(archive.campaigns)}

    def order(one: ServiceHistory) -> tuple[int, int]:
        names = [setting.name for setting in one.points[-1].cycle.summary.settings]
        return places[one.campaign], names.index(one.setting) if one.setting in names else len(names)

    return sorted(histories, key=order)


def _points(cycle: Cycle) -> dict[tuple[str, str], ServicePoint]:
    """The figures of every service by setting and service."""
    shares = shares_over_contenders(cycle)
    rows = [row for row in cycle.figures if is_solo(row.pair) and row.figure == THROUGHPUT]
    solos = {(row.setting, row.service): row for row in rows}
    return {
        key: ServicePoint(cycle, solos.get(key), shares.get(key))
        for key in sorted({(row.setting, row.service) for row in cycle.figures})
    }


def _section(history: ServiceHistory) -> Row:
    return {
        "campaign": history.campaign,
        "setting": history.setting,
        "heading": history.points[-1].cycle.labels.setting(history.setting),
        "rows": [
            cycle_entry(point.cycle)
            | {
                "page": point.cycle.page(f"solos/{history.setting}/{history.service}/"),
                "n": point.solo.n if point.solo else 0,
                "solo": median_words(point.solo),
                "interval": interval_words(point.solo),
                "share": amount(point.share, "fraction"),
                "before": [to_json(one) for one in history.breaks.get(point.cycle, ())],
            }
            for point in reversed(history.points)
        ],
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
