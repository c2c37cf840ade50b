"""environment.json and source.tar.zst of a snapshot."""

import json
import os
import platform
import subprocess
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.snapshot import code_archive as archiving
from scripts.snapshot.code_archive import (
    CODE_FOLDER,
    SOURCE_ARCHIVE,
    TOP,
    code_archive,
    commit_of_code,
    git,
    read_source,
    write_source,
)
from scripts.snapshot.environment import (
    MeasuringVersion,
    builder,
    measured_by,
    read_environment,
    write_environment,
)

REFERENCE = ROOT / "data/snapshots/reference"


def write_trial(trials: Path, number: int, record: dict) -> None:
    folder = trials / "8mbps/a~b" / f"{number:02d}"
    folder.mkdir(parents=True)
    (folder / "trial.json").write_text(json.dumps(record))


def test_the_testbed_has_every_version_with_its_number_of_trials(tmp_path):
    for number, kernel in enumerate(("6.1", "6.2", "6.2"), start=1):
        record = {"host": {"kernel": kernel}, "programs": {"iperf3": "3.12", "odd": "a sentence"}}
        write_trial(tmp_path, number, record | {"bottleneck": {"backend": "bess", "version": "1.0"}})
    write_trial(tmp_path, 4, {"host": None, "programs": {}, "bottleneck": {}})
    found = measured_by(tmp_path)
    assert (MeasuringVersion("6.2", 2), MeasuringVersion("6.1", 1)) == found.kernel
    assert {"iperf3": (MeasuringVersion("3.12", 3),)} == found.programs
    assert {"bess": (MeasuringVersion("1.0", 3),)} == found.bottlenecks


def test_the_environment_is_read_as_it_was_written(tmp_path):
    (tmp_path / "trials").symlink_to(REFERENCE / "trials")
    write_environment(tmp_path)
    found = read_environment(tmp_path)
    assert (platform.python_version(), "Linux") == (found.builder.python, found.builder.system)
    assert {"hugo", "snakemake"} == found.builder.programs.keys()
    assert sum(one.trials for one in found.testbed.kernel) == len(list((REFERENCE / "trials").glob("*/*/*")))
    assert (builder(), measured_by(REFERENCE / "trials")) == (found.builder, found.testbed)


def test_code_of_any_size_is_not_unpacked(checkout, monkeypatch):
    write_source(checkout / "build", checkout)
    monkeypatch.setattr(archiving, "MOST_CODE_BYTES", 10)
    with pytest.raises(UserError, match=r"source\.tar\.zst: cannot be read: has more than"):
        read_source(checkout / "build")


@pytest.fixture
def checkout(tmp_path) -> Path:
    """A small git repository with what an archive must and must not have."""
    root = tmp_path / "checkout"
    for name in (*CODE, "config/operate.yaml", "data/reference/table.csv"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    (root / ".ci/setup").chmod(0o755)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], cwd=root, check=True)
    (root / "scripts/a.py").write_text("changed")
    for name in (
        "notes.txt",
        ".secret",
        "build/a",
        ".venv/a",
        "site/node_modules/a",
        "scripts/__pycache__/a",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("private")
    return root


CODE = {
    "Snakefile": b"Snakefile",
    ".ci/setup": b".ci/setup",
    "scripts/a.py": b"changed",
    "scripts/site/data/b.py": b"scripts/site/data/b.py",
}


def test_the_source_is_the_tracked_files_as_they_are_without_data_and_the_operators_settings(checkout):
    write_source(checkout / "build", checkout)
    assert CODE == read_source(checkout / "build")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a folder to another user")
def test_the_checkout_may_belong_to_another_user(checkout):
    commit = commit_of_code(checkout)
    for path in (checkout, checkout / ".git"):
        os.chown(path, 65534, 65534)
    assert commit == commit_of_code(checkout)
    assert commit is not None
    write_source(checkout / "build", checkout)
    assert CODE == read_source(checkout / "build")


def test_without_git_the_source_is_every_file_of_code(checkout):
    (checkout / ".git").rename(checkout.parent / "elsewhere")
    write_source(checkout / "build", checkout)
    assert CODE == read_source(checkout / "build")


def test_all_that_is_tracked_at_the_top_level_is_known_as_code():
    assert TOP | {"data"} == {name.split("/")[0] for name in git(ROOT, "ls-files").splitlines()}


def test_the_same_files_give_the_same_archive_whatever_their_times_and_order(checkout, tmp_path):
    first = code_archive(checkout)
    os.utime(checkout / "Snakefile", (1, 1))
    code_archive.cache_clear()
    assert first == code_archive(checkout)
    (checkout / "Snakefile").write_text("other")
    code_archive.cache_clear()
    assert first != code_archive(checkout)


def test_the_usual_programs_unpack_the_archive(checkout, tmp_path):
    write_source(tmp_path, checkout)
    subprocess.run(f"zstd -dcq {SOURCE_ARCHIVE} | tar x", shell=True, cwd=tmp_path, check=True)
    unpacked = tmp_path / CODE_FOLDER
    assert CODE == {name: (unpacked / name).read_bytes() for name in CODE}
    assert os.access(unpacked / ".ci/setup", os.X_OK)
    assert not os.access(unpacked / "Snakefile", os.X_OK)


def test_a_damaged_archive_is_an_error_that_names_it(checkout, tmp_path):
    write_source(tmp_path, checkout)
    content = (tmp_path / SOURCE_ARCHIVE).read_bytes()
    for damaged in (content[:-9], b"no archive"):
        (tmp_path / SOURCE_ARCHIVE).write_bytes(damaged)
        with pytest.raises(UserError, match=r"source.tar.zst: cannot be read: .*; fetch the snapshot again"):
            read_source(tmp_path)
