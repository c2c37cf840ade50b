"""The data of the front page: the story of the latest cycle."""

from scripts.site import Row
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.change_pages import change_address, why_not_compared
from scripts.site.root.cycle_list import running_cycles
from scripts.site.root.history_pages import cycle_entry
from scripts.site.story.overview import StoryInput
from scripts.site.story.whole import story
from scripts.site.times import span

RECENT = 4
"""How many of the last cycles the page shows."""


def front_page(archive: Archive) -> Row:
    """The latest cycle's story and the last cycles, if there is a cycle."""
    cycle = archive.front
    page: Row = {
        "wanted": archive.settings.campaign,
        "running": running_cycles(archive),
    }
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
        }
    )


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
