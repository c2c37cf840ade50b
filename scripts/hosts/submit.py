"""Do a piece of work as a job of Slurm: attach to its job, or submit one.

The work has a result outside of Snakemake's outputs, a claim, and a job of its own name. So it goes on
whatever dies. Snakemake starts this command again. Slurm's controller is asked until it answers. For a job
or a node that died, another job is submitted as soon as the claim is dead. While somebody holds the claim, no
job is submitted: after a failure of its node, an orphan may still measure.
"""

import hashlib
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.hosts import slurm
from scripts.hosts.measure import round_of
from scripts.hosts.settings import SlurmSettings
from scripts.hosts.slurm import NoAnswerError, SlurmJob
from scripts.model.plan_file import read_plan
from scripts.model.trials import TrialKey
from scripts.plan.spread import host_order

POLL_S = 0.5
ASK_S = 3
"""The result is looked for every POLL_S seconds. Slurm is asked every ASK_S seconds."""

ATTEMPTS = 20
"""So many jobs of one piece of work may end without a result."""


@dataclass(frozen=True)
class Work:
    """A piece of work.

    Attributes:
        name: what it is, in one word.
        result: the path that exists when it is done. The name of its job depends on it.
        command: the words of its job, which makes the file `failed` if it cannot be done.
        options: returns options of sbatch(1).
        log: the output of its jobs.
        failed: the file that says that its job failed.
        claimed: whether somebody holds its claim.
        variables: patterns of environment variables that its job gets besides those of every job.
    """

    name: str
    result: Path
    command: Sequence[str]
    options: Callable[[], Sequence[str]]
    log: Path
    failed: Path
    claimed: Callable[[], bool]
    variables: Sequence[str] = ()

    @property
    def job_name(self) -> str:
        """The name of its jobs, which no other work has."""
        return f"{self.name}.{hashlib.sha256(str(self.result).encode()).hexdigest()[:10]}"


def attach_or_submit(work: Work, settings: SlurmSettings) -> None:
    """Wait until the work is done, by a job that waits or runs already, or by a new one.

    Raises:
        UserError: its job failed, or ATTEMPTS jobs ended without a result.
        OSError: the shared folder cannot be reached.
    """
    jobs_so_far, asked, silent = 0, -float(ASK_S), False
    work.failed.unlink(missing_ok=True)
    while not work.result.exists():
        if time.monotonic() - asked < ASK_S:
            time.sleep(POLL_S)
            continue
        asked = time.monotonic()
        try:
            jobs = slurm.jobs_named(work.job_name)
            if jobs:
                if not jobs_so_far:
                    _say(f"{work.name}: attached to job {jobs[0].id}")
                jobs_so_far = max(1, jobs_so_far)
                _leave_unusable_hosts(jobs, settings)
            elif not work.result.exists() and not work.claimed():
                _require_hope(work, jobs_so_far)
                job = slurm.submit(work.job_name, work.command, work.options(), work.log, work.variables)
                _say(f"{work.name}: job {job}")
                jobs_so_far += 1
            silent = False
        except NoAnswerError as error:
            if not silent:
                _say(f"{work.name}: waits until Slurm answers: {error}")
            silent = True


def trial_options(settings: SlurmSettings, cycle: Path, key: TrialKey) -> list[str]:
    """The options of a trial's job: alone on the usable host that it prefers (scripts/plan/spread.py).

    If no host is usable, it waits for any.

    Raises:
        NoAnswerError: Slurm does not answer.
        UserError: there are no testbed hosts.
    """
    hosts = slurm.testbed_hosts(settings)
    order = sorted(hosts)
    number = round_of(cycle, key)
    if number is not None:
        order = host_order(read_plan(cycle / f"plan/round-{number:02d}.csv"), key, hosts)
    first = [f"--nodelist={name}" for name in order if hosts[name]][:1]
    return [f"--partition={settings.partition}", f"--constraint={settings.feature}", "--exclusive", *first]


def _leave_unusable_hosts(jobs: Sequence[SlurmJob], settings: SlurmSettings) -> None:
    """Cancel jobs that wait for a host which cannot run them any more. Another host takes the next job."""
    waiting = [job for job in jobs if job.waits and job.asked_for]
    usable = slurm.testbed_hosts(settings) if waiting else {}
    for job in waiting:
        if not usable.get(job.asked_for, False):
            slurm.cancel_waiting(job)


def _require_hope(work: Work, jobs_so_far: int) -> None:
    """Raise UserError if another job would be of no use."""
    if work.failed.exists():
        lines = work.log.read_text(errors="replace").strip().splitlines() if work.log.exists() else []
        last = lines[-1].removeprefix("error: ") if lines else "it left no output"
        raise UserError(f"{work.log}: the job of {work.name} failed: {last}")
    if jobs_so_far >= ATTEMPTS:
        raise UserError(
            f"{work.log}: {ATTEMPTS} jobs of {work.name} ended without a result; see what they wrote"
        )


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
