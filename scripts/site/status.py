"""The one line of a published page that may change: its status.

Hugo leaves the line empty. It is the only line of a page that begins with START.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from pathlib import Path

from scripts.base.files import write_bytes
from scripts.model.cycle_names import order_of
from scripts.site.addresses import Place, up
from scripts.site.data.summary import Summary
from scripts.snapshot.absent import Tombstone

START, END = "<!--status-->", "<!--/status-->"


def with_status(page: str, status: str) -> str:
    """A page with another status; `status` is HTML without a line break, empty for none.

    Raises:
        ValueError: the page has no line for its status.
    """
    head, start, rest = page.partition(START)
    _former, end, tail = rest.partition(END)
    if not start or not end:
        raise ValueError("the page has no line for its status")
    return f"{head}{START}{status}{END}{tail}"


def status_of(page: Path) -> str:
    """The status of a page."""
    return page.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]


def status_words(place: Place, summaries: Mapping[Place, Summary], tombstone: Tombstone, root: str) -> str:
    """The status of a cycle as HTML; empty if there is nothing to say.

    Args:
        place: the cycle.
        summaries: all published cycles.
        tombstone: what was removed from this one.
        root: the relative address of the site's root from the page.
    """
    sentences = " ".join(_sentences(place, summaries, tombstone, root))
    return f'<p class="status">{sentences}</p>' if sentences else ""


def _sentences(
    place: Place, summaries: Mapping[Place, Summary], tombstone: Tombstone, root: str
) -> Iterator[str]:
    """Whether the cycle was withdrawn, corrected, has lost files, and is not the newest."""
    corrections = f'<a href="{root}corrections/">'
    if withdrawn := tombstone.withdrawn:
        words = f"This cycle was {corrections}withdrawn</a>"
        yield f"{words} on {_text(withdrawn.date)}: {_text(withdrawn.reason)}."
    cycles = [other for other in sorted(summaries) if other.campaign == place.campaign]
    for other in cycles:
        if other.cycle == place.cycle and other.revision > place.revision:
            words = f'This cycle was corrected by <a href="{root}{other.pages}">revision {other.revision}</a>'
            if correction := summaries[other].correction:
                words += f" on {_text(correction.date)}: {_text(correction.reason)}"
            yield f"{words}."
    if count := len(tombstone.removed):
        yield f"{'One file was' if count == 1 else f'{count} files were'} {corrections}removed</a>."
    if any(order_of(other.cycle) > order_of(place.cycle) for other in cycles):
        yield f'This campaign has a <a href="{root}cycles/#{place.campaign}">newer cycle</a>.'


def _text(words: str) -> str:
    """Text of a person as HTML, on one line, without the full stop that the sentence brings."""
    return escape(" ".join(words.split()).removesuffix("."))


def write_status(site: Path, pages: Iterable[Path], words: Callable[[str], str]) -> None:
    """Give pages their status. A page whose status stays is not written; no other file is changed in place.

    Args:
        site: the root of the site.
        pages: the pages.
        words: the status, by the relative address of the site's root.

    Raises:
        ValueError: a page has no line for its status.
    """
    for page in pages:
        before = page.read_bytes().decode()
        try:
            after = with_status(before, words(root_of(page, site)))
        except ValueError as error:
            raise ValueError(f"{page}: {error}") from error
        if after != before:
            write_bytes(page, after.encode())


def root_of(page: Path, site: Path) -> str:
    """The relative address of the site's root from a page."""
    return up(f"{page.parent.relative_to(site).as_posix()}/")
