"""One run: the next cycle, then the next, until nothing is left; then prune and report.

A step that fails is recorded, and ends the work of this run on its cycle. It does not stop the other cycles:
a cycle is measured while the storage is away, and everything unpublished is published when it is back. The
next run tries again. A run can be killed at any point: what is done is read from the disk, never remembered.
"""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.records import Json
from scripts.model.cycle_names import order_of
from scripts.operate.agenda import is_scheduled, next_cycle, records_of
from scripts.operate.clock import iso
from scripts.operate.context import Context
from scripts.operate.hooks import Event
from scripts.operate.journal import complain, keep, say
from scripts.operate.lock import BusyError, alone
from scripts.operate.parts import Parts
from scripts.operate.records import Failure, read_cycle, with_failure, write_cycle
from scripts.operate.report import report
from scripts.operate.restoring import refuse_unfinished
from scripts.operate.steps import steps_of


@dataclass
class Run:
    """A run: its context, what its steps call, which of them failed, and whether the observatory is stale."""

    context: Context
    parts: Parts
    failed: set[str] = field(default_factory=set)
    stale: bool = False

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
            self._fail(cycle, step, _reason(error))
            return False
        return True

    def show_phase(self, phase: str, cycle: str | None) -> None:
        """Write the status, and tell if it is stale. The run goes on without it."""
        try:
            status = self.parts.write_status(self.context, phase, cycle)
            self.stale = status.stale
            self.parts.tell_stale(self.context, status)
        except Exception as error:
            complain(self.context, f"warning: the status is not written: {_reason(error)}")

    def tell(self, event: Event, **facts: Json) -> None:
        """Run the hooks of an event. The run goes on if they fail."""
        try:
            self.parts.run_hooks(self.context, event, facts)
        except Exception as error:
            complain(self.context, f"warning: hooks of {event}: {_reason(error)}")

    def _fail(self, cycle: str, step: str, reason: str) -> None:
        self.failed.add(step)
        complain(self.context, f"error: {cycle}: {step}: {reason}")
        failure = Failure(iso(self.context.clock.now()), step, reason)
        try:
            record = read_cycle(self.context.folder, self.context.settings.campaign, cycle)
            write_cycle(self.context.folder, with_failure(record, failure))
        except (OSError, UserError) as error:
            complain(self.context, f"error: {cycle}: this failure is not recorded: {_reason(error)}")
        self.tell("failed", cycle=cycle, step=step, reason=reason, at=failure.at)


def run(context: Context, parts: Parts) -> int:
    """Do whatever is next, until nothing is.

    Returns:
        The exit status: 0 done or nothing due, 1 a step failed.

    Raises:
        BusyError: another run is active, or a cycle is measured by hand.
        UserError: a record cannot be read, or this host is not wholly restored.
    """
    with alone(context):
        refuse_unfinished(context)
        this = Run(context, parts)
        try:
            _work(this)
        except BusyError:
            this.show_phase("idle", None)
            raise
        _keep_house(this)
        return 1 if this.failed else 0


def _work(run: Run) -> None:
    """Work on each cycle once. Once one is published the storage is back, so the others are tried again."""
    tried: set[str] = set()
    published = False
    while (following := next_cycle(run.context, tried)) is not None:
        if published:
            _prune_and_report(run)  # cycles that follow each other without a pause never end the run
        if published := _advance(run, following.cycle):
            tried.clear()
        else:
            tried.add(following.cycle)
    if not tried:
        slot = run.context.settings.schedule.grid.next_slot(run.context.clock.now())
        say(run.context, f"nothing is due; the next slot begins on {slot}")


def _advance(run: Run, cycle: str) -> bool:
    """Do the steps of a cycle, up to the first one that fails."""
    context, parts = run.context, run.parts
    if not run.attempt(cycle, "begin", "starting", lambda: _begin(context, cycle)):
        return False
    for name, (phase, step) in steps_of(context, cycle).items():
        if not run.attempt(cycle, name, phase, lambda step=step: step(context, cycle, parts)):  # type: ignore[misc]
            return False
    record = read_cycle(context.folder, context.settings.campaign, cycle)
    run.tell("completed", cycle=cycle, at=record.completed, files=record.files, bytes=record.bytes)
    return True


def _begin(context: Context, cycle: str) -> str:
    """Record when the first step of a cycle ran."""
    record = read_cycle(context.folder, context.settings.campaign, cycle)
    if record.started:
        return f"goes on; begun {record.started}"
    started = iso(context.clock.now())
    scheduled = is_scheduled(context.settings.schedule, cycle)
    write_cycle(context.folder, replace(record, started=started, scheduled=scheduled))
    return f"begun {started}"


def _keep_house(run: Run) -> None:
    """What ends a run, also if a step failed: a full disk must not stay full."""
    _prune_and_report(run)
    run.show_phase(run.resting, None)
    if not run.failed:
        run.tell("ping")


def _prune_and_report(run: Run) -> None:
    """Prune, and publish what the pages tell of the operation."""
    context, parts = run.context, run.parts
    records = records_of(context)
    if records:
        newest = max(records, key=order_of)
        run.attempt(newest, "prune", "pruning", lambda: parts.prune(context))
        if not run.failed & {"site", "publish", "verify"}:
            run.attempt(newest, "report", run.resting, lambda: report(context, parts, run.stale))


def _reason(error: Exception) -> str:
    """An error in one line."""
    if isinstance(error, UserError):
        return " ".join(str(error).split())
    return " ".join(traceback.format_exception_only(error)[-1].split())
