"""A cycle whose captures are published elsewhere only: its pages are carried over and built as ever."""

import shutil

import pytest

from scripts.site.serve import Files
from scripts.snapshot.absent import Pruned, write_pruned
from tests.site.archives import build, contents
from tests.site.generated_archive import write_snapshots


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An archive of one cycle."""
    folder = tmp_path_factory.mktemp("a pruned archive")
    write_snapshots(folder / "snapshots", 1)
    build(folder)
    return folder


@pytest.fixture(scope="module")
def before(folder):
    """Every file of the archive before its snapshot was pruned."""
    return contents(folder / "public")


@pytest.fixture(scope="module")
def snapshot(folder, before):
    """The snapshot, pruned."""
    (snapshot,) = (folder / "snapshots").iterdir()
    gone = [path for path in snapshot.glob("trials/*/*/*/*") if path.name != "trial.json"]
    write_pruned(snapshot, Pruned("2027-01-04", "s3:observatory", len(gone), 1))
    for path in gone:
        path.unlink()
    return snapshot


def test_a_pruned_cycle_stays_as_it_was_published(folder, before, snapshot):
    assert before == contents(build(folder))


def test_its_pages_and_manifest_can_be_built_again(folder, before, snapshot, tmp_path):
    shutil.copytree(folder / "snapshots", tmp_path / "snapshots")
    again = contents(build(tmp_path))
    assert {name: before[name] for name in before if not name.startswith("captures/")} == {
        name: again[name] for name in again if not name.startswith("captures/")
    }


def test_its_captures_are_not_found_and_its_records_are(folder, snapshot):
    files = Files(folder / "public", folder / "snapshots", "captures/")
    (link,) = (folder / "public").glob("captures/demo/*")
    trial = f"{link.relative_to(folder / 'public')}/8mbps/iperf-bbr~iperf-cubic/01"
    assert files.find(f"{trial}/trial.json") is not None
    assert files.find(f"{trial}/client-c1.pcapng.zst") is None


def test_links_that_lead_nowhere_disturb_no_build(folder, before, snapshot, tmp_path):
    """A restored host has the snapshot without the folder of its trials."""
    shutil.copytree(folder, tmp_path / "restored", symlinks=True)
    restored = tmp_path / "restored"
    shutil.rmtree(restored / "snapshots" / snapshot.name / "trials")
    assert before == contents(build(restored))
