"""The memory of downloads is freed, whatever else is in their folder."""

import os
from pathlib import Path

import pytest

from services import live_page
from services.live_page import free_downloads

LAST_BLOCK = 8
"""Some file systems keep the block with the end of a file. It has 4 kB, 8 units of `st_blocks`."""


@pytest.fixture
def downloads(tmp_path) -> Path:
    folder = tmp_path / "downloads"
    folder.mkdir()
    return folder


def written(path: Path) -> Path:
    path.write_bytes(b"downloaded" * 10_000)
    return path


def test_a_download_keeps_its_length_and_no_memory(downloads):
    file = written(downloads / "file.bin")
    free_downloads(downloads)
    assert file.stat().st_size == 100_000
    assert file.stat().st_blocks <= LAST_BLOCK


def test_a_link_leaves_its_target_as_it_was(downloads, tmp_path):
    target = written(tmp_path / "queue.bin")
    (downloads / "file.bin").symlink_to(target)
    free_downloads(downloads)
    assert target.read_bytes() == b"downloaded" * 10_000


def test_a_link_in_place_of_the_folder_leads_nowhere(downloads, tmp_path):
    target = written(tmp_path / "queue.bin")
    downloads.rmdir()
    downloads.symlink_to(tmp_path)
    free_downloads(downloads)
    assert target.read_bytes() == b"downloaded" * 10_000


def test_a_pipe_and_a_folder_are_passed_over(downloads):
    os.mkfifo(downloads / "a-pipe")
    (downloads / "b-folder").mkdir()
    file = written(downloads / "c.bin")
    free_downloads(downloads)
    assert file.stat().st_blocks <= LAST_BLOCK


def test_a_file_that_is_renamed_meanwhile_is_passed_over(downloads, monkeypatch):
    """The browser renames a download when it is complete."""
    file = written(downloads / "file.bin")
    listed = os.listdir
    monkeypatch.setattr(live_page.os, "listdir", lambda folder: ["gone.crdownload", *listed(folder)])
    free_downloads(downloads)
    assert file.stat().st_blocks <= LAST_BLOCK
