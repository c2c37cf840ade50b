"""Checks of this host: the load of other programs, what is installed, folders, the disk and the clock.

The kernel says whether it takes the clock for synchronised: adjtimex(2). A daemon such as chrony or
systemd-timesyncd tells the kernel. In a container the clock is that of its host, and so is the kernel's
answer.
"""

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from scripts.base.files import ROOT
from scripts.base.packages import other_packages
from scripts.base.processes import run_to_end
from scripts.model.campaign import Backend, Campaign

CheckState = Literal["passed", "warning", "failed"]


@dataclass(frozen=True)
class HealthCheck:
    """One check. The message is one line; if it did not pass, it says what to do."""

    name: str
    state: CheckState
    message: str


def passed(name: str, message: str) -> HealthCheck:
    """A check that passed."""
    return HealthCheck(name, "passed", message)


def warning(name: str, message: str) -> HealthCheck:
    """A check that does not keep a cycle from starting."""
    return HealthCheck(name, "warning", message)


def failed(name: str, message: str) -> HealthCheck:
    """A check that keeps a cycle from starting."""
    return HealthCheck(name, "failed", message)


LOAD = "other load"
SAMPLE_S = 2.0
SAMPLES = 4
"""A load that is gone in one of so many samples does not count: a short job, or a program that was ending."""
NAMED = 3


def check_load(limit: float, sample: Callable[[], dict[str, float]] | None = None) -> HealthCheck:
    """Whether other programs leave the processors to the testbed.

    Args:
        limit: the largest part of all processors that they may use.
        sample: measures the part that each program uses; the real ones by default.
    """
    if limit >= 1:
        return passed(LOAD, "not sampled, other programs may use all processors")
    used: dict[str, float] = {}
    for _ in range(SAMPLES):
        used = (sample or load_by_program)()
        if sum(used.values()) <= limit:
            return passed(LOAD, f"other programs use {sum(used.values()):.0%} of the processors")
    most = sorted(used, key=lambda name: (-used[name], name))[:NAMED]
    return failed(
        LOAD,
        f"other programs use {sum(used.values()):.0%} of the processors, {limit:.0%} are allowed; end them: "
        + ", ".join(f"{name} {used[name]:.0%}" for name in most),
    )


def load_by_program(seconds: float = SAMPLE_S) -> dict[str, float]:
    """The part of all processors that each program uses, without this process; `other` are those not seen."""
    processes = [process for process in psutil.process_iter(["name"]) if process.pid != os.getpid()]
    before = {process: _cpu_s(process) for process in processes}
    own = sum(psutil.Process().cpu_times()[:2])
    busy = psutil.cpu_percent(interval=seconds) / 100
    processors_s = seconds * (os.cpu_count() or 1)
    own = (sum(psutil.Process().cpu_times()[:2]) - own) / processors_s
    used: dict[str, float] = {}
    for process in processes:
        name = str(process.info["name"] or "unnamed")
        used[name] = used.get(name, 0.0) + max(0.0, _cpu_s(process) - before[process]) / processors_s
    used["other"] = max(0.0, busy - own - sum(used.values()))
    return {name: part for name, part in used.items() if part > 0}


def _cpu_s(process: psutil.Process) -> float:
    """The processor time that a process has used; 0 if it has ended."""
    try:
        return float(sum(process.cpu_times()[:2]))
    except psutil.Error:
        return 0.0


SETUP = ROOT / ".ci/setup"
ANSWER_S, STOP_S = 120, 30
SHOWN = 3


def check_packages(lock: Path = ROOT / "requirements.lock") -> HealthCheck:
    """Whether the installed Python packages have the versions of the lock."""
    name = "packages"
    others = [
        f"{package.name} is {package.here or 'missing'}, not {' or '.join(package.locked)}"
        for package in other_packages(lock.read_text(encoding="utf-8"))
    ]
    if others:
        more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
        return failed(name, f"{lock.name}: {', '.join(others[:SHOWN])}{more}; run `make setup`")
    return passed(name, f"the versions of {lock.name}")


def check_installation(setup: Path = SETUP) -> HealthCheck:
    """Whether the programs are installed, and what is built from the sources is built from these."""
    name = "installation"
    if not setup.is_file():
        return warning(name, f"{setup}: is missing, so programs and compiled parts are not checked")
    done = _run([str(setup), "--check"])
    lines = done.stdout.splitlines() or done.stderr.splitlines()
    if lines or done.returncode:
        return failed(name, f"{'; '.join(lines) or 'cannot be checked'}; run `make setup`")
    return passed(name, "programs, compiled parts and files of the services are there and up to date")


