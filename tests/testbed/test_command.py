"""`python -m testbed`: an error that the user can fix is one line and exit status 2."""

import os
import subprocess
import sys

from tests.testbed.sample_specification import sample_specification, write_specification


def run(specification, into, **environment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "testbed", "run", str(specification), "--into", str(into)]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


def write(tmp_path, **changes):
    return write_specification(sample_specification("iperf-bbr", **changes), tmp_path / "spec.json")


def test_a_missing_program_is_named_with_its_package(tmp_path):
    done = run(write(tmp_path), tmp_path / "trial", PATH=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("error: not installed: dumpcap, ")
    assert "tshark" in done.stderr and "make setup" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_missing_specification_is_named(tmp_path):
    done = run(tmp_path / "absent.json", tmp_path / "trial")
    assert (done.returncode, done.stderr) == (
        2,
        f"error: {tmp_path / 'absent.json'}: cannot be read: No such file or directory\n",
    )


def test_a_wrong_specification_is_named_with_the_key(tmp_path):
    path = write(tmp_path, duration_s=-1)
    done = run(path, tmp_path / "trial")
    assert (done.returncode, done.stderr) == (
        2,
        f"error: {path}: duration_s: is -1; it must be more than 0\n",
    )
    assert not (tmp_path / "trial").exists()


def test_help_shows_what_the_command_does():
    done = subprocess.run(
        [sys.executable, "-m", "testbed", "--help"], capture_output=True, text=True, check=True
    )
    assert "Run one trial over the dumbbell" in done.stdout
