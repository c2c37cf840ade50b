"""Folders that somebody else can write or exchange are refused. Needs root, to give folders away."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.own_folder import own_folder, require_own

NOBODY = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def test_a_folder_is_made_for_its_user_alone(tmp_path):
    folder = own_folder(tmp_path / "a" / "b")
    assert 0o700 == folder.stat().st_mode & 0o777
    assert folder == own_folder(folder)


def test_a_folder_in_a_sticky_one_that_all_can_write_is_ours(tmp_path):
    tmp_path.chmod(0o1777)
    require_own(tmp_path / "not made yet")
    (tmp_path / "made").mkdir()
    require_own(tmp_path / "made")


@pytest.mark.parametrize("mode", [0o777, 0o757, 0o1777])
def test_a_folder_that_others_can_write_is_refused(tmp_path, mode):
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(mode)
    with pytest.raises(UserError, match=r"folder: others can write it; run chmod go-w"):
        require_own(folder)


def test_a_parent_that_others_can_write_is_refused(tmp_path):
    (tmp_path / "parent/folder").mkdir(parents=True)
    (tmp_path / "parent").chmod(0o777)
    with pytest.raises(UserError, match=r"parent: others can write it, and change .*/parent/folder"):
        require_own(tmp_path / "parent/folder")


@needs_root
def test_a_folder_that_another_user_made_first_is_refused(tmp_path):
    tmp_path.chmod(0o1777)
    (tmp_path / "theirs").mkdir()
    os.chown(tmp_path / "theirs", NOBODY, NOBODY)
    for folder in (tmp_path / "theirs", tmp_path / "theirs/below"):
        with pytest.raises(UserError, match=r"theirs: belongs to nobody, who could change"):
            own_folder(folder)
    assert not (tmp_path / "theirs/below").exists()


@needs_root
def test_a_folder_of_a_group_with_others_is_refused(tmp_path):
    os.chown(tmp_path, 0, NOBODY)
    tmp_path.chmod(0o770)
    with pytest.raises(UserError, match="others can write it"):
        require_own(tmp_path)
    os.chown(tmp_path, 0, 0)
    require_own(tmp_path)


@needs_root
def test_links_are_followed_only_if_they_are_ours_and_lead_to_what_is_ours(tmp_path):
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
    os.chown(tmp_path / "theirs", NOBODY, NOBODY)
    for name, target in (("good", "ours"), ("bad", "theirs"), ("given", "ours")):
        (tmp_path / name).symlink_to(target)
    os.lchown(tmp_path / "given", NOBODY, NOBODY)
    require_own(tmp_path / "good/below")
    for name in ("bad", "given"):
        with pytest.raises(UserError, match=r"belongs to nobody"):
            require_own(tmp_path / name / "below")


def test_a_circle_of_links_is_an_error(tmp_path):
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(UserError, match="too many symbolic links"):
        require_own(Path(tmp_path / "circle"))


COMMANDS = {
    "a cycle": ["snakemake", "-n", "--config", "data={}"],
    "a cycle's site": ["snakemake", "-n", "--config", "public={}"],
    "operation": ["scripts.operate", "status", "--data", "{}"],
    "operation's site": ["scripts.operate", "status", "--public", "{}"],
    "submissions": ["scripts.operate", "submissions", "list", "--data", "{}"],
    "the site": ["scripts.site", "build", "-o", "{}"],
    "an unlisted site": ["scripts.site", "unlisted", "snapshots", "0" * 32, "-o", "{}"],
    "a host's own disk": ["scripts.hosts", "hand-in", "cycle", "--own-disk", "{}"],
}
"""Every option of a command that names a folder in which it works."""


@needs_root
@pytest.mark.parametrize("command", COMMANDS)
def test_root_works_in_no_folder_of_another_user(tmp_path, command):
    folder = tmp_path / "theirs"
    folder.mkdir()
    os.chown(folder, NOBODY, NOBODY)
    words = [word.format(folder) for word in COMMANDS[command]]
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True)
    assert "theirs: belongs to nobody, who could change" in done.stderr, done.stderr
    assert done.returncode and not [*folder.iterdir()]


SHARED = {
    "scripts/base/confinement.py": {"/tmp"},  # inside of a view of its own
    "scripts/tables/database.py": {"gettempdir"},  # a name that nobody can guess
    "services/endpoint/image/container.py": {"/tmp"},  # inside of a view of its own
    "services/endpoint/image/unpack.py": {"/tmp"},  # inside of a view of its own
    "testbed/confined_driver.py": {"/tmp/.X11-unix"},  # inside of a view of its own
    "testbed/host_lock.py": {"/run/lock", "/tmp"},  # opened for reading, without links
}
"""Folders that all users of a machine share, by the file that names them."""


def test_no_other_folder_that_all_users_share_is_named():
    named = {}
    pattern = re.compile(r"""["'](/(?:tmp|var/tmp|dev/shm|run/lock)\b[^"']*)["']|\b(gettempdir)\b""")
    for folder in ("scripts", "testbed", "services"):
        for file in (ROOT / folder).rglob("*.py"):
            if found := {one or two for one, two in pattern.findall(file.read_text(encoding="utf-8"))}:
                named[file.relative_to(ROOT).as_posix()] = found
    assert SHARED == named
