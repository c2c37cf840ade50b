"""What a run does for submissions: it measures the next one, and shows, releases or deletes measured ones.

What is done is read from the disk, so a run can be killed at any point. A step that fails is recorded with
its submission and told. It stops neither another submission nor anything of the panel.
"""

import re
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from scripts.base.errors import UserError
from scripts.model.submission import UNLISTED, Submission, folder_of, read_submission, read_submissions
from scripts.operate import steps
from scripts.operate.clock import iso
from scripts.operate.context import Context
from scripts.operate.current_run import Run, reason_of
from scripts.operate.journal import complain, keep, say
from scripts.operate.lock import BusyError
from scripts.operate.parts import Parts
from scripts.operate.submission_meter import Meter, StoppedError
from scripts.operate.submission_queue import next_submission
from scripts.operate.submission_records import change, keep_failure, own_context, released_context
from scripts.operate.submission_steps import (
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

Done = TypeVar("Done")

TOKEN = re.compile(r"\b[0-9a-f]{32}\b")
"""The token of an unlisted address, which no log and no message has."""


def measure_next(run: Run, tried: set[str]) -> bool:
    """Measure the submission whose time it is, if there is one.

    Args:
        run: the active run.
        tried: the ids of the submissions that this run tried; this one is added.

    Returns:
        Whether there was one.
    """
    queued = _guarded(run, None, "queue", lambda: next_submission(run.context, tried))
    if queued is None:
        return False
    tried.add(queued.submission.id)
    _guarded(run, queued.submission, "measure", lambda: _measure(run, queued.submission))
    return True


def settle(run: Run) -> None:
    """Bring every submission to where it should be today, and unlisted/ on the remote."""
    for one in _submissions(run):
        _guarded(run, one, "settle", lambda one=one: _settle(run, one))  # type: ignore[misc]
    if any(one.measured for one in _submissions(run)):
        run.show_phase("publishing", None)
        _attempt(run, None, "unlisted", lambda: _publish_unlisted(run))


def watching(run: Run) -> Parts:
    """The parts of a run with which a withdrawal takes effect about a minute later, also during a cycle.

    What was measured is deleted after the cycle: that of gigabytes would disturb the trials.
    """
    parts = run.parts

    def watch(context: Context) -> None:
        parts.watch(context)
        with suppress(UserError):  # `settle` tells it
            for one in read_submissions(run.context.data):
                if one.withdrawn and one.measured and one.id not in run.hidden and is_left(run.context, one):
                    run.hidden.add(one.id)
                    _attempt(run, one, "withdraw", lambda one=one: hide_withdrawn(run.context, one, parts))  # type: ignore[misc]

    return replace(parts, watch=watch)


def _submissions(run: Run) -> list[Submission]:
    """All submissions; none if they cannot be read, which is told."""
    return _guarded(run, None, "records", lambda: read_submissions(run.context.data)) or []


def _measure(run: Run, submission: Submission) -> None:
    """Do the steps up to the snapshot, until one fails; its hours are counted."""
    context, parts = run.context, run.parts
    meter = Meter(context, submission)
    submission = meter.begin()
    own, cycle = own_context(context, submission), str(submission.cycle)
    todo: list[tuple[str, str, Callable[[], str]]] = [
        ("health", "checking", lambda: steps.health(own, cycle, parts)),
        ("canary", "checking", lambda: try_alone(context, submission, parts)),
        ("measure", "measuring", lambda: measure(context, submission, parts, meter)),
    ]
    try:
        for name, phase, act in todo:
            run.show_phase(phase, None)
            if not _attempt(run, submission, name, act):
                return
            meter.write()
    finally:
        meter.write()


def _settle(run: Run, submission: Submission) -> None:
    """Do what a submission needs today, besides its trials."""
    context, parts = run.context, run.parts
    folder = folder_of(context.data, submission)
    if submission.state == "withdrawn":
        _forget(run, submission)
        return
    if submission.state == "begun" and is_frozen(context, submission):
        submission = change(context, submission, measured=iso(context.clock.now()), problem=None)
    if submission.is_due(context.clock.now().date().isoformat()):
        _release(run, submission)
    elif submission.state == "measured" and not (folder / UNLISTED).is_dir():
        run.show_phase("building", None)
        _attempt(run, submission, "site", lambda: build(context, submission, parts))


def _forget(run: Run, submission: Submission) -> None:
    """Delete what was measured of a withdrawn submission, if there is something."""
    if is_left(run.context, submission):
        _attempt(run, submission, "withdraw", lambda: forget_withdrawn(run.context, submission, run.parts))


def _release(run: Run, submission: Submission) -> None:
    """Publish a submission as any other cycle, then delete what was unlisted of it."""
    context, parts = run.context, run.parts
    released, cycle = released_context(context, submission), str(submission.cycle)
    if not _attempt(run, submission, "archive", lambda: archive(context, submission)):
        return
    for name, (phase, step) in steps.PUBLISHING.items():
        if read_submission(context.data, submission.id).withdrawn:
            return _forget(run, submission)
        run.show_phase(phase, None)
        if not _attempt(run, submission, name, lambda step=step: step(released, cycle, parts)):  # type: ignore[misc]
            return None
    _attempt(run, submission, "release", lambda: finish(context, submission))


def _publish_unlisted(run: Run) -> str:
    """Make unlisted/ on the remote what it should be: the sites of what is measured and not released."""
    context = run.context
    folders = {
        one.token: folder_of(context.data, one) / UNLISTED
        for one in read_submissions(context.data)
        if one.state == "measured"
    }
    return run.parts.publish_unlisted(
        context, {token: folder for token, folder in folders.items() if folder.is_dir()}
    )


def _attempt(run: Run, submission: Submission | None, step: str, act: Callable[[], str]) -> bool:
    """Do a step, and say what it did; returns whether it was done."""
    done = _guarded(run, submission, step, act)
    if done is not None:
        say(run.context, f"{_name(submission)}: {step}: {done}")
    return done is not None


def _guarded(run: Run, submission: Submission | None, step: str, act: Callable[[], Done]) -> Done | None:
    """What a step returns; None if it was stopped or failed. A failure is recorded and told."""
    try:
        return act()
    except BusyError:
        raise
    except StoppedError as stopped:
        say(run.context, f"{_name(submission)}: {step}: stopped: {stopped}")
    except Exception as error:
        if not isinstance(error, UserError):
            keep(run.context, TOKEN.sub("<token>", traceback.format_exc()))
        _fail(run, submission, step, reason_of(error))
    return None


def _fail(run: Run, submission: Submission | None, step: str, reason: str) -> None:
    """Record and tell a failed step."""
    run.submission_failed = True
    reason = TOKEN.sub("<token>", reason)
    complain(run.context, f"error: {_name(submission)}: {step}: {reason}")
    at = iso(run.context.clock.now())
    if submission:
        try:
            keep_failure(run.context, submission, at, step, reason)
        except (OSError, UserError) as error:
            complain(
                run.context, f"error: {_name(submission)}: this failure is not recorded: {reason_of(error)}"
            )
    identity = submission.id if submission else None
    run.tell("failed", submission=identity, step=step, reason=reason, at=at)


def _name(submission: Submission | None) -> str:
    return f"submission {submission.id}" if submission else "submissions"
