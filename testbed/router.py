"""The service's side of a client that uses a live service: a router to the machine's uplink, and a firewall.

Packets are routed, not proxied: a proxy would terminate the service's own congestion control. A cable (veth
pair) connects the router to the machine's network namespace, which translates the source address
(testbed/uplink.py). The kernel removes the cable with the router's namespace, however the trial ends.
"""

import ipaddress
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from testbed.hosts import DNS_ADDRESS, INTERFACE, Host, route_to_name_server
from testbed.namespaces import network_namespace
from testbed.uplink import CABLE, Uplink

ROUTER_INTERFACE = "uplink0"
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
"""Addresses without a public host (RFC 6890): those of this machine, its neighbours and the trial."""

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
    """Route a client's packets over its service's side to the Internet.

    Args:
        client: a client of testbed.hosts.make_hosts.
        router: the host of its service's side.
        uplink: the machine's uplink.
        ports: the destination ports that the firewall allows; WEB_PORTS if empty.
    """
    _lay_cable(client, router, uplink)
    gateway = _gateway(router)
    _ip(
        [
            f"link set {ROUTER_INTERFACE} up",
            f"neighbour add {gateway} lladdr {_mac(router, 'fe')} nud permanent dev {ROUTER_INTERFACE}",
            f"route add default via {gateway} dev {ROUTER_INTERFACE} onlink src {router.address}",
        ],
        "-n",
        router.name,
    )
    # With this MTU neither the client nor its servers send packets that are too large for the uplink.
    default_route = f"route add default via {router.address} dev {INTERFACE} onlink mtu {uplink.mtu}"
    _ip([default_route], "-n", client.name)
    route_to_name_server(client, router)
    _set_firewall(client, [DNS_ADDRESS], uplink, ports)
    _set_firewall(router, uplink.resolvers, uplink, ports)
    subprocess.run(router.command("sysctl", "-qw", "net.ipv4.ip_forward=1"), check=True)


def _lay_cable(client: Host, router: Host, uplink: Uplink) -> None:
    """Connect the machine to the router, and route the client's addresses over this cable."""
    cable = CABLE + client.name.removeprefix("client-")
    mac, mtu = _mac(router, "fd"), str(uplink.mtu)
    machine_end = ["name", cable, "address", _mac(router, "fe"), "mtu", mtu, "type", "veth"]
    router_end = ["peer", "name", ROUTER_INTERFACE, "address", mac, "mtu", mtu, "netns", router.name]
    with network_namespace(Path(f"/proc/self/fd/{uplink.network}")):
        # The kernel may not have removed the cable of a trial that was killed a moment ago.
        subprocess.run(["ip", "link", "delete", cable], capture_output=True, check=False)
        subprocess.run(["ip", "link", "add", *machine_end, *router_end], check=True)
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
    """The machine's address on the cable."""
    return router.address.rsplit(".", 1)[0] + ".1"


def _mac(router: Host, last_byte: str) -> str:
    """A hardware address of the cable: the router's with another last byte."""
    return f"{router.mac[:-2]}{last_byte}"


def _set_firewall(host: Host, resolvers: Sequence[str], uplink: Uplink, ports: Sequence[int]) -> None:
    """Drop packets of a host to non-public addresses and to ports that the service does not use."""
    rules = _FIREWALL.format(
        dns=DNS_ADDRESS,
        resolvers=", ".join(resolvers),
        forbidden=", ".join([*NOT_PUBLIC, *_public(uplink.addresses)]),
        ports=", ".join(map(str, ports or WEB_PORTS)),
    )
    subprocess.run(host.command("nft", "-f", "-"), input=rules, text=True, check=True)


def _public(addresses: Iterable[str]) -> list[str]:
    """The addresses outside NOT_PUBLIC. A set of nftables refuses overlapping entries."""
    networks = [ipaddress.IPv4Network(network) for network in NOT_PUBLIC]
    return sorted(
        address
        for address in set(addresses)
        if not any(ipaddress.IPv4Address(address) in network for network in networks)
    )


def _ip(commands: list[str], *options: str) -> None:
    subprocess.run(["ip", *options, "-batch", "-"], check=True, text=True, input="\n".join(commands) + "\n")
