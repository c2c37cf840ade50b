"""The data of the front page: the story of the latest cycle, and who loses most in all campaigns."""

from scripts.figures.figure import Figure
from scripts.site import Row
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.change_pages import change_address, why_not_compared
from scripts.site.root.cycle_list import running_cycles
from scripts.site.root.history_pages import cycle_entry, share_entry
from scripts.site.story.cells import outcome_of
from scripts.site.story.overview import StoryInput
from scripts.site.story.whole import story
from scripts.site.times import span

RECENT = 4
"""How many of the last cycles the page shows."""

MOST_LOSERS = 8

FEW_SERVICES = 5
"""A cycle of more services has large matrices of its own. Both would be too much for a first page."""


def front_page(archive: Archive) -> Row:
    """The latest cycle's story and the last cycles, if there is a cycle."""
    cycle = archive.front
    page: Row = {"running": running_cycles(archive)}
    if cycle is None:
        return page
    summary = cycle.summary
    recent = archive.counted(summary.campaign)[::-1][:RECENT]
    return (
        page
        | cycle_entry(cycle)
        | {
            "method": cycle.page("method/"),
            "definitions": cycle.page("definitions/"),
            "campaign": summary.campaign,
            "measured_span": span(summary.first_start_ns, summary.last_stop_ns),
            "story": cycle_story(cycle),
            "services": len(summary.services),
            "counted": f"{summary.counted:,}",
            "settings": [
                {
                    "name": setting.name,
                    "heading": setting.heading,
                    "page": cycle.page(f"settings/{setting.name}/"),
                }
                for setting in summary.settings
            ],
            "changes": {"address": change_address(cycle), "why": why_not_compared(archive, cycle)},
            "recent": [cycle_entry(other) for other in recent],
            "losers": losers(archive.panel),
        }
    )


def losers(archive: Archive) -> list[Row]:
    """The services that lose most, in the latest cycles of all campaigns but those that test the testbed.

    A service beside a contender is one row, of the cell where its share is lowest. There is none if there is
    one campaign, or if the cycle of the front page has many services.

    Returns:
        At most MOST_LOSERS rows of share_entry, the lowest share first.
    """
    latest = [counted[-1] for name in archive.campaigns if (counted := archive.counted(name))]
    front = archive.front
    if len(latest) < 2 or (front and len(front.summary.services) > FEW_SERVICES):
        return []
    losing = (
        (cell, cycle)
        for cycle in latest
        if not cycle.summary.tests_testbed
        for setting in cycle.summary.settings
        for cell in outcome_of(cycle.figures, setting.name).of("losing")
    )
    lowest: dict[tuple[str, str], tuple[Figure, Cycle]] = {}
    for cell, cycle in sorted(losing, key=lambda entry: entry[0].median or 0):
        lowest.setdefault((cell.service, cell.contender), (cell, cycle))
    return [share_entry(cell, cycle) for cell, cycle in list(lowest.values())[:MOST_LOSERS]]


def cycle_story(cycle: Cycle) -> Row:
    """The story of a cycle (scripts/site/story/); its links lead to the pages of the cycle."""
    summary = cycle.summary
    measured = StoryInput(
        summary.settings,
        summary.services,
        cycle.figures,
        summary.counted,
        summary.excluded,
        summary.compared_with,
        summary.service_changes,
        summary.recognised,
    )
    return story(measured, cycle.page)
