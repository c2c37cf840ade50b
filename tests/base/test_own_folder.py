"""Folders that somebody else can write or exchange are refused. Needs root, to give folders away."""

import os
from pathlib import Path

import pytest

from scripts.base.errors import UserError
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
