"""Why trials do not count, and what that does: rules, excluded trials, and services that were set aside."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from scripts.figures.words import several
from scripts.model.pairs import is_solo, members
from scripts.plan.set_aside import read_set_aside
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs


def excluded_page(inputs: Inputs) -> Row:
    """The tables `excluded`, `exclusion_tests` and `threshold_sensitivity`.

    Returns:
        `reasons`, each rule with the number of trials that broke it, the most frequent first, and the number
        in each setting; `trials`, every excluded trial with the rules that it breaks; `tests` and
        `thresholds`, the rows of the other tables, with `says`, a sentence about each of the two. Both are
        empty for a cycle that was published without these tables.
    """
    tests, thresholds = (inputs.tables.get(name, []) for name in ("exclusion_tests", "threshold_sensitivity"))
    return {
        "reasons": _reasons(inputs),
        "trials": _trials(inputs),
        "tests": {
            "rows": tests,
            "says": exclusion_sentence(inputs.record(row, "exclusion_tests", ExclusionTest) for row in tests),
        },
        "thresholds": {
            "rows": thresholds,
            "says": threshold_sentence(
                inputs.record(row, "threshold_sensitivity", Threshold) for row in thresholds
            ),
        },
    }


@dataclass(frozen=True)
class ExclusionTest:
    """A row of exclusion_tests."""

    rule: str
    p_corrected: float | None
    direction: Literal["below", "above", "undecided"]


def exclusion_sentence(rows: Iterable[ExclusionTest]) -> str:
    """Whether rules exclude trials for what they measured, as far as the tests tell; empty without a test."""
    tested = [row for row in rows if row.p_corrected is not None]
    if not tested:
        return ""
    if found := [row for row in tested if row.direction != "undecided"]:
        return " ".join(map(_direction_words, found))
    return (
        "The tests see no rule that excludes trials for what they measured. That does not show that there is "
        "none: few excluded trials show little."
    )


def _direction_words(row: ExclusionTest) -> str:
    got, look = ("less", "fairer") if row.direction == "below" else ("more", "less fair")
    return (
        f"In the trials that {row.rule} excluded, the service that gets less of its pair got {got} than in "
        f"the others, more often than chance explains. Without these trials, pairs look {look}."
    )


@dataclass(frozen=True)
class Threshold:
    """A row of threshold_sensitivity."""

    rule: str
    factor: float
    cells: str
    largest_change: float | None


def threshold_sentence(rows: Iterable[Threshold]) -> str:
    """What half and twice the thresholds would change; empty if no rule has a threshold."""
    known = list(rows)
    if not known:
        return ""
    rules = {row.rule for row in known if row.cells}
    cells = {cell for row in known for cell in row.cells.split(",") if cell}
    moves = [row for row in known if row.largest_change is not None]
    if not moves:
        return "With half or twice the threshold of any rule, no median share would be another."
    most = max(moves, key=lambda row: row.largest_change or 0)
    change = 100 * (most.largest_change or 0)
    half = "half" if most.factor < 1 else "twice"
    verdicts = (
        f"{several(len(cells), 'cell')} would have another verdict ({', '.join(sorted(rules))})"
        if cells
        else "no cell would have another verdict"
    )
    return (
        f"With half or twice the threshold of one rule, {verdicts}. The largest change of a median share is "
        f"{change:.1f} points, with {half} the threshold of {most.rule}."
    )


def _reasons(inputs: Inputs) -> list[Row]:
    rows = [(str(row["rule"]), str(row["setting"])) for row in inputs.tables["excluded"]]
    count, by_setting = Counter(rule for rule, _setting in rows), Counter(rows)
    return [
        {
            "rule": rule,
            "trials": count[rule],
            "settings": {name: by_setting[rule, name] for name in inputs.campaign.settings},
        }
        for rule in sorted(count, key=lambda rule: (-count[rule], rule))
    ]


def _trials(inputs: Inputs) -> list[Row]:
    return [
        {
            "setting": key.setting,
            "pair": key.pair,
            "nn": key.nn,
            "solo": is_solo(key.pair),
            "status": rows[0]["status"],
            "reason": rows[0]["reason"],
            "rules": rows,
        }
        for key, rows in sorted(inputs.by_trial("excluded").items())
    ]


@dataclass(frozen=True)
class PlanRow:
    """A row of the table plan."""

    setting: str
    pair: str
    reason: str


@dataclass(frozen=True)
class _ServiceRow:
    """A row of trial_services."""

    setting: str
    pair: str
    trial: int
    reason: str | None


def closed_pairs(inputs: Inputs, setting: str, reason: str) -> list[str]:
    """The pairs of a setting that are not measured any more for this reason."""
    plan = inputs.records("plan", PlanRow)
    return sorted({row.pair for row in plan if (row.setting, row.reason) == (setting, reason)})


def closed_as_precise(inputs: Inputs) -> set[tuple[str, str]]:
    """The settings and pairs that had no more trials because their interval was narrow enough."""
    plan = inputs.records("plan", PlanRow)
    return {(row.setting, row.pair) for row in plan if row.reason == "precise"}


def set_aside_in(inputs: Inputs, setting: str) -> list[Row]:
    """The services set aside in a setting: whether before the cycle, why, and the titles of their pairs."""
    closed = closed_pairs(inputs, setting, "set_aside")
    before = read_set_aside(inputs.source / "plan")
    return [
        {
            "service": service,
            "before": service in before,
            "reason": before.get(service) or _last_reason(inputs, setting, service),
            "pairs": [
                inputs.labels.pair(pair) for pair in closed if not is_solo(pair) and service in members(pair)
            ],
        }
        for service in closed
        if is_solo(service)
    ]


def _last_reason(inputs: Inputs, setting: str, service: str) -> str | None:
    """Why the last trial of a service alone failed."""
    rows = [
        row
        for row in inputs.records("trial_services", _ServiceRow)
        if (row.setting, row.pair) == (setting, service)
    ]
    return max(rows, key=lambda row: row.trial).reason if rows else None


NEAR = 0.8
"""A figure is near its limit from this part of it on."""


@dataclass(frozen=True)
class RuleRow:
    """A row of validity; the column `class` stays in the table."""

    rule: str
    figure: float | None
    threshold: float
    valid: bool
    not_known: str | None = None

    @property
    def part(self) -> float | None:
        """The figure as a part of the limit; None if the limit is 0 or the figure is unknown."""
        return self.figure / self.threshold if self.threshold and self.figure is not None else None


def judged_rules(rows: Iterable[tuple[RuleRow, Row]]) -> Row:
    """The rules of a trial for its page, each with its row of `validity`.

    Returns:
        `testbed`, the number of rules that can exclude the trial; `front`, the rules that are broken,
        unknown or near their limit, each with its `verdict`: `broken`, `unable`, `unknown`, `outcome` or
        `near`; `others`, all further rules whose figure is not 0; `zero`, the names of those whose figure
        is 0; and `nearest`, the rule of the testbed that is kept and nearest to its limit, with `part`.
        Empty if no rule was checked.
    """
    entries = [_entry(rule, row) for rule, row in rows]
    if not entries:
        return {}
    front = [entry for entry in entries if entry["verdict"]]
    others = [entry for entry in entries if not entry["verdict"]]
    return {
        "testbed": sum(entry["class"] == "testbed" for entry in entries),
        "front": front,
        "others": [entry for entry in others if entry["figure"]],
        "zero": [entry["rule"] for entry in others if not entry["figure"]],
        "nearest": _nearest(entries),
    }


def _entry(rule: RuleRow, row: Row) -> Row:
    kind = str(row["class"])
    return {
        "rule": rule.rule,
        "class": kind,
        "figure": rule.figure,
        "threshold": rule.threshold,
        "part": rule.part,
        "verdict": _verdict(rule, kind),
    }


def _verdict(rule: RuleRow, kind: str) -> str | None:
    """What there is to say of a rule; None if its figure is far from its limit."""
    if rule.figure is None and rule.not_known is not None:
        return "unknown"
    if not rule.valid:
        return {"testbed": "broken", "service": "unable"}.get(kind, "outcome")
    return "near" if rule.part is not None and rule.part >= NEAR else None


def _nearest(entries: list[Row]) -> Row | None:
    """The rule of the testbed that is kept and nearest to its limit."""
    kept = [entry for entry in entries if entry["class"] == "testbed" and entry["verdict"] in (None, "near")]
    parts = [(float(str(entry["part"])), str(entry["rule"]), entry) for entry in kept if entry["part"]]
    return max(parts, key=lambda found: (found[0], found[1]))[2] if parts else None
