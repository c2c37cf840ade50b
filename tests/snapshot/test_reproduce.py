"""The pinned snapshot rebuilds to the same bytes, and a changed figure is found."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.snapshot import reproduce as reproduction
from scripts.snapshot.checksums import write_checksums

REFERENCE = Path(__file__).resolve().parents[2] / "data/snapshots/reference"


def reproduce(snapshot: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "scripts.snapshot", "reproduce", str(snapshot)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.soak
def test_the_reference_is_identical_when_rebuilt():
    done = reproduce(REFERENCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{REFERENCE}: identical: " in done.stdout


def test_a_figure_that_does_not_follow_from_the_trials_is_found(tmp_path, monkeypatch):
    copy = tmp_path / "tampered"
    shutil.copytree(REFERENCE, copy)
    table = copy / "tables/pairs.csv"
    table.write_text(table.read_text().replace("iperf-bbr", "iperf-rbb", 1))
    write_checksums(copy)
    monkeypatch.setattr(reproduction, "rebuild", copy_the_reference)
    with pytest.raises(UserError, match=r"tampered: not identical when rebuilt: tables/pairs.csv$"):
        reproduction.reproduce(copy)


def copy_the_reference(cycle: Path) -> None:
    """Stands in for a rebuild of the reference, which the first test shows to be identical."""
    for name in reproduction.REBUILT:
        shutil.copytree(REFERENCE / name, cycle / name)


def test_a_damaged_download_is_an_error_before_anything_is_rebuilt(tmp_path):
    copy = tmp_path / "damaged"
    shutil.copytree(REFERENCE, copy)
    log = copy / "trials/8mbps/iperf-bbr/01/queue.bin.zst"
    log.write_bytes(log.read_bytes()[:-1])
    done = reproduce(copy)
    assert done.returncode == 2
    assert done.stderr == f"error: {log}: does not match SHA256SUMS; fetch the snapshot again\n"
