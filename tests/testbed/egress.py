"""The attempts of tests/testbed/attempts.py, made by a client of a live service on the tests' Internet.

    python -m tests.testbed.egress attempts         which were answered or arrived, by who made them
    python -m tests.testbed.egress rebinding        the addresses of a name that changes them
    python -m tests.testbed.egress allowance WHAT   a transfer when the allowance of `bytes` or `time` ends
    python -m tests.testbed.egress others           what the machine forwards between its other networks

print JSON. `machine` are attempts of the machine itself; `client` of a client, `router` of a client without
its own firewall, `cable` of a client whose router has none either, and `open` of one when none is left.
"""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from testbed.firewall import ROUTER_INTERFACE, allowance
from testbed.hosts import INTERFACE, Host, client_host, service_host
from testbed.tcp_probes import wait_until_listening
from tests.testbed.attempts import ALLOWED, AZURE, LAN_HOST, MACHINE, PRIVATE, REFUSED, VPN_HOST, WEB
from tests.testbed.internet import (
    INTERNET,
    LAN,
    VPN,
    machine,
    run,
    serve_names,
    serve_targets,
)
from tests.testbed.live_clients import answers, live_clients

PAIRS = [(client_host(number), service_host(number)) for number in (1, 2)]
(CLIENT, ROUTER), (OTHER_CLIENT, OTHER_ROUTER) = PAIRS


def make_attempts(source: Host | None) -> list[str]:
    """The attempts of this host, None being the machine, that were answered or arrived elsewhere."""
    forget_marks()
    names = [attempt.name for attempt in REFUSED + ALLOWED]
    command = [sys.executable, "-m", "tests.testbed.attempts", *names]
    done = run(*(source.command(*command) if source else command))
    marks = arrived_marks()
    marked = [attempt.name for attempt in REFUSED + ALLOWED if attempt.mark in marks]
    return sorted({*json.loads(done), *marked})


def forget_marks() -> None:
    """Empty the records of marks."""
    for record in Path("/run/targets").iterdir():
        record.write_text("")


def arrived_marks() -> set[bytes]:
    """The marks of packets that arrived at other hosts."""
    records = [Path("/run/targets", host.name) for host in (INTERNET, LAN, VPN, OTHER_CLIENT)]
    return {mark for record in records if record.exists() for mark in record.read_bytes().splitlines()}


def attempts() -> dict[str, Any]:
    """Every layer of the firewall by itself; see the module's docstring."""
    found = {"machine": make_attempts(None)}
    with live_clients(PAIRS):
        for host in (ROUTER, OTHER_CLIENT, OTHER_ROUTER):
            serve_targets(host)
            wait_until_listening(host, 8443, 10)
        _use_ipv6()
        found["client"] = make_attempts(CLIENT)
        flush(CLIENT)
        found["router"] = make_attempts(CLIENT)
        for host in (ROUTER, OTHER_CLIENT, OTHER_ROUTER):
            flush(host)
        found["cable"] = make_attempts(CLIENT)
        keep_only_masquerade()
        found["open"] = make_attempts(CLIENT)
    return found


def rebinding(name_server: subprocess.Popen[bytes]) -> dict[str, list[str]]:
    """The addresses that a client gets for a name while its server changes them, all with a TTL of 0."""
    found = {}
    with live_clients(PAIRS[:1]):
        for kind, address in (("public", WEB), ("private", PRIVATE), ("azure", AZURE), ("machine", MACHINE)):
            name_server.kill()
            name_server.wait()
            name_server = serve_names(address)
            wait_until_listening(INTERNET, 53, 10)
            found[kind] = _addresses(CLIENT, "rebind.example")
    return found


def _addresses(host: Host, name: str) -> list[str]:
    """The IPv4 addresses of a name on a host; empty if it does not exist."""
    script = "import socket, sys; print(*{found[4][0] for found in socket.getaddrinfo(sys.argv[1], 80)})"
    command = host.command(sys.executable, "-c", script, name)
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()


