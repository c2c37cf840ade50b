"""docs/serving.md: its nginx configuration and its tables say what scripts/site/headers.py says."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from scripts.base.files import ROOT
from scripts.site.headers import CORS, PREFLIGHT, headers_of, page_policy, security
from tests.site.serving import (
    CAPTURES,
    EMBEDS,
    FILES,
    FINGERPRINT,
    OF_SNAPSHOTS,
    PAGES,
    UNPUBLISHED,
    Answer,
    Server,
    write_site,
)

TEXT = (ROOT / "docs/serving.md").read_text(encoding="utf-8")
CAPTURES_BELOW = [f"captures/demo/2026-11-21/{name}" for name in CAPTURES]
ADDRESSES = [*PAGES, *FILES, *CAPTURES_BELOW, *(f"snapshots/{name}" for name in OF_SNAPSHOTS)]
FOLDERS = ["", "cycles/demo/2026-11-21/"]
SENT = (*headers_of("data/", "captures/"), *headers_of("unlisted/", "captures/"), *PREFLIGHT)
COMPARED = {name.lower() for name in SENT} | {"content-length"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A site with every kind of file, and for nginx with the snapshots, copied as the page says."""
    site = write_site(tmp_path_factory.mktemp("a web"))
    snapshots = site.parent / "snapshots"
    shutil.copytree(
        snapshots, site / "snapshots", ignore=shutil.ignore_patterns(".*", "outside", *UNPUBLISHED)
    )
    return site


@pytest.fixture(scope="module")
def servers(folder, tmp_path_factory) -> Iterator[tuple[Server, Server]]:
    """The command and nginx with the documented configuration, of the same site."""
    (snippet,) = re.findall(r"```nginx\n(.*?)```", TEXT, re.DOTALL)
    with (
        Server.of_command(folder) as command,
        Server.of_nginx(folder, snippet, tmp_path_factory.mktemp("nginx")) as nginx,
    ):
        yield command, nginx


def alike(servers: tuple[Server, Server], address: str, method: str = "GET", **headers: str) -> Answer:
    """The answer of the command, after a comparison with that of nginx."""
    own, other = (server.get(f"/{address}", method, **headers) for server in servers)
    assert own.status == other.status
    # nginx sends Accept-Ranges only with a whole file.
    for name in COMPARED | {"content-range", *({"accept-ranges"} if own.status == 200 else ())}:
        assert own.headers.get(name) == other.headers.get(name), name
    assert ("etag" in own.headers) == ("etag" in other.headers)
    assert own.body == other.body
    return own


@pytest.mark.parametrize("address", [*ADDRESSES, *FOLDERS])
def test_every_kind_of_file_has_the_same_headers(servers, address):
    answer = alike(servers, address)
    expected = headers_of("index.html" if address in FOLDERS else address, "captures/")
    assert 200 == answer.status
    assert expected.items() <= {name.title(): answer.headers.get(name.lower()) for name in expected}.items()


@pytest.mark.parametrize("address", ADDRESSES)
def test_ranges_and_conditions_have_the_same_answers(servers, address):
    for asked in ("0-9", "990-", "-8", "-5000"):
        assert 206 == alike(servers, address, Range=f"bytes={asked}").status
    for server in servers:
        first = server.get(f"/{address}").headers
        for name, tag in (("If-None-Match", "etag"), ("If-Modified-Since", "last-modified")):
            assert 304 == server.get(f"/{address}", **{name: first[tag]}).status
        for tag, status in ((first["etag"], 206), (first["last-modified"], 206), ('"other"', 200)):
            answer = server.get(f"/{address}", Range="bytes=5-", **{"If-Range": tag})
            assert status == answer.status
        beyond = server.get(f"/{address}", Range="bytes=1000-")
        assert (416, "bytes */1000") == (beyond.status, beyond.headers["content-range"])


@pytest.mark.parametrize("address", ADDRESSES)
def test_head_and_preflight_have_the_same_answers(servers, address):
    assert 200 == alike(servers, address, "HEAD").status
    assert 204 == alike(servers, address, "OPTIONS").status
    assert [405, 405] == [server.get(f"/{address}", "POST").status for server in servers]


@pytest.mark.parametrize("address", ["no", "no/", "data/", "data/v1/no.parquet", "captures/demo/", ".hidden"])
def test_missing_addresses_show_the_same_page(servers, address):
    own, other = (server.get(f"/{address}") for server in servers)
    assert [404, 404] == [own.status, other.status]
    assert own.body == other.body
    for name in COMPARED:
        assert own.headers.get(name) == other.headers.get(name), name


@pytest.mark.parametrize("address", ["cycles/demo/2026-11-21", "provisional/demo"])
def test_a_folder_is_redirected_to_the_same_address(servers, address):
    for server in servers:
        answer = server.get(f"/{address}")
        assert (301, f"/{address}/") == (answer.status, urljoin(f"/{address}", answer.headers["location"]))


def rows() -> list[list[str]]:
    """The rows of the table of headers, one for each kind of file, without backticks."""
    table = TEXT.split("## Headers")[1].split("\n\n")[1].splitlines()[2:]
    cells = [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in table]
    return [[kind, *others] for kinds, *others in cells if "other" not in kinds for kind in kinds.split(", ")]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_the_table_of_headers_is_true(row):
    files, kind, cache, shared = row
    pattern = files.removeprefix("pages: ").replace("<SHA-256>", FINGERPRINT)
    listed = [path for path in ADDRESSES if not path.startswith("unlisted/")]
    found = [path for path in listed if re.fullmatch(_pattern(pattern), path)]
    assert found
    for address in found:
        headers = headers_of(address, "captures/")
        assert (kind.split(",")[0], cache) == (headers["Content-Type"], headers["Cache-Control"])
        assert (shared == "yes") == (CORS.items() <= headers.items())


def _pattern(files: str) -> str:
    """A pattern such as `data/**/*.csv` as a regular expression."""
    parts = {"**/": "(.*/)?", "*": ".*"}
    return "".join(parts.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*)", files))


@pytest.mark.parametrize("address", ADDRESSES)
def test_other_sites_may_frame_embeds_and_nothing_else(address):
    policy = dict(
        part.split(" ", 1) for part in security(address, "captures/")["Content-Security-Policy"].split("; ")
    )
    assert ("*" if address in EMBEDS else "'none'") == policy["frame-ancestors"]


def test_the_headers_of_all_files_are_written_out():
    of_kinds = (security(name, "captures/") for name in ("index.html", "a.svg", EMBEDS[0]))
    for headers in (CORS, PREFLIGHT, *of_kinds):
        for name, value in headers.items():
            assert f"    {name}: {value}\n" in TEXT


def test_captures_elsewhere_may_be_read_by_pages_and_are_not_below_the_site():
    headers = headers_of("data/v1/index.json", "https://captures.example.org/v1/")
    assert "connect-src 'self' https://captures.example.org/v1/;" in headers["Content-Security-Policy"]
    assert "connect-src 'self';" in page_policy("captures/")


def test_no_search_engine_and_no_cache_keeps_what_is_unlisted():
    for name in (
        "index.html",
        "data/v1/pairs/part.csv",
        f"js/explore.{FINGERPRINT}.js",
        "cycles/a/charts/b.svg",
    ):
        headers = headers_of(f"unlisted/0f1e/{name}", "captures/")
        assert ("noindex, nofollow", "private, max-age=300") == (
            headers["X-Robots-Tag"],
            headers["Cache-Control"],
        )
        assert not CORS.keys() & headers.keys()
        assert "X-Robots-Tag" not in headers_of(name, "captures/")
