"""A snapshot is read from its address, whatever the server does."""

import re
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from scripts.base.errors import UserError
from scripts.snapshot import http_reader
from scripts.snapshot.http_reader import HttpReader
from scripts.snapshot.source import Folder, SnapshotAddress, SymlinkError, open_source, read, snapshot_address
from tests.snapshot.published import CAPTURE, CAPTURES, FOLDER, Server, serving, write_published

WAITS_S = (0.01, 0.01)
TABLE = PurePosixPath("tables/pairs.csv")


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """A folder with a published snapshot, which the tests do not change."""
    folder = tmp_path_factory.mktemp("root")
    write_published(folder)
    return folder


@pytest.fixture
def server(root) -> Iterator[Server]:
    with serving(root) as running:
        yield running


def address_of(server: Server, captures: str | None = None) -> SnapshotAddress:
    return SnapshotAddress(server.url, captures, HttpReader(WAITS_S))


def test_files_of_the_snapshot_and_of_its_trials_are_read(server, root):
    address = address_of(server)
    assert (root / FOLDER / TABLE).read_bytes() == read(address, TABLE)
    capture = (root / CAPTURES / CAPTURE.relative_to("trials")).read_bytes()
    assert capture == read(address, CAPTURE)
    assert capture[1_000_000:] == b"".join(address.stream(CAPTURE, 1_000_000, len(capture)))
    assert (True, True, False) == (
        address.exists(TABLE),
        address.exists(CAPTURE),
        address.exists(PurePosixPath("no")),
    )
    assert address.names() is None
    assert address.rate() > 0


def test_a_snapshot_that_has_its_trials_is_read_too(tmp_path):
    snapshot = write_published(tmp_path)
    with serving(snapshot.parent) as server:
        address = SnapshotAddress(
            f"http://127.0.0.1:{server.port}/{snapshot.name}", None, HttpReader(WAITS_S)
        )
        assert (snapshot / CAPTURE).read_bytes() == read(address, CAPTURE)


def test_captures_may_have_another_address(server, root):
    captures = f"http://127.0.0.1:{server.port}/{CAPTURES}"
    assert read(address_of(server), CAPTURE) == read(address_of(server, captures), CAPTURE)
    with pytest.raises(FileNotFoundError):
        read(address_of(server, f"http://127.0.0.1:{server.port}/no/"), CAPTURE)


def test_the_second_file_of_a_trial_is_asked_for_where_the_first_one_was(server, tmp_path):
    address = address_of(server)
    for path in (CAPTURE, TABLE, CAPTURE):
        read(address, path)
    assert not any("/trials/" in path for _, path, _ in server.requests)
    snapshot = write_published(tmp_path)
    with serving(snapshot.parent) as server:
        address = SnapshotAddress(
            f"http://127.0.0.1:{server.port}/{snapshot.name}", None, HttpReader(WAITS_S)
        )
        for name in ("trials/8mbps/a~b/01/trial.json", "trials/8mbps/a~b/02/trial.json"):
            read(address, PurePosixPath(name))
        assert 1 == sum("/captures/" in path for _, path, _ in server.requests)


def test_the_archive_is_beside_the_snapshot(server):
    assert f"http://127.0.0.1:{server.port}/snapshots" == address_of(server).archive().title


def test_a_missing_file_is_no_user_error(server):
    for path in ("no", "trials/8mbps/a~b/99/trial.json"):
        with pytest.raises(FileNotFoundError, match=f"{FOLDER}/{path}"):
            read(address_of(server), PurePosixPath(path))


def test_a_lost_connection_goes_on_where_it_was(server, root):
    """Every answer ends after 900 kB, although its header promises the rest."""
    server.faults[CAPTURE.name] = lambda handler, content: handler.answer(content, sent=900_000)
    content = read(address_of(server), CAPTURE)
    assert (root / CAPTURES / CAPTURE.relative_to("trials")).read_bytes() == content
    pieces = {None: 900_000, "bytes=900000-": 900_000, "bytes=1800000-": 900_000, "bytes=2700000-": 300_000}
    assert pieces == server.sent_of(CAPTURE.name)


