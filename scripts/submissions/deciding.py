"""What the operator decides of a submission: to approve it, to withdraw it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from scripts.base.errors import UserError
from scripts.model.submission import Submission, locked_submissions, read_submission, write_submission
from scripts.operate.clock import iso


def approve(data: Path, identity: str, now: datetime) -> Submission:
    """Approve a submission that waits, or again one whose measurement failed.

    Raises:
        UserError: there is no such submission, or it is not to be approved.
    """

    def approved(submission: Submission) -> Submission:
        failed = submission.problem is not None and submission.state in ("approved", "begun")
        if submission.state != "waiting" and not failed:
            raise UserError(
                f"{identity}: is {submission.state}; only one that waits or failed can be approved"
            )
        return replace(submission, approved=iso(now))

    return _changed(data, identity, approved)


def withdraw(data: Path, identity: str, now: datetime) -> Submission:
    """Withdraw a submission. Its code gets the test back if it was not begun.

    Raises:
        UserError: there is no such submission, it is withdrawn, or its release has begun.
    """

    def withdrawn(submission: Submission) -> Submission:
        if submission.state == "withdrawn":
            raise UserError(f"{identity}: is withdrawn; there is nothing to do")
        if submission.published or submission.released:
            raise UserError(
                f"{identity}: its release has begun, as the cycle {submission.cycle} of "
                f"{submission.campaign}; withdraw its snapshot by `python -m scripts.snapshot withdraw`"
            )
        return replace(submission, withdrawn=iso(now))

    return _changed(data, identity, withdrawn)


def _changed(data: Path, identity: str, change: Callable[[Submission], Submission]) -> Submission:
    with locked_submissions(data):
        submission = change(read_submission(data, identity))
        write_submission(data, submission)
    return submission
