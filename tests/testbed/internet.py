"""A test machine and a test Internet, in namespaces, for tests of the routed uplink.

    python -m tests.testbed.internet SPEC INTO

runs a whole trial and prints the state of the machine afterwards, as JSON. `run_in_namespaces` runs it in the
namespaces that it needs. On the Internet are the web server files.example, which listens on a second port
too, a name server, and hosts with addresses that are not public (tests/testbed/attempts.py). The machine also
forwards packets between two other networks: a LAN with public addresses and a VPN.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from services.origin.content import CONTENT
from testbed.hosts import INTERFACE, Host
from testbed.tcp_probes import wait_until_listening
from tests.testbed.attempts import (
    GATEWAY,
    LAN_HOST,
    LAN_MACHINE,
    MACHINE,
    NAMES,
    NAMES_OF,
    OF_INTERNET,
    POLICY_HOST,
    VPN_HOST,
    WEB,
)

INTERNET = Host("internet", GATEWAY, "02:00:00:01:00:01")
LAN = Host("lan", LAN_HOST, "02:00:00:01:00:02")
VPN = Host("vpn", VPN_HOST, "02:00:00:01:00:03")
OTHER_PORT = 8080
TARGET_PORTS = ("22", "25", "53", "80", "443", "3478", "8080", "8443")
FILM = sorted(CONTENT.glob("video/*/750000"))
"""Segments of the reference videos, all in one bitrate."""

IDLE: dict[str, Any] = {"links": ["lan0", "lo", "vpn0", "wan0"], "rules": "", "forwarding": "0"}
"""The state of the machine when no trial runs."""

PAGE = '<!doctype html><title>Files</title><a href="file.bin" download><button>Download now</button></a>'
FILM_PAGE = (
    '<!doctype html><title>Film</title><video src="film.mp4" autoplay muted style="width: 100%"></video>'
)


def run_in_namespaces(*argv: str, module: str = "tests.testbed.internet") -> Any:
    """Run a module with these arguments in its own namespaces and return its result."""
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    command = [*unshare, sys.executable, "-m", module, *argv]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


@contextmanager
def machine() -> Iterator[subprocess.Popen[bytes]]:
    """Turn this namespace into the test machine with its Internet, whose name server it yields."""
    if [name for _, name in socket.if_nameindex()] != ["lo"]:
        raise SystemExit("this changes its namespaces, so it needs new ones: see run_in_namespaces")
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    for folder in ("lock", "targets"):
        Path("/run", folder).mkdir()
    ip("link set lo up")
    _connect_internet()
    _connect_other_networks()
    resolver = Path("/run/resolv.conf")
    resolver.write_text(f"nameserver 127.0.0.1\nnameserver {NAMES}\n")
    subprocess.run(["mount", "--bind", resolver, Path("/etc/resolv.conf").resolve()], check=True)
    servers = [name_server := serve_names(), _serve_files(80), _serve_files(OTHER_PORT)]
    for port in (80, OTHER_PORT, 53):
        wait_until_listening(INTERNET, port, 10)
    servers += [serve_targets(host) for host in (INTERNET, LAN, VPN, None)]
    wait_until_listening(INTERNET, 8443, 10)
    yield name_server
    for server in servers:
        server.kill()


def _connect_internet() -> None:
    _add_network(INTERNET, "wan0")
    ip(f"address add {MACHINE}/24 dev wan0", "address add 2001:db8::2/64 dev wan0 nodad")
    ip("link set wan0 mtu 1400", f"route add default via {GATEWAY}")
    addresses = [f"address add {address}/32 dev lo" for address in (WEB, NAMES, *OF_INTERNET)]
    addresses += [
        f"address add {address} dev {INTERFACE}" for address in (f"{GATEWAY}/24", "2001:db8::1/64 nodad")
    ]
    addresses += ["address add fd00:2::9/128 dev lo", "route add 2001:db8:1::/64 via 2001:db8::2"]
    ip(*addresses, f"link set {INTERFACE} mtu 1400", netns=INTERNET.name)
    ip(f"route add 192.0.2.0/25 via {MACHINE}", netns=INTERNET.name)
    ip("route add default via 2001:db8::1")


def _connect_other_networks() -> None:
    """Two networks between which the machine forwards packets, as for containers."""
    _add_network(LAN, "lan0")
    _add_network(VPN, "vpn0")
    ip(f"address add {LAN_MACHINE}/25 dev lan0", "address add 10.8.0.1/24 dev vpn0")
    ip("route add 198.51.100.128/25 via 10.8.0.2", "route add 192.0.2.128/25 via 10.8.0.2 table 77")
    ip("rule add to 192.0.2.128/25 table 77")
    ip(f"address add {LAN_HOST}/25 dev {INTERFACE}", f"route add default via {LAN_MACHINE}", netns=LAN.name)
    own = [f"address add {address} dev {INTERFACE}" for address in ("10.8.0.2/24", f"{VPN_HOST}/32")]
    own.append(f"address add {POLICY_HOST}/32 dev {INTERFACE}")
    ip(*own, "route add default via 10.8.0.1", netns=VPN.name)
    for interface in ("lan0", "vpn0"):
        Path(f"/proc/sys/net/ipv4/conf/{interface}/forwarding").write_text("1")


def _add_network(host: Host, interface: str) -> None:
    """Make a host's namespace, connected to the machine's `interface`."""
    subprocess.run(["ip", "netns", "add", host.name], check=True)
    ip(
        f"link add {interface} type veth peer {INTERFACE} netns {host.name}",
        f"link set {interface} addrgenmode none up",
    )
    ip("link set lo up", f"link set {INTERFACE} up", netns=host.name)


def serve_targets(host: Host | None) -> subprocess.Popen[bytes]:
    """Start tests/testbed/targets.py on a host; None is the machine."""
    name, interface = (host.name, INTERFACE) if host else ("machine", "wan0")
    command = [
        sys.executable,
        "-m",
        "tests.testbed.targets",
        f"/run/targets/{name}",
        interface,
        *TARGET_PORTS,
    ]
    return subprocess.Popen(host.command(*command) if host else command, **quiet())


def _serve_files(port: int) -> subprocess.Popen[bytes]:
    folder = Path("/run/www")
    folder.mkdir(exist_ok=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "film.html").write_text(FILM_PAGE)
    (folder / "file.bin").touch()
    os.truncate(folder / "file.bin", 10**9)
    if FILM:
        parts = [FILM[0].parent / "init.mp4", *[FILM[0] / f"{number}.m4s" for number in range(1, 11)]]
        (folder / "film.mp4").write_bytes(b"".join(part.read_bytes() for part in parts))
    command = INTERNET.command(sys.executable, "-m", "http.server", str(port), "--directory", str(folder))
    return subprocess.Popen(command, **quiet())


def serve_names(rebound: str = WEB) -> subprocess.Popen[bytes]:
    """Start the name server, with this address of rebind.example."""
    options = ["--no-daemon", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--bind-interfaces"]
    addresses = {"files.example": WEB, "rebind.example": rebound, "six.example": "2001:db8::1"} | NAMES_OF
    records = [f"--host-record={name},{address}" for name, address in addresses.items()]
    records += [f"--listen-address={NAMES}", "--address=/#/"]
    return subprocess.Popen(INTERNET.command("dnsmasq", *options, *records), **quiet())


def quiet() -> dict[str, Any]:
    """The arguments of a process without input and output."""
    return {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def ip(*commands: str, netns: str | None = None) -> None:
    """Change addresses, links or routes, on the machine or in a namespace."""
    options = ["-n", netns] if netns else []
    subprocess.run(["ip", *options, "-batch", "-"], check=True, text=True, input="\n".join(commands) + "\n")


def run(*command: str) -> str:
    """Run a command and return what it printed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def machine_state() -> dict[str, Any]:
    """What a trial changes on the machine."""
    links = json.loads(subprocess.run(["ip", "-json", "link"], check=True, stdout=subprocess.PIPE).stdout)
    rules = subprocess.run(["nft", "list", "ruleset"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {
        "links": sorted(link["ifname"] for link in links),
        "rules": rules,
        "forwarding": Path("/proc/sys/net/ipv4/conf/wan0/forwarding").read_text().strip(),
    }


def state_once_idle() -> dict[str, Any]:
    """The state of the machine once the kernel has removed the trial's interfaces, which takes a moment."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = machine_state()
        if found == IDLE:
            break
        time.sleep(0.1)
    return found


def trial(spec: str, into: str) -> dict[str, Any]:
    """Run a whole trial."""
    subprocess.run([sys.executable, "-m", "testbed", "run", spec, "--into", into], check=True)
    return state_once_idle()


if __name__ == "__main__":
    with machine():
        print(json.dumps(trial(*sys.argv[1:])))
