"""Atom feeds (RFC 4287): one of the whole archive, one of each service, and one of the operation.

The ids are addresses that never change. `updated` comes from the measurement or the correction: there is no
clock.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from scripts.base.files import write_text
from scripts.figures.figure import WIRE_RATE
from scripts.figures.words import amount, median_words, several
from scripts.site.data.summary import Summary
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.change_pages import change_address, changes_of
from scripts.site.root.corrections import CorrectedCycle, corrections, corrections_of
from scripts.site.root.sitemap import absolute
from scripts.site.settings import SiteSettings
from scripts.site.times import iso

NAMESPACE = "http://www.w3.org/2005/Atom"
TITLE = "Internet Fairness Observatory"
FILE = "feed.xml"
MOST_ENTRIES = 200
MOST_CELLS = 20
"""How many changed cells an entry names."""


@dataclass(frozen=True)
class FeedEntry:
    """An entry: its address in the site, which is its id as well, its title, its time and its text."""

    address: str
    title: str
    updated: str
    text: str


def write_feeds(output: Path, archive: Archive) -> None:
    """Write the feed of the archive and that of every service below `output`."""
    settings = archive.settings
    write_text(output / FILE, feed(settings, "", TITLE, archive_entries(archive)))
    panel = archive.panel
    for name in sorted({row.service for cycle in panel.cycles for row in cycle.figures}):
        title = f"{panel.labels.service(name)} – {TITLE}"
        folder = f"services/{name}/"
        write_text(output / folder / FILE, feed(settings, folder, title, service_entries(panel, name)))


def archive_entries(archive: Archive) -> list[FeedEntry]:
    """The cycles, those with changed cells or controllers, and the corrections; the latest first."""
    cycles = [_cycle_entry(cycle.revisions[0]) for cycle in archive.cycles]
    changes = [
        _change_entry(cycle)
        for cycle in archive.panel.cycles
        if not cycle.withdrawn and any(cell.changed for cell in changes_of(cycle).cells)
    ]
    controllers = [
        _controller_entry(cycle)
        for cycle in archive.panel.cycles
        if not cycle.withdrawn and changes_of(cycle).controllers
    ]
    return ordered([*cycles, *changes, *controllers, *map(_correction_entry, corrections(archive))])


def service_entries(archive: Archive, name: str) -> list[FeedEntry]:
    """The cycles that measured a service, with what it got, and their corrections; the latest first."""
    mine = [cycle for cycle in archive.cycles if name in cycle.labels.services]
    measured = [_service_entry(cycle, name) for cycle in mine if not cycle.withdrawn]
    return ordered(
        [
            *measured,
            *(_correction_entry(correction) for cycle in mine for correction in corrections_of(cycle)),
        ]
    )


def time_of(summary: Summary) -> str:
    """When a revision was made: the day of its correction, else the end of its last trial.

    A cycle without any trial has the day that it is named after.
    """
    if summary.correction is not None:
        return f"{summary.correction.date}T00:00:00Z"
    if last := iso(summary.last_stop_ns):
        return last
    day = summary.cycle if re.fullmatch(r"\d{4}-\d\d-\d\d", summary.cycle) else "1970-01-01"
    return f"{day}T00:00:00Z"


def ordered(entries: Iterable[FeedEntry]) -> list[FeedEntry]:
    """The entries of a feed, the latest first."""
    by_address = sorted(entries, key=lambda entry: entry.address)
    return sorted(by_address, key=lambda entry: entry.updated, reverse=True)[:MOST_ENTRIES]


def _cycle_entry(summary: Summary) -> FeedEntry:
    services = ", ".join(service.title for service in summary.services)
    text = f"{summary.counted:,} trials count, {summary.excluded:,} are excluded. Services: {services}."
    title = f"{summary.title}: cycle {summary.cycle} of campaign {summary.campaign}"
    return FeedEntry(summary.place.pages, title, time_of(summary), text)


def _change_entry(cycle: Cycle) -> FeedEntry:
    changes, summary = changes_of(cycle), cycle.summary
    control = changes.of(control=True, changed=True)
    warning = "The control group changed, so the testbed changed. " if control else ""
    changed = [cell for cell in changes.cells if cell.changed]
    count = f"{len(changed)} of {len(changes.cells)} cells changed"
    title = f"{count} in cycle {summary.cycle} of campaign {summary.campaign}"
    return FeedEntry(change_address(cycle), title, time_of(summary), warning + _changed_cells(cycle))


def _controller_entry(cycle: Cycle) -> FeedEntry:
    summary = cycle.summary
    services = {change.service for change in changes_of(cycle).controllers}
    count = f"{several(len(services), 'service')} recognised as another controller"
    title = f"{count} in cycle {summary.cycle} of campaign {summary.campaign}"
    address = f"{change_address(cycle)}#controllers"
    return FeedEntry(address, title, time_of(summary), _changed_controllers(cycle))


def _changed_controllers(cycle: Cycle, service: str | None = None) -> str:
    """The services that are recognised as another family of controllers in words, or one of them."""
    labels = cycle.labels
    return " ".join(
        f"{labels.service(change.service)} alone, {labels.setting(change.setting)}: {change.change}."
        for change in changes_of(cycle).controllers
        if service in (None, change.service)
    )


def _changed_cells(cycle: Cycle, service: str | None = None) -> str:
    """The changed cells in words, all or those of an incumbent."""
    cells = [cell for cell in changes_of(cycle).cells if cell.changed and service in (None, cell.service)]
    labels = cycle.labels
    words = [
        f"{labels.matchup(cell.service, cell.contender, cell.instance)}, {labels.setting(cell.setting)}: "
        f"{amount(cell.before_median, cell.unit)}, now {median_words(cell)}."
        for cell in cells[:MOST_CELLS]
    ]
    more = len(cells) - MOST_CELLS
    return " ".join([*words, *([f"And {more} more."] if more > 0 else [])])


def _correction_entry(correction: CorrectedCycle) -> FeedEntry:
    revision = correction.kind == "revision"
    address = correction.summary.place.pages if revision else f"corrections/#{correction.anchor}"
    return FeedEntry(address, correction.title, f"{correction.date}T00:00:00Z", correction.reason)


def _service_entry(cycle: Cycle, name: str) -> FeedEntry:
    summary, labels = cycle.summary, cycle.labels
    solos = [row for row in cycle.figures if (row.figure, row.pair) == (WIRE_RATE, name)]
    alone = [f"Alone, {labels.setting(row.setting)}: {median_words(row)}." for row in solos]
    compared = any(cell.service == name for cell in changes_of(cycle).cells)
    changes = _changed_cells(cycle, name)
    title = f"{labels.service(name)} in cycle {summary.cycle} of campaign {summary.campaign}"
    controller = _changed_controllers(cycle, name)
    sentences = [
        *alone,
        f"Recognised as another controller: {controller}" if controller else "",
        f"Changed: {changes}" if changes else "No change of its cells was found." if compared else "",
    ]
    text = " ".join(filter(None, sentences))
    address = f"services/{name}/#{summary.campaign}-{summary.cycle}"
    return FeedEntry(address, title, time_of(summary), text)


def feed(settings: SiteSettings, folder: str, title: str, entries: list[FeedEntry]) -> str:
    """The feed of a folder as XML. An empty feed has the Unix epoch as its time."""
    root = ElementTree.Element("feed", xmlns=NAMESPACE)
    _add(root, "id", absolute(settings, folder))
    _add(root, "title", title)
    _add(root, "updated", max((entry.updated for entry in entries), default="1970-01-01T00:00:00Z"))
    _add(ElementTree.SubElement(root, "author"), "name", TITLE)
    ElementTree.SubElement(root, "link", rel="self", href=absolute(settings, folder + FILE))
    ElementTree.SubElement(root, "link", rel="alternate", href=absolute(settings, folder))
    for entry in entries:
        element, url = ElementTree.SubElement(root, "entry"), absolute(settings, entry.address)
        _add(element, "id", url)
        _add(element, "title", entry.title)
        _add(element, "updated", entry.updated)
        ElementTree.SubElement(element, "link", rel="alternate", href=url)
        _add(element, "summary", entry.text.replace("\u00a0", " "))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _add(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, name).text = text
