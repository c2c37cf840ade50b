"""Builds and runs the C++ tests of tests/testbed/embedded/, on a virtual clock."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/tests"


def test_the_parts_of_the_switch():
    source = ROOT / "testbed/embedded"
    configure = [
        "cmake",
        "-S",
        str(source),
        "-B",
        str(BUILD),
        "-DBUILD_TESTING=ON",
        "-DCMAKE_BUILD_TYPE=Debug",
    ]
    for command in (
        configure,
        ["cmake", "--build", str(BUILD), "--target", "switch_tests", "--parallel", "2"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run([str(BUILD / "switch_tests")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "[  PASSED  ]" in done.stdout
