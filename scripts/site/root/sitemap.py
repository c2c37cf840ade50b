"""sitemap.xml and robots.txt (sitemaps.org, protocol 0.9)."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

from scripts.base.files import write_text
from scripts.site.root.archive_cycles import Archive
from scripts.site.settings import SiteSettings

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
MOST_URLS = 50_000
"""The most URLs that a sitemap may have."""


def absolute(settings: SiteSettings, address: str) -> str:
    """The URL of an address in the site."""
    return settings.address + quote(address, safe="/~#=")


def write_sitemap(output: Path, archive: Archive, root_pages: Iterable[str], most: int = MOST_URLS) -> None:
    """Write the sitemap of the root's pages and of the latest revision of every cycle.

    Args:
        output: the root of the site.
        archive: the cycles.
        root_pages: the folders of the root's pages.
        most: the most URLs of a file. If there are more, sitemap.xml lists several sitemaps.
    """
    pages = {cycle.pages + folder for cycle in archive.cycles for folder in ("", *cycle.summary.pages)}
    urls = [absolute(archive.settings, page) for page in sorted(pages | set(root_pages))]
    parts = [urls[start : start + most] for start in range(0, len(urls), most)]
    if len(parts) == 1:
        write_text(output / "sitemap.xml", _xml("urlset", "url", urls))
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    for name, part in zip(names, parts, strict=True):
        write_text(output / name, _xml("urlset", "url", part))
    files = [absolute(archive.settings, name) for name in names]
    write_text(output / "sitemap.xml", _xml("sitemapindex", "sitemap", files))


def write_robots(output: Path, settings: SiteSettings) -> None:
    """Write robots.txt: everything is public, but crawlers need no captures and no redirecting pages."""
    path = urlsplit(settings.address).path
    closed = ["latest/"] if "://" in settings.captures else ["latest/", settings.captures]
    rules = "".join(f"Disallow: {path}{folder}\n" for folder in closed)
    write_text(
        output / "robots.txt", f"User-agent: *\n{rules}\nSitemap: {absolute(settings, 'sitemap.xml')}\n"
    )


def _xml(root: str, item: str, urls: Sequence[str]) -> str:
    element = ElementTree.Element(root, xmlns=NAMESPACE)
    for url in urls:
        ElementTree.SubElement(ElementTree.SubElement(element, item), "loc").text = url
    ElementTree.indent(element)
    text = ElementTree.tostring(element, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'
