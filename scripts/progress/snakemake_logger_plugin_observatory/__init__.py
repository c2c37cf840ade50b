"""The progress of a cycle, as Snakemake's log output (`snakemake --logger observatory`).

On a terminal, a live line shows the trial that runs, the time left and the verdicts so far. One line is
printed when something ended, and the end of the job's log when a job failed. Without a terminal there is no
live line and no control character. All of Snakemake's own messages go to logs/cycle.log of the cycle.

The Snakefile names the cycle's directory by a log record with the attribute `cycle_directory`, and the number
of trials that are measured at once by the attribute `at_once`.
"""

import sys
import time
from functools import partial
from logging import WARNING, LogRecord
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from scripts.plan.cycle_progress import RunningCycle
from snakemake_logger_plugin_observatory.jobs import Job, job_of
from snakemake_logger_plugin_observatory.lines import ended, failed, running, verdicts

LOG = "logs/cycle.log"

AFTER_A_FAILED_JOB = (
    "RuleException:\nCalledProcessError",
    "Exiting because a job execution failed",
    "WorkflowError:\nAt least one job did not complete successfully",
)
"""How errors begin that only repeat that a job failed."""

AFTER_CTRL_C = "Terminating processes on user request"
AFTER_SIGTERM = "Will exit after finishing currently running jobs"
"""How Snakemake's messages begin after these signals."""


class LogHandler(LogHandlerBase):
    """The log handler that Snakemake creates. One thread of Snakemake calls `emit` for every record."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = True
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self) -> None:
        self._cycle: RunningCycle | None = None
        self._jobs: dict[int, Job] = {}
        self._interrupted = False
        self._log: TextIO | None = None
        self._before_log: list[str] = []
        self._line = partial(running, (), None, None)
        self._console = Console(file=sys.stderr, force_terminal=sys.stderr.isatty(), highlight=False)
        self._live = Live(
            get_renderable=lambda: Text(self._line(time.monotonic()), no_wrap=True, overflow="ellipsis"),
            console=self._console,
            refresh_per_second=1,
            transient=True,
        )
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            self._live.start()
            self._console.show_cursor(True)  # Live hides it; after `kill -9` it would stay hidden.

    def emit(self, record: LogRecord) -> None:
        """Write a record to the cycle's log, and show the operator the lines that matter."""
        try:
            self._write_log(self.format(record))
            for line in self._lines(record):
                self._write_log(line)
                self._show(line)
            self._update_live_line()
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Remove the live line and show the path of the log. Snakemake calls this more than once."""
        self._live.stop()
        if self._log:
            count = f"{verdicts(self._cycle.progress())}; " if self._cycle else ""
            self._show(f"{count}log: {self._log.name}")
            self._log.close()
        self._log = self._cycle = None
        super().close()

    def _lines(self, record: LogRecord) -> list[str]:
        """The lines to show for a record."""
        fields, message, now_s = vars(record), record.getMessage(), time.monotonic()
        event = fields.get("event")
        if "cycle_directory" in fields:
            self._open(Path(fields["cycle_directory"]), fields.get("at_once", 1))
        elif event == LogEvent.JOB_INFO:
            self._jobs[fields["jobid"]] = job_of(record, now_s)
        elif event == LogEvent.JOB_FINISHED:
            job = self._jobs.pop(fields["job_id"])
            line = ended(job, self._cycle, now_s) if self._cycle else None
            return [line] if line else []
        elif event == LogEvent.JOB_ERROR:
            job = self._jobs.pop(fields["jobid"], job_of(record, now_s))
            return [f"{job.title}: stopped"] if self._interrupted else failed(job)
        elif record.levelno >= WARNING and not message.startswith(AFTER_A_FAILED_JOB):
            return message.splitlines()
        elif message.startswith(AFTER_CTRL_C):
            self._interrupted = True
            return ["interrupted; the same command goes on from here"]
        elif message.startswith(AFTER_SIGTERM):
            return [message]
        return []

    def _open(self, directory: Path, at_once: int) -> None:
        """Open the log of the cycle in `directory`, and read the progress of the cycle."""
        (directory / LOG).parent.mkdir(parents=True, exist_ok=True)
        self._log = (directory / LOG).open("a", encoding="utf-8", buffering=1)
        self._write_log("\n".join(self._before_log))
        self._cycle = RunningCycle(directory, at_once)

    def _write_log(self, text: str) -> None:
        """Write to the cycle's log, or keep the text until the cycle is known."""
        if self._log:
            self._log.write(f"{text}\n")
        else:
            self._before_log.append(text)

    def _show(self, line: str) -> None:
        """Print a line above the live line."""
        self._console.print(Text(line), soft_wrap=True)

    def _update_live_line(self) -> None:
        """Compute the content of the live line. The elapsed time is added when the line is drawn."""
        jobs = tuple(self._jobs.values())
        trial = next((job.trial for job in jobs if job.rule == "trial"), None)
        place = self._cycle.place(trial) if self._cycle and trial else None
        self._line = partial(running, jobs, place, self._cycle.progress(place) if self._cycle else None)
