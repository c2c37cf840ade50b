"""Every lean snapshot that comes with the code verifies, is small, and is what its rows give.

`make test` rebuilds one snapshot of each kind, `make soak ONLY=committed-lean` the others.
"""

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
LARGEST_FIRST = sorted(COMMITTED, key=lambda file: file.stat().st_size, reverse=True)
OF_KINDS = {file.name.partition("-")[0]: file for file in LARGEST_FIRST}.values()
"""The smallest snapshot of each kind: the first word of a campaign's name."""
LONG = pytest.mark.soak(minutes=15)


def name_of(file: Path) -> str:
    """The name of a snapshot."""
    return file.name.removesuffix(SUFFIX)


@pytest.fixture
def committed(request, tmp_path) -> tuple[Path, Path]:
    """A file, and the folder of its snapshot."""
    return request.param, unpack(request.param, tmp_path / "unpacked")


pytestmark = pytest.mark.processes


@pytest.mark.parametrize("committed", COMMITTED, ids=name_of, indirect=True)
def test_it_is_whole_and_small(committed):
    file, snapshot = committed
    assert f"{snapshot.name}{SUFFIX}" == file.name
    assert verify_checksums(snapshot) == len(files_of(snapshot))
    identity = read_identity(snapshot)
    assert ("lean", snapshot.name) == (identity.kind, identity.folder)
    # A cycle that goes on has slots of 100 ms, too.
    assert file.stat().st_size <= FEW_BYTES * (2 if identity.incomplete else 1)


@pytest.mark.parametrize(
    "committed",
    [pytest.param(file, marks=() if file in OF_KINDS else LONG) for file in COMMITTED],
    ids=name_of,
    indirect=True,
)
def test_its_tables_and_charts_follow_from_its_rows(committed, tmp_path, monkeypatch):
    monkeypatch.setattr(reproduction, "SCRATCH", tmp_path)
    told, same = reproduce(str(committed[1]), Choice(), UNSIGNED)
    assert same, told
