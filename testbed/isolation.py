"""A trial in its own namespaces, alone in its place on the host, which ends with the process that started it.

The outer process holds the host's lock (testbed/host_lock.py) and watches its own parent and owner. The inner
process (testbed/isolated_trial.py) is process 1 of a new PID namespace, in new mount and network namespaces.
When it ends, for any reason, the kernel ends the trial's processes and removes its interfaces and mounts.
A keeper (testbed/keeper.py) undoes the rest, and the next trial waits for it.

A trial that does not end is killed, and gets a record: a cycle goes on after a failed trial.
"""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.host import host_name
from scripts.base.processes import end_with_parent
from scripts.base.records import to_json
from scripts.model.specification import Specification
from scripts.model.trial_record import HostRecord
from testbed.backends import daemon_for_trial, runs_inside_trial
from testbed.first_records import first_client_record, first_trial_record
from testbed.host_lock import place_on_this_host
from testbed.hosts import client_host, service_host
from testbed.keeper import kept
from testbed.limits import PLACE
from testbed.uplink import HostUplink, open_uplink

OWNER = "OBSERVATORY_OWNER"
"""Environment variable: the process whose end ends the trial (the Snakefile names Snakemake's)."""

LIMIT_FACTOR, LIMIT_MORE_S = 2, 1800
"""A trial has failed if it still runs after so many times its duration and so much more (compression)."""

HALF_TRIAL = re.compile(r"\.\d{2,}\..+\.\d\.partial")
"""The name of a trial's directory until the trial is complete: `.<nn>.<host>.<place>.partial`."""

_UNSHARE = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]


def run_isolated(path: Path, specification: Specification, into: Path) -> int:
    """Run the trial of the file `path` in its own namespaces and wait for it.

    Every host has its own network namespace. They are inside another one of the trial's, except with a
    bottleneck daemon outside the trial, which must reach its end of their cables. With live services the
    trial uses the machine's uplink.

    Returns:
        0, or 128 + the number of the signal that ended it.

    Raises:
        UserError: this user may not run a trial, or the daemon or the uplink is unusable.
    """
    parent = os.getppid()
    end_with_parent(signal.SIGTERM)
    if os.getppid() != parent:
        return 128 + signal.SIGTERM
    namespaces = _namespaces(runs_inside_trial(specification.bottleneck))
    with ExitStack() as stack:
        place = stack.enter_context(place_on_this_host(specification.parallel))
        if into.is_dir():
            return 0
        remove_half_trials(into, place.own)
        partial = into.with_name(f".{into.name}.{host_name()}.{place.number}.partial")
        os.environ[PLACE] = str(place.number)
        live = any(client.service.live for client in specification.clients)
        uplink = stack.enter_context(open_uplink()) if live else None
        stack.enter_context(daemon_for_trial(specification.bottleneck))
        keeper = stack.enter_context(kept(place, partial, uplink.device if uplink else None))
        partial.mkdir(parents=True)
        module = [sys.executable, "-m", "testbed.isolated_trial"]
        command = [*_UNSHARE, *namespaces, *module, str(path), str(partial), *_uplink_options(uplink)]
        limit_s = LIMIT_FACTOR * specification.duration_s + LIMIT_MORE_S
        status = _supervise(command, keeper, [uplink.network] if uplink else [], limit_s)
        if status is None:
            record_hung_trial(specification, partial, limit_s)
        if not status:
            os.rename(partial, into)
        return status or 0


def remove_half_trials(into: Path, places: Iterable[int]) -> None:
    """Remove the directories that killed trials of the same cycle left, if their keepers were killed as well.

    They are `.<nn>.<host>.<place>.partial` beside `<setting>/<pair>/<nn>` of the cycle's `trials`. Only a
    trial that holds the lock of the place makes one. Other hosts may be measuring in the same folder.
    """
    trials = into.resolve().parents[2:3]
    siblings = trials[0].glob("*/*") if trials and trials[0].name == "trials" else [into.parent]
    for pair, place in product(siblings, places):
        for path in pair.glob(f".*.{host_name()}.{place}.partial"):
            if HALF_TRIAL.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)


def _uplink_options(uplink: HostUplink | None) -> list[str]:
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


def _supervise(command: list[str], keeper: int, inherited: Sequence[int], limit_s: float) -> int | None:
    """Run `command` in its own session until it ends, or until this process must stop.

    A signal to this process, or the end of the process that OWNER names, kills the command and its children.

    Args:
        command: the command and its arguments.
        keeper: the descriptor to which the id of the session goes.
        inherited: descriptors that the command inherits.
        limit_s: the time after which it is killed.

    Returns:
        The exit status, or 128 + the number of the signal that ended it. None if it was killed at the limit.
    """
    wakeup_read, wakeup_write = os.pipe()
    os.set_blocking(wakeup_write, False)
    received: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda signal_number, frame: received.append(signal_number))
    signal.set_wakeup_fd(wakeup_write)
    runner = os.getpid()
    child = subprocess.Popen(
        command,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        preexec_fn=lambda: _begin_session(runner, keeper),
        pass_fds=inherited,
    )
    watched = [os.pidfd_open(child.pid), wakeup_read]
    owner = _owner()
    if owner is not None:
        watched.append(owner)
    ready, _, _ = select.select(watched, [], [], limit_s)
    signal.set_wakeup_fd(-1)
    if ready and child.poll() is None and not received:
        received.append(signal.SIGTERM)
    if received or not ready:
        child.kill()
    status = child.wait()
    if received:
        return 128 + received[0]
    return (status if status >= 0 else 128 - status) if ready else None


def _begin_session(runner: int, keeper: int) -> None:
    """Tell the keeper this session, and end with the runner, which may have ended already."""
    end_with_parent()
    os.write(keeper, b"%d\n" % os.getpid())
    if os.getppid() != runner:
        os._exit(128 + signal.SIGKILL)


def _owner() -> int | None:
    """A descriptor that becomes readable when the owner ends; None if OWNER is not set."""
    owner = os.environ.get(OWNER)
    try:
        return os.pidfd_open(int(owner)) if owner else None
    except ProcessLookupError:
        raise UserError(f"{OWNER}={owner}: no such process; unset it, or start again") from None


def record_hung_trial(specification: Specification, directory: Path, limit_s: float) -> None:
    """Replace what is in a trial's directory by the record of a failed trial."""
    shutil.rmtree(directory)
    directory.mkdir()
    clients = [
        first_client_record(client, client_host(number), service_host(number, client.service.hosts))
        for number, client in enumerate(specification.clients, start=1)
    ]
    reason = f"the trial had not ended after {limit_s:g} s"
    host = HostRecord(name=host_name(), cpu_pressure_fraction=None)
    record = replace(
        first_trial_record(specification), status="failed", reason=reason, clients=clients, host=host
    )
    content = to_json(record)
    assert isinstance(content, dict)
    content = content | {"bottleneck": {"backend": specification.bottleneck}}
    (directory / "trial.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
