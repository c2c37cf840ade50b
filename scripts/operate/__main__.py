"""Unattended operation: whatever is next of a cycle on the grid, from the first trial to the published pages.

    python -m scripts.operate run                   does what is next, then the next, until nothing is left
    python -m scripts.operate status [--json]       tells how it stands
    python -m scripts.operate due                   tells whether a run has something to do
    python -m scripts.operate health                looks at this host, as a run does before it measures
    python -m scripts.operate publish               publishes what the remote does not have
    python -m scripts.operate prune [--dry-run]     deletes what the retention does not keep
    python -m scripts.operate restore REMOTE        rebuilds a lost host from what was published
    python -m scripts.operate submissions --help    the commands about services that others ask to be measured

`make operate` is `run`, after the setup. A timer may start it at any hour (docs/operating.md). The settings
are config/operate.yaml. Records, status and log are in data/operate/.

Exit status: 0 done, or nothing due; 1 a step failed (the next run tries again), or nothing is due (`due`);
2 the configuration or a file is wrong; 75 another run is active; 130 or 143 interrupted, and the next run
goes on.
"""

import argparse
import signal
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import ROOT
from scripts.base.own_folder import require_own_as_root
from scripts.base.processes import exit_on
from scripts.base.snakemake_command import LOCKED
from scripts.base.yaml_files import similar_files
from scripts.model.operation import status_text
from scripts.operate import health, publishing, restoring
from scripts.operate.agenda import next_cycle
from scripts.operate.context import BusyError, Clock, Context, complain, moment_of, only_run, say
from scripts.operate.overview import begun_lines, due_submission, queue_lines, status_lines
from scripts.operate.run import run
from scripts.operate.settings import FILE, beginning, read_settings
from scripts.operate.status import status_of
from scripts.operate.step_actions import StepActions, prune
from scripts.operate.submissions.commands import add_submissions
from scripts.plan.campaign_file import CAMPAIGNS, campaign_names
from scripts.snapshot.options import add_policy, policy_of


def _run(context: Context, arguments: argparse.Namespace) -> int:
    return run(context, StepActions())


def _status(context: Context, arguments: argparse.Namespace) -> int:
    status = status_of(context)
    if arguments.json:
        print(status_text(status))
    else:
        print(*status_lines(status), *begun_lines(context, status.cycle), *queue_lines(context), sep="\n")
    return 0


def _due(context: Context, arguments: argparse.Namespace) -> int:
    following = next_cycle(context)
    slot = context.settings.schedule.next_slot(context.clock.now())
    reason = f"{following.cycle} {following.reason}" if following else due_submission(context)
    why = f"due: {reason}" if reason else "nothing is due"
    print(f"{why}; the next slot begins on {slot}")
    return 0 if reason else 1


def _health(context: Context, arguments: argparse.Namespace) -> int:
    following = next_cycle(context)
    slot = beginning(context.settings.schedule.next_slot(context.clock.now())).date().isoformat()
    status = 0
    for check in health.check(context, following.cycle if following else slot):
        print(f"{check.name}: {check.state}: {check.message}", flush=True)
        if check.state == "failed":
            status = 1
    return status


def _publish(context: Context, arguments: argparse.Namespace) -> int:
    with only_run(context):
        done = publishing.publish(context)
        say(context, f"published: {done.files} files, {done.bytes / 1e6:.1f} MB")
    return 0


def _prune(context: Context, arguments: argparse.Namespace) -> int:
    with nullcontext() if arguments.dry_run else only_run(context):
        say(context, prune(context, arguments.dry_run))
    return 0


def _restore(context: Context, arguments: argparse.Namespace) -> int:
    policy = replace(policy_of(arguments), now=context.clock.now())
    with only_run(context):
        say(context, restoring.restore(context, arguments.remote, policy))
    return 0


COMMANDS: dict[str, tuple[str, Callable[[Context, argparse.Namespace], int]]] = {
    "run": ("do what is next, until nothing is left", _run),
    "status": ("tell how it stands", _status),
    "due": ("tell whether a run has something to do", _due),
    "health": ("look at this host", _health),
    "publish": ("publish what the remote does not have", _publish),
    "prune": ("delete what the retention does not keep", _prune),
    "restore": ("rebuild a lost host from what was published", _restore),
}


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("scripts.operate", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (words, act) in COMMANDS.items():
        command = commands.add_parser(name, help=words, description=words)
        command.add_argument(
            "--config", type=Path, default=FILE, metavar="FILE", help="default: config/operate.yaml"
        )
        command.add_argument("--data", type=Path, default=Path("data"), metavar="DIR", help="default: data")
        command.add_argument(
            "--public", type=Path, default=Path("public"), metavar="DIR", help="the site (public)"
        )
        command.add_argument(
            "--now", type=_moment, metavar="TIME", help="a time that stands for now, for trying out"
        )
        command.set_defaults(run=partial(_in_context, act))
    commands.choices["status"].add_argument("--json", action="store_true", help="as JSON")
    commands.choices["prune"].add_argument("--dry-run", action="store_true", help="tell what would go")
    commands.choices["restore"].add_argument(
        "remote", metavar="REMOTE", help="a folder, or a remote of rclone"
    )
    add_policy(commands.choices["restore"])
    add_submissions(commands)
    return parser


def _in_context(act: Callable[[Context, argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """Run a command with the settings and the folders. A signal ends it like Ctrl-C."""
    require_own_as_root(arguments.data, arguments.public)
    settings = read_settings(arguments.config)
    if settings.campaign not in campaign_names():
        similar = similar_files(settings.campaign, ROOT / CAMPAIGNS)
        raise UserError(f"{arguments.config}: campaign: there is no {settings.campaign}; {similar}")
    context = Context(settings, arguments.data, arguments.public, Clock(arguments.now))
    exit_on(signal.SIGTERM, signal.SIGHUP)
    try:
        return act(context, arguments)
    except BusyError as error:
        complain(context, f"busy: {error}")
        return LOCKED
    except KeyboardInterrupt:
        complain(context, "interrupted; the next run goes on from here")
        raise


def _moment(text: str) -> datetime:
    try:
        return moment_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text}: write a time such as 2026-12-07T03:00:00Z") from error


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main())
