"""Host names within a trial: dnsmasq on the service's side of every client whose service has names.

A self-hosted service's names are answered from the trial's own records. For a live service dnsmasq asks the
machine's resolvers.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from scripts.base.confinement import FIRST_UID, NAME_SERVER
from scripts.base.errors import UserError
from testbed.hosts import DNS_ADDRESS, Host
from testbed.logged_process import LoggedProcess
from testbed.uplink import HostUplink

PROGRAM = "dnsmasq"
RESOLVER = Path("/etc/resolv.conf")
_UID = FIRST_UID + NAME_SERVER
_UNPRIVILEGED = [
    *("setpriv", f"--reuid={_UID}", f"--regid={_UID}", "--clear-groups"),
    *("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"),
]


def use_trial_name_server(work: Path) -> None:
    """Make DNS_ADDRESS the resolver of every program in this mount namespace."""
    configuration = work / "resolv.conf"
    configuration.write_text(f"nameserver {DNS_ADDRESS}\n", encoding="utf-8")
    target = RESOLVER.resolve()
    if not target.exists() and not target.is_relative_to("/run"):
        raise UserError(
            f"{RESOLVER}: is missing; create it, even empty: a trial with host names mounts its own over it"
        )
    if not target.exists():
        # A symbolic link into /run, which the trial has covered with an empty file system.
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    subprocess.run(["mount", "--bind", str(configuration), str(target)], check=True)


def answer_own_names(service: Host, log: Path) -> LoggedProcess:
    """Answer for the names of a self-hosted service; every other name does not exist."""
    records = [
        f"--host-record={name},{address}"
        for name, address in zip(service.names, service.addresses, strict=True)
    ]
    return _start(service, ["--address=/#/", *records], log)


def forward_names(service: Host, uplink: HostUplink, log: Path) -> LoggedProcess:
    """Forward every question to the machine's resolvers; a name with a forbidden address does not exist.

    The answers come from strangers, so the name server has no privileges and a user of its own.
    """
    subprocess.run(service.command("sysctl", "-qw", "net.ipv4.ip_unprivileged_port_start=53"), check=True)
    servers = [f"--server={resolver}" for resolver in uplink.resolvers]
    refused = [f"--bogus-nxdomain={prefix}" for prefix in uplink.forbidden]
    return _start(service, [*servers, *refused, "--filter-AAAA"], log, _UNPRIVILEGED)


def _start(service: Host, answers: Sequence[str], log: Path, privileges: Sequence[str] = ()) -> LoggedProcess:
    command = [
        *privileges,
        PROGRAM,
        "--no-daemon",
        "--conf-file=/dev/null",
        "--no-resolv",
        "--no-hosts",
        "--bind-interfaces",
        f"--listen-address={DNS_ADDRESS}",
        *answers,
    ]
    return LoggedProcess(service, command, log)
