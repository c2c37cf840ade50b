"""Checks of this machine's BESS daemon: `python -m testbed bess check`."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scripts.base.errors import UserError
from testbed.bess.client import BessClient, BessError
from testbed.bess.daemon import empty, load_plugin, plugin_missing, read_clock, released_at_the_end
from testbed.bess.daemon_settings import Settings
from testbed.bess.ports import delete_interfaces
from testbed.host_lock import alone_on_this_host

PROGRAMS = {"ip": "iproute2", "ethtool": "ethtool", "sysctl": "procps", "unshare": "util-linux"}


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    name: str
    fine: bool
    text: str


def check(settings: Settings) -> int:
    """Run one check after the other and print each result, with a remedy for what is missing.

    Returns:
        0, or 2 if something is missing.
    """
    with alone_on_this_host():
        findings = []
        for finding in _findings(settings):
            print(f"{finding.name:<11} {'fine' if finding.fine else 'MISSING'}: {finding.text}", flush=True)
            findings.append(finding)
        if all(finding.fine for finding in findings):
            return 0
    print("error: `bottleneck: bess` cannot be used on this machine yet; see above", file=sys.stderr)
    return 2


def _findings(settings: Settings) -> Iterator[Finding]:
    """The checks of the machine. If all succeed, those of the daemon, up to the first that fails."""
    machine = [_privileges(), _programs(), _plugin(settings)]
    yield from machine
    if not all(finding.fine for finding in machine):
        return
    with released_at_the_end(settings), BessClient(settings.address) as client:
        for name, run_check in _daemon_checks(client, settings):
            try:
                yield Finding(name, True, run_check())
            except (BessError, UserError) as error:
                yield Finding(name, False, str(error))
                return


def _privileges() -> Finding:
    fine = os.geteuid() == 0
    return Finding(
        "privileges", fine, "root" if fine else "only root can connect hosts to the daemon; run as root"
    )


def _programs() -> Finding:
    missing = {name: package for name, package in PROGRAMS.items() if shutil.which(name) is None}
    if missing:
        packages = " ".join(sorted(set(missing.values())))
        return Finding("programs", False, f"{', '.join(missing)}; install the Debian packages {packages}")
    return Finding("programs", True, ", ".join(PROGRAMS))


def _plugin(settings: Settings) -> Finding:
    if settings.plugin.is_file():
        return Finding("plugin", True, f"{settings.plugin} exists")
    return Finding("plugin", False, plugin_missing(settings))


def _daemon_checks(client: BessClient, settings: Settings) -> list[tuple[str, Callable[[], str]]]:
    """The checks of the daemon, by name. Each returns what it found, or raises."""

    def answers() -> str:
        version = client.version()
        empty(client)
        delete_interfaces()
        return f"bessd of version {version} answers at {settings.address}"

    def loads() -> str:
        load_plugin(client, settings)
        return "the daemon has loaded the plugin"

    def clock() -> str:
        error = read_clock(client, settings).error
        return f"{error:+.3%} off CLOCK_MONOTONIC_RAW; the rate is corrected for it"

    return [("daemon", answers), ("plugin", loads), ("clock", clock), ("ports", lambda: _probe(settings))]


def _probe(settings: Settings) -> str:
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
