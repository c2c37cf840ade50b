"""A local web server of test pages that counts what it sends, and a browser without a service."""

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from services.browser import FLAGS, HEADLESS

SLOW_S = 6
SCRIPT_S = 600
"""The longest time of a script in a page: axe takes a minute on a busy host."""


class Site:
    """The pages of a server: the body of each path.

    `/slow` is answered after SLOW_S, and a path of `last` after the path that it names there was answered.
    `localhost` and 127.0.0.1 are two sites of the same server.
    """

    def __init__(self) -> None:
        self.pages: dict[str, tuple[str, bytes]] = {}
        self.last: dict[str, str] = {}
        self.answered: set[str] = set()
        self.requests = 0
        self.sent_bytes = 0
        self.port = 0

    def address(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def add(self, path: str, body: str | bytes, kind: str = "text/html") -> str:
        """Serve a page; return its address."""
        self.pages[path] = (kind, body.encode() if isinstance(body, str) else body)
        return self.address(path)

    def wait(self, path: str) -> None:
        """Wait until a path may be answered."""
        if path == "/slow":
            time.sleep(SLOW_S)
        while path in self.last and self.last[path] not in self.answered:
            time.sleep(0.01)

    def answer(self, path: str) -> bytes:
        kind, body = self.pages.get(path.partition("?")[0], ("text/html", b"<p>a page</p>"))
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        self.answered.add(path)
        self.requests += 1
        self.sent_bytes += len(head) + len(body)
        return head.encode() + body


@contextmanager
def serving() -> Iterator[Site]:
    """A server on loopback."""
    site = Site()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.wait(self.path)
            with lock:
                answer = site.answer(self.path)
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A browser may close a connection at any time."""

    with Server(("127.0.0.1", 0), Handler) as server:
        site.port = server.server_port
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield site
        server.shutdown()


@contextmanager
def local_browser(folder: Path) -> Iterator[webdriver.Chrome]:
    """A browser with a new profile."""
    options = Options()
    options.binary_location = str(shutil.which("chromium"))
    options.page_load_strategy = "none"
    options.unhandled_prompt_behavior = "ignore"
    for flag in [*FLAGS, *HEADLESS, "--no-sandbox", f"--user-data-dir={folder / 'profile'}"]:
        options.add_argument(flag)
    with webdriver.Chrome(options, Service(shutil.which("chromedriver"))) as opened:
        opened.set_script_timeout(SCRIPT_S)
        yield opened
