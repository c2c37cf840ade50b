"""The firewalls in a live trial: of the router, and as a second line of its client.

The router forwards what the client may send and the replies to it. A third line is the machine's own table
(testbed/forwarding.py).
"""

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

from scripts.base.records import Number
from testbed.hosts import DNS_ADDRESS, INTERFACE, Host
from testbed.uplink import HostUplink

ROUTER_INTERFACE = "uplink0"
WEB_PORTS = (80, 443)
FLOWS = 4
"""A client may move as much as the link carries, so many times: a call has two ends with two directions each.
Only one direction of one end passes the bottleneck."""

AROUND_TRIAL_S = 300
"""The time that a trial may take before and after its duration, for the base RTTs and clients that hang."""

_ROUTER = """
table inet observatory {{
    set forbidden {{ type ipv4_addr; flags interval; elements = {{ {forbidden} }}; }}
    quota allowance {{ over {quota_bytes} bytes }}
    chain arriving {{
        type filter hook input priority 0; policy drop
        meta nfproto ipv6 drop
        iifname "lo" accept
        iifname {inside} ip saddr {client} ip daddr {dns} meta l4proto {{ tcp, udp }} th dport 53 accept
        iifname {outside} jump spend
        iifname {outside} ct state established,related accept
    }}
    chain forwarding {{
        type filter hook forward priority 0; policy drop
        meta nfproto ipv6 drop
        jump spend
        iifname {outside} oifname {inside} ct state established,related accept
        iifname {inside} oifname {outside} ip saddr {client} jump to_internet
    }}
    chain leaving {{
        type filter hook output priority 0; policy drop
        meta nfproto ipv6 drop
        oifname "lo" accept
        oifname {inside} ip saddr {dns} ip daddr {client} meta l4proto {{ tcp, udp }} th sport 53 accept
        oifname {outside} jump spend
        oifname {outside} ip daddr {{ {resolvers} }} meta l4proto {{ tcp, udp }} th dport 53 accept
        oifname {outside} jump to_internet
    }}
    chain spend {{
        meta time > {until_s} drop
        quota name "allowance" drop
    }}
    chain to_internet {{
        ip daddr @forbidden drop
        meta l4proto {{ tcp, udp }} th dport {{ {ports} }} accept
    }}
}}
"""
_CLIENT = """
table inet observatory {{
    set forbidden {{ type ipv4_addr; flags interval; elements = {{ {forbidden} }}; }}
    chain leaving {{
        type filter hook output priority 0; policy drop
        meta nfproto ipv6 drop
        oifname "lo" accept
        ip saddr != {client} drop
        ip daddr {dns} meta l4proto {{ tcp, udp }} th dport 53 accept
        ip daddr @forbidden drop
        meta l4proto {{ tcp, udp }} th dport {{ {ports} }} accept
    }}
}}
"""


@dataclass(frozen=True)
class Allowance:
    """What a client may use the Internet for: destination ports, bytes in both directions, and until when."""

    ports: tuple[int, ...]
    quota_bytes: int
    until_s: int
    """Unix time."""


def allowance(ports: Sequence[int], rate_mbps: Number, duration_s: Number) -> Allowance:
    """The allowance of a client in a trial that begins now; the ports are WEB_PORTS if empty."""
    time_s = duration_s + AROUND_TRIAL_S
    quota_bytes = round(FLOWS * rate_mbps * 1e6 / 8 * time_s)
    return Allowance(tuple(ports or WEB_PORTS), quota_bytes, round(time.time() + time_s))


def set_firewalls(client: Host, router: Host, uplink: HostUplink, allowed: Allowance) -> None:
    """Drop what the client must not send, on the router and on the client itself."""
    values = {
        "client": client.address,
        "dns": DNS_ADDRESS,
        "inside": INTERFACE,
        "outside": ROUTER_INTERFACE,
        "resolvers": ", ".join(uplink.resolvers),
        "forbidden": ", ".join(uplink.forbidden),
        "ports": ", ".join(map(str, allowed.ports)),
        "quota_bytes": allowed.quota_bytes,
        "until_s": allowed.until_s,
    }
    for host, rules in ((router, _ROUTER), (client, _CLIENT)):
        subprocess.run(host.command("nft", "-f", "-"), input=rules.format(**values), text=True, check=True)
