"""The data of the pages of services: its pictures in the latest cycle, and its figures over the cycles."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from scripts.base.records import to_json
from scripts.charts.table_rows import grouped
from scripts.figures.figure import SHARE, THROUGHPUT, Figure
from scripts.site import Row
from scripts.site.data.summary import ServiceSummary
from scripts.site.drawn.cycles import SHARE_END, drawn_cycles
from scripts.site.root.archive_cycles import Archive, Cycle, services_of
from scripts.site.root.history import breaks
from scripts.site.root.history_pages import cycle_entry, share_entry
from scripts.site.service_shares import MOST_SETTINGS, MeasuredServices, service_pictures

ALONE = ""
"""What a service alone has as its contender."""


def service_pages(archive: Archive) -> dict[str, Row]:
    """The page of each service by its name.

    `of` has its pictures (scripts/site/service_shares.py) in the `latest` cycle of its main `campaign`;
    `panels`, for each of its settings there, what it got alone and its share against each opponent over the
    cycles of this campaign, whose number and ends are `span`; `elsewhere`, its shares in other campaigns;
    `cycles`, the cycles of all that measured it.
    """
    described = services_of(archive.cycles)
    measured: dict[str, list[Cycle]] = defaultdict(list)
    for campaign in archive.campaigns:
        for cycle in archive.counted(campaign):
            for name in {row.service for row in cycle.figures}:
                measured[name].append(cycle)
    return {name: _page(archive, described, name, cycles) for name, cycles in sorted(measured.items())}


def _page(
    archive: Archive, described: Mapping[str, ServiceSummary], name: str, cycles: Sequence[Cycle]
) -> Row:
    campaigns = grouped(cycles, lambda cycle: cycle.summary.campaign)
    main = _main(archive, name, campaigns)
    latest, summary = main[-1], main[-1].summary
    measured = MeasuredServices(
        latest.figures,
        summary.settings,
        summary.services,
        latest.labels,
        latest.page,
        recognised=summary.recognised,
    )
    counted = archive.counted(summary.campaign)
    panels = [_panel(archive, main, setting.name, name) for setting in summary.settings]
    return {
        "service": to_json(described[name]) if name in described else {"name": name},
        "title": archive.labels.service(name),
        "of": service_pictures(measured, name),
        "campaign": summary.campaign,
        "latest": cycle_entry(latest) | {"page": latest.page(f"services/{name}/")},
        "panels": [panel for panel in panels if panel["rows"]][:MOST_SETTINGS],
        "span": {"cycles": len(counted), "first": counted[0].name, "last": counted[-1].name},
        "elsewhere": _elsewhere(name, [mine[-1] for mine in campaigns.values() if mine is not main]),
        "cycles": [
            {
                "campaign": campaign,
                "gone": mine[-1] is not archive.counted(campaign)[-1],
                "cycles": [cycle_entry(cycle) for cycle in reversed(mine)],
            }
            for campaign, mine in campaigns.items()
        ],
    }


def _main(archive: Archive, service: str, campaigns: Mapping[str, list[Cycle]]) -> list[Cycle]:
    """The cycles of the chosen campaign, else of the one that judged the service beside most opponents.

    A campaign that tests the testbed comes last. Of several, it is the one that measured the service beside
    most opponents, then in most trials, then the first one of Archive.campaigns, whose order `campaigns` has.
    """

    def rank(campaign: str) -> tuple[bool, bool, int, int, int]:
        latest = campaigns[campaign][-1]
        judged = {share.contender for share in _shares(service, latest) if share.judged}
        beside = [row for row in latest.figures if row.service == service and row.contender]
        return (
            campaign == archive.settings.campaign,
            not latest.summary.tests_testbed,
            len(judged),
            len({row.contender for row in beside}),
            max((row.n for row in beside), default=0),
        )

    return campaigns[max(campaigns, key=rank)]


def _shares(service: str, cycle: Cycle) -> list[Figure]:
    """The shares of a service in a cycle; beside itself, that of the instance that got less."""
    return [
        row
        for row in cycle.figures
        if (row.service, row.figure) == (service, SHARE) and row.of_service and row.median is not None
    ]


def _elsewhere(service: str, cycles: Sequence[Cycle]) -> list[Row]:
    """Its share beside each opponent in each of these cycles, where it is lowest; the lowest first."""
    lowest: dict[tuple[str, Cycle], Figure] = {}
    for cycle in cycles:
        for row in sorted(_shares(service, cycle), key=lambda row: row.median or 0.0):
            lowest.setdefault((row.contender, cycle), row)
    rows = sorted(lowest.items(), key=lambda entry: entry[1].median or 0.0)
    return [share_entry(row, cycle) for (_contender, cycle), row in rows]


def _panel(archive: Archive, main: Sequence[Cycle], setting: str, service: str) -> Row:
    """What a service got alone, and its share against each opponent in the order of its latest median.

    Args:
        archive: the cycles.
        main: those of one campaign that measured the service.
        setting: one of their settings.
        service: its name.
    """
    cycles, latest = archive.counted(main[0].summary.campaign), main[-1]
    by_contender: dict[str, list[tuple[int, Figure]]] = defaultdict(list)
    for cycle in main:
        for row in cycle.figures:
            if (row.setting, row.service) != (setting, service) or row.median is None:
                continue
            shown = row.figure == (SHARE if row.contender else THROUGHPUT)
            if shown and row.of_service:
                by_contender[row.contender].append((cycles.index(cycle), row))
    places = [cycles.index(cycle) for cycle in breaks(main, setting)]

    def order(contender: str) -> tuple[bool, float, str]:
        return contender != ALONE, by_contender[contender][-1][1].median or 0.0, contender

    rows = []
    for contender in sorted(by_contender, key=order):
        figures = by_contender[contender]
        ends = [figure.high or figure.median or 0 for _place, figure in figures]
        end = SHARE_END if contender else max(ends) or 1
        page = f"pairs/{setting}/{figures[-1][1].pair}/"
        titles = {ALONE: "Alone, throughput", service: "Itself"}
        rows.append(
            {
                "title": titles.get(contender) or archive.labels.contender(contender),
                "page": page if contender else latest.page(f"solos/{setting}/{service}/"),
                "drawn": to_json(drawn_cycles(figures, len(cycles), places, end)),
            }
        )
    return {
        "heading": latest.labels.setting(setting),
        "rows": rows,
    }
