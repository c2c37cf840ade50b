"""The compiled switch and its tests, built once a session in build/tests."""

import fcntl
import subprocess

import pytest

from scripts.base.files import ROOT

BUILD = ROOT / "build/tests"
FLAGS = "-O0 -D_GLIBCXX_ASSERTIONS"
"""Without -g, which takes a fifth of the time."""


@pytest.fixture(scope="session")
def build_error():
    """What CMake or the compiler printed if the build failed; empty if it succeeded."""
    configure = ["cmake", "-S", ROOT / "testbed/embedded", "-B", BUILD]
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests that run in parallel share the folder
        for command in (
            [
                *configure,
                "-DBUILD_TESTING=ON",
                "-DCMAKE_BUILD_TYPE=Debug",
                f"-DCMAKE_CXX_FLAGS_DEBUG={FLAGS}",
            ],
            ["cmake", "--build", BUILD, "--parallel", "2"],
        ):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                return done.stdout + done.stderr
    return ""


@pytest.fixture(scope="session")
def switch_build(build_error):
    """The folder of `observatory-switch` and `switch_tests`, both built from the current sources."""
    if build_error:
        pytest.fail("not built; tests/testbed/test_switch_parts.py::test_the_switch_builds shows why", False)
    return BUILD
