"""The machine's own way to the Internet, lent to a trial with live services and taken back after it.

    python -m testbed.uplink DEVICE

is not for calling by hand: it runs beside such a trial, in the machine's network namespace, from before its
start until the end of whoever started it, however that came. While it runs the machine forwards packets of
the trial's cables (testbed/router.py), under its own address, and nothing else that it did not forward
before; no packet of a trial is for the machine itself.
"""

import ipaddress
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError

PROGRAMS = {"nft": "nftables", "dnsmasq": "dnsmasq-base"}
CABLE = "ifo-u-"
"""How the machine's ends of the trial's cables begin."""

ADDRESSES = "198.18.0.0/15"
"""Of every trial's hosts (testbed/hosts.py)."""

ETHERNET_MTU = 1500
"""Of the trial's own links."""

TABLE = "observatory"
RESOLVERS = (Path("/etc/resolv.conf"), Path("/run/systemd/resolve/resolv.conf"))
"""Where a machine keeps its resolvers; the second, where the first names a resolver within the machine."""

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
"""For a machine that forwarded nothing before."""


@dataclass(frozen=True)
class Uplink:
    """What a trial must know of the machine."""

    network: int
    """A descriptor of the machine's network namespace."""

    mtu: int
    addresses: tuple[str, ...]
    resolvers: tuple[str, ...]

    def to_json(self) -> str:
        """As a word on a command line."""
        return json.dumps(asdict(self))


@contextmanager
def lent() -> Iterator[Uplink]:
    """The machine's uplink, open for a trial.

    Raises:
        UserError: there is none, or this user may not lend it.
    """
    if os.geteuid() != 0:
        raise UserError("only root can lend a trial with live services the machine's uplink; run as root")
    device = _device()
    mtu = min(int(_ip("link", "show", "dev", device)[0]["mtu"]), ETHERNET_MTU)
    resolvers = _resolvers()
    network = os.open("/proc/self/ns/net", os.O_RDONLY)
    # Of a session of its own, so that it outlives whoever is killed, and puts things back.
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
                f"{device}: the machine's uplink could not be lent to the trial; see the lines before"
            )
        yield Uplink(network, mtu, _addresses(), resolvers)
    finally:
        keeper.stdin.close()
        keeper.wait()
        keeper.stdout.close()
        os.close(network)


def from_json(word: str) -> Uplink:
    """The uplink that `to_json` told of, in a process that has inherited its descriptor."""
    told = json.loads(word)
    return Uplink(told["network"], told["mtu"], tuple(told["addresses"]), tuple(told["resolvers"]))


def _device() -> str:
    """The interface of the default route."""
    routes = _ip("-4", "route", "show", "default")
    if not routes:
        raise UserError("this machine has no default route: live services cannot be reached; connect it")
    return str(routes[0]["dev"])


def _addresses() -> tuple[str, ...]:
    """All IPv4 addresses of this machine."""
    interfaces = _ip("-4", "address", "show")
    return tuple(info["local"] for interface in interfaces for info in interface.get("addr_info", []))


def _resolvers() -> tuple[str, ...]:
    """The machine's name servers that a trial can ask: IPv4, and not within the machine."""
    own = _addresses()
    for path in RESOLVERS:
        words = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
        named = [line[1] for line in words if len(line) > 1 and line[0] == "nameserver"]
        usable = tuple(name for name in named if _outside(name) and name not in own)
        if usable:
            return usable
    raise UserError(
        f"{RESOLVERS[0]}: names no resolver with an IPv4 address outside this machine, which live services "
        "need; add one"
    )


def _outside(address: str) -> bool:
    try:
        return not ipaddress.IPv4Address(address).is_loopback
    except ipaddress.AddressValueError:
        return False


def _ip(*words: str) -> list[dict[str, Any]]:
    done = subprocess.run(["ip", "-json", *words], check=True, stdout=subprocess.PIPE)
    return list(json.loads(done.stdout or "[]"))


def keep(device: str) -> None:
    """Have the machine forward for trials until standard input ends, then put everything back.

    A table that stands there already is of a keeper that was killed: what it would have put back, this does.
    """
    forwarding = Path(f"/proc/sys/net/ipv4/conf/{device}/forwarding")
    ours = _nft(f"list chain ip {TABLE} only_trials") == 0
    before = "0" if ours else forwarding.read_text(encoding="ascii").strip()
    _nft(f"delete table ip {TABLE}")
    words = {"table": TABLE, "cable": CABLE, "addresses": ADDRESSES}
    rules = _RULES + (_ONLY_TRIALS if before == "0" else "")
    subprocess.run(["nft", "-f", "-"], input=rules.format(**words), text=True, check=True)
    try:
        forwarding.write_text("1", encoding="ascii")
        print("ready", flush=True)
        sys.stdin.read()
    finally:
        forwarding.write_text(before, encoding="ascii")
        _nft(f"delete table ip {TABLE}")


def _nft(command: str) -> int:
    """The status of a command that may find nothing to do."""
    return subprocess.run(["nft", command], capture_output=True, check=False).returncode


if __name__ == "__main__":
    keep(sys.argv[1])
