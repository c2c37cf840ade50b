"""The static files of the reference servers, in build/origin. `make setup` builds them once.

- the pages of www/ and the video player's library
- `file.bin`, which file transfer services download
- video/<ladder>/: a video in the bitrates of each ladder (services/origin/ladder.py)
- page/<name>/: the web pages (services/origin/pages.py)
- the film of a call's camera (services/origin/camera.py)
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from scripts.base.files import ROOT
from scripts.model.problems import Code, problem
from scripts.model.services import Service
from services.drivers import ServiceError
from services.origin.camera import build_film
from services.origin.ladder import build_ladders, ladder_name
from services.origin.pages import build_pages

CONTENT = ROOT / "build/origin"
HERE = Path(__file__).parent
PLAYER = "shaka-player/dist/shaka-player.dash-es2021.js"
FILE_BYTES = 10_000_000_000
"""Every file transfer service downloads the same 10 GB (Prudentia 3.2). Zeros suffice, because TLS
encrypts them. The file is sparse and takes no disk space."""


def build(services: Iterable[Service], content: Path = CONTENT) -> None:
    """Build the files of these services and replace the old files, completely or not at all."""
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
        ladders = {service.video.ladder_kbps for service in services if service.video}
        build_ladders(sorted(ladders), new / "video")
        if content.exists():
            content.rename(work / "old")
        new.rename(content)


def require_built(service: Service, content: Path = CONTENT) -> Path:
    """The folder of files.

    Raises:
        ServiceError: the files of this service are not built.
    """
    needed = content / "file.bin"
    if service.video:
        needed = content / "video" / ladder_name(service.video.ladder_kbps) / "manifest.mpd"
    if not needed.exists():
        raise ServiceError(problem(Code.NOT_BUILT))
    return content


def _player_library(work: Path) -> Path:
    """Install the locked version of the video player."""
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(HERE / "player" / name, work / name)
    command = ["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"]
    command += ["--loglevel=error"]
    subprocess.run(command, cwd=work, check=True, stdout=subprocess.DEVNULL)
    return work / "node_modules" / PLAYER
