"""The connections of a trial's hosts to the daemon: veth pairs, TAP devices, or cables between cards."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

from scripts.base.errors import UserError
from testbed.bess.client import BessClient
from testbed.bess.daemon_settings import Cable, DaemonSettings
from testbed.hosts import INTERFACE, Host

RING = "blocksz=65536,framesz=2048,framecnt=8192"
"""The frames that the kernel buffers while the daemon's worker is preempted. net_af_packet's default of 512
is too small when a flow starts."""

_PREFIX = "ifo-"

_OFFLOADS = ["tx", "off", "tso", "off", "gso", "off", "gro", "off"]
"""With offloads a veth pair or a card carries unfinished checksums and segments above the MTU."""


class HostPorts:
    """The ports of one daemon, one for each host. A port has the name of its host."""

    def __init__(self, client: BessClient, settings: DaemonSettings) -> None:
        self._client = client
        self.kind = settings.ports if isinstance(settings.ports, str) else "cable"
        self._cables: Iterator[Cable] = iter(() if isinstance(settings.ports, str) else settings.ports)

    def connect(self, host: Host) -> None:
        """Give a host its interface and connect it to a new port of the daemon.

        Raises:
            BessError: the daemon refuses the port.
            UserError: config/bess.yaml lists no card or cable for it.
        """
        {"veth": self._veth, "tap": self._tap, "cable": self._cable}[self.kind](host)

    def _veth(self, host: Host) -> None:
        name = daemon_interface(host)
        _run("ip", "link", "add", name, "type", "veth", "peer", "name", INTERFACE, "netns", host.name)
        _disable_ipv6(name)
        _run("ip", "link", "set", name, "up")
        _disable_offloads(host)
        self._client.create_port(host.name, vdev=f"net_af_packet_{name},iface={name},{RING}")

    def _tap(self, host: Host) -> None:
        name = daemon_interface(host)
        self._client.create_port(host.name, vdev=f"net_tap_{name},iface={name}")
        _run("ip", "link", "set", name, "netns", host.name, "name", INTERFACE)

    def _cable(self, host: Host) -> None:
        cable = next(self._cables, None)
        if cable is None:
            raise UserError(f"config/bess.yaml: ports: lists no cable for {host.name}; add one")
        _run("ip", "link", "set", interface_of(cable.host), "netns", host.name, "name", INTERFACE)
        _disable_offloads(host)
        self._client.create_port(host.name, pci=cable.daemon)


def delete_interfaces(interfaces: Path = Path("/sys/class/net")) -> None:
    """Delete the daemon's ends of veth pairs, and with them the hosts' ends.

    The kernel deletes them with the hosts' namespaces, but after a SIGKILL that can take minutes, because
    open connections still retransmit.
    """
    for name in sorted(path.name for path in interfaces.glob(f"{_PREFIX}*")):
        subprocess.run(["ip", "link", "delete", name], stderr=subprocess.DEVNULL, check=False)


def daemon_interface(host: Host) -> str:
    """The daemon's end of a host's cable. The kernel allows 15 characters for a name."""
    return _PREFIX + host.name.replace("client-", "c-").replace("service-", "s-")


def interface_of(pci: str, devices: Path = Path("/sys/bus/pci/devices")) -> str:
    """The kernel's interface of the network card at a PCI address."""
    names = sorted(path.name for path in (devices / pci / "net").glob("*"))
    if not names:
        raise UserError(
            f"config/bess.yaml: ports: {pci} is not a network card of the kernel; `ls {devices}/*/net` lists "
            "them"
        )
    return names[0]


def _disable_ipv6(interface: str) -> None:
    """Keep IPv6 announcements of the daemon's end off the link."""
    if Path("/proc/sys/net/ipv6").exists():
        _run("sysctl", "-qw", f"net.ipv6.conf.{interface}.disable_ipv6=1")


def _disable_offloads(host: Host) -> None:
    _run(*host.command("ethtool", "-K", INTERFACE, *_OFFLOADS))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
