"""Files of a published snapshot are fetched, checked and resumed; nothing wrong gets a name."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT, digest
from scripts.base.locks import locked
from scripts.snapshot import fetch as fetching
from scripts.snapshot import source
from scripts.snapshot.__main__ import main
from scripts.snapshot.about import parse_datapackage
from scripts.snapshot.absent import verify_checksums
from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.fetch import Fetched, asked_sizes, fetch, fetch_metadata, part_file, plan_of, sizes_of
from scripts.snapshot.http_reader import HttpReader
from scripts.snapshot.source import Folder, SnapshotAddress
from tests.site.archives import contents
from tests.site.serving import Server as Site
from tests.snapshot.published import (
    CAPTURE,
    CAPTURE_BYTES,
    CAPTURES,
    FOLDER,
    Server,
    serving,
    sums_of,
    write_published,
)

FETCH = ("fetch", "--allow", "unsigned")
TRIAL = PurePosixPath("trials/8mbps/a~b/01/trial.json")


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> Path:
    """The snapshot on its owner's disk; it is published two folders above. The tests do not change it."""
    return write_published(tmp_path_factory.mktemp("root"))


@pytest.fixture
def server(own) -> Iterator[Server]:
    with serving(own.parents[1]) as running:
        yield running


def address_of(server: Server) -> SnapshotAddress:
    return SnapshotAddress(server.url, None, HttpReader((0.01, 0.01)))


def fetch_from(server: Server, own: Path, folder: Path, *paths: PurePosixPath) -> Fetched:
    """Fetch files by the checksums and sizes that their owner knows."""
    sums = sums_of(own)
    return fetch(address_of(server), folder, paths, sums, sizes_of(Folder(own), sums))


def test_a_whole_snapshot_is_what_its_owner_has(server, own, tmp_path):
    assert 0 == main([*FETCH, server.url, "-o", str(tmp_path / "new")])
    assert contents(own) == contents(tmp_path / "new")
    assert 8 == verify_checksums(tmp_path / "new")


def test_what_is_there_and_right_is_not_fetched_again(server, own, tmp_path, capsys):
    assert 0 == main([*FETCH, server.url, "trials/8mbps/*", "-o", str(tmp_path / "new")])
    found = {path.relative_to(tmp_path / "new").as_posix() for path in (tmp_path / "new/trials").rglob("*.*")}
    assert {str(path) for path in sums_of(own) if path.parts[0] == "trials"} == found
    assert not (tmp_path / "new/tables").exists()
    (tmp_path / "new" / TRIAL).write_bytes(b"x" * 300)
    server.sent.clear()
    assert 0 == main([*FETCH, server.url, "-o", str(tmp_path / "new")])
    assert {} == server.sent_of(CAPTURE.name)
    assert contents(own) == contents(tmp_path / "new")
    assert "3 files (0.0 MB) fetched and checked; 5 were there already" in capsys.readouterr().out


def test_the_plan_and_the_progress_are_told(server, tmp_path, capsys):
    assert 0 == main([*FETCH, server.url, "tables", "plan", "-o", str(tmp_path / "new")])
    assert re.match(rf"{server.url[:-1]}: 2 files, 0.0 MB", capsys.readouterr().err)
    paths = [PurePosixPath(name) for name in ("a", "b")]
    sizes = dict(zip(paths, (60_000_000, 60_000_000), strict=True))
    assert "2 files, 120.0 MB" == plan_of(paths, sizes)
    assert "2 files, 120.0 MB, about 2 min at 1.0 MB/s" == plan_of(paths, sizes, 1e6)
    assert "1 file, 60.0 MB, less than a minute at 2.0 MB/s" == plan_of(paths[:1], sizes, 2e6)


def test_a_killed_fetch_goes_on_where_it_was(server, own, tmp_path):
    """The first command is killed in the middle of the capture. The second one gets only the rest."""
    server.faults[CAPTURE.name] = lambda handler, content: handler.answer(content, pause=0.02)
    command = [sys.executable, "-m", "scripts.snapshot", *FETCH, server.url, "-o", str(tmp_path / "new")]
    part = part_file(tmp_path / "new" / CAPTURE)
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        while not part.exists() or part.stat().st_size < 500_000:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    here = part.stat().st_size
    assert 500_000 <= here < CAPTURE_BYTES and not (tmp_path / "new" / CAPTURE).exists()
    server.faults.clear()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    sent = server.sent_of(CAPTURE.name)
    assert {None, f"bytes={here}-"} == sent.keys() and CAPTURE_BYTES - here == sent[f"bytes={here}-"]
    assert contents(own) == contents(tmp_path / "new")


