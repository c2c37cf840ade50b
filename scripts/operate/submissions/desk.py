"""Accepts a submission: its file, its code, its definition, its record. Approves it, or withdraws it."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.plain import plain
from scripts.model.submission import (
    DEFINITION,
    FOLDER,
    RECORD,
    Form,
    Submission,
    folder_of,
    locked_submissions,
    read_submission,
    write_submission,
)
from scripts.operate.context import iso
from scripts.operate.settings import OperateSettings
from scripts.operate.submissions.addresses import Address, is_public
from scripts.operate.submissions.codes import valid_code
from scripts.operate.submissions.definition import Panel, check_name, read_panel, write_definition
from scripts.operate.submissions.form import read_bytes, read_form
from scripts.operate.submissions.records import IDENTITY, new_identity, new_token


@dataclass(frozen=True)
class Desk:
    """What accepting a submission needs to know.

    Attributes:
        data: the data folder.
        settings: config/operate.yaml.
        now: the time (UTC).
        is_public: whether a host name is public.
    """

    data: Path
    settings: OperateSettings
    now: datetime
    is_public: Callable[[str], bool] = is_public


def desk_of(data: Path, settings: OperateSettings, is_public: Callable[[str], bool] = is_public) -> Desk:
    """The desk at this moment."""
    return Desk(data, settings, datetime.now(UTC), is_public)


def add(path: Path, desk: Desk, identity: str | None = None) -> Submission:
    """Check the file of a submission and store it, which debits its code.

    Args:
        path: the file.
        desk: where to store it.
        identity: the id that the submission gets; default is a new one.

    Raises:
        UserError: why it is refused. Nothing is stored then.
    """
    origin = plain(str(path))
    http, today = desk.settings.submissions.http, desk.now.date()
    form, address = read_form(read_bytes(path), origin, today, http, desk.is_public)
    check_name(form.name, f"{origin}: name")
    with locked_submissions(desk.data):
        _remove_leftovers(desk.data)
        code = valid_code(desk.data, form.code, f"{origin}: code", today)
        panel = read_panel(desk.settings.campaign)
        submission = _submission(form, address, panel, desk, code.id, identity or new_identity(), origin)
        folder = folder_of(desk.data, submission)
        try:
            write_definition(folder / DEFINITION, submission, address, panel)
            write_submission(desk.data, submission)
        except UserError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise UserError(f"{origin}: its campaign is impossible: {plain(str(error))}") from error
    return submission


def _submission(
    form: Form, address: Address, panel: Panel, desk: Desk, code: str, identity: str, origin: str
) -> Submission:
    return Submission(
        id=identity,
        name=form.name,
        address=address.url,
        shown_host=address.shown_host,
        kind=form.kind,
        workload=form.workload,
        contact=form.contact,
        code=code,
        release=form.release,
        settings=panel.chosen_settings(form.settings, f"{origin}: settings"),
        contenders=panel.chosen_contenders(form.contenders, form.kind, f"{origin}: contenders"),
        token=new_token(),
        added=iso(desk.now),
        approved=iso(desk.now) if desk.settings.submissions.automatic else None,
    )


def _remove_leftovers(data: Path) -> None:
    """Remove what a killed `add` left: folders without a record. Hold the lock."""
    for folder in (data / FOLDER).iterdir():
        if IDENTITY.fullmatch(folder.name) and not (folder / RECORD).exists():
            shutil.rmtree(folder, ignore_errors=True)


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
