"""Runs rclone, the program that copies to and from any storage, and says in one line why it failed.

Only the configuration file of config/operate.yaml counts: the variables RCLONE_* of the environment do not,
except the password of that file. AWS_CA_BUNDLE does not either: Debian's rclone fails where it is set, and
SSL_CERT_FILE does the same.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError
from scripts.base.processes import running

ProgressCallback = Callable[[int], None]
"""Is called about each second with the bytes that were sent or received so far."""

PATIENCE_S = 60.0
"""rclone is ended if nothing moved for so long."""

MOST_ERRORS = 20
"""rclone goes on with the next file after each error. After so many, the storage is not there. `rclone check`
counts each file that differs as an error.
"""

MISSING = 3
"""The exit status of rclone if a folder does not exist."""

OPTIONS = (
    *("--use-json-log", "--stats", "1s", "--stats-log-level", "NOTICE"),
    *("--contimeout", "10s", "--timeout", "30s", "--low-level-retries", "4", "--retries", "2"),
    # A bucket whose name is mistyped is not made. A listing needs few requests. Uploads run side by side.
    *("--s3-no-check-bucket", "--fast-list", "--transfers", "8", "--checkers", "16"),
)
_KEPT = ("RCLONE_CONFIG_PASS",)
_COUNTERS = ("bytes", "checks", "transfers", "deletes", "listed")

_AWAY = "the storage cannot be reached; the next run goes on"
_ADVICE = (
    (
        "didn't find section in config file",
        "rclone knows no such remote; make it by `rclone config`, and name the file in publish.rclone_config",
    ),
    ("NoSuchBucket|bucket does not exist", "there is no such bucket; make it, or correct publish.remote"),
    (
        "SignatureDoesNotMatch|InvalidAccessKeyId|AccessDenied|Forbidden|StatusCode: 40[13]",
        "the storage refused the key; correct it in rclone's configuration, with rights to read, write, list "
        "and delete",
    ),
    (
        "connection refused|no such host|timeout|deadline exceeded|unreachable|no route|reset by peer|EOF",
        _AWAY,
    ),
    ("no space left", "the storage is full; make room, the next run goes on"),
    ("couldn't (?:decrypt|read) config|config(?:uration)? file", "rclone's configuration cannot be read"),
)


class MissingFolderError(Exception):
    """The folder on the remote does not exist."""


class StorageAwayError(UserError):
    """The storage cannot be reached."""


def run_rclone(
    words: Sequence[str],
    place: str,
    config: str | None,
    addresses: Sequence[str] | None = None,
    watch: ProgressCallback | None = None,
    fine: Sequence[int] = (0,),
) -> str:
    """Run rclone until it ends, and return its output. It ends when this process is killed.

    Args:
        words: the command and its own options.
        place: the remote, for messages.
        config: the configuration file; None for rclone's own.
        addresses: the files to which the command is limited; None for all.
        watch: is told the progress.
        fine: the exit statuses that are no failures.

    Raises:
        MissingFolderError: the folder on the remote does not exist.
        StorageAwayError: the storage cannot be reached.
        UserError: rclone failed otherwise.
    """
    if config is not None and not Path(config).is_file():
        raise UserError(f"{config}: no such file; correct publish.rclone_config in config/operate.yaml")
    limited = [] if addresses is None else ["--files-from-raw", "-"]
    named = [] if config is None else ["--config", config]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as listed,
        tempfile.TemporaryFile("w+", encoding="utf-8") as output,
    ):
        listed.write("".join(f"{address}\n" for address in addresses or ()))
        listed.seek(0)
        program = Path(sys.executable).with_name("rclone")
        if not program.is_file():
            raise UserError(f"{program}: not installed; install the packages of requirements.lock")
        with running(
            [str(program), *words, *limited, *OPTIONS, *named],
            env=_environment(),
            stdin=listed,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            problems = _follow(process, watch, MOST_ERRORS if fine == (0,) else None)
        status = process.returncode
        if status == MISSING:
            raise MissingFolderError(place)
        if status not in fine:
            raise failure(place, problems or [f"rclone ended with status {status}"])
        output.seek(0)
        return output.read()


def failure(place: str, problems: Sequence[str]) -> UserError:
    """The error that says what rclone's messages mean, what to do, and the last message, in one line."""
    last = " ".join(problems[-1].split())[-300:]
    for pattern, advice in _ADVICE:
        if any(re.search(pattern, problem) for problem in problems):
            kind = StorageAwayError if advice == _AWAY else UserError
            return kind(f"{place}: {advice} (rclone: {last})")
    return UserError(f"{place}: rclone failed: {last}")


def _follow(
    process: "subprocess.Popen[str]", watch: ProgressCallback | None, most_errors: int | None
) -> list[str]:
    """Read what rclone logs until it ends; end it where nothing moves. Returns its messages about errors."""
    problems: list[str] = []
    counters, moved_s = None, time.monotonic()
    assert process.stderr is not None
    for line in process.stderr:
        entry = _entry(line)
        stats = entry.get("stats")
        if stats is None:
            problems += [entry["msg"]] if _is_problem(entry) else []
            continue
        if watch is not None:
            watch(int(stats["bytes"]))
        current = [stats.get(name) for name in _COUNTERS]
        if current != counters:
            counters, moved_s = current, time.monotonic()
        if most_errors is not None and stats.get("errors", 0) > most_errors:
            process.kill()
        elif time.monotonic() - moved_s > PATIENCE_S:
            problems.append(f"nothing moved for {PATIENCE_S:.0f} s: i/o timeout")
            process.kill()
    return problems


def _entry(line: str) -> dict[str, Any]:
    """A line of the log. A panic of the program is no JSON."""
    try:
        content = json.loads(line)
    except ValueError:
        return {"msg": line, "level": "error"}
    return content if isinstance(content, dict) else {}


def _is_problem(entry: dict[str, Any]) -> bool:
    level, message = entry.get("level"), str(entry.get("msg"))
    return level in ("error", "critical") or (level == "notice" and message.startswith("Failed"))


def _environment() -> dict[str, str]:
    """The environment without what would change rclone's behaviour."""
    return {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or not (name.startswith("RCLONE_") or name == "AWS_CA_BUNDLE")
    }