def test_ctrl_c_ends_the_command_and_leaves_what_came(server, tmp_path):
    server.faults[CAPTURE.name] = lambda handler, content: handler.answer(content, pause=0.05)
    command = [sys.executable, "-m", "scripts.snapshot", *FETCH, server.url, "-o", str(tmp_path / "new")]
    part = part_file(tmp_path / "new" / CAPTURE)
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        while not part.exists() or part.stat().st_size < 200_000:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
    assert 130 == process.returncode
    assert told.endswith("interrupted: the same command goes on\n") and "Traceback" not in told
    assert part.exists() and not (tmp_path / "new" / CAPTURE).exists()


@pytest.mark.parametrize("content", [b"", b"x" * 1_000_000, b"x" * CAPTURE_BYTES, b"x" * (CAPTURE_BYTES + 1)])
def test_a_part_of_another_file_is_fetched_anew(server, own, tmp_path, content):
    (tmp_path / CAPTURE).parent.mkdir(parents=True)
    part_file(tmp_path / CAPTURE).write_bytes(content)
    fetch_from(server, own, tmp_path, CAPTURE)
    assert (own / CAPTURE).read_bytes() == (tmp_path / CAPTURE).read_bytes()
    assert not part_file(tmp_path / CAPTURE).exists()


def test_a_server_without_ranges_resumes_too(server, own, tmp_path):
    (tmp_path / CAPTURE).parent.mkdir(parents=True)
    part_file(tmp_path / CAPTURE).write_bytes((own / CAPTURE).read_bytes()[:1_000_001])
    server.faults[CAPTURE.name] = lambda handler, content: handler.answer(content, ranges=False)
    fetch_from(server, own, tmp_path, CAPTURE)
    assert (own / CAPTURE).read_bytes() == (tmp_path / CAPTURE).read_bytes()


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (lambda handler, _: handler.fail(404), "is not there, although SHA256SUMS lists it"),
        (
            lambda handler, content: handler.answer(b"y" * len(content)),
            "is not what SHA256SUMS lists; the copy",
        ),
        (lambda handler, content: handler.answer(content[:-1]), "has fewer than 300 bytes"),
        (lambda handler, content: handler.answer(content + b"x"), "is larger than the 300 bytes"),
        (lambda handler, content: handler.answer(content, sent=0), "the connection was lost"),
    ],
)
def test_a_file_that_is_not_as_listed_gets_no_name(server, own, tmp_path, fault, message):
    server.faults[f"01/{TRIAL.name}"] = fault
    with pytest.raises(UserError, match=message) as raised:
        fetch_from(server, own, tmp_path, TRIAL)
    assert "\n" not in str(raised.value) and TRIAL.name in str(raised.value)
    assert not (tmp_path / TRIAL).exists()


def test_answers_that_are_shorter_than_the_file_are_put_together(server, own, tmp_path):
    server.faults[f"01/{TRIAL.name}"] = lambda handler, content: handler.answer(content, length=100)
    fetch_from(server, own, tmp_path, TRIAL)
    assert (own / TRIAL).read_bytes() == (tmp_path / TRIAL).read_bytes()


def test_an_endless_file_does_not_fill_the_disk(server, own, tmp_path):
    server.faults[CAPTURE.name] = lambda handler, _: handler.answer(bytes(1 << 26))
    with pytest.raises(UserError, match=f"is larger than the {CAPTURE_BYTES} bytes"):
        fetch_from(server, own, tmp_path, CAPTURE)
    assert CAPTURE_BYTES >= part_file(tmp_path / CAPTURE).stat().st_size


def test_a_file_that_is_missing_in_the_middle_leaves_the_others(server, own, tmp_path):
    server.faults["02/trial.json"] = lambda handler, _: handler.fail(404)
    others = [path for path in sums_of(own) if path.parts[0] == "tables"]
    with pytest.raises(UserError, match=r"02/trial.json: is not there"):
        fetch_from(server, own, tmp_path, *others, PurePosixPath("trials/8mbps/a~b/02/trial.json"))
    server.faults.clear()
    assert len(others) >= 1
    fetch_from(server, own, tmp_path, *others, PurePosixPath("trials/8mbps/a~b/02/trial.json"))
    assert {*others, PurePosixPath("trials/8mbps/a~b/02/trial.json")} == Folder(tmp_path).names()


def test_a_full_disk_is_told_before_anything_is_fetched(server, own, tmp_path, monkeypatch):
    monkeypatch.setattr(fetching, "free_bytes", lambda _: fetching.SPARE_BYTES + CAPTURE_BYTES - 1)
    with pytest.raises(UserError, match=r"3.0 MB are to be fetched, and 103.0 MB are free; make room"):
        fetch_from(server, own, tmp_path, CAPTURE)
    assert not server.requests


def test_names_that_lead_out_of_the_folder_are_refused(server, own, tmp_path):
    (tmp_path / "trials").symlink_to(tmp_path.parent)
    for path, message in (
        (PurePosixPath("../x"), "leads out"),
        (PurePosixPath("/x"), "leads out"),
        (CAPTURE, "link"),
    ):
        with pytest.raises(UserError, match=message):
            fetch(address_of(server), tmp_path, [path], {path: ""}, {path: 1})


