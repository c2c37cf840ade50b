"""The service in front of object storage: the page of a folder's address, and the headers of every answer."""

import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from scripts.site.headers import security

PASSED_ON = ("Content-Type", "Content-Length", "Content-Range", "Accept-Ranges", "ETag", "Cache-Control")


@dataclass
class Front:
    """Where it listens, the address of the bucket, and what it answered: address and status."""

    storage: str
    port: int = 0
    answers: list[tuple[str, int]] = field(default_factory=list)


@contextmanager
def front_of(storage: str) -> Iterator[Front]:
    """A front of a bucket, on any free port of loopback."""
    front = Front(storage)

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            address = self.path.partition("?")[0].lstrip("/")
            address += "index.html" if address == "" or address.endswith("/") else ""
            asked = {name: self.headers[name] for name in ("Range",) if name in self.headers}
            with _answer(urllib.request.Request(storage + address, headers=asked)) as found:
                self.send_response(found.status)
                for name in PASSED_ON:
                    if found.headers[name] is not None:
                        self.send_header(name, found.headers[name])
                for name, value in security(address, "captures/").items():
                    self.send_header(name, value)
                self.end_headers()
                front.answers.append((address, found.status))
                if self.command == "GET":
                    self.wfile.write(found.read())

        do_GET = do_HEAD = answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    front.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield front
    finally:
        server.shutdown()


def _answer(request: urllib.request.Request):
    """The answer of the storage, whatever its status."""
    try:
        return urllib.request.urlopen(request, timeout=20)
    except urllib.error.HTTPError as error:
        return error
