"""search/index.json: what the search page finds, in the order in which equal entries are shown.

A link can lead to a heading or a term of a built page, so both are in it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from scripts.base.files import write_text
from scripts.charts.chart_labels import Labels
from scripts.model.pairs import is_solo, members
from scripts.site import Row
from scripts.site.data.summary import ServiceSummary
from scripts.site.root.archive_cycles import Archive, Cycle, services_of
from scripts.site.times import span

ADDRESS = "search/index.json"

COVERED = ("services/", "pairs/", "cycles/", "latest/")
"""Folders whose pages are entries of another kind, or redirects. Their lists are pages."""


def write_search_index(site: Path, fresh: Path, archive: Archive) -> None:
    """Write the index of the search page.

    Args:
        site: the site with the pages of all cycles.
        fresh: the folder with the root's pages, to which the index is added.
        archive: the cycles.
    """
    panel = archive.panel
    counted = [cycle for campaign in panel.campaigns for cycle in panel.counted(campaign)]
    described = services_of(counted)
    entries = [
        *_services(counted, described),
        *_pairs(counted, described, panel.labels),
        *_settings(panel),
        *_cycles(archive),
        *_pages(fresh),
        *_method(site, archive.front),
    ]
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    write_text(fresh / ADDRESS, text + "\n")


def _entry(kind: str, title: str, address: str, note: str = "", text: str = "") -> Row:
    """An entry. `note` is shown and found, `text` is only found."""
    entry = {"kind": kind, "title": title, "address": address, "note": note, "text": text}
    return {key: value for key, value in entry.items() if value}


def _services(counted: Sequence[Cycle], described: Mapping[str, ServiceSummary]) -> Iterator[Row]:
    for name in sorted({row.service for cycle in counted for row in cycle.figures}):
        service = described.get(name) or ServiceSummary(name, name, "", "")
        note = f"stand-in for {service.stands_for}" if service.stands_for else service.category
        text = f"{name} {service.category}{' baseline' if service.baseline else ''}"
        yield _entry("Service", service.title, f"services/{name}/", note, text)


def _pairs(
    counted: Sequence[Cycle], described: Mapping[str, ServiceSummary], labels: Labels
) -> Iterator[Row]:
    measured = {
        (row.setting, row.pair) for cycle in counted for row in cycle.figures if not is_solo(row.pair)
    }
    for setting, pair in sorted(measured):
        services = dict.fromkeys(members(pair))
        known = [described[name] for name in services if name in described]
        stands_for = " and ".join(service.stands_for for service in known if service.stands_for)
        note = labels.setting(setting) + (f"; stand-in for {stands_for}" if stands_for else "")
        yield _entry("Pair", labels.pair(pair), f"pairs/{setting}/{pair}/", note, " ".join(services))


def _settings(archive: Archive) -> Iterator[Row]:
    """The settings of the latest cycle of every campaign."""
    for campaign in archive.campaigns:
        for cycle in archive.counted(campaign)[-1:]:
            for setting in cycle.summary.settings:
                if page := cycle.page(f"settings/{setting.name}/"):
                    note = f"cycle {cycle.name} of campaign {campaign}"
                    text = f"{setting.name} {setting.heading} {setting.link}"
                    yield _entry("Setting", cycle.labels.setting(setting.name), page, note, text)


def _cycles(archive: Archive) -> Iterator[Row]:
    for campaign in archive.campaigns:
        for cycle in reversed(archive.all_of(campaign)):
            summary = cycle.summary
            note = "withdrawn" if cycle.withdrawn else summary.title
            measured = span(summary.first_start_ns, summary.last_stop_ns) or ""
            yield _entry("Cycle", f"Cycle {cycle.name} of campaign {campaign}", cycle.pages, note, measured)


def _pages(fresh: Path) -> Iterator[Row]:
    """The root's other pages and their sections."""
    for path in sorted(fresh.rglob("index.html")):
        folder = path.parent.relative_to(fresh).as_posix() + "/"
        if folder == "./" or (folder.startswith(COVERED) and folder not in COVERED) or folder == "latest/":
            continue
        yield from _sections(path, folder)


def _method(site: Path, front: Cycle | None) -> Iterator[Row]:
    """The method and the definitions of the latest cycle, as its pages have them."""
    for folder in ("method/", "definitions/"):
        if front and (page := front.page(folder)) and (site / page / "index.html").is_file():
            yield from _sections(site / page / "index.html", page, f"cycle {front.name}")


def _sections(path: Path, folder: str, note: str = "") -> Iterator[Row]:
    """A page by its title, and its sections."""
    title = ""
    for heading in headings(path.read_text(encoding="utf-8")):
        if heading.id is None:
            title = heading.text
            yield _entry("Page", title, folder, note)
        else:
            where = ", ".join(filter(None, [title, note]))
            yield _entry("Section", heading.text, f"{folder}#{heading.id}", where)


HEADING = re.compile(r"<(h1|h2|h3|dt)\b(?:[^>]*?\sid=\"?([^\"\s>]+))?[^>]*>(.*?)</\1>", re.DOTALL)
"""A heading or a term of our own pages: its tag, its id if it has one, and what is in it."""


@dataclass(frozen=True)
class Heading:
    """A heading: the text, and the id of a section or a term, or None of the page's title."""

    text: str
    id: str | None


def headings(html: str) -> list[Heading]:
    """The title of a page, and its sections and terms that have an id, in their order."""
    return [
        Heading(" ".join(unescape(re.sub("<[^>]*>", "", content)).split()), None if tag == "h1" else id_)
        for tag, id_, content in HEADING.findall(html)
        if tag == "h1" or id_
    ]
