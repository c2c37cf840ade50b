"""The reports of a gate: JSON, JUnit XML, Markdown, and one HTML page that works from a file."""

import html
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

from scripts.base.files import write_bytes, write_text
from scripts.base.plain import aligned
from scripts.charts.render import to_png, to_spec, to_svg
from scripts.figures.words import scaled
from scripts.gate.decision import FigureVerdict, Interval, Verdict
from scripts.gate.definition import MOST, Question
from scripts.gate.margins import Margin
from scripts.gate.picture import picture
from scripts.gate.report_record import GateReport, arm_record, bounded, write_json
from scripts.model.rules import broken_rules

LATE = "the machine was late: too many trials are excluded, so there is no verdict"

SIGNS: dict[Verdict, str] = {"pass": "✓", "fail": "✗", "inconclusive": "?"}

WORDS = (
    "MmF share: the rate divided by the max-min fair part of the link, that of the base; 100 % is fair. "
    "Harm: the part of its throughput alone that the contender loses. "
    "Interval: it holds the true difference in 95 % of gates. "
    "n: the valid trials of candidate, base."
)
"""What the words of the table mean (scripts/figures/catalogue.yaml, scripts/gate/decision.py)."""

CRITERIA = (
    ("5.1.1 Congestion collapse", "no", "the link is shared by two clients, and no load grows"),
    ("5.1.2 Bufferbloat", "yes", "queueing delay beside each contender, and alone"),
    ("5.1.3 High packet loss", "partly", "the loss that it causes; not how it bears random loss"),
    ("5.1.4 Fairness within the algorithm", "if asked", "name the candidate itself in --against"),
    ("5.1.5 Short flows", "no", "all flows are long"),
    ("5.2.1 Existing general-purpose controllers", "yes", "share and harm beside each contender"),
    ("5.2.2 Real-time congestion control", "if asked", "name a call in --against"),
    ("5.2.3 Short and long flows", "no", "all flows are long"),
    ("6.1 Tail-drop queues", "yes", "the links of config/config.yaml and config/gate.yaml"),
    (
        "7 Special cases: AQM, low and high rates, long delays, changing paths",
        "no",
        "add settings of your own",
    ),
)
"""The criteria of RFC 9743 (BCP 133), by section, whether a gate covers them, and how."""


def write_reports(report: GateReport, asked: Question, folder: Path) -> list[str]:
    """Write all reports into the folder of the gate.

    Returns:
        The lines that the command prints.
    """
    figures = report.judged.figures
    write_json(report, asked, folder)
    chart = picture(figures)
    svg = to_svg(to_spec(chart)) if chart else ""
    if svg:
        write_bytes(folder / "report.png", to_png(svg))
    write_text(folder / "junit.xml", _junit(report))
    write_text(folder / "report.md", "\n".join(_markdown(report, asked, pictured=bool(svg))) + "\n")
    write_text(folder / "report.html", _page(report, asked, svg))
    lines = ["", *aligned([HEADS, *_rows(figures)]), "", sentence(report, asked)]
    if os.environ.get("GITHUB_ACTIONS") == "true":
        lines += _annotations(report)
    return [*lines, f"Reports: {folder}/report.md, .html, .json, junit.xml"]


def sentence(report: GateReport, asked: Question) -> str:
    """The verdict in one sentence."""
    base = asked.base or "what each contender does to itself"
    compared = f"{asked.candidate} against {base}"
    if report.late:
        return f"inconclusive: {compared}: {LATE}."
    failed = [figure for figure in report.judged.figures if figure.verdict == "fail"]
    if failed:
        named = "; ".join(f"{figure.arms.title} {_difference(figure)}" for figure in failed)
        return f"fail: {compared}: {named}."
    if report.verdict == "pass":
        return f"pass: {compared}: every difference is inside its margin."
    open_ones = sum(figure.verdict == "inconclusive" for figure in report.judged.figures)
    todo = "start a new gate with a longer --budget"
    if report.gate.trials == MOST:
        todo = f"{MOST} of each arm are the most, so name fewer contenders, or allow wider margins"
    return (
        f"inconclusive: {compared}: {open_ones} of {len(report.judged.figures)} figures need more trials; "
        f"{todo}."
    )


def _amount(value: float, unit: str, signed: bool = False) -> str:
    """A value in its unit, with enough digits for margins of a tenth."""
    shown = scaled(value, unit)
    number = f"{shown:+.1f}" if signed else f"{shown:.1f}"
    return f"{number} {'points' if unit == 'fraction' and signed else '%' if unit == 'fraction' else unit}"


def _difference(figure: FigureVerdict) -> str:
    if figure.difference is None:
        return "–"
    return _amount(figure.difference, figure.arms.margin.unit, signed=True)


def _interval(interval: Interval | None, unit: str) -> str:
    if (ends := bounded(interval)) is None:
        return "–"
    low, high = (f"{scaled(end, unit):+.1f}" for end in ends)
    return f"{low} to {high}"


