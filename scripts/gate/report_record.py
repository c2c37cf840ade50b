"""What came out of a gate, and its form for programs: report.json, with its JSON Schema beside it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

from scripts.base.files import write_text
from scripts.base.records import about, to_json
from scripts.gate.decision import FigureVerdict, GateVerdict, Interval, Verdict
from scripts.gate.definition import Gate, Question
from scripts.gate.margins import Side, Worse
from scripts.model.schemas import described

NAME, SCHEMA_NAME = "report.json", "report.schema.json"

SCHEMA = 1
"""The version of report.json."""


@dataclass(frozen=True)
class Excluded:
    """A trial that does not count."""

    trial: str
    """Its setting, pair and number."""
    reason: str
    """Why it does not count."""


@dataclass(frozen=True)
class GateReport:
    """What came out of a gate.

    Attributes:
        judged: the verdicts of the last look.
        gate: the plan.
        measured: how many trials were measured.
        excluded: those that do not count.
        late: whether so many are excluded that there is no verdict.
    """

    judged: GateVerdict
    gate: Gate
    measured: int
    excluded: tuple[Excluded, ...]
    late: bool

    @property
    def verdict(self) -> Verdict:
        """The verdict of the gate."""
        return "inconclusive" if self.late else self.judged.verdict


@dataclass(frozen=True)
class ArmRecord:
    """The trials of the candidate, or of the base, that have a value."""

    n: Annotated[int, about(minimum=0)]
    """How many they are."""
    mean: float | None
    """Their mean, in the unit of the figure. null: there is none."""


@dataclass(frozen=True)
class FigureRecord:
    """A figure beside one contender, in one setting."""

    figure: str
    """Its name in the file of margins."""
    setting: str
    """The link."""
    contender: str
    """The service that candidate and base compete with."""
    metric: str
    """The metric, by its name in scripts/figures/catalogue.yaml."""
    of: Side
    """Whose value counts: that of the candidate and the base, or that of the contender beside them."""
    worse: Worse
    """Which difference is worse: more, less, or either."""
    margin: Annotated[float, about(exclusiveMinimum=0)]
    """The difference from which on it is too much."""
    unit: str
    """The unit of margin, means, difference and intervals. fraction: 0.1 is ten points."""
    verdict: Verdict
    """The verdict of this figure alone, also if the machine was late."""
    candidate: ArmRecord
    """The trials with the candidate."""
    base: ArmRecord
    """The trials with the base."""
    difference: float | None
    """The mean of the candidate minus that of the base. null: the trials give no verdict."""
    narrow: Interval | None
    """The interval of the difference that passes if it lies inside the margin: 95 % over all looks. null: the
    trials give no verdict, or do not bound the difference."""
    wide: Interval | None
    """The interval that fails if it lies beyond the margin: 95 % over all looks and figures. null: as for
    narrow."""
    because: str | None
    """Why the trials give no verdict. null: they give one."""


@dataclass(frozen=True)
class ReportRecord:
    """What a gate found: whether one build of a transport does more harm, or fares worse, than another."""

    schema: Annotated[int, about(const=SCHEMA)]
    """The version of this form."""
    verdict: Verdict
    """The verdict of the gate: fail if one figure fails, pass if all pass, else inconclusive."""
    late: bool
    """Whether so many trials are excluded that the gate is inconclusive, whatever its figures say."""
    asked: Question
    """What was asked."""
    trials: Annotated[int, about(minimum=0)]
    """How many trials were measured."""
    excluded: tuple[Excluded, ...]
    """Those of them that do not count."""
    figures: tuple[FigureRecord, ...]
    """Every figure beside every contender in every setting."""


def schema() -> dict[str, Any]:
    """The JSON Schema of report.json, which names it under `$schema`."""
    record = described(ReportRecord)
    return record | {"properties": {"$schema": {"const": SCHEMA_NAME}, **record["properties"]}}


def write_json(report: GateReport, asked: Question, folder: Path) -> None:
    """Write report.json and its schema."""
    named = {"$schema": SCHEMA_NAME, **vars(_record(report, asked))}
    for name, content in ((SCHEMA_NAME, schema()), (NAME, named)):
        text = json.dumps(to_json(content), indent=1, ensure_ascii=False, allow_nan=False)
        write_text(folder / name, text + "\n")


def arm_record(values: Sequence[float | None]) -> ArmRecord:
    """The trials with a value, and their mean."""
    known = [value for value in values if value is not None]
    return ArmRecord(len(known), sum(known) / len(known) if known else None)


def _record(report: GateReport, asked: Question) -> ReportRecord:
    figures = tuple(map(_figure, report.judged.figures))
    return ReportRecord(SCHEMA, report.verdict, report.late, asked, report.measured, report.excluded, figures)


def _figure(judged: FigureVerdict) -> FigureRecord:
    arms, margin = judged.arms, judged.arms.margin
    return FigureRecord(
        arms.figure,
        arms.setting,
        arms.contender,
        margin.metric,
        margin.of,
        margin.worse,
        margin.margin,
        margin.unit,
        judged.verdict,
        arm_record(arms.candidate),
        arm_record(arms.base),
        judged.difference,
        bounded(judged.narrow),
        bounded(judged.wide),
        judged.because,
    )


def bounded(interval: Interval | None) -> Interval | None:
    """An interval with finite ends; None if it has none, because the trials are too few or too equal."""
    return interval if interval is not None and all(map(isfinite, interval)) else None
