"""`make soak ONLY=…`: every long test belongs to a part that can be run alone."""

import subprocess
from pathlib import Path

import pytest

from tests import soak


def test_no_long_test_is_marked_where_no_part_finds_it():
    """A marker in a helper or a conftest.py would make tests long that belong to no part."""
    marked = {path for path in soak.TESTS.rglob("*.py") if "mark.soak" in path.read_text(encoding="utf-8")}
    assert set(soak.parts().values()) == marked - {Path(soak.__file__), Path(__file__)}


def test_an_unknown_name_lists_the_parts(capsys):
    assert soak.main(["kills", "yaer"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: no part yaer; the parts are: ")
    assert "kills" in error.partition("are: ")[2].strip().split(", ")


@pytest.mark.parametrize(("names", "files"), [([], []), (["kills"], ["tests/simulated/test_kills.py"])])
def test_only_the_named_parts_are_run(names, files, monkeypatch):
    commands = []

    def run(command, **_):
        commands.append([str(Path(word)) for word in command[5:]])
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(subprocess, "run", run)
    assert soak.main(names) == 1, "the status of pytest"
    assert commands == [[str(soak.TESTS.parent / file) for file in files]]


def test_the_list_says_what_each_part_is_for(capsys):
    assert soak.main(["--list"]) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines.keys() == soak.parts().keys()
    assert lines["kills"].startswith("Snakemake is killed often")