HEADS = ("", "figure", "candidate", "base", "difference", "interval", "margin", "n")


def _rows(figures: Sequence[FigureVerdict]) -> list[tuple[str, ...]]:
    """The table that the text, Markdown and HTML reports have: a row for each figure."""
    rows: list[tuple[str, ...]] = []
    for figure in figures:
        arms, unit = figure.arms, figure.arms.margin.unit
        rows.append(
            (
                f"{SIGNS[figure.verdict]} {figure.verdict}",
                figure.arms.title,
                _mean(arms.candidate, unit),
                _mean(arms.base, unit),
                _difference(figure),
                figure.because or _interval(figure.shown, unit),
                _limit(arms.margin),
                f"{len(arms.candidate)}, {len(arms.base)}",
            )
        )
    return rows


def _limit(margin: Margin) -> str:
    words = {"more": "at most +", "less": "at least -", "either": "within ±"}[margin.worse]
    return words + _amount(margin.margin, margin.unit).replace("%", "points")


def _mean(values: Sequence[float | None], unit: str) -> str:
    mean = arm_record(values).mean
    return "–" if mean is None else _amount(mean, unit)


def _markdown(report: GateReport, asked: Question, pictured: bool) -> Iterator[str]:
    yield f"## {SIGNS[report.verdict]} {sentence(report, asked)}"
    yield ""
    yield f"| {' | '.join(HEADS)} |"
    yield "|" + " --- |" * len(HEADS)
    for row in _rows(report.judged.figures):
        yield f"| {' | '.join(cell.replace('|', '¦') for cell in row)} |"
    yield ""
    yield WORDS
    yield ""
    if pictured:
        yield "![Differences and margins](report.png)"
        yield ""
    yield _trials(report)
    yield ""
    yield from (f"- {line}" for line in _exclusions(report))
    if asked.base is None:
        yield ""
        yield "| RFC 9743 | covered | how |"
        yield "| --- | --- | --- |"
        for criterion in CRITERIA:
            yield f"| {' | '.join(criterion)} |"


def _trials(report: GateReport) -> str:
    """How many trials were measured, and how many of them do not count."""
    which = "; report.json names them" if report.excluded else ""
    return f"{report.measured} trials, {len(report.excluded)} of them excluded{which}."


def _exclusions(report: GateReport) -> list[str]:
    """How many trials each rule excluded, the most first, and what it checks; likewise for failures."""
    reasons = Counter(
        f"by {rule}: {meaning}." if meaning else f"because: {rule}."
        for one in report.excluded
        for rule, meaning in (broken_rules([one.reason]) or {one.reason: ""}).items()
    )
    return [f"{count} {words}" for words, count in reasons.most_common()]


def _page(report: GateReport, asked: Question, svg: str) -> str:
    """One page without any other file but the folder that it links to."""

    def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in heads)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>\n" for row in rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"

    criteria = "" if asked.base else f"<h2>RFC 9743</h2>{table(('criterion', 'covered', 'how'), CRITERIA)}"
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gate: {report.verdict}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse }} th, td {{ text-align: left; padding: .2rem .8rem .2rem 0 }}
svg {{ max-width: 100%; height: auto }}
</style>
<h1>{html.escape(sentence(report, asked))}</h1>
{svg}
{table(HEADS, _rows(report.judged.figures))}
<p>{html.escape(WORDS)}
<p>{html.escape(_trials(report))}
<ul>{"".join(f"<li>{html.escape(line)}" for line in _exclusions(report))}</ul>
<p>Packets and queue logs: <a href="published/">published/</a>. Tables: <a href="tables/">tables/</a>.
{criteria}
</html>
"""


def _junit(report: GateReport) -> str:
    """A test for each figure. An inconclusive one is skipped, with its reason."""
    figures = report.judged.figures
    suite = ElementTree.Element("testsuite", name="gate", tests=str(len(figures)))
    for figure in figures:
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"gate.{figure.arms.setting}", name=figure.arms.title
        )
        margin = figure.arms.margin
        words = f"{_difference(figure)} ({_interval(figure.shown, margin.unit)}); {_limit(margin)}"
        if report.late:
            ElementTree.SubElement(case, "skipped", message=LATE)
        elif figure.verdict == "fail":
            ElementTree.SubElement(case, "failure", message=words).text = margin.why
        elif figure.verdict == "inconclusive":
            ElementTree.SubElement(case, "skipped", message=figure.because or f"inconclusive: {words}")
    kinds = {"failures": "failure", "skipped": "skipped"}
    for name, tag in kinds.items():
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _annotations(report: GateReport) -> list[str]:
    """A line for each failing figure that the log of a run on GitHub shows as an error."""
    failed = [] if report.late else [one for one in report.judged.figures if one.verdict == "fail"]
    return [f"::error title=Gate::{figure.arms.title}: {_difference(figure)}" for figure in failed]
