"""The steps of a submission, from its first trial to its place in the archive. Each can be repeated."""

import shutil
from dataclasses import replace
from pathlib import Path

from scripts.base.errors import UserError
from scripts.model.submission import (
    DATA,
    UNLISTED,
    Submission,
    folder_of,
    locked_submissions,
    read_submission,
)
from scripts.operate import steps
from scripts.operate.agenda import frozen
from scripts.operate.canary import FOLDER as CANARIES
from scripts.operate.context import Context, iso
from scripts.operate.records import read_cycle, remove_cycle, write_cycle
from scripts.operate.step_actions import StepActions
from scripts.operate.submissions.queue import Meter
from scripts.operate.submissions.records import change, own_context, released_context
from scripts.plan.set_aside import FILE as SET_ASIDE


def try_alone(context: Context, submission: Submission, actions: StepActions) -> str:
    """Try the service alone. What was tried is forgotten if it fails: the next run tries again.

    Raises:
        UserError: it does not answer.
    """
    own, cycle = own_context(context, submission), str(submission.cycle)
    line = steps.canaries(own, cycle, actions)
    aside = read_cycle(own.folder, submission.campaign, cycle).set_aside or {}
    if submission.campaign in aside:
        shutil.rmtree(own.cycle(cycle) / CANARIES, ignore_errors=True)
        (own.cycle(cycle) / "plan" / SET_ASIDE).unlink(missing_ok=True)
        raise UserError(f"the service did not answer alone: {aside[submission.campaign]}")
    return line


def measure(context: Context, submission: Submission, actions: StepActions, meter: Meter) -> str:
    """Measure its cycle up to its snapshot.

    Raises:
        StoppedError: it was withdrawn, or goes on in another period.
        UserError: it took too long, or what the panel's cycle would be stopped by.
    """
    own = own_context(context, submission)

    write_status = steps.status_writer(context, None, actions)

    def during() -> None:
        actions.watch(own)
        meter.check()
        write_status()

    return actions.measure(own, str(submission.cycle), during)


def is_frozen(context: Context, submission: Submission) -> bool:
    """Whether its snapshot is in a folder of its own, and not released yet."""
    return submission.cycle in frozen(own_context(context, submission))


def build(context: Context, submission: Submission, actions: StepActions) -> str:
    """Build its unlisted site."""
    folder = folder_of(context.data, submission) / UNLISTED
    return actions.build_unlisted(own_context(context, submission), folder)


def archive(context: Context, submission: Submission) -> str:
    """Move its snapshot into the archive, with a record of its cycle.

    Raises:
        UserError: it was withdrawn, or the archive has another snapshot of this name.
    """
    cycle = str(submission.cycle)
    own, released = own_context(context, submission), released_context(context, submission)
    record = read_cycle(released.folder, submission.campaign, cycle)
    aside = read_cycle(own.folder, submission.campaign, cycle).set_aside
    with locked_submissions(context.data):
        if read_submission(context.data, submission.id).withdrawn:
            raise UserError("it was withdrawn; nothing of it is released")
        if cycle in frozen(released):
            return "is in the archive"
        source = _snapshot(own, submission)
        target = released.snapshots / source.name
        if target.exists():
            raise UserError(f"{target}: is there already, and is not its snapshot; move it elsewhere")
        write_cycle(released.folder, replace(record, started=submission.begun, set_aside=aside or {}))
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)
    return f"moved to {target}"


def remove_folders(context: Context, submission: Submission) -> None:
    """Delete its measurements and its unlisted site on this disk; the record and its definition stay."""
    for name in (UNLISTED, DATA):
        shutil.rmtree(folder_of(context.data, submission) / name, ignore_errors=True)


def is_left(context: Context, submission: Submission) -> bool:
    """Whether something that was measured of a submission is on this disk."""
    folder = folder_of(context.data, submission)
    places = (_in_archive(context, submission), _pages(context, submission), folder / DATA, folder / UNLISTED)
    return submission.cycle is not None and any(place.exists() for place in places)


def take_back(context: Context, submission: Submission) -> None:
    """Move the snapshot of a withdrawn submission out of the archive, in one step, to its own folder."""
    snapshot, own = _in_archive(context, submission), own_context(context, submission).snapshots
    if snapshot.exists():
        own.mkdir(parents=True, exist_ok=True)
        snapshot.rename(own / snapshot.name)


def hide_withdrawn(context: Context, submission: Submission, actions: StepActions) -> str:
    """Delete the unlisted pages of a withdrawn submission on the remote, and take it out of the archive.

    Raises:
        UserError: the remote refuses or cannot be reached.
    """
    take_back(context, submission)
    return actions.delete_unlisted(context, submission.token)


def forget_withdrawn(context: Context, submission: Submission, actions: StepActions) -> str:
    """Delete what was measured of a withdrawn submission. Nothing of it was published.

    Its own folders go last. So a run that is killed before is repeated.

    Raises:
        UserError: the site cannot be built without it.
    """
    take_back(context, submission)
    if _pages(context, submission).exists():
        actions.build(context)
    remove_cycle(context.folder, submission.campaign, str(submission.cycle))
    remove_folders(context, submission)
    return "what was measured is deleted"


def finish(context: Context, submission: Submission) -> str:
    """Delete its own folders, and record that it is released."""
    remove_folders(context, submission)
    change(context, submission, released=iso(context.clock.now()), problem=None)
    return "is in the archive, and published"


def _in_archive(context: Context, submission: Submission) -> Path:
    """Where its snapshot is in the archive once it is released."""
    return context.snapshots / f"{submission.campaign}-{submission.cycle}"


def _pages(context: Context, submission: Submission) -> Path:
    """Where its pages are on the site once it is released."""
    return context.public / f"cycles/{submission.campaign}"


def _snapshot(context: Context, submission: Submission) -> Path:
    """The folder of its snapshot in the archive of a context.

    Raises:
        UserError: there is none.
    """
    path = _in_archive(context, submission)
    if not path.is_dir():
        raise UserError(
            f"{path}: there is no such snapshot; approve the submission again to measure it again"
        )
    return path
