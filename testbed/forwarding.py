"""What the machine changes for a live trial: one table of nftables, and the forwarding of one interface.

The machine forwards the packets of the trial's cables (testbed/router.py) to its default route and back,
under its own address. Forwarding between its other interfaces stays as it was. The table itself says what was
before, so that `restore` repairs the machine whoever was killed.
"""

import re
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

CABLE = "ifo-u-"
"""The prefix of the machine's interfaces to the trial's cables."""

ADDRESSES = "198.18.0.0/15"
"""The network of every trial's hosts (testbed/hosts.py)."""

TABLE = "inet observatory"
_NEW = "did_not_forward"
"""The chain that exists while an interface forwards that did not forward before."""

_RULES = """
table {table} {{
    chain arriving {{
        type filter hook input priority 0
        iifname "{cable}*" drop
    }}
    chain forwarding {{
        type filter hook forward priority 0
        iifname "{cable}*" jump from_trial
        oifname "{cable}*" ct state new,invalid drop
        oifname "{cable}*" iifname != "{device}" drop
        oifname "{cable}*" meta nfproto ipv6 drop
    }}
    chain from_trial {{
        meta nfproto ipv6 drop
        oifname != "{device}" drop
        ip saddr != {addresses} drop
    }}
    chain leaving {{
        type nat hook postrouting priority 100
        iifname "{cable}*" oifname "{device}" masquerade
    }}
}}
"""
_NEW_RULES = """
table {table} {{
    chain {new} {{
        type filter hook forward priority 1
        iifname "{device}" oifname != "{cable}*" drop
    }}
}}
"""


def forward(device: str) -> None:
    """Forward packets between the trial's cables and the interface of the default route.

    An interface that did not forward before still forwards nothing else.
    """
    switch = _switch(device)
    before = switch.read_text(encoding="ascii").strip()
    rules = _RULES + (_NEW_RULES if before == "0" else "")
    filled = rules.format(table=TABLE, cable=CABLE, addresses=ADDRESSES, device=device, new=_NEW)
    subprocess.run(["nft", "-f", "-"], input=filled, text=True, check=True)
    switch.write_text("1", encoding="ascii")


def restore() -> None:
    """Undo what `forward` and a trial's routers changed, if anything."""
    for _, interface in socket.if_nameindex():
        if interface.startswith(CABLE):
            subprocess.run(["ip", "link", "delete", interface], capture_output=True, check=False)
    device = re.search(r'iifname "([^"]+)"', _nft(f"list chain {TABLE} {_NEW}"))
    if device:
        with suppress(FileNotFoundError):  # The interface is gone.
            _switch(device[1]).write_text("0", encoding="ascii")
    _nft(f"delete table {TABLE}")


def _switch(device: str) -> Path:
    return Path(f"/proc/sys/net/ipv4/conf/{device}/forwarding")


def _nft(command: str) -> str:
    """Run a command that may fail because there is nothing to do; return what it printed.

    A machine without nft has no rules. Only live services need it.
    """
    with suppress(FileNotFoundError):
        return subprocess.run(["nft", command], capture_output=True, check=False, text=True).stdout
    return ""
