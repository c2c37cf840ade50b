"""`make soak ONLY=…`: every long test belongs to a part that can be run alone, and its end is recorded."""

import subprocess
from pathlib import Path

import pytest

from tests import soak


@pytest.fixture(autouse=True)
def record(tmp_path, monkeypatch):
    """The record of a checkout in which no part ever ran."""
    monkeypatch.setattr(soak, "RECORD", tmp_path / "soak.json")
    monkeypatch.setattr(soak, "REPORT", tmp_path / "soak.xml")


@pytest.fixture
def commands(monkeypatch):
    """The files that were run. Every part fails."""
    started = []

    def git(command, **_):
        return subprocess.CompletedProcess(command, 0, "7\n" if "rev-list" in command else "1f2e3d4c\n")

    def fail(command, **_):
        started.append(Path(command[-1]))
        return fails

    fails = subprocess.Popen(["false"])
    monkeypatch.setattr(soak, "start_child", fail)
    monkeypatch.setattr(subprocess, "run", git)
    return started


def test_no_long_test_is_marked_where_no_part_finds_it():
    """A marker in a helper or a conftest.py would make tests long that belong to no part."""
    marked = {path for path in soak.TESTS.rglob("*.py") if "mark.soak" in path.read_text(encoding="utf-8")}
    assert {part.path for part in soak.parts().values()} == marked - {Path(soak.__file__), Path(__file__)}


def test_a_marker_without_minutes_is_an_error(tmp_path):
    path = tmp_path / "test_long.py"
    path.write_text("import pytest\n\n@pytest.mark.soak(minutes=2)\ndef test_a(): ...\n")
    assert [*soak._minutes(path)] == [2]
    path.write_text("import pytest\n\n@pytest.mark.soak\ndef test_a(): ...\n")
    with pytest.raises(ValueError, match="without its minutes"):
        [*soak._minutes(path)]


def test_an_unknown_name_lists_the_parts(capsys):
    assert soak.main(["kills", "yaer"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: no part yaer; the parts are: ")
    assert "kills" in error.partition("are: ")[2].strip().split(", ")


def test_only_the_named_parts_are_run(commands):
    assert soak.main(["kills", "reduction"]) == 1, "the status of pytest"
    assert commands == [soak.TESTS / f"simulated/test_{name}.py" for name in ("kills", "reduction")]


def test_the_name_of_a_folder_is_all_parts_in_it(commands):
    assert soak.main(["truth"]) == 1, "the status of pytest"
    assert {soak.TESTS / "truth"} == {file.parent for file in commands} and len(commands) > 1


def test_without_names_all_parts_are_run(commands):
    assert soak.main([]) == 1
    assert commands == [part.path for part in soak.parts().values()]


def test_the_list_says_what_each_part_is_for_and_how_it_ended_last(capsys, commands):
    soak.main(["kills"])
    capsys.readouterr()
    assert soak.main(["--list"]) == 0
    told = capsys.readouterr().out.splitlines()
    lines = {line.split()[0]: (line, last.strip()) for line, last in zip(told[::2], told[1::2], strict=True)}
    assert lines.keys() == soak.parts().keys()
    assert "Snakemake is killed often" in lines["kills"][0]
    assert lines["kills"][1].startswith("failed 20") and "on 1f2e3d4c, 0 s" in lines["kills"][1]
    assert lines["rounds"][1] == "never ran here"


@pytest.mark.parametrize(("second", "end"), [("pytest.skip('late')", "skipped itself"), ("pass", "passed")])
def test_a_part_of_which_every_test_skips_itself_has_not_passed(tmp_path, second, end):
    path = tmp_path / "test_long.py"
    path.write_text(
        "import pytest\n\npytestmark = pytest.mark.soak(minutes=1)\n\n"
        f"def test_a(): pytest.skip('late')\ndef test_b(): {second}\n"
    )
    assert 0 == soak.run("long", soak.Part(path, 1))
    assert end == soak.last_runs()["long"].end


def test_the_part_that_rested_longest_is_run_next(commands):
    """Parts that never ran come first; long ones are never chosen."""
    short = [part for part in soak.parts().values() if part.minutes <= 3]
    for _ in short:
        soak.main(["--rested", "3"])
    assert sorted(commands) == sorted(part.path for part in short)
    soak.main(["--rested", "3"])
    assert commands[-1] in {part.path for part in short}


def test_without_a_record_another_commit_runs_another_part(monkeypatch):
    known = soak.parts()
    assert soak.rested_longest(known, 3, merges=1) != soak.rested_longest(known, 3, merges=2)
