"""A trial is replaced by its published form only if that gives the same tables."""

import shutil
from pathlib import Path

import pytest

from scripts.extract.__main__ import main as extract_main
from scripts.extract.published_capture import publish as publish_capture
from scripts.extract.published_trial import main as publish_main
from scripts.extract.reduced_trial import main, reduce_trial
from scripts.extract.same_tables import same_table
from scripts.extract.trial_files import HANDSHAKES, TABLES
from scripts.extract.trial_json import read_trial
from tests.extract.live_trial import write_live_trial
from tests.extract.synthetic import example_trial


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A live trial with logs, its tables, its published form, and the options of both commands."""
    folder = tmp_path_factory.mktemp("measured")
    trial, config = write_live_trial(folder)
    (trial / "logs").mkdir()
    (trial / "logs/switch.log").write_text("ready")
    finish(folder, "--key", str(folder / "private/key"), "--config", str(config))
    return folder


@pytest.fixture
def folder(measured, tmp_path):
    """A copy of it."""
    return shutil.copytree(measured, tmp_path / "measured")


def finish(folder: Path, *options: str) -> None:
    """Extract and publish the trial of a folder."""
    trial, tables = str(folder / "trial"), folder / "parquet"
    assert extract_main([trial, "-o", str(tables), "--salvage", *options]) == 0
    published = ["-o", str(folder / "published"), "--extracted", str(tables / "clients.parquet")]
    assert publish_main([trial, *published, *options]) == 0


def reduced(folder: Path) -> str | None:
    return reduce_trial(folder / "trial", folder / "published", folder / "parquet")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_only_the_raw_form_had_is_gone(folder):
    before = names(folder / "trial")
    assert reduced(folder) is None
    assert {HANDSHAKES, "private.json", "logs"} == before - names(folder / "trial")
    assert read_trial(folder / "trial/trial.json").published
    assert {"config.json", "parquet", "private", "published", "trial"} == names(folder), (
        "nothing is left over"
    )


def test_the_published_files_are_on_the_disk_once(folder):
    reduced(folder)
    for path in (folder / "published").iterdir():
        assert path.samefile(folder / "trial" / path.name), path.name


def test_the_reduced_trial_gives_the_same_tables_without_the_key(folder):
    reduced(folder)
    assert extract_main([str(folder / "trial"), "-o", str(folder / "again"), "--salvage"]) == 0
    for table in TABLES:
        assert same_table(*(folder / name / f"{table}.parquet" for name in ("parquet", "again"))), table


def test_a_reduced_trial_is_published_by_links(folder):
    reduced(folder)
    assert publish_main([str(folder / "trial"), "-o", str(folder / "again")]) == 0
    assert names(folder / "again") == names(folder / "published")
    for path in (folder / "again").iterdir():
        assert path.samefile(folder / "trial" / path.name), path.name


def test_a_reduced_trial_stays_as_it_is(folder):
    reduced(folder)
    before = {path.name: path.stat().st_ino for path in (folder / "trial").iterdir()}
    shutil.rmtree(folder / "parquet")
    assert reduced(folder) is None
    assert before == {path.name: path.stat().st_ino for path in (folder / "trial").iterdir()}


@pytest.mark.parametrize("in_place", [False, True])
def test_what_a_killed_command_left_is_removed(folder, in_place):
    if in_place:
        reduced(folder)
    (folder / ".trial.reduced/form").mkdir(parents=True)
    (folder / ".trial.reduced/form/client-c1.pcapng.zst").write_text("raw")
    assert reduced(folder) is None
    assert not (folder / ".trial.reduced").exists()


def test_another_table_keeps_the_raw_form_and_is_named(folder, capsys):
    """The published captures of both clients are those of the second one."""
    (folder / "published/client-c1.pcapng.zst").unlink()
    shutil.copy(folder / "published/client-c2.pcapng.zst", folder / "published/client-c1.pcapng.zst")
    before = names(folder / "trial")
    words = ["--published", str(folder / "published"), "--tables", str(folder / "parquet")]
    assert main([str(folder / "trial"), *words, "-o", str(folder / "stamp")]) == 0
    assert "keeps its raw form: the published form gives another packets.parquet" in capsys.readouterr().out
    assert (folder / "stamp").read_text().startswith("the published form gives another")
    assert before == names(folder / "trial")
    assert {"clients.parquet"} == names(folder / "parquet"), "the others can be made again"


def test_a_damaged_published_form_keeps_the_raw_one(folder):
    (folder / "published/queue.bin.zst").unlink()
    (folder / "published/queue.bin.zst").write_bytes(b"something else")
    assert "the published form cannot be extracted" == reduced(folder)
    assert HANDSHAKES in names(folder / "trial")


def test_a_file_system_without_exchange_keeps_the_raw_form(folder):
    reason = reduce_trial(
        folder / "trial", folder / "published", folder / "parquet", exchange=lambda one, other: False
    )
    assert "this file system cannot exchange two folders" == reason
    assert HANDSHAKES in names(folder / "trial")


def test_a_salvaged_trial_stays_to_be_examined(tmp_path):
    trial = example_trial().write(tmp_path / "trial")
    (trial / "queue.bin.zst").write_bytes(b"something else")
    finish(tmp_path)
    assert "the trial was salvaged: the queue log cannot be read" == reduced(tmp_path)
    assert (trial / "queue.bin.zst").read_bytes() == b"something else"


def test_a_failed_trial_keeps_its_logs(tmp_path):
    trial = example_trial().write(tmp_path / "trial", status="failed", reason="It broke.")
    (trial / "logs/c1").mkdir(parents=True)
    (trial / "logs/c1/driver.log").write_text("why")
    finish(tmp_path)
    assert reduced(tmp_path) is None
    assert "why" == (trial / "logs/c1/driver.log").read_text()
    assert read_trial(trial / "trial.json").published


def test_what_is_published_unchanged_is_a_hard_link(folder):
    assert (folder / "trial/trial.json").exists()
    example = example_trial().write(folder / "example")
    assert publish_main([str(example), "-o", str(folder / "copy")]) == 0
    linked = {path.name for path in (folder / "copy").iterdir() if path.samefile(example / path.name)}
    assert {"queue.bin.zst", "flows.json"} == linked


def test_a_shorter_capture_gives_the_same_table_and_another_one_does_not(tmp_path):
    trial = example_trial().write(tmp_path / "trial")
    (tmp_path / "cut").mkdir()
    for capture in trial.glob("client-*"):
        publish_capture(capture, tmp_path / "cut" / capture.name)
    for output, captures in (("a", trial), ("b", tmp_path / "cut")):
        extract_main([str(trial), "-o", str(tmp_path / output), "--captures", str(captures)])
    files = [tmp_path / output / "packets.parquet" for output in "ab"]
    assert files[0].read_bytes() != files[1].read_bytes()
    assert same_table(*files)
    content = bytearray(files[1].read_bytes())
    content[100] ^= 1
    files[1].write_bytes(content)
    assert not same_table(*files)
