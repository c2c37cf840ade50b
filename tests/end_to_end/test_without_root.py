"""Cycles and trials of an ordinary user who may open /dev/net/tun: user namespaces replace root."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from tests.end_to_end.conftest import make_spec
from tests.end_to_end.ordinary_user import TUN, run_as_ordinary_user

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 and not os.access(TUN, os.R_OK | os.W_OK),
    reason=f"needs root, or a user who may open {TUN}",
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can reach, which those of pytest are not."""
    with tempfile.TemporaryDirectory(prefix="ordinary-user.") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def run(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    if os.geteuid() == 0:
        return run_as_ordinary_user(folder, *argv)
    return subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.soak(minutes=3)
def test_the_smoke_cycle_needs_no_root(folder):
    words = [f"data={folder}/data", f"public={folder}/public", "cycle=test"]
    done = run(folder, "make", "--no-print-directory", "cycle", "CAMPAIGN=smoke", *words)
    assert done.returncode == 0, done.stderr[-2000:]
    records = [
        json.loads(path.read_text()) for path in folder.glob("data/smoke/test/trials/*/*/*/trial.json")
    ]
    assert ["completed"] * 6 == [record["status"] for record in records], "five trials and the calibration"
    assert (folder / "public/index.html").is_file()


def test_a_video_in_a_browser_needs_no_root(folder):
    spec = make_spec(folder, "ref-video-4-reno", duration_s=20)
    spec.chmod(0o644)
    done = run(folder, "python", "-m", "testbed", "run", str(spec), "--into", f"{folder}/trials/01")
    assert done.returncode == 0, done.stderr[-2000:]
    record = json.loads((folder / "trials/01/trial.json").read_text())
    assert (record["status"], record["reason"]) == ("completed", None)
    video = json.loads((folder / "trials/01/qoe.json").read_text())["c1"]
    assert video["startup_s"] < 20
    assert video["frames"]["shown"] > 0
