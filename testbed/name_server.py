"""Host names on a trial's link: dnsmasq on the service's side of every client whose service has names.

A self-hosted service's are its own; those of a live service dnsmasq asks the machine's resolvers for.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from scripts.base.errors import UserError
from testbed.hosts import DNS_ADDRESS, Host

PROGRAM = "dnsmasq"
RESOLVER = Path("/etc/resolv.conf")


def resolve_on_the_link(work: Path) -> None:
    """Have every program of this mount namespace ask DNS_ADDRESS for names."""
    configuration = work / "resolv.conf"
    configuration.write_text(f"nameserver {DNS_ADDRESS}\n", encoding="utf-8")
    target = RESOLVER.resolve()
    if not target.exists() and not target.is_relative_to("/run"):
        raise UserError(f"{RESOLVER}: is missing; make it, if only empty: a trial with names covers it")
    if not target.exists():
        # A link into /run, which is this trial's own and empty.
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    subprocess.run(["mount", "--bind", str(configuration), str(target)], check=True)


def serve_own_names(service: Host, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Answer for the names of a service's side, and that no other name exists."""
    records = [
        f"--host-record={name},{address}"
        for name, address in zip(service.names, service.addresses, strict=True)
    ]
    return _serve(service, ["--address=/#/", *records], log)


def pass_names_on(service: Host, resolvers: Sequence[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Answer for every name as these resolvers do."""
    return _serve(service, [f"--server={resolver}" for resolver in resolvers], log)


def _serve(service: Host, answers: Sequence[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    return service.start(
        PROGRAM,
        "--no-daemon",
        "--conf-file=/dev/null",
        "--no-resolv",
        "--no-hosts",
        "--bind-interfaces",
        f"--listen-address={DNS_ADDRESS}",
        *answers,
        log=log,
    )
