"""How long a submission is measured: its hours are counted while it runs, and end it at their limit."""

from datetime import datetime

from scripts.base.errors import UserError
from scripts.model.submission import Submission
from scripts.operate.clock import iso
from scripts.operate.context import Context
from scripts.operate.current_run import StoppedError
from scripts.operate.grid import begin
from scripts.operate.submission_queue import HOUR_S, spent_hours
from scripts.operate.submission_records import change

DIGITS = 3
"""Hours are kept to 4 seconds."""


class Meter:
    """Counts the hours of one try. `check` is called about each minute, so that a kill loses no more."""

    def __init__(self, context: Context, submission: Submission) -> None:
        self._context, self._submission = context, submission
        self._budget_hours = float(context.settings.submissions.hours)
        self._rest_hours = self._budget_hours - spent_hours(context)
        self._began: datetime = context.clock.now()
        self._slot = begin(context.settings.schedule.grid.next_slot(self._began))

    def begin(self) -> Submission:
        """Record that the submission is begun, unless it was before."""
        if not self._submission.begun:
            now = self._began
            self._submission = change(
                self._context, self._submission, begun=iso(now), cycle=now.date().isoformat()
            )
        return self._submission

    def write(self) -> Submission:
        """Record the hours so far."""
        hours = round(self._submission.hours + self._elapsed_hours(), DIGITS)
        return change(self._context, self._submission, hours=hours)

    def check(self) -> None:
        """Record the hours, and stop the measurement if it must not go on.

        Raises:
            UserError: it took more than all hours of a period.
            StoppedError: it was withdrawn, or goes on in another period.
        """
        record = self.write()
        if record.withdrawn:
            raise StoppedError("it was withdrawn")
        if record.hours >= self._budget_hours:
            limit = f"submissions.hours of config/operate.yaml is {self._budget_hours:g}"
            raise UserError(f"took {record.hours:.1f} h, and {limit}; it is not gone on with")
        if self._elapsed_hours() >= self._rest_hours:
            raise StoppedError("the hours of this period are used up; it goes on in the next one")
        if self._context.clock.now() >= self._slot:
            raise StoppedError("a cycle of the panel is due; it goes on after it")

    def _elapsed_hours(self) -> float:
        return (self._context.clock.now() - self._began).total_seconds() / HOUR_S
