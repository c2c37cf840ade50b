"""A build of the archive that is killed leaves the old site or the new one, and nothing that stays."""

import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.site.archives import chosen, contents
from tests.site.generated_archive import write_snapshots

ROOT = Path(__file__).resolve().parents[2]
MANY = 20
"""How many random moments are tried."""


def start(folder: Path) -> subprocess.Popen:
    """Start a build of the archive in this folder, with the settings of the project."""
    command = [sys.executable, "-m", "scripts.site", "build", "--snapshots", str(folder / "snapshots")]
    return subprocess.Popen([*command, "-o", str(folder / "public")], cwd=ROOT, stdout=subprocess.DEVNULL)


def fresh_copy(old: Path, folder: Path) -> Path:
    """The archive `old`, with both snapshots to be published."""
    shutil.copytree(old, folder, symlinks=True)
    return folder


@pytest.fixture(scope="module")
def archives(tmp_path_factory) -> tuple[Path, list[Path]]:
    """An archive with one cycle, and the snapshots of two."""
    root = tmp_path_factory.mktemp("killed archives")
    snapshots = write_snapshots(root / "all", 2)
    old = root / "old"
    old.mkdir()
    chosen(snapshots[:1], old / "snapshots")
    assert start(old).wait() == 0
    chosen(snapshots, old / "snapshots")
    return old, snapshots


@pytest.mark.soak(minutes=3)
def test_a_killed_build_leaves_the_old_site_or_the_new_one(archives):
    old, _ = archives
    draw = random.Random(3)
    began_s = time.monotonic()
    finished = fresh_copy(old, old.with_name("finished"))
    assert start(finished).wait() == 0
    takes_s = time.monotonic() - began_s
    expected = {"old": contents(old / "public"), "new": contents(finished / "public")}
    outcomes: list[str] = []
    for number in range(MANY):
        folder = fresh_copy(old, old.with_name(f"killed {number}"))
        run = start(folder)
        time.sleep(draw.uniform(0, 1.1) * takes_s)
        run.kill()
        run.wait()
        left = contents(folder / "public")
        outcomes += [name for name, site in expected.items() if site == left]
        assert len(outcomes) == number + 1, "the site is the old one or the new one"
        if number % 8 == 0:
            assert start(folder).wait() == 0
            assert expected["new"] == contents(folder / "public")
            assert {"snapshots", "public", ".public.lock"} == {path.name for path in folder.iterdir()}
    assert "old" in outcomes
