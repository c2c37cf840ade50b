"""One command makes everything of a trial. Files that cannot be read stall no cycle."""

import os
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard

from scripts.extract import confined
from scripts.extract.extract_trial import extract
from scripts.extract.published_trial import publish
from scripts.extract.reduced_trial import reduce_trial
from scripts.extract.trial_files import HANDSHAKES, TABLES
from scripts.extract.trial_json import read_trial
from scripts.tables.measured_trial import main
from scripts.tables.trial_tables import build_trial
from tests.extract.live_trial import write_live_trial
from tests.extract.messages import client_hello, segment
from tests.extract.synthetic import capture, example_trial, write_compressed
from tests.snapshot.partial import REFERENCE

CONFIG = REFERENCE / "plan/config.json"
FOLDERS = ("published", "parquet", "rows")


@pytest.fixture
def trial(tmp_path) -> Path:
    """A trial with a folder of its own."""
    return example_trial().write(tmp_path / "trial")


@pytest.fixture(scope="module")
def measured(tmp_path_factory) -> Path:
    """A live trial with logs, and everything that is made of it."""
    folder = tmp_path_factory.mktemp("measured")
    live, _ = write_live_trial(folder)
    (live / "logs").mkdir()
    (live / "logs/switch.log").write_text("ready")
    assert make(folder) == 0
    return folder


@pytest.fixture
def folder(measured, tmp_path) -> Path:
    """A copy of it."""
    return shutil.copytree(measured, tmp_path / "measured")


def make(folder: Path, *options: str) -> int:
    """Run the command on the trial of a folder. A live trial there has a configuration beside it."""
    own = folder / "config.json"
    words = [word for name in FOLDERS for word in (f"--{name}", str(folder / name))]
    config = ["--config", str(own if own.exists() else CONFIG), "--key", str(folder / "private/key")]
    return main([str(folder / "trial"), *words, *config, *options])


def judged(folder: Path) -> tuple[str, str | None]:
    """Make everything; the status and the reason in clients.parquet."""
    assert make(folder) == 0
    table = pq.read_table(folder / "parquet/clients.parquet")
    return table["status"][0].as_py(), table["reason"][0].as_py()


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def names(folder: Path) -> set[str]:
    """The names of the files of a folder."""
    return {path.name for path in folder.iterdir()}


def changed(folder: Path) -> dict[str, int]:
    """When each file of a folder was written."""
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


def test_everything_is_what_each_step_makes_alone(trial, tmp_path):
    assert judged(tmp_path) == ("completed", None)
    alone = tmp_path / "alone"
    publish(trial, alone / "published")
    extract(alone / "published", alone / "parquet")
    build_trial(alone / "parquet", alone / "rows", CONFIG)
    for name in FOLDERS:
        assert contents(alone / name) == contents(tmp_path / name)
        assert len(contents(tmp_path / name)) > 3
    assert {path.stat().st_uid for path in tmp_path.rglob("*")} == {os.geteuid()}
    assert not list(tmp_path.glob(".*"))


def test_a_calibration_has_its_row(tmp_path):
    shutil.copytree(REFERENCE / "trials/8mbps/calibration/01", tmp_path / "trial")
    assert make(tmp_path) == 0
    (row,) = pq.read_table(tmp_path / "rows/calibration.parquet").to_pylist()
    assert row in pq.read_table(REFERENCE / "tables/calibration.parquet").to_pylist()


def test_what_is_published_unchanged_is_on_the_disk_once(trial, tmp_path):
    make(tmp_path)
    linked = {path.name for path in (tmp_path / "published").iterdir() if path.samefile(trial / path.name)}
    assert {"queue.bin.zst", "flows.json"} == linked


def test_a_changed_threshold_makes_the_rows_alone(trial, tmp_path):
    code = tmp_path / "code"
    code.touch()
    make(tmp_path, "--code", str(code))
    before = {name: changed(tmp_path / name) for name in FOLDERS}
    make(tmp_path, "--code", str(code))
    after = {name: changed(tmp_path / name) for name in FOLDERS}
    assert [name for name in FOLDERS if before[name] != after[name]] == ["rows"]
    code.touch()
    make(tmp_path, "--code", str(code))
    assert changed(tmp_path / "parquet") != after["parquet"]


def test_a_changed_configuration_publishes_a_live_trial_again(folder, tmp_path):
    (code := tmp_path / "code").touch()
    os.utime(code, (0, 0))
    before = changed(folder / "parquet")
    assert make(folder, "--code", str(code)) == 0
    assert before == changed(folder / "parquet")
    (folder / "config.json").touch()
    assert make(folder, "--code", str(code)) == 0
    assert before != changed(folder / "parquet")


