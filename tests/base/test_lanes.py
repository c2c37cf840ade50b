"""Every test is in one lane; the lanes' times are told by file."""

import re
import subprocess
from itertools import chain, combinations

import pytest

from tests import lanes, slowest
from tests.lanes import LANES, ORDER, Lane, lane_of

MARKERS = [*chain.from_iterable(combinations(ORDER, count) for count in range(len(ORDER) + 1))]


@pytest.mark.parametrize("markers", MARKERS)
def test_each_combination_of_markers_is_in_one_lane(markers):
    values = {marker: marker in markers for marker in ORDER}
    assert [lane_of(markers)] == [lane for lane in LANES if eval(lane.expression, values)]


def test_a_test_that_its_lane_would_not_collect_is_an_error():
    here = lanes.TESTS / "base/test_lanes.py"
    lanes.require_collected(here, [])
    with pytest.raises(ValueError, match=r"test_lanes\.py: lane timed does not find its tests"):
        lanes.require_collected(here, ["timed"])


class Ready(Lane):
    """A lane whose command is a word of the shell."""

    def start(self, output):
        return subprocess.Popen(["sh", "-c", self.expression], stdout=output, stderr=output, text=True)


@pytest.mark.parametrize(("words", "passed"), [("exit 0", True), ("exit 3", False)])
def test_one_lane_that_fails_fails_all(words, passed, capfd):
    first = Ready("first", "sleep 0.3; echo first; exit 0", ())
    second = Ready("second", f"echo second; {words}", ())
    third = Ready("third", "echo third", ())
    assert passed == lanes.run([[first], [second, third]])
    told = re.sub(r"at \d+ s\b", "at some s", capfd.readouterr().out).splitlines()
    assert {"first", "lane first: status 0, at some s"} <= {*told}
    assert [line for line in told if "first" not in line] == [
        "second",
        f"lane second: status {words[-1]}, at some s",
        "third",
        "lane third: status 0, at some s",
    ]


REPORT = """<testsuites><testsuite>
<testcase classname="tests.site.test_a" name="test_one" time="1.5" />
<testcase classname="tests.site.test_a.TestInABrowser" name="test_two" time="0.5" />
<testcase classname="tests.plan.test_b" name="test_one[x]" time="3" />
</testsuite></testsuites>"""


def test_the_slowest_files_come_first(tmp_path, capsys):
    (tmp_path / "pure.xml").write_text(REPORT)
    assert slowest.main([str(tmp_path / "pure.xml")]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[:3] == [
        "pure: 5 s in 3 tests of 2 files",
        "3.0 s 60.0% 1 tests/plan/test_b.py",
        "2.0 s 40.0% 2 tests/site/test_a.py",
    ]
    assert "1.5 s tests/site/test_a.py::test_one" in lines


def test_without_a_report_it_says_what_makes_one(tmp_path, capsys):
    assert slowest.main([str(tmp_path / "pure.xml")]) == 2
    assert capsys.readouterr().err == f"error: no report {tmp_path}/pure.xml: run make unit or make test\n"
