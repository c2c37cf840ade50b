"""The commands about services that others ask to be measured (docs/operating.md, Submissions).

    python -m scripts.operate submissions code new --tests 3 --expires 2027-01-31 --for "Example University"
    python -m scripts.operate submissions code list
    python -m scripts.operate submissions code revoke k3j9x0ab
    python -m scripts.operate submissions add submission.yaml
    python -m scripts.operate submissions watch /srv/submissions [--once]
    python -m scripts.operate submissions list
    python -m scripts.operate submissions show ab12cd34 [--contact]
    python -m scripts.operate submissions approve ab12cd34
    python -m scripts.operate submissions withdraw ab12cd34

`code new` prints an access code once; it is not kept. `add` checks the file of a submission
(scripts/model/submission.py) and stores it below data/submissions/; each stored submission uses one test
of its code. `watch` does the same with the files of a folder. What is approved is measured by
`python -m scripts.operate run`.
"""

import argparse
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TypeAlias

from scripts.base.commands import whole_number
from scripts.base.errors import UserError
from scripts.base.own_folder import require_own_as_root
from scripts.base.plain import aligned, plain, shown
from scripts.model.submission import Submission, read_submission
from scripts.operate.context import Context
from scripts.operate.overview import code_rows, submission_lines, submission_rows
from scripts.operate.settings import FILE, read_settings
from scripts.operate.submissions.codes import make_code, revoke_code
from scripts.operate.submissions.desk import add, approve, desk_of, withdraw
from scripts.operate.submissions.watching import Watch
from scripts.site import settings as site

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""The parser to which commands are added."""

MOST_TESTS = 1000
MOST_PURPOSE = 80


def _add(arguments: argparse.Namespace) -> None:
    stored = add(arguments.file, desk_of(arguments.data, read_settings(arguments.config)))
    print(f"accepted as {stored.id}: {_following(stored)}")


def _following(submission: Submission) -> str:
    """What happens next with a stored submission."""
    if submission.approved:
        return "approved; it is measured after the panel's cycle"
    return f"waits for `python -m scripts.operate submissions approve {submission.id}`"


def _watch(arguments: argparse.Namespace) -> None:
    settings = read_settings(arguments.config)
    watch = Watch(arguments.folder, lambda: desk_of(arguments.data, settings), partial(print, flush=True))
    if arguments.once:
        watch.once()
    else:
        watch.forever()


def _list(arguments: argparse.Namespace) -> None:
    require_own_as_root(arguments.data)
    context = Context(read_settings(arguments.config), arguments.data, Path("public"))
    print("\n".join(aligned(submission_rows(context))))


def _show(arguments: argparse.Namespace) -> None:
    submission = read_submission(arguments.data, arguments.id)
    print(
        "\n".join(submission_lines(submission, site.read_settings(arguments.site).address, arguments.contact))
    )


def _approve(arguments: argparse.Namespace) -> None:
    submission = approve(arguments.data, arguments.id, datetime.now(UTC))
    print(f"{submission.id}: {_following(submission)}")


def _withdraw(arguments: argparse.Namespace) -> None:
    submission = withdraw(arguments.data, arguments.id, datetime.now(UTC))
    credited = "nothing of it is published; the next run deletes what was measured"
    print(f"{submission.id}: withdrawn; {credited if submission.begun else 'its code has the test back'}")


def _new_code(arguments: argparse.Namespace) -> None:
    print(make_code(arguments.data, arguments.tests, arguments.expires, arguments.purpose))


def _list_codes(arguments: argparse.Namespace) -> None:
    print("\n".join(aligned(code_rows(arguments.data, _today()))))


def _revoke_code(arguments: argparse.Namespace) -> None:
    code = revoke_code(arguments.data, arguments.id, _today())
    print(f"{code.id}: revoked; what was submitted with it stays")


def _today() -> date:
    return datetime.now(UTC).date()


def _expiry(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{shown(text)}: write a day such as 2027-01-31") from error
    if day < _today():
        raise argparse.ArgumentTypeError(f"{day}: is in the past; write a later day")
    return day


def _purpose(text: str) -> str:
    if not text.isprintable() or not 1 <= len(text) <= MOST_PURPOSE:
        raise argparse.ArgumentTypeError(f"{shown(text)}: write at most {MOST_PURPOSE} characters")
    return text


def add_submissions(operation: Commands) -> None:
    """Add `submissions` to the commands of `python -m scripts.operate`.

    Each of its commands sets `run`, a function of the arguments that returns the exit status.
    """
    parser = operation.add_parser(
        "submissions",
        help="services that others ask to be measured, and their access codes",
        description=__doc__,
    )
    commands = parser.add_subparsers(dest="submissions_command", required=True)

    command = partial(_command, commands)
    adding = command("add", "check the file of a submission and store it", _add)
    adding.add_argument("file", type=Path, metavar="FILE")
    watching = command("watch", "add every file that is put into a folder", _watch)
    watching.add_argument("folder", type=Path, metavar="FOLDER")
    watching.add_argument("--once", action="store_true", help="take what is there, then end")
    listing = command("list", "list the submissions, and when each is expected to be measured", _list)
    for command_parser in (adding, watching, listing):
        command_parser.add_argument(
            "--config", type=Path, default=FILE, metavar="FILE", help="config/operate.yaml"
        )
    showing = command("show", "tell everything of a submission but how to reach the person", _show)
    showing.add_argument("--contact", action="store_true", help="tell that, too")
    showing.add_argument("--site", type=Path, default=site.FILE, metavar="FILE", help="config/site.yaml")
    approving = command("approve", "let a submission be measured, or again after it failed", _approve)
    withdrawing = command("withdraw", "publish nothing of a submission", _withdraw)
    for command_parser in (showing, approving, withdrawing):
        command_parser.add_argument("id", metavar="ID")
    _add_code_commands(commands.add_parser("code", help="make, list and revoke access codes"))


def _add_code_commands(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="code_command", required=True)
    making = _command(commands, "new", "make a code and print it; it is not kept", _new_code)
    making.add_argument(
        "--tests",
        type=whole_number(1, MOST_TESTS),
        required=True,
        metavar="N",
        help="the submissions it is good for",
    )
    making.add_argument(
        "--expires", type=_expiry, required=True, metavar="DAY", help="the last day it is valid"
    )
    making.add_argument("--for", dest="purpose", type=_purpose, required=True, metavar="WORDS", help="a note")
    _command(commands, "list", "list the codes by their ids", _list_codes)
    revoking = _command(commands, "revoke", "make a code invalid", _revoke_code)
    revoking.add_argument("id", metavar="ID")


def _command(
    commands: Commands,
    name: str,
    words: str,
    run: Callable[[argparse.Namespace], None],
) -> argparse.ArgumentParser:
    """A command, with the option that all have."""
    command = commands.add_parser(name, help=words, description=words)
    command.add_argument("--data", type=Path, default=Path("data"), metavar="DIR", help="default: data")
    command.set_defaults(run=partial(_run, run))
    return command


def _run(act: Callable[[argparse.Namespace], None], arguments: argparse.Namespace) -> int:
    """Run a command. What strangers wrote reaches the terminal in plain letters only."""
    try:
        act(arguments)
    except UserError as error:
        raise UserError(plain(str(error))) from error
    return 0
