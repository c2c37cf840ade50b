"""Building archives of made-up snapshots, and comparing them."""

import os
from collections.abc import Iterable
from pathlib import Path

from scripts.site.archive import build_archive
from scripts.site.settings import SiteSettings
from scripts.site.status import END, START
from tests.site.pages_read import Site

SETTINGS = SiteSettings("demo", "http://localhost:8000/", "captures/")


def chosen(snapshots: Iterable[Path], folder: Path) -> Path:
    """A folder of snapshots that has these, as symbolic links."""
    folder.mkdir(exist_ok=True)
    for snapshot in snapshots:
        if not (folder / snapshot.name).exists():
            (folder / snapshot.name).symlink_to(snapshot)
    return folder


def build(folder: Path, *snapshots: Path) -> Path:
    """Build the site `public` in this folder, with these snapshots added to those before."""
    build_archive(chosen(snapshots, folder / "snapshots"), folder / "public", SETTINGS)
    return folder / "public"


def contents(folder: Path) -> dict[str, bytes]:
    """Every file by its path, and the targets of symbolic links."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    links = {name: os.readlink(path).encode() for name, path in found.items() if path.is_symlink()}
    return links | {name: path.read_bytes() for name, path in found.items() if path.is_file()}


def below(files: dict[str, bytes], *folders: str) -> dict[str, bytes]:
    """The files in some folders."""
    return {name: content for name, content in files.items() if name.startswith(folders)}


def without_status(page: bytes) -> bytes:
    """A page without the content of its status line."""
    head, _, rest = page.partition(START.encode())
    return head + rest.partition(END.encode())[2]


def broken_links(root: Path) -> set[tuple[str, str]]:
    """Every link and redirect that leads to no file, or to no element of a page, with its page."""
    site, broken = Site(root), set()
    ids: dict[Path, set[str]] = {}
    for page in site.pages:
        for link in [*site.links(page), *site.redirects(page)]:
            if "://" in link:
                continue
            target, fragment = site.target(page, link)
            if not target.is_file() or (fragment and fragment not in _ids(site, target, ids)):
                broken.add((page, link))
    return broken


def _ids(site: Site, target: Path, known: dict[Path, set[str]]) -> set[str]:
    """The ids of the elements of a page."""
    if target not in known:
        elements = site.pages[target.relative_to(site.root).as_posix()].iter()
        known[target] = {element.get("id", "") for element in elements}
    return known[target]
