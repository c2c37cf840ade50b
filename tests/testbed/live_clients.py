"""Clients of live services with their routers, as in a trial, on the tests' Internet.

    python -m tests.testbed.live_clients reach PORT...    which hosts a client reaches
    python -m tests.testbed.live_clients tunnels          the errors when a VPN takes packets to the Internet

Each prints its result as JSON.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError
from testbed.firewall import Allowance, allowance
from testbed.host_lock import place_on_this_host
from testbed.hosts import INTERFACE, Host, client_host, make_hosts, service_host
from testbed.keeper import kept
from testbed.name_server import forward_names, use_trial_name_server
from testbed.router import connect
from testbed.tcp_probes import wait_until_listening
from testbed.uplink import open_uplink
from tests.testbed.attempts import MACHINE, PRIVATE, WEB
from tests.testbed.internet import OTHER_PORT, ip, machine, machine_state, run, state_once_idle


def reach(*ports: str) -> dict[str, Any]:
    """Which hosts answer a client of a live service, and which answer the machine itself."""
    client, router = client_host(1), service_host(1)
    with live_clients([(client, router)], [int(port) for port in ports]):
        answers_to_client = {
            f"{place} {port}": answers(client.command(), place, port) for place, port in PLACES
        }
        during = machine_state() | {"name_server": _ids_of_name_server(router)}
    answers_to_machine = {f"{place} {port}": answers([], place, port) for place, port in PLACES[1:]}
    return {
        "client": answers_to_client,
        "machine": answers_to_machine,
        "during": during,
        "after": state_once_idle(),
    }


def _ids_of_name_server(router: Host) -> list[str]:
    """The user ids, capabilities and no_new_privs of the router's name server (proc_pid_status(5))."""
    (process,) = run("ip", "netns", "pids", router.name).split()
    status = Path(f"/proc/{process}/status").read_text().splitlines()
    wanted = ("Uid:", "CapEff:", "CapBnd:", "NoNewPrivs:")
    return [word for line in status if line.startswith(wanted) for word in line.split()[1:]]


@contextmanager
def live_clients(
    pairs: list[tuple[Host, Host]], ports: list[int] | None = None, allowed: Allowance | None = None
) -> Iterator[None]:
    """Clients of live services with their routers, until the block ends. Only the first has names."""

    def cable(host: Host) -> None:
        end, number = host.name.rsplit("-c")
        if end == "client":
            ip(f"link add client{number} type veth peer service{number}")
        ip(f"link set {end}{number} netns {host.name} name {INTERFACE}")

    with (
        place_on_this_host(1) as place,
        open_uplink() as uplink,
        kept(place, Path("/run/none"), uplink.device),
    ):
        make_hosts(pairs, cable)
        for client, router in pairs:
            connect(client, router, uplink, allowed or allowance(ports or [], 8, 60))
        _, router = pairs[0]
        name_server = forward_names(router, uplink, Path("/run/names.log"))
        wait_until_listening(router, 53, 10)
        work = Path("/run/work")
        work.mkdir(exist_ok=True)
        use_trial_name_server(work)
        yield
        name_server.kill()
        run("umount", str(Path("/etc/resolv.conf").resolve()))
        for pair in pairs:
            for host in pair:
                run("ip", "netns", "delete", host.name)


PLACES = [
    ("files.example", 80),
    (WEB, 80),
    (WEB, OTHER_PORT),
    (PRIVATE, 80),
    (MACHINE, 80),
]


def answers(prefix: list[str], place: str, port: int) -> bool:
    """Whether a place answers a TCP connect of the host whose commands begin with `prefix`."""
    script = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=1)"
    command = [*prefix, sys.executable, "-c", script, place, str(port)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def tunnels() -> dict[str, str]:
    """The errors of a machine whose packets to the Internet go through a VPN, by how its routes say so."""
    halves = [f"route add {half} via 10.8.0.2" for half in ("0.0.0.0/1", "128.0.0.0/1")]
    policy = ["route add default via 10.8.0.2 table 78", "rule add table 78"]
    found = {}
    for name, commands in (("halves", halves), ("policy", policy)):
        ip(*commands)
        try:
            with open_uplink():
                found[name] = ""
        except UserError as error:
            found[name] = str(error)
        ip(*[command.replace(" add ", " delete ") for command in commands])
    with open_uplink() as uplink:
        return found | {"none": uplink.device}


if __name__ == "__main__":
    with machine():
        name, *arguments = sys.argv[1:]
        print(json.dumps({"reach": reach, "tunnels": tunnels}[name](*arguments)))
