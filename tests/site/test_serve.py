"""`make serve`: ranges, conditions, redirects, missing pages, and nothing outside the site."""

import hashlib
import http.client
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from tests.site.serving import Server, write_site

FILE = "/data/v1/pairs/campaign=demo/cycle=2026-11-21/part.parquet"
CAPTURE = "/captures/demo/2026-11-21/8mbps/a~b/01/client-c1.pcapng.zst"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A small site whose captures are links."""
    return write_site(tmp_path_factory.mktemp("a web"))


@pytest.fixture(scope="module")
def server(folder) -> Iterator[Server]:
    """The site, served by the command."""
    with Server.of_command(folder) as running:
        yield running


def test_a_folder_shows_its_page_and_is_redirected_to_its_slash(server, folder):
    assert (folder / "index.html").read_bytes() == server.get("/").body
    assert (folder / "cycles/demo/2026-11-21/index.html").read_bytes() == server.get(
        "/cycles/demo/2026-11-21/"
    ).body
    for address in ("/cycles/demo/2026-11-21", "//cycles/demo/2026-11-21"):
        answer = server.get(address)
        assert (301, "/cycles/demo/2026-11-21/") == (answer.status, answer.headers["location"])


@pytest.mark.parametrize("address", ["/no", "/no/", "/data/", "/data", "/index.html/", "/captures/demo/"])
def test_a_missing_page_and_a_folder_without_a_page_show_the_page_for_missing_ones(server, folder, address):
    answer = server.get(address)
    assert (404, (folder / "404.html").read_bytes()) == (answer.status, answer.body)
    assert "text/html; charset=utf-8" == answer.headers["content-type"]
    assert 404 == server.get(address, Range="bytes=0-1").status


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("0-9", 0, 9),
        ("100-100", 100, 100),
        ("990-", 990, 999),
        ("-8", 992, 999),
        ("500-5000", 500, 999),
        ("-5000", 0, 999),
    ],
)
def test_a_range_of_a_file(server, folder, asked, first, last):
    answer = server.get(FILE, Range=f"bytes={asked}")
    assert (206, f"bytes {first}-{last}/1000") == (answer.status, answer.headers["content-range"])
    assert (folder / FILE[1:]).read_bytes()[first : last + 1] == answer.body
    assert "bytes" == server.get(FILE).headers["accept-ranges"]


@pytest.mark.parametrize("asked", ["bytes=0-1,5-6", "lines=0-1", "bytes=a-b", "bytes=-"])
def test_ranges_that_are_not_one_of_bytes_are_ignored(server, asked):
    answer = server.get(FILE, Range=asked)
    assert (200, 1000) == (answer.status, len(answer.body))


@pytest.mark.parametrize("asked", ["1000-", "5000-6000"])
def test_a_range_beyond_the_end_is_refused_with_the_size(server, asked):
    answer = server.get(FILE, Range=f"bytes={asked}")
    assert (416, "bytes */1000") == (answer.status, answer.headers["content-range"])


def test_an_unchanged_file_is_not_sent_again(server):
    first = server.get(FILE)
    for condition in (
        {"If-None-Match": first.headers["etag"]},
        {"If-None-Match": f'"other", {first.headers["etag"]}'},
        {"If-Modified-Since": first.headers["last-modified"]},
    ):
        answer = server.get(FILE, **condition)
        assert (304, b"") == (answer.status, answer.body)
        assert first.headers["etag"] == answer.headers["etag"]
    assert 200 == server.get(FILE, **{"If-None-Match": '"other"'}).status
    assert parsedate_to_datetime(first.headers["last-modified"]).tzinfo is not None


def test_a_download_goes_on_only_if_the_file_is_the_same(server):
    first = server.get(FILE)
    for condition in (first.headers["etag"], first.headers["last-modified"]):
        assert 206 == server.get(FILE, Range="bytes=5-", **{"If-Range": condition}).status
    for condition in ('"other"', f"W/{first.headers['etag']}", "Thu, 01 Jan 1970 00:00:00 GMT"):
        answer = server.get(FILE, Range="bytes=5-", **{"If-Range": condition})
        assert (200, first.body) == (answer.status, answer.body)


def test_a_connection_goes_on_after_an_ignored_range(server, folder):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    expected, received = (folder / FILE[1:]).read_bytes(), []
    for condition in ('"other"', server.get(FILE).headers["etag"], '"other"'):
        connection.request("GET", FILE, headers={"Range": "bytes=5-9", "If-Range": condition})
        received.append(connection.getresponse().read())
    connection.close()
    assert [expected, expected[5:10], expected] == received


def test_head_has_the_headers_and_no_content(server):
    head, whole = server.get(FILE, method="HEAD"), server.get(FILE)
    assert (200, b"", "1000") == (head.status, head.body, head.headers["content-length"])
    assert {**whole.headers, "date": ""} == {**head.headers, "date": ""}
    assert 404 == server.get("/no", method="HEAD").status


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_changed(server, method):
    assert 405 == server.get(FILE, method=method).status


def test_other_sites_may_read_data_and_captures_and_nothing_else(server):
    for address, allowed in ((FILE, "*"), (CAPTURE, "*"), ("/data/v1/index.json", "*"), ("/", None)):
        assert allowed == server.get(address).headers.get("access-control-allow-origin")
        preflight = server.get(address, method="OPTIONS")
        assert 204 == preflight.status
        assert (allowed and "GET, HEAD") == preflight.headers.get("access-control-allow-methods")
    exposed = server.get(FILE, Range="bytes=-8").headers["access-control-expose-headers"]
    assert {"Accept-Ranges", "Content-Length", "Content-Range", "ETag"} == set(exposed.split(", "))


def test_a_compressed_capture_arrives_as_it_is(server, folder):
    answer = server.get(CAPTURE, **{"Accept-Encoding": "zstd, gzip, br"})
    assert "application/zstd" == answer.headers["content-type"] and "content-encoding" not in answer.headers
    assert (folder / CAPTURE[1:]).read_bytes() == answer.body


def test_a_snapshot_is_served_without_its_trials(server, folder):
    sums = server.get("/snapshots/demo-2026-11-21/SHA256SUMS")
    assert (folder.parent / "snapshots/demo-2026-11-21/SHA256SUMS").read_bytes() == sums.body
    assert "text/plain; charset=utf-8" == sums.headers["content-type"]
    assert 200 == server.get("/snapshots/chain.jsonl").status
    assert 404 == server.get("/snapshots/demo-2026-11-21/").status


def test_of_a_site_of_lean_snapshots_these_are_served(tmp_path):
    site = write_site(tmp_path)
    with Server.of_command(site) as running:
        (site / "lean/demo-1/trials").mkdir(parents=True)
        (site / "lean/demo-1/SHA256SUMS").write_text("lean")
        (site / "lean/demo-1/trials/trial.json").write_text("secret")
        assert b"lean" == running.get("/snapshots/demo-1/SHA256SUMS").body
        for missing in ("demo-2026-11-21/SHA256SUMS", "demo-1/trials/trial.json"):
            assert 404 == running.get(f"/snapshots/{missing}").status


@pytest.mark.parametrize(
    "address",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/cycles/../../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/captures/demo/2026-11-21/../snapshot.json",
        "/captures/demo/2026-11-21/%2e%2e/snapshot.json",
        "/captures/demo/outside/secret.txt",
        "/outside/secret.txt",
        "/snapshot/8mbps/a~b/01/trial.json",
        "/snapshots/outside/secret.txt",
        "/snapshots/../secret.txt",
        "/snapshots/.snapshot-scratch",
        "/snapshots/demo-2026-11-21/pruned.json",
        "/snapshots/demo-2026-11-21/trials/8mbps/a~b/01/trial.json",
        "/snapshots/demo-2026-11-21//trials/8mbps/a~b/01/trial.json",
        "/loop",
        "/.hidden",
        "/index.html%00.parquet",
        "//etc/passwd",
        "/" + "a" * 5000,
    ],
)
def test_nothing_outside_the_site_is_sent(server, address):
    answer = server.get(address)
    assert 404 == answer.status and b"secret" not in answer.body


def test_an_exchanged_site_is_served_at_once(tmp_path):
    folder = write_site(tmp_path / "one")
    with Server.of_command(folder) as running:
        assert b"no longer" not in running.get("/").body
        folder.rename(tmp_path / "before")
        write_site(tmp_path / "two").rename(folder)
        (folder / "index.html").write_text("no longer the same")
        assert b"no longer the same" == running.get("/").body


def run(*arguments: object) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "scripts.site.serve", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_a_taken_port_and_a_folder_that_is_no_site_are_user_errors(server, folder, tmp_path):
    taken = run(folder, "--port", server.port)
    assert 2 == taken.returncode
    todo = "end the other server, or give another one by `observatory serve --port`"
    assert f"error: port {server.port}: is taken; {todo}\n" == taken.stderr
    wrong = run(folder, "--port", 70_000)
    assert 2 == wrong.returncode
    assert wrong.stderr.endswith("70000: write a whole number, from 0 to 65535\n")
    nothing = run(tmp_path)
    assert 2 == nothing.returncode
    assert f"error: {tmp_path}: has no index.html; build the site first" in nothing.stderr


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_it_quietly(folder, name):
    with Server.of_command(folder) as running:
        assert re.fullmatch(
            rf"The site is at http://localhost:{running.port}/ until Ctrl-C\n", running.printed
        )
        os.kill(running.process.pid, getattr(signal, name))
        assert (0, ("", "")) == (running.process.wait(20), running.process.communicate())


def test_curl_reads_a_published_file_whole_and_in_parts(server, folder, tmp_path):
    url = f"http://127.0.0.1:{server.port}{FILE}"
    whole = tmp_path / "part.parquet"
    subprocess.run(["curl", "-sSf", "-o", whole, url], check=True, timeout=60)
    part = subprocess.run(
        ["curl", "-sSf", "-r", "-8", url], check=True, timeout=60, capture_output=True
    ).stdout
    expected = (folder / FILE[1:]).read_bytes()
    assert (hashlib.sha256(expected).digest(), expected[-8:]) == (
        hashlib.sha256(whole.read_bytes()).digest(),
        part,
    )


def test_a_resumed_download_is_the_whole_file(server, folder, tmp_path):
    half = tmp_path / "half"
    half.write_bytes((folder / FILE[1:]).read_bytes()[:400])
    url = f"http://127.0.0.1:{server.port}{FILE}"
    subprocess.run(["curl", "-sSf", "-C", "-", "-o", half, url], check=True, timeout=60)
    assert (folder / FILE[1:]).read_bytes() == half.read_bytes()
