"""What the operator reads on a terminal: the status, the submissions and the access codes.

`status` tells ids, numbers and days of submissions only. Nothing of them is in status.json.
"""

from dataclasses import fields
from datetime import date, datetime
from pathlib import Path

from scripts.base.plain import plain
from scripts.model.cycle_names import FILE, published_cycles
from scripts.model.durations import readable
from scripts.model.operation import INTERRUPTED, Status, TrialCounts
from scripts.model.submission import Submission, is_submission, read_submissions
from scripts.operate.context import Context, moment_of
from scripts.operate.status import trials_of
from scripts.operate.submissions.codes import read_codes
from scripts.operate.submissions.queue import Queued, next_submission, queue

SHOWN_FAILURES = 5


def status_lines(status: Status) -> list[str]:
    """What runs, the last success, what is next, and what is wrong."""
    now = moment_of(status.written)
    shown = [
        f"{status.campaign}: {_phase(status)}",
        *_trials(status.trials),
        _last_success(status, now),
        _next(status),
    ]
    if status.stale_since:
        shown.append(f"stale since {_time(status.stale_since)}: no success for {status.stale_days} days")
    shown.append(f"disk: {status.disk_free_bytes / 1e9:.1f} GB free")
    if status.unpublished:
        shown.append(f"measured and not published: {', '.join(status.unpublished)}")
    newest = next(iter(status.cycles), None)
    shown += [f"set aside: {name}: {why}" for name, why in (newest.set_aside if newest else {}).items()]
    failures = status.failures[:SHOWN_FAILURES]
    shown += [
        f"failed {_time(failure.at)}: {failure.cycle}: {failure.step}: {failure.reason}"
        for failure in failures
    ]
    more = status.failures_total - len(failures)
    shown += [f"and {more} earlier failures"] if more else []
    return [*shown, *(["data/operate/operate.log tells why"] if failures else [])]


def _phase(status: Status) -> str:
    of = f" cycle {status.cycle}" if status.cycle else ""
    if status.phase == INTERRUPTED:
        return f"the run of{of or ' a cycle'} was interrupted; the next run goes on from there"
    if status.phase == "failed":
        return f"a step of{of or ' a cycle'} failed; the next run tries again"
    return f"{status.phase}{of}"


def begun_lines(context: Context, running: str | None) -> list[str]:
    """The cycles that `make cycle` began and that are not published, with their trials.

    Args:
        context: of this command.
        running: the cycle that a run works on, which has lines of its own.

    Raises:
        UserError: a snapshot's identity cannot be read.
    """
    shown = []
    for file in sorted(context.data.glob(f"*/{FILE}")):
        campaign, cycle = file.parent.name, file.read_text(encoding="utf-8").strip()
        known = (campaign, cycle) == (context.settings.campaign, running) or is_submission(campaign)
        if known or cycle in published_cycles(context.data, campaign):
            continue
        words = _trials(trials_of(file.parent / cycle))
        shown.append("; ".join([f"begun by make cycle: {campaign}, cycle {cycle}", *words]))
    return shown


def _trials(trials: TrialCounts | None) -> list[str]:
    if trials is None:
        return []
    measured = f"{trials.measured} of {trials.planned} trials planned so far are measured"
    verdicts = f"{trials.valid} valid, {trials.excluded} excluded, {trials.failed} of them failed"
    return [f"round {trials.round}: {measured}: {verdicts}"]


def _last_success(status: Status, now: datetime) -> str:
    success = status.last_success
    if success is None:
        return "no cycle was completed yet"
    age = readable((now - moment_of(success.at)).total_seconds())
    return f"last success: cycle {success.cycle}, {_time(success.at)}, {age} ago"


def _next(status: Status) -> str:
    return f"cycle {status.next_due[:10]} is due" if status.due else f"next cycle: {status.next_due[:10]}"


def _time(moment: str) -> str:
    return moment_of(moment).strftime("%Y-%m-%d %H:%M UTC")


def queue_lines(context: Context) -> list[str]:
    """How many submissions wait for approval or are queued, which is next, and what stopped others.

    Raises:
        UserError: a record, or the panel's configuration, is wrong.
    """
    submissions = read_submissions(context.data)
    if not submissions:
        return []
    waiting, queued = sum(submission.state == "waiting" for submission in submissions), queue(context)
    following = next((planned for planned in queued if planned.starts), None)
    expected = f"; next: {_name(following)}, about {following.starts}" if following else ""
    lines = [f"submissions: {waiting} to approve, {len(queued)} approved and not measured{expected}"]
    lines += [f"{_name(planned)}: is not measured: {planned.reason}" for planned in queued if planned.reason]
    problems = [
        submission
        for submission in submissions
        if submission.problem and submission.state not in ("withdrawn", "released")
    ]
    return lines + [
        f"submission {submission.id}: failed last: {submission.problem}" for submission in problems
    ]


def due_submission(context: Context) -> str | None:
    """The submission that a run would work on, and why; None if there is none.

    Raises:
        UserError: a record, or the panel's configuration, is wrong.
    """
    today = context.clock.now().date().isoformat()
    for submission in read_submissions(context.data):
        if submission.is_due(today):
            return f"submission {submission.id} is to be released"
    following = next_submission(context)
    return f"{_name(following)} is approved" if following else None


def _name(queued: Queued) -> str:
    return f"submission {queued.submission.id}"


NOTHING = "-"


def submission_rows(context: Context) -> list[tuple[str, ...]]:
    """A table of all submissions: a head, and a row for each.

    Raises:
        UserError: a record, or the panel's configuration, is wrong.
    """
    queued = {planned.submission.id: planned for planned in queue(context)}
    head = ("id", "state", "release", "when", "name", "address", "host in Unicode")
    rows = [
        (
            submission.id,
            submission.state,
            submission.release,
            _when(queued.get(submission.id)),
            submission.name,
            submission.address,
            _unicode(submission),
        )
        for submission in read_submissions(context.data)
    ]
    return [head, *rows]


def submission_lines(submission: Submission, site: str, contact: bool) -> list[str]:
    """Everything that is known of a submission, a line for each.

    Args:
        submission: its record.
        site: the address of the site.
        contact: whether to tell how to reach the person.
    """
    hidden = {"token"} if contact else {"token", "contact"}
    lines = [f"state: {submission.state}"]
    lines += [
        f"{field.name}: {_said(getattr(submission, field.name))}"
        for field in fields(submission)
        if field.name not in hidden
    ]
    return [plain(line) for line in [*lines, f"unlisted: {site}unlisted/{submission.token}/"]]


def code_rows(data: Path, today: date) -> list[tuple[str, ...]]:
    """A table of all codes: a head, and a row for each. No row has a code.

    Raises:
        UserError: a record is wrong.
    """
    submissions = read_submissions(data)
    head = ("id", "state", "tests left", "expires", "for")
    rows = [
        (
            code.id,
            code.state(submissions, today),
            f"{code.tests_left(submissions)} of {code.tests}",
            code.expires,
            code.purpose,
        )
        for code in read_codes(data)
    ]
    return [head, *rows]


def _when(queued: Queued | None) -> str:
    """When a submission is expected to be measured, or why it is not."""
    if queued is None:
        return NOTHING
    return f"about {queued.starts}" if queued.starts else queued.reason or NOTHING


def _unicode(submission: Submission) -> str:
    """The host in Unicode if the address has it in another form."""
    return NOTHING if submission.shown_host.isascii() else submission.shown_host


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or NOTHING
    return NOTHING if value is None else str(value)
