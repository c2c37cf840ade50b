"""What Slurm knows of its jobs and nodes, and how a job is submitted: by its own commands."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.processes import environment_of
from scripts.hosts.settings import SlurmSettings

ANSWER_S = 60
"""Slurm's commands give up before."""

USABLE = ("alloc", "comp", "idle", "mix", "plnd")
"""States of nodes that run jobs, now or soon (sinfo(1)). A character after the state tells of a problem."""

EXPORTED = ("OBSERVATORY_*", "SLURM_*", "SBATCH_*", "PYTHONPATH", "DISPLAY", "XAUTHORITY")
"""Patterns of the variables that the commands of Slurm get besides the ordinary ones.

Jobs get the same, because Slurm hands on all that sbatch has. An option `--export=NAMES` would make it ask a
login shell for further ones. Slurm keeps them on its controller and sends them to every host, so no secret is
among them.
"""

NOT_EXPORTED = ("OBSERVATORY_OWNER", "OBSERVATORY_HOST")
"""Variables that are true on the submitting machine only: its Snakemake, and its name."""


class NoAnswerError(Exception):
    """Slurm's controller does not answer."""


@dataclass(frozen=True)
class SlurmJob:
    """A job that waits or runs; `asked_for` is the node that it waits for, if it named one."""

    id: str
    state: str
    asked_for: str

    @property
    def waits(self) -> bool:
        """Whether it has not begun."""
        return self.state == "PENDING"


def is_installed() -> bool:
    """Whether this machine has the commands of Slurm."""
    return shutil.which("sbatch") is not None


def job_known(job: str) -> bool | None:
    """Whether a job waits or runs; None if Slurm does not answer. Without Slurm on this machine, no."""
    if not is_installed():
        return False
    try:
        return job in _answer("squeue", "--noheader", "--format=%i").split()
    except NoAnswerError:
        return None


def jobs_named(name: str) -> list[SlurmJob]:
    """The jobs of this name that wait or run.

    Raises:
        NoAnswerError: Slurm does not answer.
    """
    lines = _answer("squeue", "--noheader", f"--name={name}", "--format=%i|%T|%n").splitlines()
    return [SlurmJob(*line.split("|")) for line in lines]


def testbed_hosts(settings: SlurmSettings) -> dict[str, bool]:
    """The testbed hosts, and whether they are usable now.

    Raises:
        NoAnswerError: Slurm does not answer.
        UserError: there is none.
    """
    lines = _answer("sinfo", "--noheader", "--Node", f"--partition={settings.partition}", "--format=%N|%t|%b")
    nodes = [line.split("|") for line in lines.splitlines()]
    found = {
        name: state in USABLE for name, state, features in nodes if settings.feature in features.split(",")
    }
    if not found:
        raise UserError(
            f"config/hosts.yaml: slurm: no node of the partition {settings.partition} has the feature "
            f"{settings.feature}; correct them, or give the feature to the testbed hosts in slurm.conf"
        )
    return found


def submit(
    name: str, command: Sequence[str], options: Sequence[str], log: Path, variables: Sequence[str] = ()
) -> str:
    """Submit a job, which is never requeued.

    Args:
        name: tells the job from all others.
        command: its words.
        options: further options of sbatch(1).
        log: its output is added to this file.
        variables: patterns of the environment variables that it gets besides EXPORTED.

    Returns:
        Its id.

    Raises:
        NoAnswerError: Slurm does not answer.
        UserError: Slurm refuses the job.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    script = f"#!/bin/sh\nexec {shlex.join(command)}\n"
    fixed = ["--parsable", "--no-requeue", "--nodes=1", "--open-mode=append"]
    named = [f"--job-name={name}", f"--output={log}", f"--chdir={os.getcwd()}"]
    told = _answer("sbatch", *fixed, *named, *options, given=script, variables=variables)
    return told.strip().partition(";")[0]


def cancel_waiting(job: SlurmJob) -> None:
    """Cancel a job unless it has begun.

    Raises:
        NoAnswerError: Slurm does not answer.
    """
    _answer("scancel", "--state=PENDING", job.id)


def _answer(program: str, *options: str, given: str = "", variables: Sequence[str] = ()) -> str:
    """What a command of Slurm prints."""
    environment = environment_of(*EXPORTED, *variables)
    for name in NOT_EXPORTED:
        environment.pop(name, None)
    try:
        done = subprocess.run(
            [program, *options],
            input=given,
            capture_output=True,
            text=True,
            timeout=ANSWER_S,
            env=environment,
            check=False,
        )
    except FileNotFoundError:
        raise UserError(
            f"{program}: Slurm is not installed; run `make setup`, or use PROFILE=local"
        ) from None
    except subprocess.TimeoutExpired:
        raise NoAnswerError(f"{program}: no answer") from None
    if done.returncode == 0:
        return done.stdout
    lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    if program == "sbatch" and not _is_silence(done.stderr):
        reason = lines[-1].removeprefix("sbatch: error: ")
        raise UserError(f"sbatch refused the job: {reason}; see config/hosts.yaml and slurm.conf")
    raise NoAnswerError(f"{program}: {lines[-1]}")


def _is_silence(words: str) -> bool:
    """Whether an error says that the controller was not reached, or was too busy."""
    return any(
        part in words
        for part in (
            "Unable to contact",
            "Connection refused",
            "timed out",
            "Socket",
            "Communication",
            "try again",
        )
    )
