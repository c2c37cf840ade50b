"""The rules of validity (rules.yaml).

A rule judges what the testbed did, never what competition did to a service. scripts/tables/validity.sql has
one expression for each, which gives its figure in a trial. Thresholds, their JSON Schema, the words on pages
and what a calibration makes of a broken rule follow from the entry.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.base.records import Json, Number, from_json
from scripts.base.yaml_files import load_yaml

FILE = Path(__file__).with_suffix(".yaml")

RuleClass = Literal["testbed", "service", "outcome"]
"""What a rule judges. `testbed`: the measurement, and excludes the trial. `service`: whether a service alone
can do what it must. `outcome`: what competition did to a service."""

FAULT, NOT_JUDGED = "fault", "not judged"
"""What a broken rule is in a calibration. Any other text is the warning, with the figure in its place."""


@dataclass(frozen=True)
class Rule:
    """A rule of validity.

    Attributes:
        meaning: what its figure is, in `unit`.
        unit: the unit.
        threshold: the highest figure that is accepted, unless a campaign names another one (`validity`).
        yes_or_no: whether no campaign may name another one.
        kind: its class in a trial with contenders.
        alone: its class in a trial of a service alone, where it differs.
        optional: whether it does not apply where no client has what it judges; else that breaks it.
        reads_tcp: whether it knows nothing of a sender that is not the kernel's TCP.
        calibration: what it is in a calibration, if it is broken.
    """

    meaning: str
    unit: str
    threshold: Number = 0
    yes_or_no: bool = False
    kind: RuleClass = "testbed"
    alone: RuleClass | None = None
    optional: bool = False
    reads_tcp: bool = False
    calibration: str = FAULT


RULES: dict[str, Rule] = from_json(dict[str, Rule], load_yaml(FILE), str(FILE))
"""Every rule, by its name."""

UPSTREAM_LOSS = "upstream_loss_min_packets"
"""The key of the fewest lost packets that upstream_loss_fraction counts, for which there is no rule."""


def defaults() -> dict[str, Number]:
    """The part `validity` of a campaign that names no threshold."""
    named = {name: rule.threshold for name, rule in RULES.items() if not rule.yes_or_no}
    return named | {UPSTREAM_LOSS: 2}


def thresholds(validity: Mapping[str, Number]) -> dict[str, Number]:
    """The rules that apply to a campaign with this part `validity`, each with its threshold.

    A cycle that was planned before there was a rule lacks its threshold. The rule does not apply to it.
    """
    known = dict(validity) | {name: rule.threshold for name, rule in RULES.items() if rule.yes_or_no}
    return {name: known[name] for name in RULES if name in known}


def broken_rules(reasons: Iterable[str]) -> dict[str, str]:
    """The rules that excluded trials, with their meanings. The reason of a failed trial names none."""
    broken = (part.partition(":")[0] for reason in reasons for part in reason.split("; "))
    return {rule: RULES[rule].meaning for rule in broken if rule in RULES}


def schema() -> dict[str, Json]:
    """The JSON Schema of the part `validity` of a campaign."""
    threshold: dict[str, Json] = {"type": "number", "minimum": 0}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(defaults()),
        "properties": {
            name: {"type": "integer", "minimum": 1} if name == UPSTREAM_LOSS else threshold
            for name in defaults()
        },
    }
