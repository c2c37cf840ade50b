"""A small snapshot as it is published, and a server of it that records what it sends and can misbehave."""

import json
import random
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from scripts.base.files import digest
from scripts.snapshot.checksums import read_checksums, write_checksums

FOLDER, CAPTURES = "snapshots/demo-2026-11-21", "captures/demo/2026-11-21"
CAPTURE = PurePosixPath("trials/8mbps/a~b/01/client-c1.pcapng.zst")
CAPTURE_BYTES = 3_000_000
SMALL = {
    "tables/pairs.csv": 4_000,
    "plan/config.json": 900,
    "trials/8mbps/a~b/01/trial.json": 300,
    "trials/8mbps/a~b/02/trial.json": 300,
    "trials/8mbps/calibration/01/queue.bin.zst": 0,
}


def write_published(root: Path) -> Path:
    """Publish a snapshot below a folder, and return its own folder, which has the trials too."""
    snapshot = root / "own/demo-2026-11-21"
    numbers = random.Random(1)
    for name, size in {**SMALL, str(CAPTURE): CAPTURE_BYTES}.items():
        (snapshot / name).parent.mkdir(parents=True, exist_ok=True)
        (snapshot / name).write_bytes(numbers.randbytes(size))
    (snapshot / "snapshot.json").write_text('{"campaign": "demo", "cycle": "2026-11-21"}')
    files = (path for path in sorted(snapshot.rglob("*")) if path.is_file())
    described = [
        {
            "path": path.relative_to(snapshot).as_posix(),
            "bytes": path.stat().st_size,
            "hash": f"sha256:{digest(path)}",
        }
        for path in files
    ]
    (snapshot / "datapackage.json").write_text(json.dumps({"resources": described}))
    write_checksums(snapshot)
    shutil.copytree(snapshot, root / FOLDER, ignore=shutil.ignore_patterns("trials"))
    shutil.copytree(snapshot / "trials", root / CAPTURES)
    return snapshot


def sums_of(snapshot: Path) -> dict[PurePosixPath, str]:
    return {PurePosixPath(path): checksum for path, checksum in read_checksums(snapshot).items()}


@dataclass
class Server:
    """What is served and sent. A fault changes the answers for the addresses that end with its name.

    Attributes:
        sent: the bytes of content by the path and the range of the request.
        requests: method, path and the asked range of every request.
    """

    root: Path
    port: int = 0
    faults: dict[str, Callable[["Handler", bytes], None]] = field(default_factory=dict)
    sent: Counter[tuple[str, str | None]] = field(default_factory=Counter)
    requests: list[tuple[str, str, str | None]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{FOLDER}/"

    def sent_of(self, name: str) -> dict[str | None, int]:
        """The bytes that were sent of a file whose address ends like this, by the asked range."""
        return {asked: count for (path, asked), count in self.sent.items() if path.endswith(name)}


class Handler(BaseHTTPRequestHandler):
    """Answers as object storage does, unless there is a fault for the file."""

    protocol_version = "HTTP/1.1"
    served: Server

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        self.served.requests.append((self.command, path, self.headers["Range"]))
        file = self.served.root / path.lstrip("/")
        for name, fault in self.served.faults.items():
            if path.endswith(name):
                fault(self, file.read_bytes() if file.is_file() else b"")
                return
        if file.is_file():
            self.answer(file.read_bytes())
        else:
            self.fail(404)

    do_HEAD = do_GET  # noqa: N815

    def first(self) -> int:
        """The byte from which the file is asked for."""
        return int((self.headers["Range"] or "bytes=0-").removeprefix("bytes=").removesuffix("-"))

    def answer(
        self,
        content: bytes,
        ranges: bool = True,
        length: int | None = None,
        sent: int | None = None,
        pause=0.0,
    ) -> None:
        """Send a file from the byte on that was asked for.

        Args:
            content: the whole file.
            ranges: whether ranges are respected.
            length: the bytes that the header tells; the true ones if it is None.
            sent: after so many bytes the connection ends; after all of them if it is None.
            pause: the seconds between two pieces of 64 KiB.
        """
        first = self.first() if ranges else 0
        part = content[first:]
        if first and not part:
            self.fail(416)
            return
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(part) if length is None else length))
        self.end_headers()
        if self.command == "HEAD":
            return
        part = part[:sent]
        for start in range(0, len(part), 1 << 16):
            piece = part[start : start + (1 << 16)]
            self.served.sent[self.path, self.headers["Range"]] += len(piece)  # before the reader can ask
            self.wfile.write(piece)
            time.sleep(pause)
        self.close_connection = sent is not None or length is not None

    def fail(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


class _Threads(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that ends early is what some tests do."""


@contextmanager
def serving(root: Path) -> Iterator[Server]:
    """Serve a folder on loopback."""
    served = Server(root)
    server = _Threads(("127.0.0.1", 0), type("OfServer", (Handler,), {"served": served}))
    served.port = server.server_port
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