def check_bottleneck(bottleneck: Backend) -> HealthCheck:
    """Whether the BESS daemon works, if it is the bottleneck."""
    name = "bottleneck"
    if bottleneck == "embedded":
        return passed(name, "the embedded switch; each round calibrates it")
    done = _run([sys.executable, "-m", "testbed", "bess", "check"])
    if done.returncode:
        return failed(name, f"{_last(done)}; see python -m testbed bess check")
    return passed(name, "the BESS daemon answers; each round calibrates it")


def check_browsers(campaign: Campaign, definition: Path | None = None) -> HealthCheck:
    """Whether the browsers of the campaign's services are prepared, and start.

    Args:
        campaign: the campaign.
        definition: the folder of its definition, if it has one.
    """
    name = "browsers"
    own = ["--definition", str(definition.resolve())] if definition else []
    done = _run([sys.executable, "-m", "services.browser_check", *own, *sorted(campaign.services)])
    return (failed if done.returncode else passed)(name, _last(done).removeprefix("error: "))


def _run(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command in the checkout. One that does not end in time fails, and none outlives this process."""
    try:
        return run_to_end(
            command,
            limit_s=ANSWER_S,
            stop=signal.SIGTERM,
            patience_s=STOP_S,
            at_end=signal.SIGTERM,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"no answer within {ANSWER_S} s")


def _last(done: subprocess.CompletedProcess[str]) -> str:
    """The last line that a command wrote."""
    return (done.stdout + done.stderr).strip().rpartition("\n")[2] or f"ended with status {done.returncode}"


READ_AHEAD_KIB = 512
"""The most that a disk may read ahead. Linux has 128. With 8192 the kernel filled the pages of the servers'
sparse file in one go, for 22 ms in which nothing else ran on that processor, not even the switch."""


def check_writable(name: str, folder: Path) -> HealthCheck:
    """Whether files can be made in a folder. It is made if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix="."):
            return passed(name, f"{folder}: can be written")
    except OSError as error:
        return failed(
            name,
            f"{folder}: cannot be written: {error.strerror}; let this user write there, or name another",
        )


def check_read_ahead(files: Path = ROOT, blocks: Path = Path("/sys/dev/block")) -> HealthCheck:
    """Whether the disk of the servers' files reads so little ahead that no read holds a processor for long.

    Args:
        files: a folder on that disk.
        blocks: the kernel's folder of disks by number.
    """
    device = files.stat().st_dev
    node = (blocks / f"{os.major(device)}:{os.minor(device)}").resolve()
    # A partition has the queue of its disk, which is the folder above.
    for queue in (node / "queue/read_ahead_kb", node.parent / "queue/read_ahead_kb"):
        if queue.is_file():
            kib = int(queue.read_text())
            words = f"the disk of {files} reads {kib} KiB ahead"
            if kib <= READ_AHEAD_KIB:
                return passed("read-ahead", words)
            why = "a server that reads a file then stalls the bottleneck for milliseconds"
            return warning("read-ahead", f"{words}; {why}: echo 128 > {queue}")
    return passed("read-ahead", f"the disk of {files} tells none")


CLOCK = "clock"
STA_UNSYNC = 0x0040
IN_CONTAINER = (Path("/.dockerenv"), Path("/run/.containerenv"), Path("/run/systemd/container"))


class _Timex(ctypes.Structure):
    """The beginning of `struct timex` (linux/timex.h). Zero `modes` change nothing. Errors are in µs."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("frequency", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


def check_clock(otherwise: CheckState) -> HealthCheck:
    """Whether the clock is synchronised.

    Args:
        otherwise: the state of the check if it is not, or if that is not known.
    """
    here = " (of the container's host)" if any(path.exists() for path in IN_CONTAINER) else ""
    try:
        synchronised, error_ms = read_clock()
    except OSError as error:
        return HealthCheck(
            CLOCK, otherwise, f"the kernel does not tell whether it is right: {error.strerror}"
        )
    if synchronised:
        return passed(CLOCK, f"synchronised{here}, the kernel's largest error is {error_ms:.1f} ms")
    remedy = "start a time daemon, such as chrony, and wait until it has set the clock"
    if otherwise == "failed":
        remedy += ", or say `clock: warning` in config/operate.yaml"
    return HealthCheck(CLOCK, otherwise, f"not synchronised{here}; {remedy}")


def read_clock() -> tuple[bool, float]:
    """Whether the kernel's clock is synchronised, and its largest error in ms.

    Raises:
        OSError: the kernel does not tell.
    """
    timex = _Timex()
    if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(timex)) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return not timex.status & STA_UNSYNC, timex.maxerror / 1000
