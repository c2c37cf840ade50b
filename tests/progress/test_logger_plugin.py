"""The logger plugin, fed with log records and in real runs of a small workflow."""

import io
import logging
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from snakemake.logging import DefaultFormatter
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.tests import MockOutputSettings
from snakemake_logger_plugin_observatory import LogHandler

from tests.progress.cycle_files import write_config, write_round, write_verdict

ROOT = Path(__file__).resolve().parents[2]
NOISE = ("Select jobs", "Touching output", "Execute 1 jobs", "Building DAG", "Shell command", "of 6 steps")
ENDED = [
    "trial 1 of 2 of round 1: 8mbps a~b #1: valid; about 1 min left for this round",
    "trial 2 of 2 of round 1: 8mbps a~b #2: excluded: cca: 1 > 0",
    "charts: done in 0 s",
]
SNAKEFILE = """
from snakemake.logging import logger

logger.info("cycle", extra={"cycle_directory": "cycle"})

rule all:
    input: "cycle/charts"

rule trial:
    output: touch("cycle/stamps/{setting}/{pair}/{nn}")
    log: "cycle/logs/trials/{setting}/{pair}/{nn}.log"
    priority: lambda wildcards: 100 - int(wildcards.nn)
    shell: "sleep {config[wait]} > {log} 2>&1"

rule extract:
    input: "cycle/stamps/{setting}/{pair}/{nn}"
    output: "cycle/rows/{setting}/{pair}/{nn}/trial_services.parquet"
    log: "cycle/logs/tables/{setting}/{pair}/{nn}.log"
    priority: 200
    shell: "cp verdicts/{wildcards.nn}.parquet {output} > {log} 2>&1"

rule charts:
    input: expand("cycle/rows/8mbps/a~b/{nn}/trial_services.parquet", nn=["01", "02"])
    output: touch("cycle/charts")
    log: "cycle/logs/charts.log"
    shell: "{{ echo error: what is wrong; exit {config[status]}; }} > {log} 2>&1"
"""


def make_project(tmp_path):
    """A workflow of two trials, of which the second is excluded, and charts."""
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    write_config(tmp_path / "cycle")
    write_round(tmp_path / "cycle", 1, [("8mbps", "a~b", 1, 5), ("8mbps", "a~b", 2, 5)])
    write_verdict(tmp_path / "verdicts/01.parquet")
    write_verdict(tmp_path / "verdicts/02.parquet", "cca: 1 > 0")
    return tmp_path


