"""The data of the front page: the story of the latest cycle."""

from scripts.figures.figure import matrix
from scripts.figures.words import amount
from scripts.metrics.fairness import LOSING_BELOW, WINNING_ABOVE
from scripts.site.heatmap_table import heatmap_table
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.change_pages import change_counts, why_not_compared
from scripts.site.root.cycle_list import running_entries
from scripts.site.root.history_pages import Row, cycle_entry
from scripts.site.story.whole import Measured, story
from scripts.site.times import span

RECENT = 6
"""How many of the last cycles the page shows."""


def front_page(archive: Archive) -> Row:
    """The latest cycle's story, the heatmaps of its settings, and the last cycles, if there is a cycle."""
    cycle = archive.front
    page: Row = {
        "wanted": archive.settings.campaign,
        "running": running_entries(archive),
        "losing_below": amount(LOSING_BELOW, "fraction"),
        "winning_above": amount(WINNING_ABOVE, "fraction"),
    }
    if cycle is None:
        return page
    summary = cycle.summary
    recent = archive.counted(summary.campaign)[::-1][:RECENT]
    return (
        page
        | cycle_entry(cycle)
        | {
            "title": summary.title,
            "method": cycle.page("method/"),
            "definitions": cycle.page("definitions/"),
            "campaign": summary.campaign,
            "measured_span": span(summary.first_start_ns, summary.last_stop_ns),
            "story": cycle_story(cycle),
            "settings": [_setting(cycle, one.name) for one in summary.settings],
            "changes": change_counts(cycle) | {"why": why_not_compared(archive, cycle)},
            "excluded_page": cycle.page("excluded/"),
            "findings": cycle.page("findings/"),
            "quality_page": cycle.page("beyond-throughput/"),
            "recent": [cycle_entry(one) | {"counted": one.summary.counted} for one in recent],
        }
    )


def cycle_story(cycle: Cycle) -> Row:
    """The story of a cycle (scripts/site/story/); its links lead to the pages of the cycle."""
    summary = cycle.summary
    measured = Measured(
        summary.settings,
        summary.services,
        cycle.figures,
        summary.counted,
        summary.excluded,
        summary.compared_with,
        summary.service_changes,
    )
    return story(measured, cycle.page)


def _setting(cycle: Cycle, name: str) -> Row:
    """A setting with its heatmap of shares, if it has a cell."""
    cells = matrix(cycle.figures, name)
    return {
        "name": name,
        "heading": cycle.labels.setting(name),
        "page": cycle.page(f"settings/{name}/"),
        "pairs": f"{cycle.pages}pairs/{name}/",
        "heatmap": heatmap_table(cycle.figures, name, "share", cycle.labels.short) if cells else None,
    }
