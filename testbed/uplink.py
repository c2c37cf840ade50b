"""The machine's uplink to the Internet, which a trial with live services uses.

    python -m testbed.uplink DEVICE

is internal: `lend_uplink` starts it before such a trial, and it ends after the process that started it, also
after a SIGKILL. It runs in the machine's network namespace. Meanwhile the machine forwards the packets of the
trial's cables (testbed/router.py) under its own address. It forwards no other packets that it did not forward
before, and it drops packets of a trial for the machine itself. At its end it restores the machine's settings.
"""

import ipaddress
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError
from scripts.base.records import from_json

PROGRAMS = {"nft": "nftables", "dnsmasq": "dnsmasq-base"}
CABLE = "ifo-u-"
"""The prefix of the machine's interfaces to the trial's cables."""

ADDRESSES = "198.18.0.0/15"
"""The network of every trial's hosts (testbed/hosts.py)."""

ETHERNET_MTU = 1500
"""The MTU of the trial's own links."""

TABLE = "observatory"
RESOLVERS = (Path("/etc/resolv.conf"), Path("/run/systemd/resolve/resolv.conf"))
"""Files that name a machine's resolvers. The second counts if the first names one within the machine."""

_RULES = """
table ip {table} {{
    chain arriving {{
        type filter hook input priority 0
        iifname "{cable}*" drop
    }}
    chain leaving {{
        type nat hook postrouting priority 100
        ip saddr {addresses} oifname != "{cable}*" masquerade
    }}
    chain inwards {{
        type filter hook forward priority 0
        oifname "{cable}*" ct state new,invalid drop
    }}
}}
"""
_ONLY_TRIALS = """
table ip {table} {{
    chain only_trials {{
        type filter hook forward priority 1
        iifname != "{cable}*" oifname != "{cable}*" drop
    }}
}}
"""
"""Added on a machine that did not forward packets before."""


@dataclass(frozen=True)
class Uplink:
    """The machine's uplink as a trial needs it."""

    network: int
    """A descriptor of the machine's network namespace."""

    mtu: int
    addresses: tuple[str, ...]
    resolvers: tuple[str, ...]


@dataclass(frozen=True)
class _IpAddress:
    """An address of an interface, as ip(8) lists it."""

    local: str


@dataclass(frozen=True)
class _IpEntry:
    """The keys of a route or an interface that are read here, as `ip -json` prints them."""

    dev: str = ""
    mtu: int = 0
    addr_info: tuple[_IpAddress, ...] = ()


@contextmanager
def lend_uplink() -> Iterator[Uplink]:
    """Open the machine's uplink for a trial while the block runs.

    Raises:
        UserError: there is no uplink, or this user is not root.
    """
    if os.geteuid() != 0:
        raise UserError(
            "a trial with live services needs root to forward its packets to the Internet; run as root"
        )
    device = _device()
    mtu = min(_ip("link", "show", "dev", device)[0].mtu, ETHERNET_MTU)
    resolvers = _resolvers()
    network = os.open("/proc/self/ns/net", os.O_RDONLY)
    # In its own session, so that it survives a signal to this one and restores the settings.
    keeper = subprocess.Popen(
        [sys.executable, "-m", "testbed.uplink", device],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert keeper.stdin is not None and keeper.stdout is not None
    try:
        if keeper.stdout.readline() != b"ready\n":
            raise UserError(
                f"{device}: forwarding for the trial could not be set up; see the error before this one"
            )
        yield Uplink(network, mtu, _addresses(), resolvers)
    finally:
        keeper.stdin.close()
        keeper.wait()
        keeper.stdout.close()
        os.close(network)


def _device() -> str:
    """The interface of the default route."""
    routes = _ip("-4", "route", "show", "default")
    if not routes:
        raise UserError("this machine has no default route, so live services cannot be reached; connect it")
    return routes[0].dev


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


def forward_until_stdin_ends(device: str) -> None:
    """Make the machine forward for a trial until standard input ends, then restore its settings.

    If the table exists already, an earlier process like this one was killed. Then this one restores the
    settings from before that process.
    """
    forwarding = Path(f"/proc/sys/net/ipv4/conf/{device}/forwarding")
    left_over = _nft(f"list chain ip {TABLE} only_trials") == 0
    before = "0" if left_over else forwarding.read_text(encoding="ascii").strip()
    _nft(f"delete table ip {TABLE}")
    values = {"table": TABLE, "cable": CABLE, "addresses": ADDRESSES}
    rules = _RULES + (_ONLY_TRIALS if before == "0" else "")
    subprocess.run(["nft", "-f", "-"], input=rules.format(**values), text=True, check=True)
    try:
        forwarding.write_text("1", encoding="ascii")
        print("ready", flush=True)
        sys.stdin.read()
    finally:
        forwarding.write_text(before, encoding="ascii")
        _nft(f"delete table ip {TABLE}")


def _nft(command: str) -> int:
    """Run a command that may fail because there is nothing to do; return its exit status."""
    return subprocess.run(["nft", command], capture_output=True, check=False).returncode


if __name__ == "__main__":
    parser = parser_of("testbed.uplink", __doc__)
    parser.add_argument("device", help="the interface of the default route")
    forward_until_stdin_ends(parser.parse_args().device)