def test_a_link_to_a_trial_of_a_snapshot_gets_no_other_published_form(tmp_path):
    (tmp_path / "trial").symlink_to(REFERENCE / "trials/8mbps/iperf-bbr/01")
    assert make(tmp_path) == 0
    assert {"trial", "parquet", "rows"} == names(tmp_path)


@pytest.mark.parametrize("missing", ["parquet/packets.parquet", "published/trial.json"])
def test_a_missing_product_is_made_again(trial, tmp_path, missing):
    (code := tmp_path / "code").touch()
    make(tmp_path, "--code", str(code))
    (tmp_path / missing).unlink()
    make(tmp_path, "--code", str(code))
    assert (tmp_path / missing).is_file()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("queue.bin.zst", b"<b>secret</b>", "the queue log cannot be read"),
        ("client-c1.pcapng.zst", b"<b>secret</b>, not a capture", "the capture of c1 cannot be read"),
        ("qoe.json", b"<b>secret", "the observations of the drivers cannot be read"),
        ("senders.jsonl.zst", b"<b>secret", "the samples of the senders cannot be read"),
        ("flows.json", b"<b>secret", "the list of the flows in the queue log cannot be read"),
        (HANDSHAKES, b"<b>secret</b>, not a capture", "the capture of the handshakes cannot be read"),
    ],
)
def test_a_trial_that_cannot_be_read_becomes_a_failed_one(trial, tmp_path, capfd, name, content, reason):
    (trial / name).write_bytes(content)
    assert judged(tmp_path) == ("failed", reason)
    assert f"{trial}: {reason}; its tables are those of a failed trial\n" in capfd.readouterr().err
    for table in TABLES:
        assert b"secret" not in (tmp_path / f"parquet/{table}.parquet").read_bytes()
    assert pq.read_metadata(tmp_path / "parquet/packets.parquet").num_rows == 0
    assert ["trial.json"] == [path.name for path in (tmp_path / "published").iterdir()]
    (row,) = {row["reason"] for row in pq.read_table(tmp_path / "rows/trial_services.parquet").to_pylist()}
    assert row == reason


def test_a_wrong_configuration_is_no_fault_of_the_trial(trial, tmp_path, capfd):
    words = [word for name in FOLDERS for word in (f"--{name}", str(tmp_path / name))]
    (tmp_path / "wrong.json").write_text("{}")
    assert main([str(trial), *words, "--config", str(tmp_path / "wrong.json")]) == 2
    error = capfd.readouterr().err
    assert "wrong.json" in error and "nothing can be made of it" in error
    assert not [name for name in FOLDERS if (tmp_path / name).exists()]


def test_a_failed_trial_with_a_capture_that_is_none_keeps_its_reason(tmp_path):
    trial = example_trial().write(tmp_path / "trial", status="failed", reason="It broke.")
    (trial / "client-c1.pcapng.zst").write_bytes(b"")
    assert judged(tmp_path) == ("failed", "It broke.")


def test_an_unreadable_record_is_an_error_and_is_not_salvaged(trial, tmp_path, capfd):
    record = (trial / "trial.json").rename(tmp_path / "record")
    (trial / "trial.json").symlink_to(record)
    assert make(tmp_path) == 2
    assert "trial.json: is not a regular file" in capfd.readouterr().err
    (trial / "trial.json").unlink()
    (trial / "trial.json").write_text("{")
    assert make(tmp_path) == 2
    assert "trial.json: is not valid JSON" in capfd.readouterr().err
    assert not [name for name in FOLDERS if (tmp_path / name).exists()]


def test_a_machine_without_tshark_fails_no_trial(trial, tmp_path, monkeypatch, capfd):
    write_compressed(trial / HANDSHAKES, capture([]))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert make(tmp_path) == 2
    assert "error: tshark: is not installed" in capfd.readouterr().err
    assert not (tmp_path / "parquet").exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [("queue.bin.zst", "the queue log"), ("qoe.json", "the observations of the drivers")],
)
def test_links_are_never_followed(trial, tmp_path, name, reason):
    (trial / name).unlink(missing_ok=True)
    (tmp_path / "secret").write_text("{}")
    (trial / name).symlink_to(tmp_path / "secret")
    assert judged(tmp_path) == ("failed", f"{reason} cannot be read")
    assert not (tmp_path / "published" / name).exists()


def test_private_files_can_be_read(trial, tmp_path):
    for path in trial.iterdir():
        path.chmod(0o600)
    trial.chmod(0o700)
    assert judged(tmp_path) == ("completed", None)


