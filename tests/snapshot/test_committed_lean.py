"""Every lean snapshot that comes with the code verifies, is small, and is what its rows give."""

from pathlib import Path

import pytest

from scripts.base.files import ROOT
from scripts.snapshot import reproduce as reproduction
from scripts.snapshot.asked import Asked
from scripts.snapshot.checksums import files_of, verify_checksums
from scripts.snapshot.identity import read_identity
from scripts.snapshot.lean import FEW_BYTES
from scripts.snapshot.reproduce import reproduce
from tests.snapshot.partial import UNSIGNED

COMMITTED = sorted((ROOT / "data/snapshots/lean").glob("[!.]*"))

pytestmark = [
    pytest.mark.processes,
    pytest.mark.parametrize("snapshot", COMMITTED, ids=[path.name for path in COMMITTED]),
]


def test_it_is_whole_and_small(snapshot: Path):
    assert verify_checksums(snapshot) == len(files_of(snapshot))
    assert ("lean", snapshot.name) == (read_identity(snapshot).kind, read_identity(snapshot).folder)
    assert sum((snapshot / path).stat().st_size for path in files_of(snapshot)) <= FEW_BYTES


def test_its_tables_and_charts_follow_from_its_rows(snapshot: Path, tmp_path, monkeypatch):
    monkeypatch.setattr(reproduction, "SCRATCH", tmp_path)
    told, same = reproduce(str(snapshot), Asked(), UNSIGNED)
    assert same, told
