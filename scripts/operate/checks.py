"""The result of a look at the host."""

from dataclasses import dataclass
from typing import Literal

State = Literal["passed", "warning", "failed"]


@dataclass(frozen=True)
class HealthCheck:
    """One check. The message is one line; if it did not pass, it says what to do."""

    name: str
    state: State
    message: str


def passed(name: str, message: str) -> HealthCheck:
    """A check that passed."""
    return HealthCheck(name, "passed", message)


def warning(name: str, message: str) -> HealthCheck:
    """A check that does not keep a cycle from starting."""
    return HealthCheck(name, "warning", message)


def failed(name: str, message: str) -> HealthCheck:
    """A check that keeps a cycle from starting."""
    return HealthCheck(name, "failed", message)
