"""What a run does for submissions: it measures the next one, and shows, releases or deletes measured ones.

What is done is read from the disk, so a run can be killed at any point. A failed step is recorded with its
submission and reported. It stops no other submission, and nothing of the panel.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from scripts.base.errors import UserError
from scripts.model.submission import UNLISTED, Submission, folder_of, read_submission, read_submissions
from scripts.operate import steps
from scripts.operate.context import Context, iso
from scripts.operate.current_run import ActiveStep, Run, StepTarget
from scripts.operate.step_actions import StepActions
from scripts.operate.submissions.queue import Meter, next_submission
from scripts.operate.submissions.records import change, keep_failure, own_context, released_context
from scripts.operate.submissions.steps import (
    archive,
    build,
    finish,
    forget_withdrawn,
    hide_withdrawn,
    is_frozen,
    is_left,
    measure,
    try_alone,
)

ALL = StepTarget("submissions", {"submission": None}, lambda at, step, reason: None)
"""All submissions: a failure belongs to no record."""


def target_of(context: Context, submission: Submission) -> StepTarget:
    """A submission, whose record has its last failure."""
    return StepTarget(
        f"submission {submission.id}",
        {"submission": submission.id},
        lambda at, step, reason: keep_failure(context, submission, at, step, reason),
    )


def measure_next(run: Run, tried: set[str]) -> bool:
    """Measure the submission whose time it is, if there is one.

    Args:
        run: the active run.
        tried: the ids of the submissions that this run tried; this one is added.

    Returns:
        Whether there was one.
    """
    queued = run.guard(ALL, "queue", lambda: next_submission(run.context, tried))
    if queued is None:
        return False
    submission = queued.submission
    tried.add(submission.id)
    run.guard(target_of(run.context, submission), "measure", lambda: _measure(run, submission))
    return True


def settle(run: Run) -> None:
    """Bring every submission to where it should be today, and unlisted/ on the remote."""
    for submission in _submissions(run):
        run.guard(target_of(run.context, submission), "settle", partial(_settle, run, submission))
    if any(submission.measured for submission in _submissions(run)):
        run.attempt(ALL, "unlisted", "publishing", lambda: _publish_unlisted(run))


def watching(run: Run) -> StepActions:
    """The actions of a run with which a withdrawal takes effect about a minute later, also during a cycle.

    What was measured is deleted after the cycle: that of gigabytes would disturb the trials.
    """
    actions = run.actions

    def watch(context: Context) -> None:
        actions.watch(context)
        with suppress(UserError):  # `settle` tells it
            for submission in read_submissions(run.context.data):
                if (
                    submission.withdrawn
                    and submission.measured
                    and submission.id not in run.hidden
                    and is_left(run.context, submission)
                ):
                    run.hidden.add(submission.id)
                    hide = partial(hide_withdrawn, run.context, submission, actions)
                    run.attempt(target_of(run.context, submission), "withdraw", None, hide)

    return replace(actions, watch=watch)


def _submissions(run: Run) -> list[Submission]:
    """All submissions; none if they cannot be read, which is reported."""
    return run.guard(ALL, "records", lambda: read_submissions(run.context.data)) or []


def _measure(run: Run, submission: Submission) -> None:
    """Do the steps up to the snapshot, until one fails; its hours are counted."""
    context, actions = run.context, run.actions
    meter = Meter(context, submission)
    submission = meter.begin()
    own, cycle = own_context(context, submission), str(submission.cycle)

    def todo() -> Iterator[ActiveStep]:
        yield "health", "checking", lambda: steps.health(own, cycle, actions)
        meter.write()
        yield "canary", "checking", lambda: try_alone(context, submission, actions)
        meter.write()
        yield "measure", "measuring", lambda: measure(context, submission, actions, meter)

    try:
        run.do(target_of(context, submission), todo())
    finally:
        meter.write()


def _settle(run: Run, submission: Submission) -> None:
    """Do what a submission needs today, besides its trials."""
    context, actions = run.context, run.actions
    folder = folder_of(context.data, submission)
    if submission.state == "withdrawn":
        _forget(run, submission)
        return
    if submission.state == "begun" and is_frozen(context, submission):
        submission = change(context, submission, measured=iso(context.clock.now()), problem=None)
    if submission.is_due(context.clock.now().date().isoformat()):
        _release(run, submission)
    elif submission.state == "measured" and not (folder / UNLISTED).is_dir():
        target = target_of(context, submission)
        run.attempt(target, "site", "building", lambda: build(context, submission, actions))


def _forget(run: Run, submission: Submission) -> None:
    """Delete what was measured of a withdrawn submission, if there is something."""
    if is_left(run.context, submission):
        target = target_of(run.context, submission)
        run.attempt(target, "withdraw", None, lambda: forget_withdrawn(run.context, submission, run.actions))


def _release(run: Run, submission: Submission) -> None:
    """Publish a submission as any other cycle, then delete what was unlisted of it.

    It may be withdrawn until its first page is published.
    """
    context = run.context
    released, cycle = released_context(context, submission), str(submission.cycle)

    def is_withdrawn() -> bool:
        return bool(read_submission(context.data, submission.id).withdrawn)

    def todo() -> Iterator[ActiveStep]:
        yield "archive", None, lambda: archive(context, submission)
        for step in steps.bound(steps.PUBLISHING, released, cycle, run.actions):
            if is_withdrawn():
                return
            yield step
        yield "release", None, lambda: finish(context, submission)

    if run.do(target_of(context, submission), todo()) and is_withdrawn():
        _forget(run, submission)


def _publish_unlisted(run: Run) -> str:
    """Make unlisted/ on the remote what it should be: the sites of what is measured and not released."""
    context = run.context
    folders = {
        submission.token: folder_of(context.data, submission) / UNLISTED
        for submission in read_submissions(context.data)
        if submission.state == "measured"
    }
    return run.actions.publish_unlisted(
        context, {token: folder for token, folder in folders.items() if folder.is_dir()}
    )
