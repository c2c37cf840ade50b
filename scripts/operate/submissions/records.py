"""The records of submissions as a run changes them, their random names, and the context of each one."""

import re
import secrets
from dataclasses import replace
from typing import Any

from scripts.model.submission import (
    DATA,
    DEFINITION,
    Submission,
    folder_of,
    locked_submissions,
    read_submission,
    write_submission,
)
from scripts.operate.context import Context, moment_of
from scripts.operate.records import keep_failure as keep_failure_of_cycle
from scripts.operate.records import read_cycle

MOST_TRIES = 3
"""A submission whose measurement failed in so many runs is left until it is approved again."""

TRIED = ("canary", "measure")
"""The steps whose failures count as tries. A failed check of the host says nothing about a submission."""


def own_context(context: Context, submission: Submission) -> Context:
    """The context of a submission: its campaign and its definition, and folders that only it uses."""
    folder = folder_of(context.data, submission)
    settings = replace(context.settings, campaign=submission.campaign)
    data = folder / DATA
    return Context(settings, data, data / "public", context.clock, folder / DEFINITION)


def released_context(context: Context, submission: Submission) -> Context:
    """The context of a submission whose snapshot is in the archive: the folders of all campaigns."""
    return replace(context, settings=replace(context.settings, campaign=submission.campaign))


def change(context: Context, submission: Submission, **changes: Any) -> Submission:
    """Change fields of a stored record; what others changed meanwhile stays.

    Raises:
        UserError: there is no such record, or it is wrong.
    """
    with locked_submissions(context.data):
        changed = replace(read_submission(context.data, submission.id), **changes)
        write_submission(context.data, changed)
    return changed


def keep_failure(context: Context, submission: Submission, at: str, step: str, reason: str) -> None:
    """Record a failed step: all of them with the submission's cycle, the last one's reason as its problem."""
    change(context, submission, problem=f"{step}: {reason}")
    folder = own_context(context, submission).folder
    if submission.cycle is None or not folder.parent.is_dir():  # it is withdrawn, or released
        return
    keep_failure_of_cycle(folder, submission.campaign, submission.cycle, at, step)


def tries(context: Context, submission: Submission) -> int:
    """In how many runs its measurement failed since it was approved.

    Raises:
        UserError: the record of its cycle is wrong.
    """
    if submission.cycle is None or submission.approved is None:
        return 0
    record = read_cycle(own_context(context, submission).folder, submission.campaign, submission.cycle)
    approved = moment_of(submission.approved)
    return sum(failure.step in TRIED and moment_of(failure.at) >= approved for failure in record.failures)


LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
LENGTH = 8
IDENTITY = re.compile(f"[a-z0-9]{{{LENGTH}}}")
TOKEN_BYTES = 16


def new_identity() -> str:
    """Eight random letters and digits."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def new_token() -> str:
    """128 random bits in hexadecimal."""
    return secrets.token_hex(TOKEN_BYTES)
