"""The page status/, its feed and its data: how unattended operation stands (scripts/model/operation.py).

The page has no clock. It tells times, and how old the last success may be. Its script compares that with the
reader's clock.
"""

from pathlib import Path

from scripts.base.files import write_text
from scripts.figures.words import several
from scripts.model.operation import RESTING, CycleState, FailedStep, Status, status_text
from scripts.site import Row
from scripts.site.addresses import OPERATION
from scripts.site.root.archive_cycles import Archive
from scripts.site.root.feeds import FILE, TITLE, FeedEntry, feed, ordered
from scripts.site.settings import SiteSettings
from scripts.site.times import minute

FOLDER = "status/"


def operation_page(archive: Archive, status: Status | None) -> Row:
    """The data of the page; empty if nothing is scheduled."""
    if status is None:
        return {}
    places = {summary.place for cycle in archive.cycles for summary in cycle.revisions}
    pages = {place.label: place.pages for place in places if place.campaign == status.campaign}
    success = status.last_success
    return {
        "campaign": status.campaign,
        "written": minute(status.written),
        "success": vars(success) | {"words": minute(success.at), "page": pages.get(success.cycle)}
        if success
        else None,
        "next_due": status.next_due[:10],
        "due": status.due,
        "stale_days": status.stale_days,
        "now": _now(status),
        "trials": vars(status.trials) if status.trials else None,
        "unpublished": status.unpublished,
        "cycles": [_cycle(status, cycle) | {"page": pages.get(cycle.cycle)} for cycle in status.cycles],
        "set_aside": [
            {"cycle": cycle.cycle, "service": archive.labels.service(name), "reason": reason}
            for cycle in status.cycles
            for name, reason in sorted(cycle.set_aside.items())
        ],
        "failures": [
            vars(failure) | {"id": _failure_id(status, failure), "at": minute(failure.at)}
            for failure in status.failures
        ],
        "earlier_failures": status.failures_total - len(status.failures),
    }


def write_operation(output: Path, settings: SiteSettings, status: Status | None) -> None:
    """Write the feed, and status.json as it was given."""
    title = f"Status – {TITLE}"
    write_text(output / FOLDER / FILE, feed(settings, FOLDER, title, operation_entries(status)))
    if status:
        write_text(output / OPERATION, status_text(status))


def operation_entries(status: Status | None) -> list[FeedEntry]:
    """An entry for each completed cycle and for each failed step, the latest first."""
    if status is None:
        return []
    completed = [
        _completed_entry(status, cycle, cycle.completed) for cycle in status.cycles if cycle.completed
    ]
    return ordered([*completed, *(_failed_entry(status, failure) for failure in status.failures)])


def _completed_entry(status: Status, cycle: CycleState, at: str) -> FeedEntry:
    title = f"Cycle {cycle.cycle} of campaign {status.campaign} is published"
    failed = f" {several(cycle.failures, 'step')} failed before." if cycle.failures else ""
    aside = "".join(f" Set aside: {name}: {reason}." for name, reason in sorted(cycle.set_aside.items()))
    text = f"{several(cycle.files, 'file')} of it are published and verified.{failed}{aside}"
    return FeedEntry(f"{FOLDER}#{_cycle_id(status, cycle.cycle)}", title, at, text)


def _failed_entry(status: Status, failure: FailedStep) -> FeedEntry:
    title = f"Failed: {failure.step} of cycle {failure.cycle} of campaign {status.campaign}"
    return FeedEntry(f"{FOLDER}#{_failure_id(status, failure)}", title, failure.at, failure.reason)


def _cycle(status: Status, cycle: CycleState) -> Row:
    """A row of the table of cycles."""
    return vars(cycle) | {
        "id": _cycle_id(status, cycle.cycle),
        "started": minute(cycle.started) if cycle.started else None,
        "completed": minute(cycle.completed) if cycle.completed else None,
    }


def _now(status: Status) -> str:
    """What ran when the status was written."""
    of = f"cycle {status.cycle}" if status.cycle else "a cycle"
    if status.phase == "failed":
        return f"a step of {of} failed and is tried again"
    return "nothing runs" if status.phase in RESTING else f"{of}: {status.phase}"


def _cycle_id(status: Status, cycle: str) -> str:
    return f"{status.campaign}-{cycle}"


def _failure_id(status: Status, failure: FailedStep) -> str:
    at = "".join(character for character in failure.at if character.isalnum())
    return f"{_cycle_id(status, failure.cycle)}-{failure.step}-{at}"
