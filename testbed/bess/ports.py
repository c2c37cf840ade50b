"""How the hosts of a trial are plugged into the daemon: veth pairs, TAP devices, or cables between cards."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

from scripts.base.errors import UserError
from testbed.bess.client import BessClient
from testbed.bess.daemon_settings import Cable, Settings
from testbed.hosts import INTERFACE, Host

RING = "blocksz=65536,framesz=2048,framecnt=8192"
"""Frames the kernel keeps for the daemon while its worker is off the processor (net_af_packet's own 512 are
soon full when a flow starts)."""

_PREFIX = "ifo-"

_OFFLOADS = ["tx", "off", "tso", "off", "gso", "off", "gro", "off"]
"""A veth pair or a card would carry unfinished checksums, and segments larger than the link's."""


class Plugs:
    """Plugs hosts into one daemon; a port has the name of its host."""

    def __init__(self, client: BessClient, settings: Settings) -> None:
        self._client = client
        self.kind = settings.ports if isinstance(settings.ports, str) else "cable"
        self._cables: Iterator[Cable] = iter(() if isinstance(settings.ports, str) else settings.ports)

    def plug(self, host: Host) -> None:
        """Give a host its interface, with a port of the daemon at the other end.

        Raises:
            BessError: the daemon refuses the port.
            UserError: there is no card or cable for it.
        """
        {"veth": self._veth, "tap": self._tap, "cable": self._cable}[self.kind](host)

    def _veth(self, host: Host) -> None:
        name = daemon_interface(host)
        _run("ip", "link", "add", name, "type", "veth", "peer", "name", INTERFACE, "netns", host.name)
        _quieten(name)
        _run("ip", "link", "set", name, "up")
        _without_offloads(host)
        self._client.create_port(host.name, vdev=f"net_af_packet_{name},iface={name},{RING}")

    def _tap(self, host: Host) -> None:
        name = daemon_interface(host)
        self._client.create_port(host.name, vdev=f"net_tap_{name},iface={name}")
        _run("ip", "link", "set", name, "netns", host.name, "name", INTERFACE)

    def _cable(self, host: Host) -> None:
        cable = next(self._cables, None)
        if cable is None:
            raise UserError(f"config/bess.yaml: ports: there is no cable for {host.name}; list one more")
        _run("ip", "link", "set", interface_of(cable.host), "netns", host.name, "name", INTERFACE)
        _without_offloads(host)
        self._client.create_port(host.name, pci=cable.daemon)


def unplug_all(interfaces: Path = Path("/sys/class/net")) -> None:
    """Take away the daemon's ends of virtual cables, and with them the hosts'.

    They would go with the hosts' namespaces, but those wait for what connections still try to send: after a
    SIGKILL for minutes.
    """
    for name in sorted(path.name for path in interfaces.glob(f"{_PREFIX}*")):
        subprocess.run(["ip", "link", "delete", name], stderr=subprocess.DEVNULL, check=False)


def daemon_interface(host: Host) -> str:
    """The name of the daemon's end of a host's cable: short, as interfaces' names must be."""
    return _PREFIX + host.name.replace("client-", "c-").replace("service-", "s-")


def interface_of(pci: str, devices: Path = Path("/sys/bus/pci/devices")) -> str:
    """The kernel's interface of the network card at a PCI address."""
    names = sorted(path.name for path in (devices / pci / "net").glob("*"))
    if not names:
        raise UserError(
            f"config/bess.yaml: ports: {pci} is no network card of the kernel's; `ls {devices}/*/net` lists "
            "those that are"
        )
    return names[0]


def _quieten(interface: str) -> None:
    """Nothing on the link that no host sent: IPv6 would announce itself from the daemon's end."""
    if Path("/proc/sys/net/ipv6").exists():
        _run("sysctl", "-qw", f"net.ipv6.conf.{interface}.disable_ipv6=1")


def _without_offloads(host: Host) -> None:
    _run(*host.command("ethtool", "-K", INTERFACE, *_OFFLOADS))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
