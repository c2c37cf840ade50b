"""Checks of this machine's BESS daemon: `python -m testbed bess check`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass

from scripts.base.errors import UserError
from testbed.bess.client import BessClient, BessError, BessUnreachableError
from testbed.bess.daemon import (
    empty,
    load_plugin,
    not_running,
    plugin_missing,
    read_clock,
    released_at_the_end,
)
from testbed.bess.daemon_settings import DaemonSettings
from testbed.bess.ports import delete_interfaces
from testbed.host_lock import exclusive_host_lock

PROGRAMS = {"ip": "iproute2", "ethtool": "ethtool", "sysctl": "procps", "unshare": "util-linux"}
ANSWER_S = 1
"""How long a daemon may take to tell its version."""


@dataclass(frozen=True)
class DaemonFinding:
    """The result of one check."""

    name: str
    fine: bool
    text: str


def check(settings: DaemonSettings) -> int:
    """Run the checks and print each result, with a remedy for what is missing.

    Returns:
        0, or 2 if something is missing.
    """
    with exclusive_host_lock():
        findings = []
        for finding in _findings(settings):
            print(f"{finding.name:<11} {'fine' if finding.fine else 'MISSING'}: {finding.text}", flush=True)
            findings.append(finding)
        if all(finding.fine for finding in findings):
            return 0
    print("error: `bottleneck: bess` cannot be used on this machine yet; see above", file=sys.stderr)
    return 2


def _findings(settings: DaemonSettings) -> Iterator[DaemonFinding]:
    """The checks of the machine, and of the daemon up to the first that fails.

    If the machine lacks something, the daemon is only asked whether it is there.
    """
    machine = [_privileges(), _programs(), _plugin(settings)]
    yield from machine
    usable = all(finding.fine for finding in machine)
    name = "daemon"
    try:
        with (
            released_at_the_end(settings) if usable else nullcontext(),
            BessClient(settings.address) as client,
        ):
            checks = _daemon_checks(client, settings)
            for name, run_check in checks if usable else checks[:1]:
                yield DaemonFinding(name, True, run_check())
    except BessUnreachableError as error:
        yield DaemonFinding(name, False, not_running(settings, error))
    except (BessError, UserError) as error:
        yield DaemonFinding(name, False, str(error))


def _privileges() -> DaemonFinding:
    fine = os.geteuid() == 0
    return DaemonFinding(
        "privileges", fine, "root" if fine else "only root can connect hosts to the daemon; run as root"
    )


def _programs() -> DaemonFinding:
    missing = {name: package for name, package in PROGRAMS.items() if shutil.which(name) is None}
    if missing:
        packages = " ".join(sorted(set(missing.values())))
        return DaemonFinding(
            "programs", False, f"{', '.join(missing)}; install the Debian packages {packages}"
        )
    return DaemonFinding("programs", True, ", ".join(PROGRAMS))


def _plugin(settings: DaemonSettings) -> DaemonFinding:
    if settings.plugin.is_file():
        return DaemonFinding("plugin", True, f"{settings.plugin} exists")
    return DaemonFinding("plugin", False, plugin_missing(settings))


def _daemon_checks(client: BessClient, settings: DaemonSettings) -> list[tuple[str, Callable[[], str]]]:
    """The checks of the daemon, by name. Each returns what it found, or raises."""

    def answers() -> str:
        return f"bessd of version {client.version(ANSWER_S)} answers at {settings.address}"

    def loads() -> str:
        empty(client)
        delete_interfaces()
        load_plugin(client, settings)
        return "the daemon has loaded the plugin"

    def clock() -> str:
        error = read_clock(client, settings).error
        return f"{error:+.3%} off CLOCK_MONOTONIC_RAW; the rate is corrected for it"

    return [("daemon", answers), ("plugin", loads), ("clock", clock), ("ports", lambda: _probe(settings))]


def _probe(settings: DaemonSettings) -> str:
    """Run testbed/bess/probe.py, which connects two hosts through the daemon, in its own namespaces."""
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    probe = subprocess.run(
        [*command, sys.executable, "-m", "testbed.bess.probe", settings.address],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if probe.returncode != 0:
        raise UserError((probe.stderr.strip().splitlines() or ["the probe printed nothing"])[-1])
    return probe.stdout.strip()
