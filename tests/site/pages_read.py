"""Reading a built site: its pages as elements, its links as files."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree.ElementTree import Element, TreeBuilder

LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src", "source": "src"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
BASE = "http://site.invalid/"


class _Reader(HTMLParser):
    """Builds elements. A tag that is not closed, or closed twice, is an error."""

    def __init__(self) -> None:
        super().__init__()
        self.builder, self.open = TreeBuilder(), []

    def handle_starttag(self, tag, attributes):
        self.builder.start(tag, {name: value or "" for name, value in attributes})
        self.builder.end(tag) if tag in VOID else self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.builder.start(tag, {name: value or "" for name, value in attributes})
        self.builder.end(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"<{tag}> is closed but was not the last one opened"
        self.builder.end(tag)

    def handle_data(self, data):
        if self.open:
            self.builder.data(data)


def parse(html: str) -> Element:
    """The root element of a page."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader.builder.close()


def text(element: Element) -> str:
    """The text of an element, with single spaces."""
    return " ".join("".join(element.itertext()).split())


def table_of(page: Element, caption: str) -> Element:
    """The table of a page whose caption begins so."""
    (table,) = [one for one in page.iter("table") if text(one.find("caption")).startswith(caption)]
    return table


def row_named(table: Element, name: str) -> list[str]:
    """The cells of the row with this heading, without the heading."""
    (row,) = [row for row in table.findall(".//tbody/tr") if text(row.find("th")) == name]
    return [text(cell) for cell in row.findall("td")]


class Site:
    """Some pages of a site: those of a cycle, or all.

    Attributes:
        root: the root of the site.
        folder: the folder of these pages below the root; empty for all.
        base: `root` and `folder`.
        pages: the root element of every HTML page, by its path below `base`.
    """

    def __init__(self, root: Path, folder: str = "") -> None:
        self.root, self.folder, self.base = root, folder, root / folder
        self.pages = {
            str(path.relative_to(self.base)): parse(path.read_text(encoding="utf-8"))
            for path in sorted(self.base.rglob("*.html"))
        }

    def page(self, address: str) -> Element:
        """The page at an address such as `pairs/8mbps/a~b/`."""
        return self.pages[f"{address}index.html"]

    def links(self, page: str) -> list[str]:
        """Every address that a page refers to, as written, except its own permanent URL."""
        found = [
            element.get(LINKS[element.tag])
            for element in self.pages[page].iter()
            if element.tag in LINKS and element.get("rel") != "canonical"
        ]
        return [link for link in found if link is not None]

    def redirects(self, page: str) -> list[str]:
        """The addresses that a page leads to without a click, as written."""
        found = self.pages[page].findall(".//meta[@http-equiv='refresh']")
        return [element.get("content", "").partition("; url=")[2] for element in found]

    def target(self, page: str, link: str) -> tuple[Path, str]:
        """The file that a link on a page leads to, and the fragment in it."""
        parts = urlsplit(urljoin(BASE + self.folder + page, link))
        path = unquote(parts.path).lstrip("/")
        return self.root / (f"{path}index.html" if path == "" or path.endswith("/") else path), parts.fragment
