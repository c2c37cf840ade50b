"""A trial in its own namespaces, the only one on the host, which ends with the process that started it.

The outer process holds a host-wide lock and watches its own parent and owner. The inner process
(testbed/isolated_trial.py) is process 1 of a new PID namespace, in new mount and network namespaces. When it
ends, for any reason, the kernel ends every process of the trial and removes its interfaces and mounts.
"""

import ctypes
import json
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
from scripts.base.records import to_json
from scripts.model.campaign import Backend
from testbed.backends import daemon_for_trial, runs_inside_trial
from testbed.uplink import Uplink, lend_uplink

LOCK = "\0internet-fairness-observatory/testbed"
"""An abstract Unix socket: the kernel frees it when the process that bound it ends, for any reason."""

OWNER = "OBSERVATORY_OWNER"
"""Environment variable: the process whose end ends the trial (the Snakefile names Snakemake's)."""

_PR_SET_PDEATHSIG = 1


def die_with_parent(signal_number: int) -> None:
    """Make the kernel send this process `signal_number` when its parent ends (prctl(2))."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal_number)


def run_isolated(specification: Path, into: Path, bottleneck: Backend, live: bool = False) -> int:
    """Run a trial in its own namespaces and wait for it.

    Every host has its own network namespace. They are inside another one of the trial's, except with a
    bottleneck daemon outside the trial, which must reach its end of their cables. With `live` services the
    trial uses the machine's uplink.

    Returns:
        0, or 128 + the number of the signal that ended it.

    Raises:
        UserError: this user may not run a trial, or the daemon or the uplink is unusable.
    """
    parent = os.getppid()
    die_with_parent(signal.SIGTERM)
    if os.getppid() != parent:
        return 128 + signal.SIGTERM
    namespaces = _namespaces(runs_inside_trial(bottleneck))
    partial = into.with_name(f".{into.name}.partial")
    with alone_on_this_host():
        if into.is_dir():
            return 0
        shutil.rmtree(partial, ignore_errors=True)
        with daemon_for_trial(bottleneck), lend_uplink() if live else nullcontext() as uplink:
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
                        "testbed.isolated_trial",
                        str(specification),
                        str(partial),
                        *_uplink_options(uplink),
                    ],
                    inherited=[uplink.network] if uplink else [],
                )
                if status == 0:
                    os.rename(partial, into)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
    return status


def _uplink_options(uplink: Uplink | None) -> list[str]:
    return ["--uplink", json.dumps(to_json(uplink))] if uplink else []


def _namespaces(network: bool) -> list[str]:
    """The options of `unshare` for the network and, without root, the user namespace."""
    if not network:
        if os.geteuid() != 0:
            raise UserError("only root can connect hosts to a daemon outside the trial; run as root")
        return []
    if os.geteuid() == 0:
        return ["--net"]
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        raise UserError(
            "/dev/net/tun: this user cannot open it; run as root, or allow users to open it "
            "(as root: chmod 666 /dev/net/tun)"
        )
    return ["--user", "--map-root-user", "--net"]


def alone_on_this_host() -> socket.socket:
    """Wait until no other trial runs on this host. Closing the result frees the lock."""
    lock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    announced = False
    while True:
        try:
            lock.bind(LOCK)
            return lock
        except OSError:
            if not announced:
                print("another trial is running on this host: waiting for it", file=sys.stderr, flush=True)
                announced = True
            time.sleep(0.2)


def _supervise(command: list[str], inherited: Sequence[int] = ()) -> int:
    """Run `command` in its own session until it ends, or until this process must stop.

    The command inherits the descriptors `inherited`. A signal to this process, or the end of the process that
    OWNER names, kills the command and its children.
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
    """A descriptor that becomes readable when the owner ends; None if OWNER is not set."""
    owner = os.environ.get(OWNER)
    try:
        return os.pidfd_open(int(owner)) if owner else None
    except ProcessLookupError:
        raise UserError(f"{OWNER}={owner}: no such process; unset it, or start again") from None
