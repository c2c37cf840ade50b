"""The service's side of a client that uses a live service: a router to the machine's uplink.

Packets are routed, not proxied: a proxy would terminate the service's own congestion control. A cable (veth
pair) connects the router to the machine's network namespace, which translates the source address
(testbed/forwarding.py). The kernel removes the cable with the router's namespace, however the trial ends.
"""

import subprocess
from pathlib import Path

from testbed.firewall import ROUTER_INTERFACE, Allowance, set_firewalls
from testbed.forwarding import CABLE
from testbed.hosts import INTERFACE, Host, route_to_name_server
from testbed.namespaces import network_namespace
from testbed.uplink import HostUplink


def connect(client: Host, router: Host, uplink: HostUplink, allowed: Allowance) -> None:
    """Route a client's packets over its service's side to the Internet.

    Args:
        client: a client of testbed.hosts.make_hosts.
        router: the host of its service's side.
        uplink: the machine's uplink.
        allowed: what the firewalls let the client use.
    """
    set_firewalls(client, router, uplink, allowed)
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
    subprocess.run(router.command("sysctl", "-qw", "net.ipv4.ip_forward=1"), check=True)


def _lay_cable(client: Host, router: Host, uplink: HostUplink) -> None:
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
        without_ipv6 = Path(f"/proc/sys/net/ipv6/conf/{cable}/disable_ipv6")
        if without_ipv6.exists():
            without_ipv6.write_text("1", encoding="ascii")
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


def _ip(commands: list[str], *options: str) -> None:
    subprocess.run(["ip", *options, "-batch", "-"], check=True, text=True, input="\n".join(commands) + "\n")
