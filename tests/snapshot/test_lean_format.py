"""A snapshot as one file has the same files again, and a file that would write elsewhere writes nothing."""

import io
import tarfile

import pytest
import zstandard

from scripts.base.errors import UserError
from scripts.base.tar_files import members, packed
from scripts.snapshot.lean_format import pack, repacked, unpack, unpacked
from tests.services.endpoint.images import endless_header

FILES = {"SHA256SUMS": b"sums", "tables/pairs.parquet": b"rows" * 1000, "trials/a/b/01/trial.json": b"{}"}


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "watchdog-1"
    for name, content in FILES.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(content)
    return made


def content_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_every_file_is_there_again_and_the_same_files_give_the_same_bytes(folder, tmp_path):
    pack(folder, tmp_path / "one.tar.zst")
    made = unpack(tmp_path / "one.tar.zst", tmp_path / "elsewhere")
    assert ("watchdog-1", FILES) == (made.name, content_of(made))
    pack(made, tmp_path / "two.tar.zst")
    assert (tmp_path / "one.tar.zst").read_bytes() == (tmp_path / "two.tar.zst").read_bytes()


def test_a_folder_and_an_address_stay_what_they_are(folder):
    for named in (folder, str(folder), "https://host/snapshots/watchdog-1/"):
        with unpacked(named) as found:
            assert named == found


def test_what_is_made_takes_the_place_of_the_file_only_at_the_end(folder, tmp_path):
    file = tmp_path / "watchdog-1.tar.zst"
    pack(folder, file)
    before = file.read_bytes()
    with pytest.raises(KeyError), repacked(file) as made:
        (made / "SHA256SUMS").write_bytes(b"other")
        raise KeyError
    assert before == file.read_bytes()
    with repacked(file) as made:
        assert FILES == content_of(made)
        (made / "SHA256SUMS").write_bytes(b"other")
    with unpacked(file) as made:
        assert FILES | {"SHA256SUMS": b"other"} == content_of(made)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (["watchdog-1/../../plan.csv"], "leads out of its folder"),
        (["/etc/plan.csv"], "leads out of its folder"),
        (["a/plan.csv", "b/plan.csv"], "has 2 files and folders at its top"),
        (["plan.csv"], "has 1 files and folders at its top"),
    ],
)
def test_a_file_that_is_no_packed_snapshot_writes_nothing(tmp_path, files, problem):
    file, into = tmp_path / "x.tar.zst", tmp_path / "into"
    file.write_bytes(packed([(name, b"", 0o644) for name in files], 3))
    with pytest.raises(UserError, match=problem):
        unpack(file, into)
    assert [] == [*into.iterdir()]


@pytest.mark.parametrize("bomb", ["a long name", "many empty files", "a size below 0"])
def test_no_archive_is_read_beyond_its_limit(bomb):
    """A long name is read as a whole before its file is told."""
    names = ["n" * 5000] if bomb == "a long name" else [f"{number}" for number in range(20)]
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(name))
    content = tar.getvalue()
    if bomb == "a size below 0":
        entry = tarfile.TarInfo("folder")
        entry.type, entry.size = tarfile.DIRTYPE, -(1 << 20)
        content = entry.tobuf(tarfile.GNU_FORMAT) + content
    stream = io.BytesIO(zstandard.ZstdCompressor().compress(content))
    with pytest.raises(UserError, match=r"x: cannot be read: (has more than|'folder' has a size below 0)"):
        list(members(stream, 20_000 if bomb == "a size below 0" else 4000, "x"))


def test_a_header_without_an_end_is_an_error():
    stream = io.BytesIO(zstandard.ZstdCompressor().compress(endless_header() + bytes(2048)))
    with pytest.raises(UserError, match="x: cannot be read"):
        list(members(stream, 20_000, "x"))


def test_a_damaged_file_is_an_error(folder, tmp_path):
    file = tmp_path / "watchdog-1.tar.zst"
    pack(folder, file)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(UserError, match="cannot be read"):
        unpack(file, tmp_path / "into")


def test_a_folder_is_not_overwritten(folder, tmp_path):
    pack(folder, tmp_path / "one.tar.zst")
    with pytest.raises(UserError, match="exists already"):
        unpack(tmp_path / "one.tar.zst", tmp_path)
    assert FILES == content_of(folder)
