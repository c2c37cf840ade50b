"""Corrections, takedowns and withdrawals: the pages stay and their status line says it."""

import json
import shutil
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import to_json
from scripts.site import archive
from scripts.site.addresses import Place
from scripts.site.status import status_of
from scripts.snapshot.absent import Removed, Tombstone, Withdrawn
from tests.site.archives import below, broken_links, build, contents, without_status
from tests.site.generated_archive import cycle_name, write_correction, write_snapshots

FIRST = Place("demo", cycle_name(0))
CORRECTED = Place("demo", cycle_name(0), 2)
CAPTURE = "trials/8mbps/iperf-bbr~iperf-cubic/01/client-c1.pcapng.zst"
REASON = 'a <clock> & "its" drift'


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """The folder of the archives."""
    return tmp_path_factory.mktemp("corrected archives")


@pytest.fixture(scope="module")
def snapshot(root) -> Path:
    """The snapshot of the first cycle."""
    return write_snapshots(root / "all", 1)[0]


@pytest.fixture(scope="module")
def before(root, snapshot) -> dict[str, bytes]:
    """The archive with that cycle alone."""
    return contents(build(made(root / "before"), snapshot))


@pytest.fixture(scope="module")
def corrected(root, snapshot) -> Path:
    """The archive after its correction."""
    folder = made(root / "corrected")
    build(folder, snapshot)
    return build(folder, write_correction(snapshot, FIRST.cycle, 2, REASON))


@pytest.fixture
def own(root, snapshot, tmp_path) -> Path:
    """An archive with a copy of the first snapshot, which a test may change."""
    folder = made(tmp_path / "own")
    made(folder / "snapshots")
    shutil.copytree(snapshot, folder / "snapshots" / snapshot.name)
    build(folder)
    return folder


def made(folder: Path) -> Path:
    """A new folder."""
    folder.mkdir()
    return folder


def bury(folder: Path, tombstone: Tombstone) -> None:
    """Write the tombstone of the only snapshot, and remove the files that it names."""
    (snapshot,) = (folder / "snapshots").iterdir()
    (snapshot / "tombstone.json").write_text(json.dumps(to_json(tombstone)))
    for removed in tombstone.removed:
        (snapshot / removed.path).unlink()


def first_status(site: Path, place: Place = FIRST) -> str:
    """The status on the first page of a cycle."""
    return status_of(site / place.pages / "index.html")


def test_a_correction_stands_beside_the_first_revision_which_says_so(before, corrected):
    after = contents(corrected)
    revision = f'<a href="../../../{CORRECTED.pages}">revision 2</a>'
    reason = "a &lt;clock&gt; &amp; &quot;its&quot; drift."
    assert f"corrected by {revision} on 2026-12-24: {reason}" in first_status(corrected)
    assert "" == first_status(corrected, CORRECTED)
    for name, body in below(before, FIRST.pages).items():
        assert without_status(body) == without_status(after[name]), name
    assert "../../../../all/demo-2026-11-21-r2/trials" == after[f"captures/demo/{CORRECTED.label}"].decode()
    assert set() == broken_links(corrected)


def test_a_correction_alone_gives_the_same_bytes_as_with_the_first_revision(root, snapshot, corrected):
    folder = made(root / "together")
    assert contents(corrected) == contents(build(folder, *(root / "corrected/snapshots").iterdir()))


def test_a_correction_may_be_built_as_soon_as_processes_can(root, snapshot, corrected, monkeypatch):
    """Of several processes, any may end first: here the last one does."""

    def last_first(work, *items, processes):
        return [work(*each) for each in list(zip(*items, strict=True))[::-1]][::-1]

    monkeypatch.setattr(archive, "map_in_processes", last_first)
    folder = made(root / "last first")
    assert contents(corrected) == contents(build(folder, *(root / "corrected/snapshots").iterdir()))


def test_a_removed_capture_is_gone_and_every_page_says_that_files_were_removed(own, before):
    bury(own, Tombstone((Removed(CAPTURE, 23, "0" * 64, "2026-12-25", "a name in it"),)))
    after = contents(build(own))
    assert "One file was <a" in first_status(own / "public")
    address = f"captures/demo/{FIRST.label}/{CAPTURE.removeprefix('trials/')}"
    assert not (own / "public" / address).exists()
    assert {True} == {link.endswith(address) for _, link in broken_links(own / "public")}
    assert "a name in it" in (own / "public/corrections/index.html").read_text()
    assert b"removed" in after[f"{FIRST.pages}trials/8mbps/iperf-bbr~iperf-cubic/01/index.html"]
    for name, body in below(before, FIRST.pages, "data/v1/pairs/").items():
        assert without_status(body) == without_status(after[name]), name


def test_tombstones_outlive_their_snapshot(own):
    bury(own, Tombstone(withdrawn=Withdrawn("2026-12-26", "a wrong link")))
    expected = contents(build(own))
    shutil.rmtree(own / "snapshots")
    (own / "snapshots").mkdir()
    assert expected == contents(build(own))
    assert "withdrawn</a> on 2026-12-26: a wrong link." in first_status(own / "public")


def test_pages_are_not_written_if_their_status_stays(own):
    pages = [own / "public" / FIRST.pages / name for name in ("index.html", "method/index.html")]
    before = [page.stat().st_ino for page in pages]
    build(own)
    assert before == [page.stat().st_ino for page in pages]


def test_the_snapshot_that_comes_with_the_project_is_on_no_site(own, snapshot):
    before = contents(own / "public")
    (own / "snapshots/reference").symlink_to(ROOT / "data/snapshots/reference")
    assert before == contents(build(own))
    (own / "snapshots/reference").unlink()


def test_a_snapshot_under_another_name_is_refused(own, snapshot):
    shutil.copytree(snapshot, own / "snapshots/another")
    with pytest.raises(UserError, match=rf"snapshots/another: is {snapshot.name} by its snapshot\.json"):
        build(own)
