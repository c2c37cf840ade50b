"""The headings of built pages that a link can lead to."""

from dataclasses import dataclass
from html.parser import HTMLParser

TITLE, SECTIONS = "h1", ("h2", "h3")


@dataclass(frozen=True)
class Heading:
    """A heading: the text, and the id of a section or None of the page's title."""

    text: str
    id: str | None


def headings(html: str) -> list[Heading]:
    """The title of a page, and its sections that have an id, in their order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.found


class _Reader(HTMLParser):
    """Collects headings while they are open."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Heading] = []
        self._open: str | None = None
        self._id: str | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a heading."""
        name = dict(attrs).get("id")
        if tag == TITLE or (tag in SECTIONS and name):
            self._open, self._id, self._text = tag, name if tag in SECTIONS else None, ""

    def handle_data(self, data: str) -> None:
        """Add to the open heading."""
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        """End the open heading."""
        if tag == self._open:
            self.found.append(Heading(" ".join(self._text.split()), self._id))
            self._open = None
