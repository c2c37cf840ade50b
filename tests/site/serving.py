"""A small site with every kind of file, servers of it on loopback, and requests that are sent as written."""

import http.client
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import ROOT

FINGERPRINT = "0123456789abcdef" * 4
TRIAL = "8mbps/a~b/01"

EMBEDS = (
    "cycles/demo/2026-11-21/embed/8mbps/a~b/index.html",
    "cycles/demo/2026-11-21/r2/embed/8mbps/a~b/index.html",
    "latest/demo/embed/8mbps/a~b/index.html",
)
"""The pages that other sites may show in a frame."""

PAGES = (
    "index.html",
    "404.html",
    "cycles/demo/2026-11-21/index.html",
    "cycles/demo/2026-11-21/pairs/embed/a~b/index.html",
    "latest/embed/8mbps/a~b/index.html",
    "provisional/demo/index.html",
    "provisional/demo/embed/8mbps/a~b/index.html",
    "unlisted/0f1e/cycles/demo/2026-11-21/embed/8mbps/a~b/index.html",
    *EMBEDS,
)
FILES = (
    "feed.xml",
    "sitemap.xml",
    "robots.txt",
    "data/v1/index.json",
    "data/v1/pairs/campaign=demo/cycle=2026-11-21/part.parquet",
    "data/v1/pairs/campaign=demo/cycle=2026-11-21/part.csv",
    "cycles/demo/2026-11-21/charts/share-8mbps.svg",
    "cycles/demo/2026-11-21/charts/share-8mbps.json",
    "cycles/demo/2026-11-21/charts/share-8mbps.png",
    "cycles/demo/2026-11-21/charts/share-8mbps.csv",
    "cycles/demo/2026-11-21/r2/charts/share-8mbps.svg",
    f"cycles/demo/2026-11-21/css/site.min.{FINGERPRINT}.css",
    "unlisted/0f1e/bundle.tar",
    "unlisted/0f1e/captures/client-c1.pcapng.zst",
    "unlisted/0f1e/data/v1/pairs/part.parquet",
    f"unlisted/0f1e/js/explore.{FINGERPRINT}.js",
    "cycles/demo/2026-11-21/summary.json",
    "cycles/demo/2026-11-21/summary.parquet",
    "provisional/demo/charts/share-8mbps.svg",
    "charts/history.svg",
    f"css/site.min.{FINGERPRINT}.css",
    "js/explore.js",
    f"js/explore.min.{FINGERPRINT}.js",
    "picture.png",
    "other.bin",
    "allowed_signers",
)
SNAPSHOT = "demo-2026-11-21"
OF_SNAPSHOTS = (
    "chain.jsonl",
    "chain.jsonl.sig",
    f"{SNAPSHOT}/SHA256SUMS",
    f"{SNAPSHOT}/SHA256SUMS.sig",
    f"{SNAPSHOT}/datapackage.json",
    f"{SNAPSHOT}/source.tar.zst",
    f"{SNAPSHOT}/tables/pairs.parquet",
)
UNPUBLISHED = ("trials", "pruned.json")
TEMPORARY = ("client_body", "fastcgi", "proxy", "scgi", "uwsgi")
CAPTURES = (f"{TRIAL}/client-c1.pcapng.zst", f"{TRIAL}/queue.bin.zst", f"{TRIAL}/trial.json")


def write_site(base: Path) -> Path:
    """A site `public` in a folder, its snapshot, and things outside the site that nobody may read."""
    site, snapshot = base / "public", base / "snapshots" / SNAPSHOT
    for path in (
        *(site / name for name in (*PAGES, *FILES)),
        *(base / "snapshots" / name for name in OF_SNAPSHOTS),
        *(snapshot / "trials" / name for name in CAPTURES),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes("".join(f"{path.name} {number} " for number in range(300)).encode()[:1000])
    (snapshot / "snapshot.json").write_text("secret")
    (snapshot / "pruned.json").write_text("secret")
    (base / "snapshots/.snapshot-scratch").write_text("secret")
    (base / "snapshots/outside").symlink_to(base)
    (base / "secret.txt").write_text("secret")
    (site / ".hidden").write_text("secret")
    (site / "captures/demo").mkdir(parents=True)
    link = site / "captures/demo/2026-11-21"
    link.symlink_to(os.path.relpath(snapshot / "trials", link.parent))
    (site / "captures/demo/outside").symlink_to(base)
    (site / "outside").symlink_to(base)
    (site / "snapshot").symlink_to(snapshot / "trials")
    (site / "loop").symlink_to("loop")
    return site


@dataclass(frozen=True)
class Answer:
    """Status, headers by lower-case name, and content."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Server:
    """A server on loopback, and what it printed first."""

    port: int
    process: subprocess.Popen
    printed: str = ""

    def get(self, address: str, method: str = "GET", **headers: str) -> Answer:
        """Send one request whose address is not changed in any way."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, address, headers=headers)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())
        finally:
            connection.close()

    @classmethod
    @contextmanager
    def of_command(cls, site: Path, captures: Path | None = None) -> Iterator["Server"]:
        """The command `python -m scripts.site.serve` on any free port; captures are beside the site."""
        captures = captures or site.parent / "snapshots"
        process = subprocess.Popen(
            [sys.executable, "-m", "scripts.site.serve", site, "--port", "0", "--captures", captures],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            printed = process.stdout.readline()
            (port,) = re.findall(r"localhost:(\d+)/", printed) or [process.stderr.read()]
            yield cls(int(port), process, printed)
        finally:
            process.terminate()
            process.communicate(timeout=20)

    @classmethod
    @contextmanager
    def of_nginx(cls, site: Path, configuration: str, work: Path) -> Iterator["Server"]:
        """An nginx with this configuration in its context `http`, but another port and folder."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        for shown, real in (("listen 80;", f"listen 127.0.0.1:{port};"), ("/srv/observatory", f'"{site}"')):
            assert configuration.count(shown) == 1
            configuration = configuration.replace(shown, real)
        temporary = "".join(f"{kind}_temp_path {work}/{kind};\n" for kind in TEMPORARY)
        file = work / "nginx.conf"
        file.write_text(
            f"daemon off; master_process off; pid {work}/pid; error_log stderr;\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{configuration}\n}}\n"
        )
        process = subprocess.Popen(
            ["nginx", "-e", "stderr", "-c", str(file)], stderr=subprocess.PIPE, text=True
        )
        try:
            while process.poll() is None and not _answers(port):
                time.sleep(0.05)
            assert process.poll() is None, process.stderr.read()
            yield cls(port, process)
        finally:
            process.terminate()
            process.communicate(timeout=20)


def _answers(port: int) -> bool:
    """Whether a server listens on a port."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
