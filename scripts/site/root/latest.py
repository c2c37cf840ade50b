"""/latest/: for every page of a cycle, a page that leads to it in the latest cycle that has it."""

from html import escape
from pathlib import Path

from scripts.base.files import write_text
from scripts.site.addresses import up
from scripts.site.headers import UNLISTED, page_policy
from scripts.site.root.archive_cycles import Archive

FOLDER = "latest/"


def latest_addresses(archive: Archive) -> dict[str, str]:
    """For each page of the campaign of the front page, its address in the latest cycle that has it.

    The key is the folder below /latest/. Without any cycle, /latest/ leads to the front page.
    """
    front = archive.front
    if front is None:
        return {"": ""}
    found: dict[str, str] = {}
    for cycle in archive.counted(front.summary.campaign):
        found |= {folder: cycle.pages + folder for folder in ("", *cycle.summary.pages)}
    return dict(sorted(found.items()))


def write_latest(output: Path, archive: Archive) -> None:
    """Write the redirecting pages below `output`."""
    policy, unlisted = page_policy(archive.settings.captures), archive.settings.unlisted is not None
    for folder, address in latest_addresses(archive).items():
        page = _redirect(up(FOLDER + folder), address, policy, unlisted=unlisted)
        write_text(output / FOLDER / folder / "index.html", page)


def _redirect(root: str, address: str, policy: str, *, unlisted: bool) -> str:
    robots = f'<meta name="robots" content="{UNLISTED}">\n' if unlisted else ""
    link, icon = escape(root + address), escape(f"{root}icon.svg")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy, quote=False)}">\n'
        f'<meta http-equiv="refresh" content="0; url={link}">\n<link rel="canonical" href="{link}">\n{robots}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<link rel="icon" type="image/svg+xml" href="{icon}">\n'
        "<title>The latest cycle</title>\n</head>\n<body>\n"
        f'<p>This page is in <a href="{link}">the latest cycle that has it</a>.</p>\n</body>\n</html>\n'
    )
