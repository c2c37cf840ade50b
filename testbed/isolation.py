"""A trial alone on the host, in namespaces of its own, that dies with what started it.

The outer process holds a host-wide lock, and watches whoever it works for. The inner one
(testbed/inside.py) is process 1 of a new PID namespace, in new mount and network namespaces: when it dies,
for whatever reason, the kernel ends every process of the trial and takes down its interfaces and mounts.
"""

import ctypes
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from scripts.base.errors import UserError
from testbed.backends import has_own_network, made_ready
from testbed.uplink import lent

LOCK = "\0internet-fairness-observatory/testbed"
"""An abstract Unix socket: the kernel frees it with the process that bound it, however that ended."""

OWNER = "OBSERVATORY_OWNER"
"""Environment variable: the process whose end must end the trial (the Snakefile sets its own)."""

_PR_SET_PDEATHSIG = 1


def die_with_parent(signal_number: int) -> None:
    """Have the kernel send this process `signal_number` when its parent ends (prctl(2))."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal_number)


def run_isolated(spec: Path, into: Path, bottleneck: str, live: bool = False) -> int:
    """Run a trial in its own namespaces and wait for it.

    The hosts have network namespaces in any case. What is around them is one of the trial's own too, except
    where the bottleneck is a program that runs already, which must reach its end of their cables. With `live`
    services the machine lends its uplink.

    Returns:
        0, or 128 + the signal that ended it.

    Raises:
        UserError: neither root nor a usable /dev/net/tun; or the bottleneck or the uplink cannot be used.
    """
    parent = os.getppid()
    die_with_parent(signal.SIGTERM)
    if os.getppid() != parent:
        return 128 + signal.SIGTERM
    namespaces = _namespaces(has_own_network(bottleneck))
    partial = into.with_name(f".{into.name}.partial")
    with alone_on_this_host():
        if into.is_dir():
            return 0
        shutil.rmtree(partial, ignore_errors=True)
        with made_ready(bottleneck), lent() if live else nullcontext() as uplink:
            partial.mkdir(parents=True)
            try:
                status = _supervise(
                    [
                        "unshare",
                        *namespaces,
                        "--mount",
                        "--pid",
                        "--fork",
                        "--kill-child",
                        "--mount-proc",
                        sys.executable,
                        "-m",
                        "testbed.inside",
                        str(spec),
                        str(partial),
                        *([uplink.to_json()] if uplink else []),
                    ],
                    inherited=[uplink.network] if uplink else [],
                )
                if status == 0:
                    os.rename(partial, into)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
    return status


def _namespaces(own_network: bool) -> list[str]:
    """Which namespaces `unshare` is to make, besides mounts and processes: a user's too, without root."""
    if not own_network:
        if os.geteuid() != 0:
            raise UserError("only root can plug the hosts into a bottleneck outside the trial; run as root")
        return []
    if os.geteuid() == 0:
        return ["--net"]
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        raise UserError(
            "/dev/net/tun: may not be opened by this user; run as root, or let users open it "
            "(as root: chmod 666 /dev/net/tun)"
        )
    return ["--user", "--map-root-user", "--net"]


def alone_on_this_host() -> socket.socket:
    """Wait until no other trial runs on this host; the lock is freed when the result is closed."""
    lock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    told = False
    while True:
        try:
            lock.bind(LOCK)
            return lock
        except OSError:
            if not told:
                print("another trial is running on this host: waiting for it", file=sys.stderr, flush=True)
                told = True
            time.sleep(0.2)


def _supervise(command: list[str], inherited: Sequence[int] = ()) -> int:
    """Run `command` in a session of its own until it ends, or until this process is told to stop.

    It inherits these descriptors. A signal, or the end of the process named by OWNER, kills the command and
    all it started.
    """
    wakeup_read, wakeup_write = os.pipe()
    os.set_blocking(wakeup_write, False)
    received: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda signal_number, frame: received.append(signal_number))
    signal.set_wakeup_fd(wakeup_write)
    child = subprocess.Popen(
        command,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        preexec_fn=lambda: die_with_parent(signal.SIGKILL),
        pass_fds=inherited,
    )
    watched = [os.pidfd_open(child.pid), wakeup_read]
    owner = _owner()
    if owner is not None:
        watched.append(owner)
    select.select(watched, [], [])
    signal.set_wakeup_fd(-1)
    if child.poll() is None and not received:
        received.append(signal.SIGTERM)
    if received:
        child.kill()
    status = child.wait()
    return 128 + received[0] if received else status if status >= 0 else 128 - status


def _owner() -> int | None:
    """A descriptor that becomes readable when the owner ends; None where none is named."""
    named = os.environ.get(OWNER)
    try:
        return os.pidfd_open(int(named)) if named else None
    except ProcessLookupError:
        raise UserError(f"{OWNER}={named}: no such process; unset it, or start again") from None
