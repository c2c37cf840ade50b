"""The prefixes that a client of a live service must not reach."""

from ipaddress import IPv4Address, IPv4Network
from itertools import combinations

import pytest

from scripts.base.errors import UserError
from testbed.uplink import forbidden_prefixes


def is_forbidden(address: str, *routed: str) -> bool:
    return any(IPv4Address(address) in IPv4Network(prefix) for prefix in forbidden_prefixes(routed))


@pytest.mark.parametrize(
    "address", ["10.1.2.3", "100.64.0.1", "127.0.0.1", "168.63.129.16", "169.254.169.254"]
)
def test_addresses_without_a_public_host_and_of_metadata_are_forbidden(address):
    assert is_forbidden(address)
    assert not is_forbidden("198.51.100.80")


def test_what_the_machine_routes_elsewhere_is_forbidden():
    routed = ["203.0.113.0/24", "198.51.100.7"]
    assert is_forbidden("203.0.113.200", *routed)
    assert is_forbidden("198.51.100.7", *routed)
    assert not is_forbidden("198.51.100.8", *routed)


def test_prefixes_do_not_overlap():
    """A set of nftables refuses overlapping entries."""
    found = forbidden_prefixes(["203.0.113.0/24", "203.0.113.2", "203.0.113.255", "10.0.0.0/9", "0.0.0.0/1"])
    assert not any(one.overlaps(other) for one, other in combinations(map(IPv4Network, found), 2))


@pytest.mark.parametrize("tunnel", [["0.0.0.0/1", "128.0.0.0/1"], ["0.0.0.0/0"]])
def test_a_tunnel_for_all_addresses_is_an_error(tunnel):
    with pytest.raises(UserError, match="cover all addresses, as those of a VPN do"):
        forbidden_prefixes(tunnel)
