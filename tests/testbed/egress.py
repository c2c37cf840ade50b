"""The attempts of tests/testbed/attempts.py, made by a client of a live service on the tests' Internet.

    python -m tests.testbed.egress

prints as JSON which attempts were answered or arrived: `machine` those that the machine itself made; `client`
those of a client, `router` those of a client without its own firewall, `cable` those of a client whose router
has none either, and `open` those when no firewall is left.
"""

import json
import sys
from pathlib import Path
from typing import Any

from testbed.firewall import ROUTER_INTERFACE
from testbed.hosts import INTERFACE, Host, client_host, service_host
from testbed.tcp_probes import wait_until_listening
from tests.testbed.attempts import ALLOWED, REFUSED
from tests.testbed.internet import INTERNET, LAN, VPN, live_clients, machine, run, serve_targets

PAIRS = [(client_host(number), service_host(number)) for number in (1, 2)]
(CLIENT, ROUTER), (OTHER_CLIENT, OTHER_ROUTER) = PAIRS


def make_attempts(source: Host | None) -> list[str]:
    """The attempts of this host, None being the machine, that were answered or arrived elsewhere."""
    for record in Path("/run/targets").iterdir():
        record.write_text("")
    names = [attempt.name for attempt in REFUSED + ALLOWED]
    command = [sys.executable, "-m", "tests.testbed.attempts", *names]
    done = run(*(source.command(*command) if source else command))
    elsewhere = [Path("/run/targets", host.name) for host in (INTERNET, LAN, VPN, OTHER_CLIENT)]
    arrived = {line for path in elsewhere if path.exists() for line in path.read_bytes().splitlines()}
    marked = [attempt.name for attempt in REFUSED + ALLOWED if attempt.mark in arrived]
    return sorted({*json.loads(done), *marked})


def attempts() -> dict[str, Any]:
    """Every layer of the firewall by itself; see the module's docstring."""
    found = {"machine": make_attempts(None)}
    with live_clients(PAIRS):
        for host in (ROUTER, OTHER_CLIENT, OTHER_ROUTER):
            serve_targets(host)
            wait_until_listening(host, 8443, 10)
        _use_ipv6()
        found["client"] = make_attempts(CLIENT)
        _flush(CLIENT)
        found["router"] = make_attempts(CLIENT)
        for host in (ROUTER, OTHER_CLIENT, OTHER_ROUTER):
            _flush(host)
        found["cable"] = make_attempts(CLIENT)
        _keep_only_masquerade()
        found["open"] = make_attempts(CLIENT)
    return found


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


def _flush(host: Host) -> None:
    run(*host.command("nft", "flush", "ruleset"))


def _keep_only_masquerade() -> None:
    chain = 'type nat hook postrouting priority 100; oifname != "ifo-u-*" masquerade'
    run("nft", f"flush ruleset; table ip open {{ chain leaving {{ {chain}; }}; }}")


if __name__ == "__main__":
    with machine():
        print(json.dumps(attempts()))
