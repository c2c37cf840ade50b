"""Every C++ test of the queues and the switch as a test of its own. All run in one start of `switch_tests`.

Run one: python -m pytest 'tests/testbed/test_switch_parts.py::test_cpp[Codel.DropsWhatCannotCarryAMark]'
"""

import json
import re
import subprocess
from pathlib import Path

import pytest

DECLARATION = re.compile(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", re.MULTILINE)
NAMES = [
    f"{suite}.{name}"
    for path in sorted(Path(__file__).parent.glob("*/*_test.cc"))
    for suite, name in DECLARATION.findall(path.read_text(encoding="utf-8"))
]


@pytest.fixture(scope="session")
def failures(switch_build, tmp_path_factory):
    """The messages of what failed, by the test's name. A test with parameters has those of all its values."""
    report = tmp_path_factory.mktemp("switch") / "tests.json"
    command = [switch_build / "switch_tests", f"--gtest_output=json:{report}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not report.is_file():
        pytest.fail(f"switch_tests ended with status {done.returncode}:\n{done.stdout}{done.stderr}", False)
    found: dict[str, list[str]] = {}
    for suite in json.loads(report.read_text(encoding="utf-8"))["testsuites"]:
        for test in suite["testsuite"]:
            name = f"{suite['name'].split('/')[-1]}.{test['name'].split('/')[0]}"
            messages = [failure["failure"] for failure in test.get("failures", [])]
            found.setdefault(name, []).extend(messages)
    return found


def test_the_switch_builds(build_error):
    if build_error:
        pytest.fail(build_error, pytrace=False)


def test_the_names_in_the_sources_are_those_of_the_program(failures):
    assert sorted(NAMES) == sorted(failures)


@pytest.mark.parametrize("name", NAMES)
def test_cpp(name, failures):
    if failures[name]:
        pytest.fail("\n".join(failures[name]), pytrace=False)
