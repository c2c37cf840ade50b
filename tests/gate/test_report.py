"""The reports of a gate say the same in every form."""

import json
import math
import re
from itertools import cycle
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from scripts.base.errors import UserError
from scripts.gate.decision import Arms, judge
from scripts.gate.definition import Question, planned
from scripts.gate.margins import read_settings
from scripts.gate.report import write_reports
from scripts.gate.report_record import SCHEMA_NAME, Excluded, GateReport, schema
from scripts.model.rules import RULES
from scripts.model.schemas import check

ASKED = Question("new|build", "old", ("iperf-cubic",), ("8mbps",), 40, 900)
BETTER, WORSE = (0.99, 1.0, 1.01) * 3, (0.49, 0.5, 0.51) * 3
SHARE, HARM = (read_settings().margins[name] for name in ("share", "harm"))
EXCLUDED = Excluded("8mbps base~iperf-cubic #2", "longest_stall_rtt: 0.9 > 0.5")


@pytest.fixture
def written(tmp_path):
    """Writes the reports of a gate with a share that halves; returns their folder and the lines."""

    def write(late=False, base="old", excluded=(EXCLUDED,), shares=WORSE, harms=BETTER):
        asked = Question("iperf-bbr", "iperf-cubic", ("iperf-cubic",), ("8mbps",), 40, 900)
        gate = planned(asked, tmp_path / "definition", {})
        arms = [
            Arms("share", SHARE, "8mbps", "iperf-cubic", shares, BETTER),
            Arms("harm", HARM, "8mbps", "iperf-cubic", harms, BETTER),
            Arms("harm", HARM, "8mbps", "iperf-reno", (0.1, None, 0.1), BETTER),
        ]
        report = GateReport(judge(arms, (1.0,)), gate, 21, excluded, late)
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


def test_each_rule_that_excluded_trials_is_told_once_with_their_number(written):
    failed = Excluded("8mbps base #1", "the client ended with status 3")
    late = Excluded("8mbps base #2", f"lateness_p99_fraction: 2 > 1; {EXCLUDED.reason}")
    folder, _ = written(excluded=(failed, late, EXCLUDED))
    told = [
        f"2 by longest_stall_rtt: {RULES['longest_stall_rtt'].meaning}.",
        "1 because: the client ended with status 3.",
        f"1 by lateness_p99_fraction: {RULES['lateness_p99_fraction'].meaning}.",
    ]
    lines = (folder / "report.md").read_text().splitlines()
    assert "21 trials, 3 of them excluded; report.json names them." in lines
    assert told == [line[2:] for line in lines if line.startswith("- ")]
    assert f"<ul>{''.join(f'<li>{line}' for line in told)}</ul>" in (folder / "report.html").read_text()


def test_the_interval_that_decides_is_in_every_report(written):
    """A figure that passes shows the narrow one, another the wide one."""
    folder, lines = written()
    share, harm, _ = json.loads((folder / "report.json").read_text())["figures"]
    for figure, name in ((share, "wide"), (harm, "narrow")):
        low, high = figure[name]
        shown = f"{100 * low:+.1f} to {100 * high:+.1f}"
        assert figure["narrow"] != figure["wide"]
        for text in ("\n".join(lines), *((folder / f"report.{end}").read_text() for end in ("md", "html"))):
            assert shown in text
    assert f"({100 * share['wide'][0]:+.1f} to {100 * share['wide'][1]:+.1f}); at least -10.0 points" in (
        (folder / "junit.xml").read_text()
    )


def test_one_line_below_the_table_explains_its_words(written):
    folder, _ = written()
    lines = (folder / "report.md").read_text().splitlines()
    rows = [number for number, line in enumerate(lines) if line.startswith("| ")]
    explained = lines[rows[-1] + 2]
    assert explained.startswith("MmF share: ")
    assert ["MmF share", "Harm", "Interval", "n"] == re.findall(r"(?:^|\. )([A-Za-z ]+):", explained)
    assert f"</table>\n<p>{explained}\n" in (folder / "report.html").read_text()


@pytest.fixture
def told(written):
    """report.json, and the schema that it names."""
    folder, _ = written()
    told = json.loads((folder / "report.json").read_text(), parse_constant=pytest.fail)
    return told, json.loads((folder / told["$schema"]).read_text())


def test_report_json_matches_the_schema_beside_it(told):
    report, beside = told
    assert (SCHEMA_NAME, schema()) == (report["$schema"], beside)
    Draft202012Validator.check_schema(beside)
    Draft202012Validator(beside).validate(report)


def test_the_schema_tells_readers_what_each_key_means(told):
    _, beside = told
    parts = [beside, *beside["$defs"].values()]
    keys = {key: one for part in parts for key, one in part["properties"].items() if key != "$schema"}
    assert {"verdict", "difference", "budget_s", "reason"} <= keys.keys()
    assert [] == [key for key, one in keys.items() if not one.get("description")]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda told: told.pop("verdict"), "verdict: is missing"),
        (lambda told: told.update(verdict="good"), "verdict: 'good' is not one of"),
        (lambda told: told.update(schema=2), "schema: 1 was expected"),
        (lambda told: told.update(more=1), "more: unknown key"),
        (lambda told: told["figures"][0].update(margin=0), "figures.0.margin: is 0"),
        (lambda told: told["figures"][0].update(narrow=[1]), "figures.0.narrow"),
        (lambda told: told["figures"][0]["base"].update(n=None), "figures.0.base.n"),
        (lambda told: told["asked"].update(budget_s="15m"), "asked.budget_s"),
        (lambda told: told["excluded"][0].pop("reason"), "excluded.0.reason: is missing"),
    ],
)
def test_the_schema_refuses_a_broken_report(told, change, problem):
    report, _ = told
    change(report)
    with pytest.raises(UserError, match=re.escape(f"report.json: {problem}")):
        check(report, schema, lambda keys: "report.json")


def test_an_interval_without_bounds_is_null(written, monkeypatch):
    intervals = cycle([(-math.inf, math.inf), (math.nan, math.nan)])
    monkeypatch.setattr("scripts.gate.decision.repeated_interval", lambda *_: next(intervals))
    folder, lines = written()
    assert not [line for line in lines if "inf " in line or "nan" in line]
    share, *_ = json.loads((folder / "report.json").read_text(), parse_constant=pytest.fail)["figures"]
    assert (None, None) == (share["narrow"], share["wide"])
    assert share["difference"] is not None


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


def test_the_picture_has_no_row_for_a_figure_without_a_difference(written):
    page = (written()[0] / "report.html").read_text()
    drawn = page[page.index("<svg") : page.index("</svg>")]
    assert "beside iperf-cubic" in drawn and "beside iperf-reno" not in drawn


def test_a_gate_without_any_difference_has_no_picture(written):
    folder, _ = written(shares=(0.5, None), harms=(None,))
    assert "<svg" not in (folder / "report.html").read_text()
    assert "report.png" not in (folder / "report.md").read_text()
    assert not (folder / "report.png").exists()


def test_the_page_needs_no_other_file(written):
    page = (written()[0] / "report.html").read_text()
    assert "<svg" in page
    assert "http" not in page.replace('xmlns="http', "").replace('xlink="http', "")
