"""Hooks: real commands that succeed, fail, hang, print too much, or are not there."""

import json
import os
import sys
import time

import pytest

from scripts.operate.hooks import MOST_BYTES, run_hooks, tell_stale
from scripts.operate.status import status_of
from tests.operate.operation import FIRST, SECOND, completed, context_of, write_records


def shell(script):
    return ("sh", "-c", script)


def log_of(context):
    return (context.folder / "operate.log").read_text()


def is_running(pid):
    """Whether a process runs; a zombie does not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_hook_gets_the_event_as_json_on_its_standard_input(tmp_path):
    context = context_of(tmp_path, completed=(shell(f"cat > '{tmp_path}/event'"),))
    assert run_hooks(context, "completed", {"cycle": FIRST, "files": 12}) == ["hook completed: sh: done"]
    event = json.loads((tmp_path / "event").read_text())
    assert event.pop("at").startswith("2026-12-22T12:00:")
    assert event == {"event": "completed", "campaign": "watchdog", "cycle": FIRST, "files": 12}


def test_a_hook_gets_ordinary_variables_and_those_that_the_settings_name(tmp_path, monkeypatch):
    for name in ("AWS_SECRET_ACCESS_KEY", "RCLONE_CONFIG_PASS", "SSH_AUTH_SOCK", "PING_TOKEN", "LC_TIME"):
        monkeypatch.setenv(name, f"of {name}")
    script = shell(f"env -0 > '{tmp_path}/environment'")
    run_hooks(context_of(tmp_path, ping=(script,), environment=("PING_TOKEN", "NOT_SET")), "ping", {})
    found = dict(line.split("=", 1) for line in (tmp_path / "environment").read_text().split("\0")[:-1])
    assert ("of PING_TOKEN", "of LC_TIME") == (found["PING_TOKEN"], found["LC_TIME"])
    assert os.environ["PATH"] == found["PATH"]
    assert not {"AWS_SECRET_ACCESS_KEY", "RCLONE_CONFIG_PASS", "SSH_AUTH_SOCK", "NOT_SET"} & {*found}


def test_what_a_hook_prints_goes_to_the_log_and_not_its_arguments(tmp_path):
    context = context_of(tmp_path, ping=(shell("echo printed; echo complained >&2; : secret-token"),))
    run_hooks(context, "ping", {})
    lines = [line.split(" ", 1)[1] for line in log_of(context).splitlines()]
    assert lines == ["hook ping: sh: done", "    printed", "    complained"]
    assert "secret-token" not in log_of(context)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (shell("exit 7"), "ended with status 7"),
        (shell("kill -9 $$"), "ended with status -9"),
        (("no-such-program", "a"), "cannot be started: no such program"),
        (("/",), "cannot be started: not executable"),
        (("a\0b",), "cannot be started: embedded null byte"),
    ],
)
def test_a_hook_that_fails_is_a_line_and_the_next_one_runs(tmp_path, command, reason):
    context = context_of(tmp_path, failed=(command, shell("exit 0")))
    assert run_hooks(context, "failed", {}) == [
        f"hook failed: {command[0]}: {reason}",
        "hook failed: sh: done",
    ]
    assert reason in log_of(context)


@pytest.mark.parametrize(
    "script",
    [
        "sleep 100 & echo $! > {0}/children; echo $$ >> {0}/children; sleep 100",
        "sleep 100 & echo $! > {0}/children",
        "trap '' TERM; exec >&- 2>&-; echo $$ > {0}/children; while :; do sleep 1; done",
    ],
    ids=["it hangs", "its child hangs", "it closed its output and ignores SIGTERM"],
)
def test_a_hook_that_hangs_is_killed_with_its_children(tmp_path, script):
    context = context_of(tmp_path, timeout_s=1, ping=(shell(script.format(tmp_path)),))
    began_s = time.monotonic()
    assert run_hooks(context, "ping", {}) == ["hook ping: sh: killed after 1 s"]
    assert time.monotonic() - began_s < 30
    children = (tmp_path / "children").read_text().split()
    assert children
    while any(map(is_running, children)):
        assert time.monotonic() - began_s < 30
        time.sleep(0.05)


def test_a_hook_that_prints_without_end_fills_neither_the_log_nor_the_memory(tmp_path):
    context = context_of(tmp_path, timeout_s=1, ping=(("yes", "x" * 100),))
    assert run_hooks(context, "ping", {}) == ["hook ping: yes: killed after 1 s"]
    assert MOST_BYTES < len(log_of(context)) < 2 * MOST_BYTES


def test_a_hook_need_not_read_an_event_that_is_larger_than_a_pipe(tmp_path):
    context = context_of(tmp_path, failed=(shell("exit 0"),))
    assert run_hooks(context, "failed", {"reason": "x" * 1_000_000}) == ["hook failed: sh: done"]


def test_a_log_that_cannot_be_written_changes_nothing(tmp_path):
    context = context_of(tmp_path, ping=(shell("exit 0"),))
    (context.folder / "operate.log").mkdir(parents=True)
    assert run_hooks(context, "ping", {}) == ["hook ping: sh: done"]


def test_a_hook_dies_with_the_run(tmp_path):
    code = (
        "from pathlib import Path; from tests.operate.operation import context_of\n"
        "from scripts.operate.hooks import run_hooks\n"
        f"hang = ('sh', '-c', 'echo $$ > {tmp_path}/pid; exec sleep 100')\n"
        f"run_hooks(context_of(Path('{tmp_path}'), timeout_s=100, ping=(hang,)), 'ping', {{}})"
    )
    run = os.posix_spawn(sys.executable, [sys.executable, "-c", code], os.environ)
    began_s, pid = time.monotonic(), ""
    while not pid:
        assert time.monotonic() - began_s < 60
        time.sleep(0.05)
        pid = (tmp_path / "pid").read_text().strip() if (tmp_path / "pid").exists() else ""
    os.kill(run, 9)
    os.waitpid(run, 0)
    while is_running(pid):
        assert time.monotonic() - began_s < 60
        time.sleep(0.05)


def test_a_staleness_is_told_once_and_the_next_one_again(tmp_path):
    def told_at(now):
        context = context_of(tmp_path, now, stale=(shell(f"cat >> '{tmp_path}/told'"),))
        return tell_stale(context, status_of(context))

    write_records(context_of(tmp_path), completed(FIRST, "2026-12-10T00:00:00Z"))
    assert told_at("2026-12-30T00:00:00Z") == []
    assert told_at("2027-01-01T00:00:00Z") == ["hook stale: sh: done"]
    assert told_at("2027-01-02T00:00:00Z") == []
    write_records(context_of(tmp_path), completed(SECOND, "2027-01-03T00:00:00Z"))
    assert told_at("2027-01-04T00:00:00Z") == []
    assert told_at("2027-01-25T00:00:00Z") == ["hook stale: sh: done"]
    told = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    assert [one["last_success"] for one in told] == ["2026-12-10T00:00:00Z", "2027-01-03T00:00:00Z"]
    assert [one["since"] for one in told] == ["2026-12-31T00:00:00Z", "2027-01-24T00:00:00Z"]


def test_a_staleness_that_no_hook_could_tell_is_told_the_next_time(tmp_path):
    write_records(context_of(tmp_path), completed(FIRST, "2026-12-10T00:00:00Z"))
    for command, lines in ((shell("exit 1"), 1), (shell("exit 0"), 1), (shell("exit 0"), 0)):
        context = context_of(tmp_path, "2027-01-02T00:00:00Z", stale=(command,))
        assert len(tell_stale(context, status_of(context))) == lines
