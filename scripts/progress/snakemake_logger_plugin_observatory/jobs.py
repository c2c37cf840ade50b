"""Snakemake's jobs, as its log records describe them."""

from collections.abc import Mapping
from dataclasses import dataclass
from logging import LogRecord
from pathlib import Path

from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR as CALIBRATION


@dataclass(frozen=True)
class Job:
    """One job: its rule, its wildcards, its log files, and when it began (seconds of time.monotonic)."""

    rule: str
    wildcards: Mapping[str, str]
    logs: tuple[Path, ...]
    began_s: float

    @property
    def trial(self) -> TrialKey | None:
        """The trial that the job is for; None for any other job."""
        if "nn" not in self.wildcards:
            return None
        pair = self.wildcards.get("pair", CALIBRATION)
        return TrialKey(self.wildcards["setting"], pair, int(self.wildcards["nn"]))

    @property
    def title(self) -> str:
        """The job in a few words: `extract 8mbps a~b #1`, `round 2`, `batch 3 of round 2`."""
        words = [self.rule.replace("_", " ")]
        if self.trial:
            words.append(self.trial.title)
        if "batch" in self.wildcards:
            words.append(f"{int(self.wildcards['batch'])} of round")
        if "round" in self.wildcards:
            words.append(str(int(self.wildcards["round"])))
        return " ".join(words)

    def last_log_lines(self, count: int) -> list[str]:
        """The last lines of the job's log files."""
        return self.log_lines()[-count:]

    def log_lines(self) -> list[str]:
        """The lines of the job's log files; none of a log that does not exist."""
        return [
            line
            for log in self.logs
            if log.is_file()
            for line in log.read_text(encoding="utf-8", errors="replace").splitlines()
        ]


def job_of(record: LogRecord, began_s: float) -> Job:
    """The job that a record of the event JOB_INFO or JOB_ERROR describes."""
    fields = vars(record)
    logs = tuple(Path(log) for log in fields["log"])
    return Job(fields["rule_name"], fields.get("wildcards", {}), logs, began_s)
