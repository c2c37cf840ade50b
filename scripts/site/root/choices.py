"""The cycles that the pages explore and compare offer, as `<campaign>/<cycle>`."""

from scripts.charts.chart_labels import make_labels
from scripts.model.cycle_names import order_of
from scripts.site.root.archive_cycles import Archive, Cycle, services_of
from scripts.site.root.history_pages import Row


def choices(archive: Archive) -> Row:
    """The front page’s cycle, the latest revision of each, the withdrawn ones; titles and colours."""
    front = archive.front
    return {
        "latest": _name(front) if front else "",
        "cycles": [
            {"name": _name(cycle), "words": _words(cycle)}
            for campaign in archive.campaigns
            for cycle in reversed(archive.all_of(campaign))
        ],
        "titles": archive.labels.services,
        "colours": _colours(archive),
        "withdrawn": [
            f"{one.campaign}/{one.place.label}"
            for cycle in archive.cycles
            if cycle.withdrawn
            for one in cycle.revisions
        ],
    }


def _colours(archive: Archive) -> dict[str, str]:
    """The colour of every service: the one that its latest cycle gave to it, else one by its name."""
    described = services_of(sorted(archive.cycles, key=lambda cycle: order_of(cycle.name)))
    chosen = {name: service.colour for name, service in described.items() if service.colour}
    return make_labels(described).colours | chosen


def _name(cycle: Cycle) -> str:
    return f"{cycle.summary.campaign}/{cycle.summary.place.label}"


def _words(cycle: Cycle) -> str:
    status = " (withdrawn)" if cycle.withdrawn else ""
    return f"{cycle.summary.campaign}, cycle {cycle.summary.place.label}{status}"
