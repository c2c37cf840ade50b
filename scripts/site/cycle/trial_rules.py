"""The validity rules of one trial, sorted by what a reader wants to know of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.site.cycle.inputs import Row

NEAR = 0.8
"""A figure is near its limit from this part of it on."""


@dataclass(frozen=True)
class RuleRow:
    """A row of validity; the column `class` stays in the table."""

    rule: str
    figure: float | None
    threshold: float
    valid: bool

    @property
    def part(self) -> float | None:
        """The figure as a part of the limit; None if the limit is 0 or the figure is unknown."""
        return self.figure / self.threshold if self.threshold and self.figure is not None else None


def judged_rules(rows: Iterable[tuple[RuleRow, Row]]) -> Row:
    """The rules of a trial for its page, each with its row of `validity`.

    Returns:
        `testbed`, the number of rules that can exclude the trial; `front`, the rules that are broken or near
        their limit, each with its `verdict`: `broken`, `unable`, `outcome` or `near`; `others`, all further
        rules whose figure is not 0; `zero`, the names of those whose figure is 0; and `nearest`, the rule of
        the testbed that is kept and nearest to its limit, with `part`. Empty if no rule was checked.
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
    if not rule.valid:
        return {"testbed": "broken", "service": "unable"}.get(kind, "outcome")
    return "near" if rule.part is not None and rule.part >= NEAR else None


def _nearest(entries: list[Row]) -> Row | None:
    """The rule of the testbed that is kept and nearest to its limit."""
    kept = [entry for entry in entries if entry["class"] == "testbed" and entry["verdict"] in (None, "near")]
    parts = [(float(str(entry["part"])), str(entry["rule"]), entry) for entry in kept if entry["part"]]
    return max(parts, key=lambda found: (found[0], found[1]))[2] if parts else None
