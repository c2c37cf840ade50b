"""How large pages may be: in bytes, and in px in a browser."""

from collections.abc import Iterable

from tests.site.pages_read import Site
from tests.site.reader import Reader

PAGE_BYTES, FRONT_BYTES, STYLE_BYTES = 60_000, 50_000, 18_000
HEIGHTS_PX = {1280: 6000, 390: 12_000}
"""The most px of a page by the width of its window."""


def too_large(site: Site) -> list[str]:
    """Every page and style sheet with more bytes than it may have."""
    most = dict.fromkeys(site.root.rglob("*.html"), PAGE_BYTES)
    most |= dict.fromkeys(site.root.rglob("*.css"), STYLE_BYTES)
    most[site.root / "index.html"] = FRONT_BYTES
    sizes = {path: path.stat().st_size for path in most if path.is_file()}
    return [f"{path}: {size} B" for path, size in sorted(sizes.items()) if size > most[path]]


def too_long(reader: Reader, addresses: Iterable[str]) -> list[str]:
    """Every page that is longer than it may be, in a window of each width."""
    found = []
    for address in addresses:
        for width, most in HEIGHTS_PX.items():
            reader.open(address, width)
            height = reader.page.execute_script("return document.documentElement.scrollHeight")
            found += [f"{address or '/'}: {height} px at {width}"] if height > most else []
    return found