def test_paths_may_be_relative(trial, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = [word for name in FOLDERS for word in (f"--{name}", f"new/{name}")]
    assert main(["trial", *words, "--config", str(CONFIG)]) == 0
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(FOLDERS)


def test_a_trial_that_takes_too_long_is_ended_and_salvaged(trial, tmp_path, monkeypatch):
    """Tshark and pyshark take a minute for these names."""
    monkeypatch.setattr(confined, "SECONDS", 10)
    monkeypatch.setattr(confined, "SECONDS_A_MEGABYTE", 0)
    hello = client_hello("www.example.test")
    frames = [segment(True, 443, 1, hello, client_port=1000 + number) for number in range(15_000)]
    write_compressed(trial / HANDSHAKES, capture(list(enumerate(frames)), snaplen=65535))
    assert judged(tmp_path) == ("failed", "the files of the trial cannot be read")
    assert not list(tmp_path.glob(".*"))


def test_a_trial_that_needs_too_much_memory_is_salvaged(trial, tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(confined, "ADDRESS_SPACE_BYTES", 3 << 30)
    with (trial / "senders.jsonl.zst").open("wb") as file, zstandard.open(file, "wb") as packed:
        for _ in range(250):
            packed.write(b" " * (1 << 24))
    assert judged(tmp_path) == ("failed", "the files of the trial cannot be read")
    assert "MemoryError" in capfd.readouterr().err


class TestReduced:
    """The published form takes the place of the trial."""

    def reduce(self, folder: Path) -> None:
        assert make(folder, "--reduce") == 0

    def test_what_only_the_raw_form_had_is_gone(self, folder, capsys):
        before = names(folder / "trial")
        self.reduce(folder)
        assert {HANDSHAKES, "private.json", "logs"} == before - names(folder / "trial")
        assert read_trial(folder / "trial/trial.json").published
        assert {"config.json", "private", "trial", *FOLDERS} == names(folder), "nothing is left over"
        assert capsys.readouterr().out.endswith("in its published form\n")

    def test_tables_are_not_kept(self, trial, tmp_path):
        self.reduce(tmp_path)
        assert {"trial", "published", "rows"} == names(tmp_path)

    def test_the_published_files_are_on_the_disk_once(self, folder):
        self.reduce(folder)
        for path in (folder / "published").iterdir():
            assert path.samefile(folder / "trial" / path.name), path.name

    def test_everything_is_made_again_of_the_reduced_trial_without_the_key(self, folder):
        before = {name: contents(folder / name) for name in FOLDERS}
        self.reduce(folder)
        for name in ("private", "parquet", "published", "rows"):
            shutil.rmtree(folder / name, ignore_errors=True)
        assert make(folder) == 0
        assert before == {name: contents(folder / name) for name in FOLDERS}
        for path in (folder / "published").iterdir():
            assert path.samefile(folder / "trial" / path.name), path.name

    def test_a_reduced_trial_stays_as_it_is(self, folder):
        self.reduce(folder)
        before = {path.name: path.stat().st_ino for path in (folder / "trial").iterdir()}
        self.reduce(folder)
        assert before == {path.name: path.stat().st_ino for path in (folder / "trial").iterdir()}

    @pytest.mark.parametrize("in_place", [False, True])
    def test_what_a_killed_command_left_is_removed(self, folder, in_place):
        if in_place:
            self.reduce(folder)
        (folder / ".trial.reduced").mkdir(parents=True)
        (folder / ".trial.reduced/client-c1.pcapng.zst").write_text("raw")
        self.reduce(folder)
        assert not (folder / ".trial.reduced").exists()

    def test_a_file_system_without_exchange_keeps_the_raw_form(self, folder):
        reason = reduce_trial(folder / "trial", folder / "published", exchange=lambda one, other: False)
        assert "this file system cannot exchange two folders" == reason
        assert HANDSHAKES in names(folder / "trial")

    def test_a_salvaged_trial_stays_to_be_examined(self, trial, tmp_path, capsys):
        (trial / "queue.bin.zst").write_bytes(b"something else")
        for _ in range(2):
            self.reduce(tmp_path)
            assert "keeps its raw form: the queue log cannot be read\n" in capsys.readouterr().out
            assert (trial / "queue.bin.zst").read_bytes() == b"something else"

    def test_a_failed_trial_keeps_its_logs(self, tmp_path):
        trial = example_trial().write(tmp_path / "trial", status="failed", reason="It broke.")
        (trial / "logs/c1").mkdir(parents=True)
        (trial / "logs/c1/driver.log").write_text("why")
        self.reduce(tmp_path)
        assert "why" == (trial / "logs/c1/driver.log").read_text()
        assert read_trial(trial / "trial.json").published
