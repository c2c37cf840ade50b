"""The service's side of a client that uses a live service: a router to the machine's uplink, and a firewall.

Packets are routed, never taken over: a proxy would end the service's own congestion control. A cable (veth)
leads from the router to the machine's network namespace, which puts its own address on them
(testbed/uplink.py). The cable goes with the router's namespace, and so with the trial, however that ends.
"""

import ipaddress
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from testbed.hosts import DNS_ADDRESS, INTERFACE, Host, answer_for_names
from testbed.namespaces import inside
from testbed.uplink import CABLE, Uplink

ROUTERS_END = "uplink0"
WEB_PORTS = (80, 443)

NOT_PUBLIC = (
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "224.0.0.0/4",
    "240.0.0.0/4",
)
"""Addresses that are of nobody on the Internet (RFC 6890): of this machine, its neighbours and the trial."""

_FIREWALL = """
table ip observatory {{
    chain leaving {{
        type filter hook output priority 0; policy drop
        oifname "lo" accept
        ip saddr {dns} udp sport 53 accept
        ip saddr {dns} tcp sport 53 accept
        ip daddr {{ {resolvers} }} meta l4proto {{ tcp, udp }} th dport 53 accept
        ip daddr {{ {forbidden} }} drop
        meta l4proto {{ tcp, udp }} th dport {{ {ports} }} accept
    }}
}}
"""


def connect(client: Host, router: Host, uplink: Uplink, ports: Sequence[int]) -> None:
    """Lead a client's packets over its service's side to the Internet, those for `ports` (else WEB_PORTS).

    `client` and `router` are the two of testbed.hosts.make_hosts. Every client asks DNS_ADDRESS for names,
    where testbed/name_server.py answers.
    """
    _lay_cable(client, router, uplink)
    gateway = _gateway(router)
    _ip(
        [
            f"link set {ROUTERS_END} up",
            f"neighbour add {gateway} lladdr {_mac(router, 'fe')} nud permanent dev {ROUTERS_END}",
            f"route add default via {gateway} dev {ROUTERS_END} onlink src {router.address}",
        ],
        "-n",
        router.name,
    )
    # The client's own packets, and those it asks for, are no larger than the uplink takes.
    way_out = f"route add default via {router.address} dev {INTERFACE} onlink mtu {uplink.mtu}"
    _ip([way_out], "-n", client.name)
    answer_for_names(client, router)
    _forbid(client, [DNS_ADDRESS], uplink, ports)
    _forbid(router, uplink.resolvers, uplink, ports)
    subprocess.run(router.command("sysctl", "-qw", "net.ipv4.ip_forward=1"), check=True)


def _lay_cable(client: Host, router: Host, uplink: Uplink) -> None:
    """A cable from the machine to the router; the machine sends there what is for the client."""
    cable = CABLE + client.name.removeprefix("client-")
    mac, mtu = _mac(router, "fd"), str(uplink.mtu)
    here = ["name", cable, "address", _mac(router, "fe"), "mtu", mtu, "type", "veth"]
    there = ["peer", "name", ROUTERS_END, "address", mac, "mtu", mtu, "netns", router.name]
    with inside(Path(f"/proc/self/fd/{uplink.network}")):
        # The kernel may not be done with that of a trial which was killed just now.
        subprocess.run(["ip", "link", "delete", cable], capture_output=True, check=False)
        subprocess.run(["ip", "link", "add", *here, *there], check=True)
        Path(f"/proc/sys/net/ipv4/conf/{cable}/forwarding").write_text("1", encoding="ascii")
        _ip(
            [
                f"link set {cable} up",
                *[
                    word
                    for address in (client.address, router.address)
                    for word in (
                        f"route add {address}/32 dev {cable}",
                        f"neighbour add {address} lladdr {mac} nud permanent dev {cable}",
                    )
                ],
            ]
        )


def _gateway(router: Host) -> str:
    """What the router calls the machine."""
    return router.address.rsplit(".", 1)[0] + ".1"


def _mac(router: Host, last: str) -> str:
    """An address of the cable, beside the router's own."""
    return f"{router.mac[:-2]}{last}"


def _forbid(host: Host, resolvers: Sequence[str], uplink: Uplink, ports: Sequence[int]) -> None:
    """Drop what a host sends to other than public addresses, or to other ports than the service's."""
    rules = _FIREWALL.format(
        dns=DNS_ADDRESS,
        resolvers=", ".join(resolvers),
        forbidden=", ".join([*NOT_PUBLIC, *_public(uplink.addresses)]),
        ports=", ".join(map(str, ports or WEB_PORTS)),
    )
    subprocess.run(host.command("nft", "-f", "-"), input=rules, text=True, check=True)


def _public(addresses: Iterable[str]) -> list[str]:
    """Those that NOT_PUBLIC lacks: a set of nftables takes no address twice."""
    networks = [ipaddress.IPv4Network(network) for network in NOT_PUBLIC]
    return sorted(
        {one for one in addresses if not any(ipaddress.IPv4Address(one) in network for network in networks)}
    )


def _ip(commands: list[str], *options: str) -> None:
    subprocess.run(["ip", *options, "-batch", "-"], check=True, text=True, input="\n".join(commands) + "\n")
