"""The data of the pages findings/<year>/: what the observatory found in a year, in the words of its editors.

The texts are site/root/findings/<year>.md. The front matter of each has `title`, `description` and `cycles`,
a list of <campaign>/<cycle>. All numbers are references to these cycles (editorial_references.py).
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.records import from_json
from scripts.base.yaml_files import parse_yaml
from scripts.site import Row
from scripts.site.hugo import SITE
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.editorial_references import answers
from scripts.site.root.history_pages import cycle_entry
from scripts.site.root.sitemap import absolute

TEXTS = SITE / "root/findings"
FENCE = "---\n"
"""The line before and after the front matter."""


@dataclass(frozen=True)
class FrontMatter:
    """What a text says about itself."""

    title: str
    description: str
    cycles: tuple[str, ...]


def editorial_pages(archive: Archive, site: Path) -> dict[str, Row]:
    """The pages by year. One whose cycles the archive does not have is left out, with a line that says so.

    Args:
        archive: the cycles.
        site: the root of the site, which has the tables of all cycles.

    Raises:
        UserError: a text has no front matter, or one of its references has no answer or two.
    """
    return {} if archive.settings.unlisted else dict(_pages(archive, site))


def _pages(archive: Archive, site: Path) -> Iterator[tuple[str, Row]]:
    published = {
        f"{cycle.summary.campaign}/{cycle.name}": cycle
        for cycle in archive.panel.cycles
        if not cycle.withdrawn
    }
    for path in sorted(TEXTS.glob("*.md")):
        front, text, line = _read(path)
        if missing := [name for name in front.cycles if name not in published]:
            if len(missing) < len(front.cycles):  # else it is about another archive
                lacks = f"this archive has no cycle {' and no cycle '.join(missing)}"
                print(f"note: {path}: no page findings/{path.stem}/: {lacks}", file=sys.stderr, flush=True)
            continue
        cycles = {name: published[name] for name in front.cycles}
        yield (
            path.stem,
            {
                "title": front.title,
                "description": front.description,
                "text": text,
                "answers": answers(text, cycles, site, path, line),
                "cycles": list(_sources(archive, cycles.values())),
            },
        )


def _read(path: Path) -> tuple[FrontMatter, str, int]:
    """The front matter of a text, the text, and the number of its first line."""
    content = path.read_text(encoding="utf-8")
    before, *parts = content.split(FENCE, 2)
    if before or len(parts) != 2:
        raise UserError(f"{path}: must begin with a front matter between two lines ---; write it")
    front = from_json(FrontMatter, parse_yaml(parts[0], path), str(path))
    return front, parts[1], content[: -len(parts[1]) or None].count("\n") + 1


def _sources(archive: Archive, cycles: Iterable[Cycle]) -> Iterator[Row]:
    for cycle in cycles:
        summary = cycle.summary
        told = {"campaign": summary.campaign, "counted": summary.counted}
        yield cycle_entry(cycle) | told | {"url": absolute(archive.settings, cycle.pages)}
