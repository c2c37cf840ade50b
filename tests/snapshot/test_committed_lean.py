"""Every lean snapshot that comes with the code verifies, is small, and is what its rows give."""

from pathlib import Path

import pytest

from scripts.base.files import ROOT
from scripts.snapshot import reproduce as reproduction
from scripts.snapshot.absent import verify_checksums
from scripts.snapshot.checksums import files_of
from scripts.snapshot.choice import Choice
from scripts.snapshot.identity import read_identity
from scripts.snapshot.lean import FEW_BYTES
from scripts.snapshot.lean_format import SUFFIX, unpack
from scripts.snapshot.reproduce import reproduce
from tests.snapshot.partial import UNSIGNED

COMMITTED = sorted((ROOT / "data/snapshots/lean").glob("[!.]*"))


@pytest.fixture(scope="module", params=COMMITTED, ids=lambda file: file.name.removesuffix(SUFFIX))
def committed(request, tmp_path_factory) -> tuple[Path, Path]:
    """A file, and the folder of its snapshot."""
    return request.param, unpack(request.param, tmp_path_factory.mktemp("unpacked"))


pytestmark = pytest.mark.processes


def test_it_is_whole_and_small(committed):
    file, snapshot = committed
    assert f"{snapshot.name}{SUFFIX}" == file.name
    assert verify_checksums(snapshot) == len(files_of(snapshot))
    identity = read_identity(snapshot)
    assert ("lean", snapshot.name) == (identity.kind, identity.folder)
    # A cycle that goes on has slots of 100 ms, too.
    assert file.stat().st_size <= FEW_BYTES * (2 if identity.incomplete else 1)


def test_its_tables_and_charts_follow_from_its_rows(committed, tmp_path, monkeypatch):
    monkeypatch.setattr(reproduction, "SCRATCH", tmp_path)
    told, same = reproduce(str(committed[1]), Choice(), UNSIGNED)
    assert same, told
