"""The static files of the reference servers, in build/origin: built once, at setup, never committed.

There are the pages of www/ with the video player's library beside them; `file.bin`, which file transfer
services download; in video/<ladder>/ a video in the bitrates of each ladder (services/origin/ladder.py); in
page/<name>/ the web pages (services/origin/pages.py).
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scripts.base.files import ROOT
from services.drivers import ServiceError
from services.origin.camera import build_film
from services.origin.ladder import build_ladders, ladder_name
from services.origin.pages import build_pages

CONTENT = ROOT / "build/origin"
HERE = Path(__file__).parent
PLAYER = "shaka-player/dist/shaka-player.dash-es2021.js"
FILE_BYTES = 10_000_000_000
"""Prudentia 3.2: every file transfer service downloads the same 10 GB. Sent encrypted, zeros do as well as
random bytes, and as a hole in a file they take no disk."""


def build(services: Iterable[dict[str, Any]], content: Path = CONTENT) -> None:
    """Build the files of these catalogue entries, whole or not at all, in place of what was there."""
    content.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=content.parent, prefix=".origin.") as name:
        work = Path(name)
        new = work / "new"
        shutil.copytree(HERE / "www", new)
        shutil.copyfile(_player_library(work), new / "shaka-player.js")
        (new / "file.bin").touch()
        os.truncate(new / "file.bin", FILE_BYTES)
        build_pages(new / "page")
        build_film(new)
        ladders = {tuple(entry["video"]["ladder_kbps"]) for entry in services if "video" in entry}
        build_ladders(sorted(ladders), new / "video")
        if content.exists():
            content.rename(work / "old")
        new.rename(content)


def built(service: dict[str, Any], content: Path = CONTENT) -> Path:
    """The folder of files, once it is sure that it holds this service's.

    Raises:
        ServiceError: it does not.
    """
    needed = content / "file.bin"
    if "video" in service:
        needed = content / "video" / ladder_name(service["video"]["ladder_kbps"]) / "manifest.mpd"
    if not needed.exists():
        raise ServiceError(f"{needed.relative_to(content.parent)} is not built; run `make setup`")
    return content


def _player_library(work: Path) -> Path:
    """Install the locked version of the video player."""
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(HERE / "player" / name, work / name)
    command = ["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"]
    command += ["--loglevel=error"]
    subprocess.run(command, cwd=work, check=True, stdout=subprocess.DEVNULL)
    return work / "node_modules" / PLAYER
