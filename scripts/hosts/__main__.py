"""Measure trials, each on one host only, whoever runs these commands where.

    python -m scripts.hosts measure TRIAL_DIR [--testbed COMMAND] [--own-disk DIR] [--leave]

measures a trial on this host, after a calibration of this host in this round and setting. It claims the
trial first (scripts/hosts/claims.py). If somebody else has claimed it, the command waits for the result; with
--leave it ends. It does nothing if TRIAL_DIR exists. With --own-disk the trial is measured there and then
handed in. If the folder of the cycle is out of reach by then, the trial is kept.

    python -m scripts.hosts hand-in CYCLE_DIR --own-disk DIR

hands in the trials of this cycle that this host has kept.

    python -m scripts.hosts batch STAMP -- COMMAND...

runs a command that nobody else runs at the same time, then makes the empty file STAMP.

    python -m scripts.hosts submit TRIAL_DIR [--testbed COMMAND]
    python -m scripts.hosts submit-batch STAMP -- COMMAND...

do the same as jobs of Slurm: a trial alone on a testbed host. If its job waits or runs already, the command
waits for the result (scripts/hosts/submit.py).

    python -m scripts.hosts list [--count]

lists the testbed hosts of Slurm, or counts them.

In the folder of a cycle, TRIAL_DIR is `trials/<setting>/<pair>/<nn>` and STAMP `stamps/batches/<round>/<nn>`.
Nobody else may be able to write DIR.
config/hosts.yaml has the settings.

Exit status: 0 the result exists; 2 an error that the user can fix; 75 somebody else has claimed the trial, or
it is kept until the folder of the cycle can be reached; 130 or 143 an interrupt. Any other is the command's.
"""

import argparse
import os
import select
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.own_folder import own_folder, require_own
from scripts.base.processes import end_with_parent, exit_on
from scripts.hosts.claims import held, taken
from scripts.hosts.handing_in import hand_in_kept
from scripts.hosts.measure import TEMPORARY_FAILURE, TrialToMeasure, claim_name, claims_of, measure
from scripts.hosts.settings import HostsSettings, load_settings
from scripts.hosts.slurm import NoAnswerError, testbed_hosts
from scripts.hosts.submit import Work, attach_or_submit, trial_options
from scripts.model.trials import TrialKey

TESTBED = f"{shlex.quote(sys.executable)} -m testbed"
PATIENCE_S = 600


@reporting
def main(argv: list[str] | None = None) -> int:
    """Parse the command line and run; see the module's docstring."""
    arguments = _parser().parse_args(argv)
    parent = os.getppid()
    exit_on(signal.SIGTERM, signal.SIGHUP)
    end_with_parent(signal.SIGTERM)
    if os.getppid() != parent:
        return 128 + signal.SIGTERM
    _end_with_owner()
    failed: Path | None = getattr(arguments, "failed", None)
    status = 2
    try:
        status = int(arguments.run(arguments, load_settings()))
    except KeyboardInterrupt:
        status = 128 + signal.SIGINT
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    except OSError as error:
        raise UserError(f"{error.filename or 'the shared store'}: {error.strerror or error}") from error
    finally:
        if failed is not None and status not in (0, TEMPORARY_FAILURE) and status < 128:
            failed.touch()
    return status


def _end_with_owner() -> None:
    """End when the process ends that OBSERVATORY_OWNER names: Snakemake, whose shell would live on."""
    owner = os.environ.get("OBSERVATORY_OWNER")
    if not owner:
        return
    try:
        watched = os.pidfd_open(int(owner))
    except ProcessLookupError:
        raise UserError(f"OBSERVATORY_OWNER={owner}: no such process; unset it, or start again") from None

    def wait() -> None:
        select.select([watched], [], [])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def _measure(arguments: argparse.Namespace, settings: HostsSettings) -> int:
    trial = TrialToMeasure(
        arguments.trial.absolute(),
        arguments.testbed,
        arguments.own_disk and own_folder(arguments.own_disk.absolute()),
        arguments.patience,
    )
    if trial.own_disk is not None:
        _hand_in_kept(trial.own_disk, trial.cycle, settings)
    return measure(trial, claims_of(trial.cycle, settings), wait=not arguments.leave)


def _hand_in(arguments: argparse.Namespace, settings: HostsSettings) -> int:
    require_own(arguments.own_disk)
    return _hand_in_kept(arguments.own_disk.absolute(), arguments.cycle.absolute(), settings)


def _hand_in_kept(own_disk: Path, cycle: Path, settings: HostsSettings) -> int:
    def void(into: Path) -> None:
        claims_of(into.parents[3], settings).void(claim_name(TrialKey.of(into)))

    kept = hand_in_kept(own_disk, cycle, void)
    return TEMPORARY_FAILURE if kept else 0


