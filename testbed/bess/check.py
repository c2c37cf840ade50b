"""What of this machine's BESS is fine and what is missing: `python -m testbed bess check`."""

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
from testbed.bess.ports import unplug_all
from testbed.isolation import alone_on_this_host

PROGRAMS = {"ip": "iproute2", "ethtool": "ethtool", "sysctl": "procps", "unshare": "util-linux"}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    fine: bool
    text: str


def check(settings: Settings) -> int:
    """Look at one thing after the other, each with those before it in place; tell all and what to do.

    Returns:
        0, or 2 where something is missing.
    """
    with alone_on_this_host():
        findings = []
        for finding in _findings(settings):
            print(f"{finding.name:<11} {'fine' if finding.fine else 'MISSING'}: {finding.text}", flush=True)
            findings.append(finding)
        if all(finding.fine for finding in findings):
            return 0
    print("bottleneck: bess cannot be used as it is", file=sys.stderr)
    return 2


def _findings(settings: Settings) -> Iterator[Finding]:
    """What concerns this machine in any case; then, if it is fine, the daemon, as far as it comes."""
    here = [_privileges(), _programs(), _plugin(settings)]
    yield from here
    if not all(finding.fine for finding in here):
        return
    with released_at_the_end(settings), BessClient(settings.address) as client:
        for name, look in _daemon_checks(client, settings):
            try:
                yield Finding(name, True, look())
            except (BessError, UserError) as error:
                yield Finding(name, False, str(error))
                return


def _privileges() -> Finding:
    fine = os.geteuid() == 0
    return Finding(
        "privileges", fine, "root" if fine else "only root can plug hosts into the daemon; run as root"
    )


def _programs() -> Finding:
    missing = {name: package for name, package in PROGRAMS.items() if shutil.which(name) is None}
    if missing:
        packages = " ".join(sorted(set(missing.values())))
        return Finding("programs", False, f"{', '.join(missing)}; install the Debian packages {packages}")
    return Finding("programs", True, ", ".join(PROGRAMS))


def _plugin(settings: Settings) -> Finding:
    if settings.plugin.is_file():
        return Finding("plugin", True, f"{settings.plugin} is there")
    return Finding("plugin", False, plugin_missing(settings))


def _daemon_checks(client: BessClient, settings: Settings) -> list[tuple[str, Callable[[], str]]]:
    """Each says what it found, or raises."""

    def answers() -> str:
        version = client.version()
        empty(client)
        unplug_all()
        return f"bessd of version {version} answers at {settings.address}"

    def loads() -> str:
        load_plugin(client, settings)
        return "the daemon has loaded the plugin"

    def clock() -> str:
        found = read_clock(client, settings)
        return f"{found.error:+.3%} off CLOCK_MONOTONIC_RAW, made up for in the rate"

    return [("daemon", answers), ("plugin", loads), ("clock", clock), ("ports", lambda: _probe(settings))]


def _probe(settings: Settings) -> str:
    """One host and another, with the daemon between them: testbed/bess/probe.py in its own namespaces."""
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    probe = subprocess.run(
        [*command, sys.executable, "-m", "testbed.bess.probe", settings.address],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if probe.returncode != 0:
        raise UserError((probe.stderr.strip().splitlines() or ["the probe said nothing"])[-1])
    return probe.stdout.strip()