def start(project, output, wait=0, status=0):
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--scheduler", "greedy"]
    command += ["--logger", "observatory", "--config", f"wait={wait}", f"status={status}"]
    path = os.pathsep.join([str(ROOT / "scripts/progress"), str(ROOT)])
    variables = os.environ | {"PYTHONPATH": path, "TERM": "xterm", "COLUMNS": "200"}
    return subprocess.Popen(
        command,
        cwd=project,
        env=variables,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs without a terminal, one whose last job fails and one that goes on, and the cycle's log."""
    project, ended = make_project(tmp_path_factory.mktemp("project")), []
    for status in (2, 0):
        with start(project, subprocess.PIPE, status=status) as process:
            printed = process.communicate(timeout=120)[0].decode().splitlines()
        ended.append((process.returncode, printed))
    return [*ended, (project / "cycle/logs/cycle.log").read_text()]


class Terminal:
    """A run with a terminal of its own."""

    def __init__(self, project, **config):
        self._master, slave = os.openpty()
        self.process = start(project, slave, **config)
        os.close(slave)
        self.output = ""

    def read_until(self, pattern=None):
        """Read until the terminal shows the pattern, or until the run ends."""
        deadline = time.monotonic() + 120
        while pattern is None or not re.search(pattern, self.output):
            assert time.monotonic() < deadline, self.output
            try:
                self.output += os.read(self._master, 65536).decode()
            except OSError:  # the end of a terminal that nobody writes to any more
                break
        return self.output

    def shown(self):
        """The lines that stay on the screen, without the erased ones."""
        text = re.sub(r"[^\n]*\n(\x1b\[\?25h)?\r\x1b\[1A\x1b\[2K", "", self.output.replace("\r\n", "\n"))
        lines = [line.rpartition("\x1b[2K")[2] for line in text.split("\n")]
        return [line for line in (re.sub(r"\x1b\[[0-9?]*[a-zA-Z]|\r", "", line) for line in lines) if line]


@pytest.mark.traffic
def test_without_a_terminal_each_end_is_one_line_and_nothing_else_is_printed(runs):
    (_, first), (status, second), _ = runs
    assert status == 0
    assert first[:2] + second[:-1] == ENDED
    assert second[-1] == "1 valid, 1 excluded; log: cycle/logs/cycle.log"
    assert all(line.isprintable() for line in first + second)


@pytest.mark.traffic
def test_a_failed_job_shows_the_end_of_its_log(runs):
    status, printed = runs[0]
    assert status == 1
    assert printed[2:] == [
        "error: charts failed:",
        "    error: what is wrong",
        "    log: cycle/logs/charts.log",
        "1 valid, 1 excluded; log: cycle/logs/cycle.log",
    ]


@pytest.mark.traffic
@pytest.mark.parametrize("text", [*NOISE, "rule trial:", "Shell command", "returned non-zero", *ENDED])
def test_everything_else_is_in_the_log_of_the_cycle(runs, text):
    assert text in runs[2]


@pytest.mark.traffic
def test_on_a_terminal_a_live_line_shows_the_trial_and_only_the_ended_lines_stay(project):
    terminal = Terminal(project, wait=2)
    output = terminal.read_until()
    assert terminal.process.wait(timeout=60) == 0
    for trial in ("trial 1 of 2 of round 1: 8mbps a~b #1", "trial 2 of 2 of round 1: 8mbps a~b #2"):
        assert re.search(
            f"{trial}, [0-9] of 9 s; about 1 min left for this round, 1 min for the cycle", output
        )
    assert not [noise for noise in NOISE if noise in output]
    assert terminal.shown() == [*ENDED, "1 valid, 1 excluded; log: cycle/logs/cycle.log"]


@pytest.mark.traffic
def test_an_interrupt_leaves_a_clean_terminal(project):
    terminal = Terminal(project, wait=300)
    terminal.read_until("8mbps a~b #1, [2-9] of 9 s")
    os.killpg(terminal.process.pid, signal.SIGINT)
    output = terminal.read_until()
    assert terminal.process.wait(timeout=60) == 1
    # The signal ends the job, too. Snakemake may see that first, and then shows its error before.
    assert terminal.shown()[-3:] == [
        "interrupted; the same command goes on from here",
        "trial 8mbps a~b #1: stopped",
        "0 valid, 0 excluded; log: cycle/logs/cycle.log",
    ]
    assert output.rindex("\x1b[?25h") > output.rindex("\x1b[?25l"), "the cursor is visible"


@pytest.mark.traffic
def test_a_killed_run_leaves_the_cursor_visible(project):
    terminal = Terminal(project, wait=300)
    terminal.read_until("8mbps a~b #1, ")
    os.killpg(terminal.process.pid, signal.SIGKILL)
    output = terminal.read_until()
    terminal.process.wait(timeout=60)
    assert output.rindex("\x1b[?25h") > output.rindex("\x1b[?25l")


@pytest.fixture
def handler(monkeypatch):
    """A handler without a terminal."""
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    made = LogHandler(MockOutputSettings(), None)
    made.setFormatter(DefaultFormatter())
    yield made, errors
    made.close()


def emit(handler, message, level=logging.INFO, **fields):
    record = logging.LogRecord("snakemake", level, "workflow.py", 1, message, (), None)
    vars(record).update(fields)
    handler.emit(record)


def job_error(rule, log):
    fields = {"jobid": 7, "rule_name": rule, "rule_msg": None, "input": [], "output": [], "log": [str(log)]}
    return fields | {"conda_env": None, "shellcmd": "false", "aux": {}, "event": LogEvent.JOB_ERROR}


@pytest.mark.parametrize(
    ("message", "level", "fields", "shown"),
    [
        ("Select jobs to execute...", logging.INFO, {}, ""),
        ("Execute 1 jobs...", logging.INFO, {"event": LogEvent.JOB_STARTED, "jobs": [1]}, ""),
        ("Some files are old", logging.WARNING, {}, "Some files are old\n"),
        ("TokenError:\nEOF", logging.ERROR, {"event": LogEvent.ERROR}, "TokenError:\nEOF\n"),
        ("RuleException:\nCalledProcessError in file", logging.ERROR, {"event": LogEvent.ERROR}, ""),
        ("RuleException:\nMissingOutput", logging.ERROR, {}, "RuleException:\nMissingOutput\n"),
        (
            "Will exit after finishing currently running jobs (scheduler).",
            logging.INFO,
            {},
            "Will exit after finishing currently running jobs (scheduler).\n",
        ),
    ],
)
def test_what_is_shown_of_a_record(handler, message, level, fields, shown):
    emit(handler[0], message, level, **fields)
    assert handler[1].getvalue() == shown


def test_a_failed_job_that_never_began_is_shown(handler, tmp_path):
    emit(handler[0], "Error in rule charts", logging.ERROR, **job_error("charts", tmp_path / "charts.log"))
    assert handler[1].getvalue().startswith("error: charts failed:\n")


def test_records_of_before_the_cycle_is_known_are_logged_too(handler, tmp_path):
    emit(handler[0], "Config file read")
    emit(handler[0], "cycle", cycle_directory=str(tmp_path))
    assert "Config file read\ncycle\n" in (tmp_path / "logs/cycle.log").read_text()


def test_the_log_is_continued_by_the_next_run(handler, tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/cycle.log").write_text("earlier\n")
    emit(handler[0], "cycle", cycle_directory=str(tmp_path))
    assert (tmp_path / "logs/cycle.log").read_text().startswith("earlier\n")


def test_closing_twice_says_once_where_the_log_is(handler, tmp_path):
    emit(handler[0], "cycle", cycle_directory=str(tmp_path))
    handler[0].close()
    handler[0].close()
    assert handler[1].getvalue() == f"0 valid, 0 excluded; log: {tmp_path}/logs/cycle.log\n"
