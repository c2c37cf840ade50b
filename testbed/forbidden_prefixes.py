"""The IPv4 prefixes that a client of a live service must not reach: everything but public hosts."""

import ipaddress
from collections.abc import Iterable

from scripts.base.errors import UserError

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
