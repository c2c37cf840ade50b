"""The commands that config/operate.yaml names for an event: completed, failed, stale and ping.

A command gets the event as a JSON object on its standard input, and of the environment the ordinary variables
and those that the settings name. What it prints goes to data/operate/operate.log. After `timeout_s` seconds
it is killed. All processes of its group end with it. Nothing that a command does raises an error.
"""

import contextlib
import json
import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from subprocess import PIPE
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.files import ROOT, read_json, write_text
from scripts.base.processes import environment_of, output_until, running
from scripts.base.records import Json
from scripts.model.operation import Status
from scripts.operate.context import Context, iso, keep
from scripts.operate.settings import HookCommand

HookEvent = Literal["completed", "failed", "stale", "ping"]

TOLD = "stale-told.json"
"""The staleness of which the hooks were told: {"since": …}."""

MOST_BYTES = 65536
"""How much of a command's output the log keeps."""

NOT_STARTED = {126: "cannot be started: not executable", 127: "cannot be started: no such program"}
"""What the status of setpriv(1) and of shells means."""


def run_hooks(context: Context, event: HookEvent, facts: Mapping[str, Json]) -> list[str]:
    """Run the commands of an event, one after the other.

    Args:
        context: of the run.
        event: its name.
        facts: what the commands get, besides `event`, `campaign` and `at`.

    Returns:
        A line for each command.
    """
    return [line for line, _ in _run_all(context, event, facts)]


def tell_stale(context: Context, status: Status) -> list[str]:
    """Run the hooks of `stale` once for each staleness: again only if every one of them failed.

    Returns:
        A line for each command that ran.
    """
    path = context.folder / TOLD
    if not status.stale:
        with contextlib.suppress(OSError):
            path.unlink()
        return []
    if _since(path) == status.stale_since:
        return []
    success = status.last_success
    facts = {"since": status.stale_since, "last_success": success.at if success else None}
    done = _run_all(context, "stale", facts)
    if any(succeeded for _, succeeded in done):
        with contextlib.suppress(OSError):
            write_text(path, json.dumps({"since": status.stale_since}) + "\n")
    return [line for line, _ in done]


def _run_all(context: Context, event: HookEvent, facts: Mapping[str, Json]) -> list[tuple[str, bool]]:
    """Run the commands; for each a line, and whether it succeeded."""
    hooks = context.settings.hooks
    commands: tuple[HookCommand, ...] = getattr(hooks, event)
    content = {"event": event, "campaign": context.settings.campaign, "at": iso(context.clock.now()), **facts}
    done = []
    for command in commands:
        variables = environment_of(*hooks.environment)
        result, output = _run(
            command, json.dumps(content, ensure_ascii=False), variables, float(hooks.timeout_s)
        )
        # The words after the first may be secrets, such as the address of a ping.
        line = f"hook {event}: {command[0]}: {result or 'done'}"
        printed = output.decode(errors="replace").splitlines()
        keep(context, "\n".join((line, *(f"    {each}" for each in printed))))
        done.append((line, result is None))
    return done


def _run(
    command: HookCommand, event: str, variables: Mapping[str, str], timeout_s: float
) -> tuple[str | None, bytes]:
    """Run a command; returns why it failed, or None, and the beginning of its output.

    Its input is in memory, so it need not read it.
    """
    output, deadline_s = bytearray(), time.monotonic() + timeout_s
    try:
        with os.fdopen(os.memfd_create("event"), "wb+") as stdin:
            stdin.write(event.encode() + b"\n")
            stdin.seek(0)
            with running(
                command, cwd=ROOT, env=variables, stdin=stdin, stdout=PIPE, stderr=subprocess.STDOUT
            ) as process:
                assert process.stdout is not None
                # The last process that can write it ends the output. One in the background has the same time.
                for block in output_until(process.stdout.fileno(), lambda: False):
                    output += block[: MOST_BYTES - len(output)]
                    if time.monotonic() > deadline_s:
                        raise subprocess.TimeoutExpired(command, timeout_s)
                status = process.wait(max(0.0, deadline_s - time.monotonic()))
    except subprocess.TimeoutExpired:
        return f"killed after {timeout_s:g} s", bytes(output)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return f"cannot be started: {getattr(error, 'strerror', None) or error}", b""
    return (NOT_STARTED.get(status, f"ended with status {status}") if status else None), bytes(output)


def _since(path: Path) -> object:
    """The start of the staleness that the hooks were last told about; None if there is none."""
    try:
        return read_json(path).get("since")
    except UserError:
        return None
