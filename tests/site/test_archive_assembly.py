"""A site is assembled beside the old one and replaces it in one step; one build at a time."""

import fcntl
import threading
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.base.exchange import exchange
from scripts.site.assembly import assembling, put_in_place
from tests.site.archives import contents


def folder(path: Path, text: str) -> Path:
    """A folder with the first page of a site."""
    path.mkdir(parents=True)
    (path / "index.html").write_text(text)
    return path


def rebuild(output: Path) -> None:
    """Replace a site."""
    with assembling(output) as fresh:
        (fresh / "index.html").write_text("new")


def impossible(one: Path, other: Path) -> bool:
    """An exchange on a file system that has none."""
    return False


def test_an_exchange_of_two_folders_is_one_step(tmp_path):
    one, other = folder(tmp_path / "one", "1"), folder(tmp_path / "other", "2")
    assert exchange(one, other)
    assert ("2", "1") == ((one / "index.html").read_text(), (other / "index.html").read_text())


def test_an_exchange_with_nothing_is_an_error_that_names_both(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"one.*other"):
        exchange(folder(tmp_path / "one", "1"), tmp_path / "other")


@pytest.mark.parametrize("way", [exchange, impossible])
def test_the_new_site_takes_the_place_of_the_old_one(tmp_path, way):
    output, fresh = folder(tmp_path / "public", "old"), folder(tmp_path / "work/site", "new")
    put_in_place(fresh, output, way)
    assert {"index.html": b"new"} == contents(output)
    assert [b"old"] == list(contents(tmp_path / "work").values())


def test_a_build_killed_between_two_renames_is_undone_by_the_next(tmp_path):
    folder(tmp_path / ".public.ab12cd_4/former", "old")
    folder(tmp_path / ".public.ab12cd_4/site", "half")
    with pytest.raises(InterruptedError), assembling(tmp_path / "public"):
        assert {"index.html": b"old"} == contents(tmp_path / "public")
        raise InterruptedError
    assert {"index.html": b"old"} == contents(tmp_path / "public")
    assert {"public", ".public.lock"} == {path.name for path in tmp_path.iterdir()}


def test_leftovers_of_this_site_are_removed_and_nothing_else(tmp_path):
    output, others = tmp_path / "public", {".public.old.ab12cd_4", ".public.kept", "public.ab12cd_4"}
    for name in (*others, ".public.ab12cd_4"):
        folder(tmp_path / name, "leftover")
    rebuild(output)
    assert others | {"public", ".public.lock"} == {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("page", ["index.html", "404.html", None])
def test_a_site_of_another_kind_and_an_empty_folder_are_replaced(tmp_path, page):
    (tmp_path / "public").mkdir()
    if page:
        (tmp_path / "public" / page).write_text("old")
    rebuild(tmp_path / "public")
    assert {"index.html": b"new"} == contents(tmp_path / "public")


def test_a_folder_that_is_no_site_is_not_replaced(tmp_path):
    (tmp_path / "public").mkdir()
    (tmp_path / "public/letters.txt").write_text("dear")
    with pytest.raises(UserError, match="is not a site, so it is not replaced"):
        rebuild(tmp_path / "public")
    assert {"letters.txt": b"dear"} == contents(tmp_path / "public")


def test_a_second_build_waits_for_the_first_and_says_so(tmp_path, capfd):
    with (tmp_path / ".public.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = threading.Thread(target=rebuild, args=[tmp_path / "public"])
        second.start()
        second.join(0.3)
        assert second.is_alive() and not (tmp_path / "public").exists()
    second.join()
    assert {"index.html": b"new"} == contents(tmp_path / "public")
    assert "another build is running; this one waits for it" in capfd.readouterr().err


def test_the_site_can_be_read_by_a_web_server(tmp_path):
    rebuild(tmp_path / "public")
    assert 0o755 == (tmp_path / "public").stat().st_mode & 0o755
