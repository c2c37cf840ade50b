"""SHA256SUMS: an error about a damaged snapshot names the file."""

import subprocess

import pytest

from scripts.base.errors import UserError
from scripts.snapshot.checksums import verify_checksums, write_checksums


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "trials/a~b").mkdir(parents=True)
    (tmp_path / "trials/a~b/x.json").write_text("{}")
    (tmp_path / "plan.csv").write_text("order\n")
    write_checksums(tmp_path)
    return tmp_path


def test_checksums_are_verified_here_and_by_sha256sum(folder):
    assert verify_checksums(folder) == 2
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder, check=True)


def test_a_changed_file_is_named(folder):
    (folder / "trials/a~b/x.json").write_text("{ }")
    with pytest.raises(UserError, match=r"trials/a~b/x.json: does not match SHA256SUMS"):
        verify_checksums(folder)


def test_a_missing_file_is_named(folder):
    (folder / "plan.csv").unlink()
    with pytest.raises(UserError, match=r"plan.csv: is missing"):
        verify_checksums(folder)


def test_a_file_that_was_added_is_named(folder):
    (folder / "more.csv").write_text("")
    with pytest.raises(UserError, match=r"more.csv: is not in SHA256SUMS"):
        verify_checksums(folder)


def test_a_folder_without_checksums_is_not_a_snapshot(tmp_path):
    with pytest.raises(
        UserError, match=r"SHA256SUMS: cannot be read: No such file or directory; is this a snap"
    ):
        verify_checksums(tmp_path)
