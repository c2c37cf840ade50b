"""The reports of a gate say the same in every form."""

import json
from xml.etree import ElementTree

import pytest

from scripts.gate.decision import Arms, judge
from scripts.gate.definition import Question, planned
from scripts.gate.margins import read_settings
from scripts.gate.report import Excluded, GateReport, write_reports

ASKED = Question("new|build", "old", ("iperf-cubic",), ("8mbps",), 40, 900)
BETTER, WORSE = (0.99, 1.0, 1.01) * 3, (0.49, 0.5, 0.51) * 3
SHARE, HARM = (read_settings().margins[name] for name in ("share", "harm"))
EXCLUDED = Excluded("8mbps base~iperf-cubic #2", "longest_stall_rtt: 0.9 > 0.5")


@pytest.fixture
def written(tmp_path):
    """Writes the reports of a gate with a share that halves; returns their folder and the lines."""

    def write(late=False, base="old"):
        asked = Question("iperf-bbr", "iperf-cubic", ("iperf-cubic",), ("8mbps",), 40, 900)
        gate = planned(asked, tmp_path / "definition", 3, {})
        arms = [
            Arms("share", SHARE, "8mbps", "iperf-cubic", WORSE, BETTER),
            Arms("harm", HARM, "8mbps", "iperf-cubic", BETTER, BETTER),
            Arms("harm", HARM, "8mbps", "iperf-reno", (0.1, None, 0.1), BETTER),
        ]
        report = GateReport(judge(arms, (1.0,)), gate, 21, (EXCLUDED,), late)
        shown = Question("new|build", base, ("iperf-cubic",), ("8mbps",), 40, 900)
        return tmp_path, write_reports(report, shown, tmp_path)

    return write


def test_the_verdict_stands_in_every_report(written):
    folder, lines = written()
    words = "fail: new|build against old: MmF share of the candidate beside iperf-cubic, 8mbps -50.0 points."
    assert words in lines
    assert words.split(":")[-1] in (folder / "report.md").read_text().splitlines()[0]
    assert f"<h1>{words}</h1>" in (folder / "report.html").read_text()
    told = json.loads((folder / "report.json").read_text())
    assert ("fail", 21, 1) == (told["verdict"], told["trials"], len(told["excluded"]))
    share, harm, unknown = told["figures"]
    assert ("fail", -0.5) == (share["verdict"], pytest.approx(share["difference"]))
    assert {"n": 9, "mean": pytest.approx(0.5)} == share["candidate"]
    assert "pass" == harm["verdict"]
    assert "1 of 3 trials of the candidate have no value" == unknown["because"]
    assert {"n": 2, "mean": pytest.approx(0.1)} == unknown["candidate"]


def test_junit_has_a_test_for_each_figure(written):
    suite = ElementTree.parse(written()[0] / "junit.xml").getroot()
    assert ("3", "1", "1") == (suite.get("tests"), suite.get("failures"), suite.get("skipped"))
    failure = suite.find("testcase/failure")
    assert SHARE.why == failure.text
    assert failure.get("message").startswith("-50.0 points (")
    assert "1 of 3 trials of the candidate have no value" == suite.find("testcase/skipped").get("message")


def test_a_late_machine_gets_no_verdict_and_no_failure(written):
    folder, lines = written(late=True)
    assert "inconclusive" == json.loads((folder / "report.json").read_text())["verdict"]
    assert any("the machine was late" in line for line in lines)
    suite = ElementTree.parse(folder / "junit.xml").getroot()
    assert ("0", "3") == (suite.get("failures"), suite.get("skipped"))


def test_github_gets_a_line_for_each_figure_that_fails(written, monkeypatch):
    assert not [line for line in written()[1] if line.startswith("::")]
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (line,) = [line for line in written()[1] if line.startswith("::")]
    assert "::error title=Gate::MmF share of the candidate beside iperf-cubic, 8mbps: -50.0 points" == line


def test_without_a_base_the_criteria_of_rfc_9743_are_told(written):
    folder, _ = written(base=None)
    assert "| 5.1.2 Bufferbloat | yes |" in (folder / "report.md").read_text()
    assert "5.2.1 Existing general-purpose controllers" in (folder / "report.html").read_text()
    assert "RFC 9743" not in (written()[0] / "report.md").read_text()


def test_the_page_needs_no_other_file(written):
    page = (written()[0] / "report.html").read_text()
    assert "<svg" in page
    assert "http" not in page.replace('xmlns="http', "").replace('xlink="http', "")