def test_a_server_without_ranges_sends_the_whole_file_again(server, root):
    ends = iter((1_000_000, None))
    server.faults[CAPTURE.name] = lambda handler, content: handler.answer(content, False, sent=next(ends))
    content = read(address_of(server), CAPTURE)
    assert (root / CAPTURES / CAPTURE.relative_to("trials")).read_bytes() == content
    assert {None: 1_000_000, "bytes=1000000-": len(content)} == server.sent_of(CAPTURE.name)


def test_a_busy_server_is_asked_again(server, root):
    busy = iter((503, 429))

    def fault(handler, content):
        status = next(busy, None)
        handler.answer(content) if status is None else handler.fail(status)

    server.faults[TABLE.name] = fault
    assert (root / FOLDER / TABLE).read_bytes() == read(address_of(server), TABLE)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (lambda handler, _: handler.fail(503), "the server answers 503; try again later"),
        (lambda handler, _: handler.fail(403), "the server answers 403; check the address"),
        (lambda handler, _: handler.fail(401), "the server answers 401; check the address"),
        (lambda handler, content: handler.answer(content, sent=0), "the connection was lost"),
        (lambda handler, _: handler.fail(301, Location=handler.path), "leads to itself by redirects"),
        (
            lambda handler, _: handler.fail(302, Location="http://127.0.0.2/secret"),
            "leads to another host, http://127.0.0.2; give that address",
        ),
        (
            lambda handler, _: handler.wfile.write(b"no HTTP\r\n\r\n"),
            "the answer is not HTTP; try again later",
        ),
    ],
)
def test_what_a_reader_can_mend_is_one_line(server, fault, message):
    server.faults[TABLE.name] = fault
    with pytest.raises(UserError, match=re.escape(message)) as raised:
        read(address_of(server), TABLE)
    assert str(raised.value).startswith(f"{server.url}{TABLE}: ") and "\n" not in str(raised.value)


