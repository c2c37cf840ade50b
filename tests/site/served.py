"""A server on loopback for a built site, with ranges and a strict policy. It records what it answers."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from scripts.site.headers import security


@dataclass
class Served:
    """What was answered: method, path, status and bytes of the body. Without `ranges`, files come whole."""

    port: int = 0
    ranges: bool = True
    answers: list[tuple[str, str, int, int]] = field(default_factory=list)

    def address(self, path: str) -> str:
        """The address of a path of the site."""
        return f"http://127.0.0.1:{self.port}/{path}"

    def sent(self, name: str) -> list[tuple[str, int, int]]:
        """The answers for a file of this name: method, status, bytes."""
        return [(method, status, size) for method, path, status, size in self.answers if path.endswith(name)]


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *args: object, served: Served, **more: object) -> None:
        self.served = served
        super().__init__(*args, **more)

    def end_headers(self) -> None:
        for name, value in security(self.path, "captures/").items():
            self.send_header(name, value)
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def do_GET(self) -> None:
        file, span = Path(self.translate_path(self.path)), self.headers.get("Range")
        if span is None or not self.served.ranges or not file.is_file():
            super().do_GET()
            return
        size = file.stat().st_size
        first, last = span.removeprefix("bytes=").split("-")
        with file.open("rb") as opened:
            opened.seek(int(first))
            part = opened.read(int(last or size) + 1 - int(first))
        self.send_response(HTTPStatus.PARTIAL_CONTENT)
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{size}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)
        self.record(HTTPStatus.PARTIAL_CONTENT, len(part))

    def log_request(self, code: object = "-", size: object = "-") -> None:
        if code != HTTPStatus.PARTIAL_CONTENT:
            self.record(int(code), 0)

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def record(self, status: int, size: int) -> None:
        self.served.answers.append((self.command, self.path, int(status), size))


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Serve a folder."""
    served = Served()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=folder, served=served)) as server:
        served.port = server.server_port
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield served
        server.shutdown()
