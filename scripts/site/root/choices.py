"""The cycles that the pages explore and compare offer, as `<campaign>/<cycle>`."""

from scripts.charts.chart_labels import make_labels
from scripts.site import Row
from scripts.site.data.summary import Summary
from scripts.site.root.archive_cycles import Archive, Cycle, services_of


def choices(archive: Archive) -> Row:
    """The front page’s cycle, every revision of all, the withdrawn ones; titles and colours."""
    front = archive.front
    return {
        "latest": _name(front.summary) if front else "",
        "cycles": [
            {"name": _name(revision), "words": _words(cycle, revision)}
            for campaign in archive.campaigns
            for cycle in reversed(archive.all_of(campaign))
            for revision in reversed(cycle.revisions)
        ],
        "titles": archive.labels.services | archive.panel.labels.services,
        "colours": _colours(archive) | _colours(archive.panel),
        "withdrawn": [
            _name(summary) for cycle in archive.cycles if cycle.withdrawn for summary in cycle.revisions
        ],
    }


def _colours(archive: Archive) -> dict[str, str]:
    """The colour of every service: the one that its latest cycle gave to it, else one by its name."""
    described = services_of(archive.cycles)
    chosen = {name: service.colour for name, service in described.items() if service.colour}
    return make_labels(described).colours | chosen


def _name(summary: Summary) -> str:
    return f"{summary.campaign}/{summary.place.label}"


def _words(cycle: Cycle, revision: Summary) -> str:
    status = " (withdrawn)" if cycle.withdrawn else "" if revision is cycle.summary else " (corrected since)"
    campaign = revision.title if cycle.submitted else revision.campaign
    return f"{campaign}, cycle {revision.place.label}{status}"
