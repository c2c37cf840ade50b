"""The services that were set aside in a setting, and why, in the form of Hugo's data."""

from dataclasses import dataclass

from scripts.model.pairs import is_solo, members
from scripts.plan.set_aside import read_set_aside
from scripts.site.cycle.inputs import Inputs, Row


@dataclass(frozen=True)
class _PlanRow:
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


def set_aside_in(inputs: Inputs, setting: str) -> list[Row]:
    """The services set aside in a setting: whether before the cycle, why, and the titles of their pairs."""
    plan = inputs.records("plan", _PlanRow)
    closed = sorted({row.pair for row in plan if row.setting == setting and row.reason == "set_aside"})
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
