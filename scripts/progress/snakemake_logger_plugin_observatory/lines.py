"""The lines that the operator sees: the live line, ended jobs, failed jobs."""

import re
from collections.abc import Sequence

from scripts.model.durations import readable, takes_s
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.plan.cycle_progress import CycleProgress, PlanPlace, RunningCycle
from snakemake_logger_plugin_observatory.jobs import Job

WITHOUT_LINE = {"all", "merged_config", "plan", "trial", "extract"}
"""Rules whose end is only logged. The line of a trial contains its verdict, so it comes with its tables."""

WAITS = "another trial is running on this host"
WAITED = re.compile(r"waited ([0-9]+) s for another trial")
"""What testbed/host_lock.py says before and after a wait."""

MOST_HERE = 2
"""So many trials run on one host at most."""

LOG_LINES = 10
"""How many lines of a failed job's log are shown."""


def ended(job: Job, cycle: RunningCycle, now_s: float) -> str | None:
    """Update the cycle from the output of a job. Returns the line for the job; None for WITHOUT_LINE."""
    key = job.trial
    if key and job.rule == "trial":
        cycle.add_measured(key)
        lines = job.log_lines()
        told = [line for line in lines if line.startswith("calibration of ")]
        if waited_s := _waited_s(lines):
            told = [f"{job.title} waited {waited_s} s for another trial", *told]
        return "\n".join(told) or None
    if job.rule == "batch":
        cycle.add_new_verdicts()
        progress = cycle.progress()
        return "; ".join([f"{job.title}: {verdicts(progress)} so far", *_time_left(progress)[:1]])
    if key and job.rule == "extract":
        kept = next((line for line in job.last_log_lines(1) if "keeps its raw form" in line), None)
        if key.pair == CALIBRATION:
            return kept
        reason, place = cycle.add_verdict(key), cycle.place(key)
        judged = verdict(key, place, reason, cycle.progress(place))
        return judged if kept is None else f"{judged}\n{kept}"
    if job.rule == "round":
        number = int(job.wildcards["round"])
        planned = round_planned(number, cycle.add_round(number), cycle.progress())
        pages = [line for line in job.last_log_lines(1) if line.startswith("provisional pages")]
        return "; ".join([planned, *pages])
    if job.rule in ("snapshot", "first_pages"):
        return "".join(job.last_log_lines(1))
    return None if job.rule in WITHOUT_LINE else f"{job.title}: done in {now_s - job.began_s:.0f} s"


def verdict(key: TrialKey, place: PlanPlace | None, reason: str | None, progress: CycleProgress) -> str:
    """A judged trial, and the time left of its round."""
    words = f"{_position(key, place)}: " + ("valid" if reason is None else f"excluded: {reason}")
    return "; ".join([words, *_time_left(progress)[:1]])


def round_planned(number: int, trials: int, progress: CycleProgress) -> str:
    """A planned round; one without trials ends the cycle."""
    if not trials:
        return f"round {number}: no more trials are needed"
    count = f"{trials} trial{'s' if trials > 1 else ''}"
    return f"round {number} planned: {count}, about {readable(progress.round_left_s)}"


def running(
    jobs: Sequence[Job], place: PlanPlace | None, progress: CycleProgress | None, now_s: float
) -> str:
    """The live line: the running jobs, the time left, and the verdicts so far.

    Args:
        jobs: those that run. On this host one or two of them are trials; over Slurm many wait or run.
        place: of the first job, if it is a trial in the plan.
        progress: when the first of the jobs began; None while the cycle is not known.
        now_s: the time, as in Job.began_s.
    """
    words = [", ".join(job.title for job in jobs) or "looking for the next job"]
    elapsed_s = 0.0
    trials = [job for job in jobs if job.rule == "trial"]
    if len(trials) > MOST_HERE:
        others = [job.title for job in jobs if job.rule != "trial"]
        words = [", ".join([f"{len(trials)} trials wait or run in Slurm", *others])]
    elif place and jobs[0].trial and len(jobs) == 1:
        position, log = _position(jobs[0].trial, place), jobs[0].log_lines()
        if log and log[-1].startswith(WAITS):
            waits = f"{position}, waits for another trial on this host"
            return "; ".join([waits, *([verdicts(progress)] if progress else [])])
        elapsed_s, expected_s = now_s - jobs[0].began_s - _waited_s(log), takes_s(place.duration_s)
        words = [f"{position}, {elapsed_s:.0f} of {expected_s:.0f} s"]
        if elapsed_s > 2 * expected_s:
            words += log[-1:]
        elapsed_s = min(elapsed_s, expected_s)
    if not progress:
        return "; ".join(words)
    left = _time_left(progress, elapsed_s)
    words += [", ".join(left)] if left else []
    return "; ".join([*words, verdicts(progress)])


def verdicts(progress: CycleProgress) -> str:
    """How many trials are valid and excluded so far."""
    return f"{progress.valid} valid, {progress.excluded} excluded"


def failed(job: Job) -> list[str]:
    """A failed job: its title, the end of its log, and the path of the log."""
    end = [f"    {line}" for line in job.last_log_lines(LOG_LINES)] or ["    (its log is empty)"]
    return [f"error: {job.title} failed:", *end, f"    log: {', '.join(map(str, job.logs))}"]


def _waited_s(log: Sequence[str]) -> int:
    """For how many seconds a trial waited for others, by the lines of its log."""
    return sum(int(match[1]) for match in map(WAITED.fullmatch, log) if match)


def _position(key: TrialKey, place: PlanPlace | None) -> str:
    """A trial and its place in the plan."""
    number = f" {place.index} of {place.trials} of round {place.round}:" if place else ""
    return f"trial{number} {key.title}"


def _time_left(progress: CycleProgress, elapsed_s: float = 0.0) -> list[str]:
    """The time left for the round and for the cycle, `elapsed_s` later; nothing if no trial is left."""
    if not progress.round_left_s:
        return []
    least, most = (readable(left_s - elapsed_s) for left_s in (progress.least_left_s, progress.most_left_s))
    return [
        f"about {readable(progress.round_left_s - elapsed_s)} left for this round",
        f"{least if least == most else f'{least} to {most}'} for the cycle",
    ]