def use_up(what: str) -> dict[str, Any]:
    """Download while the allowance ends: it is either 1 MB or 6 s."""
    allowed = allowance([], 8, 60)
    if what == "bytes":
        allowed = replace(allowed, quota_bytes=1_000_000)
    else:
        allowed = replace(allowed, until_s=round(time.time()) + 6)
    with live_clients(PAIRS[:1], allowed=allowed):
        before = answers(CLIENT.command(), WEB, 80)
        received = run(*CLIENT.command(sys.executable, "-c", _DOWNLOAD, WEB))
        after = answers(CLIENT.command(), WEB, 80)
    most_bytes = 1_000_000 if what == "bytes" else 10**9
    return {"before": before, "received_bytes": int(received), "most_bytes": most_bytes, "after": after}


_DOWNLOAD = """
import socket, sys, time
connection = socket.socket()
connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
connection.settimeout(3)
connection.connect((sys.argv[1], 80))
connection.sendall(b"GET /file.bin HTTP/1.0\\r\\n\\r\\n")
size = 0
try:
    while part := connection.recv(65536):
        size += len(part)
        time.sleep(0.01)
except TimeoutError:
    pass
print(size)
"""


def others() -> dict[str, dict[str, bool]]:
    """Connects between other networks of the machine, before and during a trial."""
    before = _between_others()
    with live_clients(PAIRS[:1]):
        during = _between_others()
    Path("/proc/sys/net/ipv4/conf/wan0/forwarding").write_text("1")
    return {"before": before, "during": during, "forwarding": _between_others()}


def _between_others() -> dict[str, bool]:
    return {
        "LAN to VPN": answers(LAN.command(), VPN_HOST, 80),
        "VPN to LAN": answers(VPN.command(), LAN_HOST, 80),
        "Internet to LAN": answers(INTERNET.command(), LAN_HOST, 80),
    }


def _use_ipv6() -> None:
    """Turn on IPv6 in the trial, as a client that had taken over everything could."""
    cable = "ifo-u-c1"
    run("sysctl", "-qw", "net.ipv6.conf.all.forwarding=1", f"net.ipv6.conf.{cable}.disable_ipv6=0")
    for host in (CLIENT, ROUTER):
        run(
            *host.command(
                "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=0", "net.ipv6.conf.all.forwarding=1"
            )
        )
        run(
            *host.command(
                "sysctl",
                "-qw",
                "net.ipv6.conf.lo.disable_ipv6=0",
                f"net.ipv6.conf.{INTERFACE}.disable_ipv6=0",
            )
        )
    run(*ROUTER.command("sysctl", "-qw", f"net.ipv6.conf.{ROUTER_INTERFACE}.disable_ipv6=0"))
    for host, address, interface in (
        (CLIENT, "2001:db8:1::2/64", INTERFACE),
        (ROUTER, "2001:db8:1::1/64", INTERFACE),
        (ROUTER, "2001:db8:2::1/64", ROUTER_INTERFACE),
    ):
        run("ip", "-n", host.name, "address", "add", address, "dev", interface, "nodad")
    run("ip", "address", "add", "2001:db8:2::2/64", "dev", cable, "nodad")
    run("ip", "route", "add", "2001:db8:1::/64", "via", "2001:db8:2::1")
    run("ip", "-n", CLIENT.name, "route", "add", "default", "via", "2001:db8:1::1")
    run("ip", "-n", ROUTER.name, "route", "add", "default", "via", "2001:db8:2::2")


def flush(host: Host) -> None:
    """Remove the firewall of a host."""
    run(*host.command("nft", "flush", "ruleset"))


def keep_only_masquerade() -> None:
    """Remove the machine's firewall."""
    chain = 'type nat hook postrouting priority 100; oifname != "ifo-u-*" masquerade'
    run("nft", f"flush ruleset; table ip open {{ chain leaving {{ {chain}; }}; }}")


if __name__ == "__main__":
    with machine() as internet_names:
        name, *arguments = sys.argv[1:]
        commands = {"attempts": attempts, "allowance": use_up, "others": others}
        found = rebinding(internet_names) if name == "rebinding" else commands[name](*arguments)
        print(json.dumps(found))
