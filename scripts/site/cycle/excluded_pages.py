"""Why trials do not count, and what that does: rules, excluded trials, and services that were set aside."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scripts.model.pairs import is_solo, members
from scripts.plan.set_aside import read_set_aside
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs, PairKey


def excluded_page(inputs: Inputs) -> Row:
    """The tables `excluded`, `exclusion_tests` and `threshold_sensitivity`.

    Returns:
        `reasons`, each rule with the number of trials that broke it, the most frequent first, and the number
        in each setting; `trials`, every excluded trial with the rules that it breaks; `tests` and
        `thresholds`, the rows of the other tables, which are empty for a cycle that was published without.
    """
    rows = [(str(row["rule"]), str(row["setting"])) for row in inputs.tables["excluded"]]
    count, by_setting = Counter(rule for rule, _setting in rows), Counter(rows)
    return {
        "reasons": [
            {
                "rule": rule,
                "trials": count[rule],
                "settings": {name: by_setting[rule, name] for name in inputs.campaign.settings},
            }
            for rule in sorted(count, key=lambda rule: (-count[rule], rule))
        ],
        "trials": [
            {"setting": key.setting, "pair": key.pair, "nn": key.nn, "rules": of_trial}
            for key, of_trial in sorted(inputs.by_trial("excluded").items())
        ],
        "tests": inputs.tables["exclusion_tests"],
        "thresholds": inputs.tables["threshold_sensitivity"],
    }


def closed_pairs(inputs: Inputs, reason: str) -> list[PairKey]:
    """The settings and pairs that are not measured any more for this reason, sorted.

    `precise`: the interval was narrow enough; `service`: a service is unable; `set_aside`: one was set aside.
    """
    plan = inputs.tables["plan"]
    return sorted({(str(row["setting"]), str(row["pair"])) for row in plan if row["reason"] == reason})


def set_aside_in(inputs: Inputs, setting: str) -> list[Row]:
    """The services set aside in a setting: whether before the cycle, why, and the titles of their pairs."""
    closed = [pair for at, pair in closed_pairs(inputs, "set_aside") if at == setting]
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


def _last_reason(inputs: Inputs, setting: str, service: str) -> object:
    """Why the last trial of a service alone failed."""
    trials = inputs.by_trial("trial_services")
    of_service = [key for key in trials if (key.setting, key.pair) == (setting, service)]
    return trials[max(of_service)][0]["reason"] if of_service else None


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


def judged_rules(rows: Iterable[tuple[RuleRow, Row]]) -> Row:
    """The rules of a trial for its page, each with its row of `validity`.

    Returns:
        `testbed`, the number of rules that can exclude the trial; `front`, the rules that are broken,
        unknown or near their limit, each with its `verdict`: `broken`, `unable`, `unknown`, `outcome` or
        `near`; `others`, all further rules whose figure is not 0; and `zero`, the names of those whose figure
        is 0. Empty if no rule was checked.
    """
    entries = [
        {"rule": rule.rule, "class": row["class"], "figure": rule.figure, "threshold": rule.threshold}
        | {"verdict": _verdict(rule, str(row["class"]))}
        for rule, row in rows
    ]
    if not entries:
        return {}
    front = [entry for entry in entries if entry["verdict"]]
    others = [entry for entry in entries if not entry["verdict"]]
    return {
        "testbed": sum(entry["class"] == "testbed" for entry in entries),
        "front": front,
        "others": [entry for entry in others if entry["figure"]],
        "zero": [entry["rule"] for entry in others if not entry["figure"]],
    }


def _verdict(rule: RuleRow, kind: str) -> str | None:
    """What there is to say of a rule; None if its figure is far from its limit."""
    if rule.figure is None and rule.not_known is not None:
        return "unknown"
    if not rule.valid:
        return {"testbed": "broken", "service": "unable"}.get(kind, "outcome")
    near = rule.figure is not None and rule.threshold and rule.figure / rule.threshold >= NEAR
    return "near" if near else None