def test_a_folder_of_something_else_is_refused(server, own, tmp_path, capsys):
    other = tmp_path / "other"
    shutil.copytree(own, other)
    (other / "tables/pairs.csv").write_text("x")
    write_checksums(other)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    (tmp_path / "file").touch()
    for folder, message in (
        (other, "is another snapshot than"),
        (tmp_path / "full", "has files, and is no snapshot"),
        (tmp_path / "file", "is no folder"),
    ):
        before = contents(folder) if folder.is_dir() else {}
        assert 2 == main([*FETCH, server.url, "-o", str(folder)])
        assert f"error: {folder}: {message}" in capsys.readouterr().err
        assert before == (contents(folder) if folder.is_dir() else {})


def test_two_fetches_into_a_folder_do_not_mix(server, own, tmp_path):
    with locked(tmp_path), pytest.raises(UserError, match="another process works in it"):
        fetch_from(server, own, tmp_path, TRIAL)


def test_wrong_requests_are_user_errors(server, own, tmp_path, capsys):
    for arguments, message in (
        ((server.url, "trials/9mbps"), "has no trials/9mbps; SHA256SUMS lists its files"),
        ((server.url.replace("demo", "no"),), "has no SHA256SUMS, so it is no snapshot; check the address"),
        ((str(own),), "is a folder; fetch is for an address"),
    ):
        assert 2 == main([*FETCH, *arguments, "-o", str(tmp_path / "new")])
        assert message in capsys.readouterr().err


def test_an_unsigned_snapshot_is_refused_before_its_files_are_fetched(server, tmp_path, capsys):
    assert 2 == main(["fetch", server.url, "-o", str(tmp_path / "new")])
    assert "--allow unsigned" in capsys.readouterr().err
    assert not (tmp_path / "new/tables").exists()


@pytest.mark.parametrize("name", ["SHA256SUMS", "snapshot.json", "datapackage.json"])
def test_a_description_of_any_size_is_refused_before_it_is_written(
    server, tmp_path, capsys, monkeypatch, name
):
    monkeypatch.setattr(source, "MOST_DESCRIPTION_BYTES", 2_000)
    server.faults[name] = lambda handler, _: handler.answer(b"x" * 200_000)
    assert 2 == main([*FETCH, server.url, "-o", str(tmp_path / "new")])
    assert f"{name}: is larger than 0.002 MB" in capsys.readouterr().err
    assert not [path for path in (tmp_path / "new").rglob("*") if path.stat().st_size > 2_000]


def test_removed_files_are_left_out(server, own, tmp_path):
    removed = {"path": str(CAPTURE), "bytes": 1, "sha256": sums_of(own)[CAPTURE], "date": "", "reason": ""}
    snapshot = digest(own / "SHA256SUMS")
    content = json.dumps({"removed": [removed], "snapshot": snapshot}).encode()
    server.faults["tombstone.json"] = lambda handler, _: handler.answer(content)
    server.faults[CAPTURE.name] = lambda handler, _: handler.fail(404)
    assert 0 == main([*FETCH, server.url, "-o", str(tmp_path / "new")])
    assert content == (tmp_path / "new/tombstone.json").read_bytes()
    assert not (tmp_path / "new" / CAPTURE).exists()


def test_a_deeply_nested_list_of_sizes_is_a_user_error():
    with pytest.raises(UserError, match=r"datapackage\.json: maximum recursion depth"):
        parse_datapackage(b'{"x":' + b"[" * 200_000, "datapackage.json")


def test_sizes_are_those_of_the_description_that_is_listed(server, own, tmp_path):
    sums = fetch_metadata(address_of(server), tmp_path)
    sizes = sizes_of(Folder(tmp_path), sums)
    assert CAPTURE_BYTES == sizes[CAPTURE]
    path = PurePosixPath("datapackage.json")
    assert {CAPTURE: CAPTURE_BYTES, path: os.stat(own / path).st_size} == asked_sizes(
        address_of(server), [CAPTURE, path], sizes
    )
    (tmp_path / path).write_text("{}")
    with pytest.raises(UserError, match=r"datapackage.json: does not match SHA256SUMS"):
        sizes_of(Folder(tmp_path), sums)
    with pytest.raises(UserError, match=r"datapackage.json: Object missing required field `resources`"):
        sizes_of(Folder(tmp_path), {path: hashlib.sha256(b"{}").hexdigest()})


def test_a_snapshot_is_fetched_from_the_served_site(own, tmp_path):
    site = tmp_path / "public"
    (site / CAPTURES).parent.mkdir(parents=True)
    (site / CAPTURES).symlink_to(own / "trials")
    (site / "index.html").touch()
    with Site.of_command(site, own.parent) as served:
        url = f"http://localhost:{served.port}/cycles/demo/2026-11-21/"
        assert 0 == main([*FETCH, url, "-o", str(tmp_path / "new")])
    assert FOLDER.endswith(own.name)
    assert contents(own) == contents(tmp_path / "new")
