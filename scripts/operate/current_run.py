"""The run that is active: it tells what it does, and records and tells what failed."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.records import Json
from scripts.operate.clock import iso
from scripts.operate.context import Context
from scripts.operate.hooks import Event
from scripts.operate.journal import complain, keep, say
from scripts.operate.lock import BusyError
from scripts.operate.parts import Parts
from scripts.operate.records import read_cycle, with_failure, write_cycle


@dataclass
class Run:
    """A run, and what went wrong in it.

    Attributes:
        context: the settings, folders and clock.
        parts: what its steps call.
        failed: the steps of the panel's cycles that failed.
        submission_failed: whether a step of a submission failed.
        hidden: the ids of the withdrawn submissions that this run hid.
        stale: whether the observatory is stale.
    """

    context: Context
    parts: Parts
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

    def attempt(self, cycle: str, step: str, phase: str, act: Callable[[], str]) -> bool:
        """Do a step. A failure is recorded and told; it never ends the run."""
        self.show_phase(phase, cycle)
        try:
            say(self.context, f"{cycle}: {step}: {act()}")
        except BusyError:
            raise
        except Exception as error:
            if not isinstance(error, UserError):
                keep(self.context, traceback.format_exc())
            self._fail(cycle, step, reason_of(error))
            return False
        return True

    def show_phase(self, phase: str, cycle: str | None) -> None:
        """Write the status, and tell if it is stale. The run goes on without it."""
        try:
            status = self.parts.write_status(self.context, phase, cycle)
            self.stale = status.stale
            self.parts.tell_stale(self.context, status)
        except Exception as error:
            complain(self.context, f"warning: the status is not written: {reason_of(error)}")

    def tell(self, event: Event, **facts: Json) -> None:
        """Run the hooks of an event. The run goes on if they fail."""
        try:
            self.parts.run_hooks(self.context, event, facts)
        except Exception as error:
            complain(self.context, f"warning: hooks of {event}: {reason_of(error)}")

    def _fail(self, cycle: str, step: str, reason: str) -> None:
        self.failed.add(step)
        complain(self.context, f"error: {cycle}: {step}: {reason}")
        at = iso(self.context.clock.now())
        try:
            record = read_cycle(self.context.folder, self.context.settings.campaign, cycle)
            write_cycle(self.context.folder, with_failure(record, at, step))
        except (OSError, UserError) as error:
            complain(self.context, f"error: {cycle}: this failure is not recorded: {reason_of(error)}")
        self.tell("failed", cycle=cycle, step=step, reason=reason, at=at)


def reason_of(error: Exception) -> str:
    """An error in one line."""
    if isinstance(error, UserError):
        return " ".join(str(error).split())
    return " ".join(traceback.format_exception_only(error)[-1].split())