def drip(handler, content):
    """Send a file byte by byte."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    for byte in content:
        handler.wfile.write(bytes([byte]))
        time.sleep(0.02)


@pytest.mark.parametrize("fault", [drip, lambda handler, content: handler.answer(content, sent=1)])
def test_a_server_that_sends_a_byte_now_and_then_is_given_up(server, monkeypatch, fault):
    monkeypatch.setattr(http_reader, "PATIENCE_S", 0.2)
    server.faults[TABLE.name] = fault
    with pytest.raises(
        UserError, match=r"pairs.csv: the server sends less than 300 kB in .* try again later"
    ):
        read(address_of(server), TABLE)


@pytest.mark.parametrize(
    ("size", "message"),
    [
        (2_999_999, "is larger than the 2999999 bytes that it should have"),
        (3_000_001, "has fewer than 3000001 bytes"),
    ],
)
def test_a_file_of_another_size_is_an_error(server, size, message):
    with pytest.raises(UserError, match=message):
        b"".join(address_of(server).stream(CAPTURE, 0, size))


def test_storage_that_nobody_may_list_answers_403_for_a_missing_file(server):
    server.faults["no"] = lambda handler, _: handler.fail(403)
    address = address_of(server)
    read(address, TABLE)
    with pytest.raises(FileNotFoundError):
        read(address, PurePosixPath("no"))


def test_a_redirect_on_the_same_host_is_followed(server, root):
    server.faults[TABLE.name] = lambda handler, _: handler.fail(302, Location=f"/{FOLDER}/plan/config.json")
    assert (root / FOLDER / "plan/config.json").read_bytes() == read(address_of(server), TABLE)


def test_a_proxy_that_the_environment_names_is_used(server, root, monkeypatch):
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.port}")
    monkeypatch.delenv("no_proxy", raising=False)
    address = SnapshotAddress(f"http://observatory.example.org/{FOLDER}", None, HttpReader(WAITS_S))
    assert (root / FOLDER / TABLE).read_bytes() == read(address, TABLE)


def test_names_in_the_snapshot_lead_nowhere_else(server):
    server.faults["snapshot.json"] = lambda handler, _: handler.answer(b'{"campaign": "..", "cycle": "x"}')
    with pytest.raises(UserError, match=r"snapshot.json: .* is no name of a campaign or cycle"):
        read(address_of(server), CAPTURE)


def test_a_deeply_nested_description_is_a_user_error(server):
    server.faults["snapshot.json"] = lambda handler, _: handler.answer(b"[" * 200_000)
    with pytest.raises(UserError, match=r"snapshot.json: is not valid JSON"):
        read(address_of(server), CAPTURE)


def test_a_server_that_cannot_be_reached_and_one_without_tls_are_user_errors(server):
    nowhere = SnapshotAddress("http://127.0.0.1:1/snapshots/x", None, HttpReader(WAITS_S))
    with pytest.raises(UserError, match=r"x/tables/pairs.csv: .*Connection refused; try again later"):
        read(nowhere, TABLE)
    plain = SnapshotAddress(server.url.replace("http:", "https:"), None, HttpReader(WAITS_S))
    with pytest.raises(UserError, match="its certificate is not accepted, or it does not speak TLS"):
        read(plain, TABLE)


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("https://h/snapshots/demo-1", "https://h/snapshots/demo-1/"),
        ("https://h/snapshots/demo-1/", "https://h/snapshots/demo-1/"),
        ("https://h/snapshots/demo-1/SHA256SUMS", "https://h/snapshots/demo-1/"),
        ("https://h:8000/o/cycles/demo/2026-11-21/", "https://h:8000/o/snapshots/demo-2026-11-21/"),
        ("https://h/cycles/demo/2026-11-21/r2/index.html#x", "https://h/snapshots/demo-2026-11-21-r2/"),
    ],
)
def test_every_address_of_a_snapshot_means_its_folder(url, folder):
    assert folder == snapshot_address(url)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://h/x", "is no address of the form https://"),
        ("file:///etc/passwd", "is no address of the form https://"),
        ("https:///x", "is no address of the form https://"),
        ("https://h:99999/x", "is not a valid address"),
        ("https://user:secret@h/x", "https://…@h: names a user"),
    ],
)
def test_other_addresses_are_refused(url, message):
    with pytest.raises(UserError, match=re.escape(message)) as raised:
        open_source(url)
    assert "secret" not in str(raised.value)


def test_a_source_is_a_folder_or_an_address(tmp_path):
    snapshot = write_published(tmp_path)
    assert isinstance(open_source(str(snapshot)), Folder)
    assert isinstance(open_source("https://h/x"), SnapshotAddress)
    for where, message in ((tmp_path / "no", "no such folder"), (tmp_path, "is no snapshot")):
        with pytest.raises(UserError, match=message):
            open_source(str(where))
    with pytest.raises(UserError, match="is an address; name the folder of the trials"):
        open_source(str(snapshot), "https://h/captures/")


def test_the_trials_of_a_copy_in_a_folder_are_where_publishing_puts_them(tmp_path):
    own = write_published(tmp_path)
    published, captures = Folder(own), tmp_path / CAPTURES
    for elsewhere in (None, tmp_path / "elsewhere"):
        if elsewhere is not None:
            captures = captures.rename(elsewhere)
        found = open_source(str(tmp_path / FOLDER), str(elsewhere) if elsewhere else None)
        assert published.names() == found.names()
        assert captures / CAPTURE.relative_to("trials") == found.file(CAPTURE)
        assert list(published.stream(CAPTURE)) == list(found.stream(CAPTURE))
    (captures / "8mbps").rename(tmp_path / "moved")
    (captures / "8mbps").symlink_to(tmp_path / "moved")
    with pytest.raises(SymlinkError):
        list(found.stream(CAPTURE))
