"""The cycles that the pages explore and compare offer, as `<campaign>/<cycle>`."""

from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.history_pages import Row


def choices(archive: Archive) -> Row:
    """The front page’s cycle, the latest revision of each, the withdrawn ones, and titles of services."""
    front = archive.front
    return {
        "latest": _name(front) if front else "",
        "cycles": [
            {"name": _name(cycle), "words": _words(cycle)}
            for campaign in archive.campaigns
            for cycle in reversed(archive.all_of(campaign))
        ],
        "titles": archive.labels.services,
        "withdrawn": [
            f"{one.campaign}/{one.place.label}"
            for cycle in archive.cycles
            if cycle.withdrawn
            for one in cycle.revisions
        ],
    }


def _name(cycle: Cycle) -> str:
    return f"{cycle.summary.campaign}/{cycle.summary.place.label}"


def _words(cycle: Cycle) -> str:
    status = " (withdrawn)" if cycle.withdrawn else ""
    return f"{cycle.summary.campaign}, cycle {cycle.summary.place.label}{status}"