def _batch(arguments: argparse.Namespace, settings: HostsSettings) -> int:
    stamp: Path = arguments.stamp.absolute()
    claim = taken(claims_of(stamp.parents[3], settings), _batch_name(stamp), stamp.exists)
    if claim is None:
        return 0
    with held(claim):
        if not stamp.exists():
            status = subprocess.run(arguments.words, check=False).returncode
            if status:
                return status if status > 0 else 128 - status
            stamp.parent.mkdir(parents=True, exist_ok=True)
            stamp.touch()
    return 0


def _batch_name(stamp: Path) -> str:
    return Path(*stamp.parts[-3:]).as_posix()


def _submit(arguments: argparse.Namespace, settings: HostsSettings) -> int:
    into: Path = arguments.trial.absolute()
    cycle, key = into.parents[3], TrialKey.of(into)
    own_disk = ["--own-disk", settings.slurm.own_disk] if settings.slurm.own_disk else []
    words = ["measure", str(into), "--leave", "--testbed", arguments.testbed, *own_disk]
    options = partial(trial_options, settings.slurm, cycle, key)
    return _as_job(cycle, claim_name(key), into, words, options, settings)


def _submit_batch(arguments: argparse.Namespace, settings: HostsSettings) -> int:
    stamp: Path = arguments.stamp.absolute()
    slurm = settings.slurm
    options = [f"--partition={slurm.batch_partition}", f"--cpus-per-task={slurm.batch_cpus}"]
    words = ["batch", str(stamp), "--", *arguments.words]
    return _as_job(stamp.parents[3], _batch_name(stamp), stamp, words, lambda: options, settings)


def _as_job(
    cycle: Path,
    name: str,
    result: Path,
    words: Sequence[str],
    options: Callable[[], Sequence[str]],
    settings: HostsSettings,
) -> int:
    """Run one of these commands as a job of Slurm until its result exists. `name` is that of its claim."""
    claims, log = claims_of(cycle, settings), cycle / f"logs/jobs/{name}.log"
    failed = log.with_suffix(".failed")
    command = [sys.executable, "-m", "scripts.hosts", words[0], "--failed", str(failed), *words[1:]]
    work = Work(
        name=name.replace("/", "-"),
        result=result,
        command=command,
        options=options,
        log=log,
        failed=failed,
        claimed=lambda: claims.is_live(name),
        variables=settings.claim_variables,
    )
    attach_or_submit(work, settings.slurm)
    claims.void(name)
    return 0


def _list(arguments: argparse.Namespace, settings: HostsSettings) -> int:
    try:
        hosts = testbed_hosts(settings.slurm)
    except NoAnswerError as error:
        raise UserError(f"Slurm does not answer: {error}") from None
    if arguments.count:
        print(len(hosts))
        return 0
    for name, usable in sorted(hosts.items()):
        print(f"{name}: {'usable' if usable else 'not usable now (sinfo tells why)'}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("scripts.hosts", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    def command(
        name: str, run: Callable[[argparse.Namespace, HostsSettings], int], purpose: str
    ) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=purpose)
        added.set_defaults(run=run)
        return added

    measuring = command("measure", _measure, "measure a trial on this host")
    submitting = command("submit", _submit, "measure a trial as a job of Slurm")
    for one in (measuring, submitting):
        one.add_argument("trial", type=Path, metavar="TRIAL_DIR", help="the trial's directory")
        one.add_argument("--testbed", default=TESTBED, metavar="COMMAND", help="the command that runs trials")
    measuring.add_argument("--leave", action="store_true", help="end if somebody else has claimed the trial")
    handing = command("hand-in", _hand_in, "hand in the trials of a cycle that were kept")
    handing.add_argument("cycle", type=Path, metavar="CYCLE_DIR", help="the folder of the cycle")
    for one in (measuring, handing):
        one.add_argument(
            "--own-disk", type=Path, metavar="DIR", required=one is handing, help="a folder on the own disk"
        )
    measuring.add_argument(
        "--patience", type=float, default=PATIENCE_S, metavar="S",
        help=f"keep a trial that could not be handed in for so long; {PATIENCE_S} s if not given",
    )  # fmt: skip
    batching = command("batch", _batch, "run a command that nobody else runs at the same time")
    for one in (batching, command("submit-batch", _submit_batch, "run it as a job of Slurm")):
        one.add_argument("stamp", type=Path, metavar="STAMP", help="the empty file that is made afterwards")
        one.add_argument("words", nargs="+", metavar="COMMAND", help="the command, after --")
    listing = command("list", _list, "list the testbed hosts of Slurm")
    listing.add_argument("--count", action="store_true", help="only count them")
    for one in (measuring, batching):
        one.add_argument("--failed", type=Path, metavar="FILE", help="make this file if it cannot be done")
    return parser


if __name__ == "__main__":
    sys.exit(main())
