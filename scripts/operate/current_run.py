"""The active run: it runs steps, reports their results, and records and reports failures.

A step is done for a cycle of the panel, or for a submission. A failure ends the steps of that target only.
"""

import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from scripts.base.errors import UserError
from scripts.base.records import Json
from scripts.operate.context import BusyError, Context, complain, iso, keep, say
from scripts.operate.hooks import HookEvent
from scripts.operate.records import keep_failure
from scripts.operate.step_actions import StepActions

Done = TypeVar("Done")
ActiveStep = tuple[str, str | None, Callable[[], str]]
"""A step: its name, the phase of the status (None: it stays as it is), and what it does and tells."""

TOKEN = re.compile(r"\b[0-9a-f]{32}\b")
"""The token of an unlisted address, which no log and no message has."""


class StoppedError(Exception):
    """The work stops here. Nothing failed."""


@dataclass(frozen=True)
class StepTarget:
    """What steps are done for.

    Attributes:
        title: begins its lines.
        facts: what the hooks of `failed` get of it.
        keep_failure: records a failed step: when, which, and the reason.
        cycle: the cycle of the panel, which the status names; None for submissions.
    """

    title: str
    facts: Mapping[str, Json]
    keep_failure: Callable[[str, str, str], object]
    cycle: str | None = None


@dataclass
class Run:
    """A run, and what went wrong in it.

    Attributes:
        context: the settings, folders and clock.
        actions: what its steps call.
        failed: the steps of the panel's cycles that failed.
        submission_failed: whether a step of a submission failed.
        hidden: the ids of the withdrawn submissions that this run hid.
        stale: whether the observatory is stale.
    """

    context: Context
    actions: StepActions
    failed: set[str] = field(default_factory=set)
    submission_failed: bool = False
    hidden: set[str] = field(default_factory=set)
    stale: bool = False

    @property
    def well(self) -> bool:
        """Whether no step failed."""
        return not self.failed and not self.submission_failed

    @property
    def resting(self) -> Literal["idle", "failed"]:
        """The phase of the status when nothing is left to do."""
        return "failed" if self.failed else "idle"

    def target_cycle(self, cycle: str) -> StepTarget:
        """A cycle of the panel."""
        folder, campaign = self.context.folder, self.context.settings.campaign

        def keep_failed(at: str, step: str, reason: str) -> None:
            keep_failure(folder, campaign, cycle, at, step)

        return StepTarget(cycle, {"cycle": cycle}, keep_failed, cycle)

    def do(self, target: StepTarget, steps: Iterable[ActiveStep]) -> bool:
        """Do steps, up to the first one that fails or is stopped; whether all were done."""
        return all(self.attempt(target, *step) for step in steps)

    def attempt(self, target: StepTarget, step: str, phase: str | None, act: Callable[[], str]) -> bool:
        """Do a step, and say what it did; whether it was done."""
        if phase:
            self.show_phase(phase, target.cycle)
        done = self.guard(target, step, act)
        if done is not None:
            say(self.context, f"{target.title}: {step}: {done}")
        return done is not None

    def guard(self, target: StepTarget, step: str, act: Callable[[], Done]) -> Done | None:
        """The result of a step; None if it was stopped or failed. A failure is recorded and reported.

        Raises:
            BusyError: a cycle is measured by hand.
        """
        try:
            return act()
        except BusyError:
            raise
        except StoppedError as stopped:
            say(self.context, f"{target.title}: {step}: stopped: {stopped}")
        except Exception as error:
            if not isinstance(error, UserError):
                keep(self.context, TOKEN.sub("<token>", traceback.format_exc()))
            self._fail(target, step, TOKEN.sub("<token>", reason_of(error)))
        return None

    def show_phase(self, phase: str, cycle: str | None) -> None:
        """Write the status, and tell if it is stale. The run goes on without it."""
        try:
            status = self.actions.write_status(self.context, phase, cycle)
            self.stale = status.stale
            self.actions.tell_stale(self.context, status)
        except Exception as error:
            complain(self.context, f"warning: the status is not written: {reason_of(error)}")

    def tell(self, event: HookEvent, **facts: Json) -> None:
        """Run the hooks of an event. The run goes on if they fail."""
        try:
            self.actions.run_hooks(self.context, event, facts)
        except Exception as error:
            complain(self.context, f"warning: hooks of {event}: {reason_of(error)}")

    def _fail(self, target: StepTarget, step: str, reason: str) -> None:
        if target.cycle:
            self.failed.add(step)
        else:
            self.submission_failed = True
        complain(self.context, f"error: {target.title}: {step}: {reason}")
        at = iso(self.context.clock.now())
        try:
            target.keep_failure(at, step, reason)
        except (OSError, UserError) as error:
            complain(self.context, f"error: {target.title}: this failure is not recorded: {reason_of(error)}")
        self.tell("failed", **target.facts, step=step, reason=reason, at=at)


def reason_of(error: Exception) -> str:
    """An error in one line."""
    if isinstance(error, UserError):
        return " ".join(str(error).split())
    return " ".join(traceback.format_exception_only(error)[-1].split())
