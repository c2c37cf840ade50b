"""The data of the pages of changes: each cycle beside the cycle that it was compared with."""

from scripts.site import Row
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.control_charts import chart_words, control_points, control_section
from scripts.site.root.history_pages import cycle_entry
from scripts.site.story.changes import Changes, change_words, changes_in
from scripts.site.story.names import Names


def changes_of(cycle: Cycle) -> Changes:
    """What differs between a cycle and the earlier one."""
    summary = cycle.summary
    return changes_in(cycle.figures, summary.service_changes, summary.recognised)


def change_address(cycle: Cycle) -> str:
    """The address of a cycle's page of changes in the site."""
    return f"changes/{cycle.summary.campaign}/{cycle.name}/"


def change_counts(cycle: Cycle) -> Row:
    """How many cells of each family changed, in numbers and in words, and since which cycle."""
    changes = changes_of(cycle)
    return {
        "address": change_address(cycle),
        "words": change_words(changes, cycle.summary.compared_with, Names(cycle.summary.services)),
        "compared_with": cycle.summary.compared_with,
        "cells": len(changes.cells),
        "control": len(changes.of(control=True)),
        "control_changed": len(changes.of(control=True, changed=True)),
        "others": len(changes.of(control=False)),
        "others_changed": len(changes.of(control=False, changed=True)),
    }


def change_pages(archive: Archive) -> dict[str, Row]:
    """The page of each cycle that is not withdrawn, by `<campaign>/<cycle>`."""
    return {
        f"{campaign}/{cycle.name}": _page(archive, cycle) | {"control_chart": chart_words(cycle, points)}
        for campaign in archive.campaigns
        for cycle, points in control_points(archive.counted(campaign)).items()
    }


def change_list(archive: Archive) -> list[Row]:
    """The cycles of each campaign with the counts of their changes, the latest first."""
    lists: list[Row] = []
    for campaign in archive.campaigns:
        counted = archive.counted(campaign)
        cycles = [
            cycle_entry(cycle) | change_counts(cycle) | {"why": why_not_compared(archive, cycle)}
            for cycle in counted[::-1]
        ]
        lists.append({"campaign": campaign, "cycles": cycles, "control": control_section(counted)})
    return lists


def _page(archive: Archive, cycle: Cycle) -> Row:
    """What changed in words. The cycle's own page of changes has every cell."""
    summary = cycle.summary
    earlier = {former.name: former for former in archive.all_of(summary.campaign)}.get(
        summary.compared_with or ""
    )
    facts: Row = {
        "campaign": summary.campaign,
        "title": summary.title,
        "why": why_not_compared(archive, cycle),
        "before": earlier.pages if earlier else None,
        "before_withdrawn": bool(earlier and earlier.withdrawn),
        "own_page": cycle.page("changes/"),
        "controllers": [
            {
                "title": cycle.labels.service(change.service),
                "setting": cycle.labels.setting(change.setting),
                "before": change.before,
                "now": change.family,
            }
            for change in changes_of(cycle).controllers
        ],
    }
    return cycle_entry(cycle) | change_counts(cycle) | facts


def why_not_compared(archive: Archive, cycle: Cycle) -> str | None:
    """Why a cycle was not compared; None if it was."""
    if (changes := changes_of(cycle)).cells or changes.controllers:
        return None
    if cycle.summary.compared_with:
        return f"It has no cell in common with cycle {cycle.summary.compared_with}."
    if cycle.summary.not_compared:
        return "No earlier cycle was measured in the same way."
    if archive.all_of(cycle.summary.campaign)[0].name == cycle.name:
        return "It is the first cycle of its campaign."
    return "There was no earlier cycle to compare with when its tables were made."
