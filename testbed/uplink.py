"""The machine's uplink to the Internet, as a trial with live services uses it. Nothing here changes it.

A client of a live service must reach public hosts only. All other IPv4 prefixes are forbidden.
"""

import ipaddress
import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.records import from_json

PROGRAMS = {"nft": "nftables", "dnsmasq": "dnsmasq-base", "setpriv": "util-linux"}
ETHERNET_MTU = 1500
"""The MTU of the trial's own links."""

SOME_PUBLIC_ADDRESS = "9.9.9.9"
RESOLVERS = (Path("/etc/resolv.conf"), Path("/run/systemd/resolve/resolv.conf"))
"""Files that name a machine's resolvers. The second counts if the first names one within the machine."""


@dataclass(frozen=True)
class HostUplink:
    """The machine's uplink as a trial needs it."""

    network: int
    """A descriptor of the machine's network namespace."""

    device: str
    """The interface of the default route."""

    mtu: int
    resolvers: tuple[str, ...]
    forbidden: tuple[str, ...]
    """The prefixes that a client must not reach, without overlaps."""


@dataclass(frozen=True)
class _IpAddress:
    """An address of an interface, as ip(8) lists it."""

    local: str


@dataclass(frozen=True)
class _IpEntry:
    """The keys of a route or an interface that are read here, as `ip -json` prints them."""

    dev: str = ""
    dst: str = ""
    gateway: str = ""
    mtu: int = 0
    addr_info: tuple[_IpAddress, ...] = ()


@contextmanager
def open_uplink() -> Iterator[HostUplink]:
    """The machine's uplink, whose descriptor is open while the block runs.

    Raises:
        UserError: there is no uplink that a trial can use, or this user is not root.
    """
    if os.geteuid() != 0:
        raise UserError(
            "a trial with live services needs root to forward its packets to the Internet; run as root"
        )
    device = _device()
    mtu = min(_ip("link", "show", "dev", device)[0].mtu, ETHERNET_MTU)
    resolvers = _resolvers()
    forbidden = forbidden_prefixes([*_addresses(), *resolvers, *_routed()])
    network = os.open("/proc/self/ns/net", os.O_RDONLY)
    try:
        yield HostUplink(network, device, mtu, resolvers, forbidden)
    finally:
        os.close(network)


def _device() -> str:
    """The interface of the default route."""
    routes = _ip("-4", "route", "show", "default")
    if not routes:
        raise UserError("this machine has no default route, so live services cannot be reached; connect it")
    device = routes[0].dev
    in_use = _ip("-4", "route", "get", SOME_PUBLIC_ADDRESS)[0].dev
    if in_use != device:
        raise UserError(
            f"packets to the Internet leave by {in_use}, and the default route names {device} "
            f"(`ip route get {SOME_PUBLIC_ADDRESS}`), as with a VPN; a trial must not use it: end the VPN"
        )
    return device


def _routed() -> Iterator[str]:
    """What the machine reaches otherwise than by its default route, and the routers it uses itself."""
    for route in _ip("-4", "route", "show", "table", "all"):
        if route.dst != "default":
            yield route.dst
        if route.gateway:
            yield route.gateway


def _addresses() -> tuple[str, ...]:
    """All IPv4 addresses of this machine."""
    interfaces = _ip("-4", "address", "show")
    return tuple(address.local for interface in interfaces for address in interface.addr_info)


def _resolvers() -> tuple[str, ...]:
    """The machine's resolvers that a trial can reach: with an IPv4 address outside the machine."""
    own_addresses = _addresses()
    for path in RESOLVERS:
        lines = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
        servers = [words[1] for words in lines if len(words) > 1 and words[0] == "nameserver"]
        usable = tuple(server for server in servers if _is_outside(server) and server not in own_addresses)
        if usable:
            return usable
    raise UserError(
        f"{RESOLVERS[0]}: names no resolver with an IPv4 address outside this machine; live services need "
        "one; add it"
    )


def _is_outside(address: str) -> bool:
    try:
        return not ipaddress.IPv4Address(address).is_loopback
    except ipaddress.AddressValueError:
        return False


def _ip(*arguments: str) -> list[_IpEntry]:
    done = subprocess.run(["ip", "-json", *arguments], check=True, stdout=subprocess.PIPE)
    return from_json(list[_IpEntry], json.loads(done.stdout or "[]"), "ip")


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

METADATA = ("168.63.129.16/32",)
"""Public addresses where a cloud tells its machines their credentials (Azure). Others use NOT_PUBLIC."""

_ALL = ipaddress.IPv4Network("0.0.0.0/0")


def forbidden_prefixes(routed: Iterable[str]) -> tuple[str, ...]:
    """The forbidden prefixes without overlaps, which a set of nftables refuses.

    Args:
        routed: the machine's addresses, its resolvers, and the prefixes that it routes to anything but its
            default route.

    Raises:
        UserError: these prefixes are all addresses.
    """
    prefixes = [ipaddress.IPv4Network(prefix) for prefix in (*NOT_PUBLIC, *METADATA, *routed)]
    collapsed = tuple(ipaddress.collapse_addresses(prefixes))
    if _ALL in collapsed:
        raise UserError(
            "the machine's routes beside its default route cover all addresses, as those of a VPN do "
            "(`ip route show table all`); a trial must not use them: end the VPN"
        )
    return tuple(map(str, collapsed))
