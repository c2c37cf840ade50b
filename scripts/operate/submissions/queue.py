"""When approved submissions are measured, and for how long.

Submissions come after the panel's cycle of a period, those that are begun first, then by their approval. All
submissions of a period have `submissions.hours` of config/operate.yaml. One begins if its estimate fits into
the rest of these hours, and ends before the next slot. The estimate is the least that its cycle takes
(scripts/plan/estimate.py). Later periods are expected to begin with the least that the panel's cycle takes.
The hours of a submission are counted while it runs, and end it at their limit.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from scripts.base.errors import UserError
from scripts.model.submission import Submission, read_submissions
from scripts.operate.agenda import agenda
from scripts.operate.context import Context, iso, moment_of
from scripts.operate.current_run import StoppedError
from scripts.operate.health import campaign_of
from scripts.operate.settings import beginning
from scripts.operate.submissions.records import MOST_TRIES, change, own_context, tries
from scripts.plan.estimate import at_least

HOUR_S = 3600
DAY_HOURS = 24
ROUNDING = timedelta(seconds=1)


@dataclass(frozen=True)
class Queued:
    """A submission that is to be measured.

    Attributes:
        submission: its record.
        estimate_hours: the least that its cycle takes.
        starts: the day (ISO 8601) on which it is expected to begin or to go on; None: it is not measured.
        reason: why it is not measured.
    """

    submission: Submission
    estimate_hours: float
    starts: str | None
    reason: str | None = None


@dataclass
class _Rest:
    """The rest of a period: its start, its end, and the hours that are left for submissions."""

    starts: datetime
    ends: datetime
    hours: float

    def takes(self, hours: float) -> bool:
        """Whether a submission of so many hours fits."""
        return 0 < self.hours >= hours and self.starts + timedelta(hours=hours) <= self.ends + ROUNDING

    def take(self, hours: float) -> None:
        """Give these hours to a submission."""
        self.starts += timedelta(hours=hours)
        self.hours -= hours


def queue(context: Context) -> list[Queued]:
    """The approved and the begun submissions, in the order in which they are measured.

    Raises:
        UserError: a record, or the panel's configuration, is wrong.
    """
    return [queued for queued, _ in _planned(context, ())]


def next_submission(context: Context, tried: Collection[str] = ()) -> Queued | None:
    """The submission to measure now, without those (ids) that this run tried; None if there is none.

    Raises:
        UserError: a record, or the panel's configuration, is wrong.
    """
    if context.settings.schedule.slot(context.clock.now()) is None or agenda(context):
        return None
    moments = ((queued, at) for queued, at in _planned(context, tried) if at)
    queued, at = next(moments, (None, None))
    return queued if at and at <= context.clock.now() else None


def spent_hours(context: Context) -> float:
    """How many hours of this period went to submissions: those of the ones that began in it."""
    slot = context.settings.schedule.slot(context.clock.now())
    begun = [submission for submission in read_submissions(context.data) if submission.begun]
    return float(
        sum(
            submission.hours
            for submission in begun
            if slot is None or moment_of(str(submission.begun)) >= beginning(slot)
        )
    )


def _planned(context: Context, tried: Collection[str]) -> list[tuple[Queued, datetime | None]]:
    """What is queued, each with the time at which it is expected to begin."""
    waiting = [
        submission for submission in _in_order(read_submissions(context.data)) if submission.id not in tried
    ]
    if not waiting:
        return []
    panel_hours = at_least(campaign_of(context)).seconds / HOUR_S
    rest = _present(context, panel_hours)
    planned: list[tuple[Queued, datetime | None]] = []
    for submission in waiting:
        estimate, reason = _estimate(context, submission)
        left = max(0.0, estimate - submission.hours)
        reason = reason or _refusal(context, submission, left, panel_hours)
        if reason:
            planned.append((Queued(submission, estimate, None, reason), None))
            continue
        while not rest.takes(left):
            rest = _following(context, rest, panel_hours)
        planned.append((Queued(submission, estimate, rest.starts.date().isoformat()), rest.starts))
        rest.take(left)
    return planned


def _in_order(submissions: list[Submission]) -> list[Submission]:
    """Those that are to be measured: the begun ones first, then by approval."""
    waiting = [submission for submission in submissions if submission.state in ("approved", "begun")]
    return sorted(
        waiting,
        key=lambda submission: (submission.begun is None, moment_of(str(submission.approved)), submission.id),
    )


def _estimate(context: Context, submission: Submission) -> tuple[float, str | None]:
    """The least hours that its cycle takes; or why its definition cannot be read."""
    try:
        return at_least(campaign_of(own_context(context, submission))).seconds / HOUR_S, None
    except UserError as error:
        return 0.0, str(error)


def _refusal(context: Context, submission: Submission, left: float, panel_hours: float) -> str | None:
    """Why a submission is never begun or gone on with; None if it is."""
    hours = context.settings.submissions.hours
    period_hours = context.settings.schedule.period_days * DAY_HOURS
    if tries(context, submission) >= MOST_TRIES:
        return f"failed in {MOST_TRIES} runs ({submission.problem}); approve it again to try it again"
    if hours == 0:
        return "submissions.hours of config/operate.yaml is 0"
    if submission.hours >= hours:
        return f"took {submission.hours:.1f} h, and submissions.hours of config/operate.yaml is {hours:g}"
    if left > hours:
        return f"needs at least {left:.1f} h, and submissions.hours of config/operate.yaml is {hours:g}"
    if panel_hours + left > period_hours:
        return f"needs at least {left:.1f} h; the panel's cycle leaves {period_hours - panel_hours:.1f} h"
    return None


def _present(context: Context, panel_hours: float) -> _Rest:
    """The rest of this period, after the panel's cycle; before the first slot, the first period."""
    schedule, now = context.settings.schedule, context.clock.now()
    slot = schedule.slot(now)
    hours = float(context.settings.submissions.hours)
    if slot is None:
        return _period(context, beginning(schedule.first_slot), panel_hours)
    after = beginning(slot) + timedelta(hours=panel_hours) if agenda(context) else now
    return _Rest(max(now, after), beginning(schedule.next_slot(now)), hours - spent_hours(context))


def _following(context: Context, rest: _Rest, panel_hours: float) -> _Rest:
    return _period(context, rest.ends, panel_hours)


def _period(context: Context, begins: datetime, panel_hours: float) -> _Rest:
    """A whole period in which the panel's cycle takes so many hours."""
    ends = begins + timedelta(days=context.settings.schedule.period_days)
    return _Rest(begins + timedelta(hours=panel_hours), ends, float(context.settings.submissions.hours))


DIGITS = 3
"""Hours are kept to 4 seconds."""


class Meter:
    """Counts the hours of one try. `check` is called about each minute, so that a kill loses no more."""

    def __init__(self, context: Context, submission: Submission) -> None:
        self._context, self._submission = context, submission
        self._budget_hours = float(context.settings.submissions.hours)
        self._rest_hours = self._budget_hours - spent_hours(context)
        self._began: datetime = context.clock.now()
        self._slot = beginning(context.settings.schedule.next_slot(self._began))

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
