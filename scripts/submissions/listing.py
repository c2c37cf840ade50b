"""Lists submissions and codes for the operator."""

from dataclasses import fields
from datetime import date
from pathlib import Path

from scripts.base.plain import plain
from scripts.model.submission import Submission, read_submissions
from scripts.operate.context import Context
from scripts.operate.submission_queue import Queued, queue
from scripts.submissions.codes import read_codes

NOTHING = "-"


def submission_rows(context: Context) -> list[tuple[str, ...]]:
    """A table of all submissions: a head, and a row for each.

    Raises:
        UserError: a record, or the panel's configuration, is wrong.
    """
    queued = {one.submission.id: one for one in queue(context)}
    head = ("id", "state", "release", "when", "name", "address", "host in Unicode")
    rows = [
        (one.id, one.state, one.release, _when(queued.get(one.id)), one.name, one.address, _unicode(one))
        for one in read_submissions(context.data)
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
