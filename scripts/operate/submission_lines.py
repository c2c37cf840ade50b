"""What the operator is told of submissions: ids, numbers and days only. Nothing of it is in status.json."""

from scripts.model.submission import read_submissions
from scripts.operate.context import Context
from scripts.operate.submission_queue import Queued, next_submission, queue


def submission_lines(context: Context) -> list[str]:
    """How many submissions wait for approval or are queued, which is next, and what stopped others.

    Raises:
        UserError: a record, or the panel's configuration, is wrong.
    """
    submissions = read_submissions(context.data)
    if not submissions:
        return []
    waiting, queued = sum(one.state == "waiting" for one in submissions), queue(context)
    following = next((one for one in queued if one.starts), None)
    expected = f"; next: {_name(following)}, about {following.starts}" if following else ""
    lines = [f"submissions: {waiting} to approve, {len(queued)} approved and not measured{expected}"]
    lines += [f"{_name(one)}: is not measured: {one.reason}" for one in queued if one.reason]
    problems = [one for one in submissions if one.problem and one.state not in ("withdrawn", "released")]
    return lines + [f"submission {one.id}: failed last: {one.problem}" for one in problems]


def due_submission(context: Context) -> str | None:
    """The submission that a run would work on, and why; None if there is none.

    Raises:
        UserError: a record, or the panel's configuration, is wrong.
    """
    today = context.clock.now().date().isoformat()
    for one in read_submissions(context.data):
        if one.is_due(today):
            return f"submission {one.id} is to be released"
    following = next_submission(context)
    return f"{_name(following)} is approved" if following else None


def _name(queued: Queued) -> str:
    return f"submission {queued.submission.id}"
