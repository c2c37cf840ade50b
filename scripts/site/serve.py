"""Serve the site on this machine, with the headers of scripts/site/headers.py.

    python -m scripts.site.serve [FOLDER] [--port 8000] [--captures FOLDER]

Below snapshots/ it serves the folder of the snapshots (`--captures`), or lean/ of a site of lean snapshots,
without their trials, which are below captures/. A symbolic link may lead out of the site only below
captures/, and only into that folder. Hidden files, and folders without a page, are not found. The server
listens on 127.0.0.1.
"""

import asyncio
import errno
import re
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from aiohttp import hdrs, web
from aiohttp.abc import AbstractStreamWriter

from scripts.base.commands import parser_of, whole_number
from scripts.base.errors import UserError, reporting
from scripts.base.files import ROOT
from scripts.site.headers import PREFLIGHT, headers_of, is_shared
from scripts.site.lean_site import is_lean_site
from scripts.site.settings import read_settings
from scripts.snapshot.checksums import PRUNED
from scripts.snapshot.lean_format import LEAN_FOLDER

ADDRESS = "127.0.0.1"
MOST_PORT = 65_535
ONE_RANGE = re.compile(r"bytes=(\d+-\d*|-\d+)")
INDEX, NOT_FOUND = "index.html", "404.html"
SNAPSHOTS = "snapshots"
UNPUBLISHED = frozenset({"trials", PRUNED})
"""What of a snapshot is not below snapshots/."""


@dataclass(frozen=True)
class Files:
    """The files of a site.

    Attributes:
        folder: the root of the site.
        snapshots: the folder of the snapshots, which links below captures/ may lead into.
        captures: the base of the addresses of captures (config/site.yaml).
    """

    folder: Path
    snapshots: Path
    captures: str

    def find(self, address: str) -> Path | None:
        """The file or folder at an address; None if there is none, or if it may not be read."""
        parts = [part for part in address.split("/") if part]
        if any(part.startswith(".") or "\0" in part for part in parts):
            return None
        place, allowed = self.folder / address, [self.folder]
        if parts[:1] == [SNAPSHOTS]:
            archive = self.folder / LEAN_FOLDER if is_lean_site(self.folder) else self.snapshots
            place, allowed = Path(archive, *parts[1:]), [archive]
        elif address.startswith(self.captures):
            allowed.append(self.snapshots)
        try:
            path = place.resolve(strict=True)
        except (OSError, RuntimeError):
            return None
        unpublished = parts[:1] == [SNAPSHOTS] and set(parts[2:3]) & UNPUBLISHED
        allowed_here = any(path.is_relative_to(folder.resolve()) for folder in allowed)
        return path if allowed_here and not unpublished else None


class FileAnswer(web.FileResponse):
    """A file, or a range of it.

    A range is ignored if its If-Range names another ETag (RFC 9110, 13.1.5), if it is in another unit than
    bytes, or if there are several.
    """

    def __init__(self, path: Path, headers: dict[str, str]) -> None:
        super().__init__(path, headers=headers)
        stat = path.stat()
        self._tag = f'"{stat.st_mtime_ns:x}-{stat.st_size:x}"'  # as web.FileResponse makes it

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """Send the headers and the file."""
        condition = request.headers.get(hdrs.IF_RANGE, "")
        other = condition.startswith(('"', "W/")) and condition != self._tag
        ranges = request.headers.get(hdrs.RANGE)
        if ranges is not None and (other or not ONE_RANGE.fullmatch(ranges)):
            headers = request.headers.copy()
            headers.popall(hdrs.RANGE, None)
            request = request.clone(headers=headers)
        return await super().prepare(request)


def application(files: Files) -> web.Application:
    """The server of a site."""

    async def get(request: web.Request) -> web.StreamResponse:
        return _answer(files, request)

    async def options(request: web.Request) -> web.StreamResponse:
        address = _address(request)
        allowed = PREFLIGHT if is_shared(address, files.captures) else {}
        headers = {**headers_of(address, files.captures), **allowed}
        return web.Response(status=204, headers=_without_type(headers))

    made = web.Application()
    made.router.add_get("/{address:.*}", get)
    made.router.add_options("/{address:.*}", options)
    return made


def _answer(files: Files, request: web.Request) -> web.StreamResponse:
    """The file at the address of a request, a redirect to a folder's slash, or the page for missing ones."""
    address = _address(request)
    path = files.find(address)
    if path is not None and path.is_dir():
        address = f"{address.rstrip('/')}/{INDEX}".lstrip("/")
        page = files.find(address)
        if page is not None and request.path != "/" and not request.path.endswith("/"):
            query = f"?{raw}" if (raw := request.rel_url.raw_query_string) else ""
            location = f"/{quote(address.removesuffix(INDEX))}{query}"
            headers = _without_type(headers_of(address, files.captures))
            return web.Response(status=301, headers=headers | {hdrs.LOCATION: location})
        path = page
    elif address.endswith("/"):
        path = None
    if path is None or not path.is_file():
        return _missing(files)
    return FileAnswer(path, dict(headers_of(address, files.captures)))


def _missing(files: Files) -> web.Response:
    page = files.find(NOT_FOUND)
    body = page.read_bytes() if page else b"There is no such page.\n"
    return web.Response(status=404, body=body, headers=headers_of(NOT_FOUND, files.captures))


def _address(request: web.Request) -> str:
    """The path of a request below the root of the site. An encoded slash is part of no name."""
    parts = [unquote(part) for part in request.rel_url.raw_path.lstrip("/").split("/")]
    return "/".join(part if "/" not in part else "\0" for part in parts)


def _without_type(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of an answer without content."""
    return {name: value for name, value in headers.items() if name != hdrs.CONTENT_TYPE}


async def serve(files: Files, port: int) -> None:
    """Serve a site until a signal ends it. The address is printed.

    Raises:
        UserError: the port is taken.
    """
    runner = web.AppRunner(application(files), access_log=None, shutdown_timeout=1)
    await runner.setup()
    ended = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, ended.set)
    try:
        await web.TCPSite(runner, ADDRESS, port).start()
        print(f"The site is at http://localhost:{runner.addresses[0][1]}/ until Ctrl-C", flush=True)
        await ended.wait()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise UserError(
            f"port {port}: is taken; end the other server, or give another one by `observatory serve --port`"
        ) from error
    finally:
        await runner.cleanup()


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.site.serve", __doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=ROOT / "public", metavar="FOLDER", help="site"
    )
    parser.add_argument(
        "--port",
        type=whole_number(0, MOST_PORT),
        default=8000,
        help="the default is 8000; 0 takes any free port",
    )
    parser.add_argument(
        "--captures", type=Path, default=ROOT / "data/snapshots", metavar="FOLDER", help="the snapshots"
    )
    options = parser.parse_args(arguments)
    if not (options.folder / INDEX).is_file():
        raise UserError(f"{options.folder}: has no {INDEX}; build the site first, or name its folder")
    files = Files(options.folder.resolve(), options.captures.resolve(), read_settings().captures)
    asyncio.run(serve(files, options.port))
    return 0


if __name__ == "__main__":
    sys.exit(main())
