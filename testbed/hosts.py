"""The hosts of a trial: network namespaces, one for every client and one for its service's side."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from testbed.namespaces import inside

INTERFACE = "eth0"
SOCKET_BUFFER_BYTES = 64 * 1024 * 1024
TRANSMIT_QUEUE_PACKETS = 10_000
DNS_ADDRESS = "198.18.0.53"
"""Where every client asks for names: its own service's side answers (testbed/name_server.py)."""

SYSCTLS = {
    "net.ipv4.tcp_rmem": f"4096 {SOCKET_BUFFER_BYTES} {SOCKET_BUFFER_BYTES}",
    "net.ipv4.tcp_wmem": f"4096 131072 {SOCKET_BUFFER_BYTES}",
    "net.ipv4.tcp_no_metrics_save": "1",
    "net.ipv6.conf.all.disable_ipv6": "1",
}
"""Buffers so large that the congestion window is the limit; no memory of earlier connections; nothing
on the link that no service sent (IPv6 would announce itself)."""


BUFFER_LIMITS = ("net.core.rmem_max", "net.core.wmem_max")
"""How large a buffer a program may ask for by itself: of the whole machine, not of a namespace, and some
kernels show it in none."""


@dataclass(frozen=True)
class Host:
    """One network namespace with its address on the dumbbell.

    A service's side may have `names`: the first is that of `address`, every other has an address of its own.
    Where `cca` is given, all its TCP connections use that congestion control.
    """

    name: str
    address: str
    mac: str
    names: tuple[str, ...] = ()
    cca: str | None = None

    @property
    def addresses(self) -> list[str]:
        """All addresses: one, or one for each name."""
        network, first = self.address.rsplit(".", 1)
        return [f"{network}.{int(first) + number}" for number in range(max(1, len(self.names)))]

    @property
    def netns(self) -> Path:
        """The file that names the namespace."""
        return Path("/run/netns") / self.name

    def command(self, *argv: str) -> list[str]:
        """`argv` as a command that runs on this host."""
        return ["ip", "netns", "exec", self.name, *argv]

    def start(self, *argv: str, log: IO[bytes]) -> subprocess.Popen[bytes]:
        """Start a program on this host; its output goes to `log`."""
        return subprocess.Popen(self.command(*argv), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def output(self, *argv: str) -> str:
        """Run a program on this host and return what it printed."""
        return subprocess.run(self.command(*argv), check=True, stdout=subprocess.PIPE, text=True).stdout

    def python(self, *argv: str) -> list[str]:
        """The words of a command that runs a module of this project, to be given to `start`."""
        return [sys.executable, "-m", *argv]


def client_host(number: int) -> Host:
    """The client c<number>; addresses are of RFC 2544's benchmarking block 198.18.0.0/15."""
    return Host(f"client-c{number}", f"198.18.{number}.2", f"02:00:00:00:{number:02x}:02")


def service_host(number: int, names: Sequence[str] = (), cca: str | None = None) -> Host:
    """The service's side of client c<number>."""
    return Host(
        f"service-c{number}", f"198.18.{number}.10", f"02:00:00:00:{number:02x}:0a", tuple(names), cca
    )


def sysctls_in_effect(host: Host) -> dict[str, str]:
    """What the host's kernel says of SYSCTLS, and of BUFFER_LIMITS where the namespace has them."""
    with inside(host.netns):
        files = {key: Path("/proc/sys") / key.replace(".", "/") for key in (*SYSCTLS, *BUFFER_LIMITS)}
        return {key: " ".join(path.read_text().split()) for key, path in files.items() if path.exists()}


def make_hosts(
    pairs: list[tuple[Host, Host]], make_interface: Callable[[Host], None], ecn: bool = False
) -> None:
    """Make the namespaces of every (client, service) with an interface, and tell the two of each other.

    `make_interface` makes INTERFACE in a host's namespace. Neighbours are permanent, so that no ARP is on the
    link. With `ecn` their TCP asks for ECN (RFC 3168), which a queue can then mark instead of dropping.
    """
    settings = SYSCTLS | ({"net.ipv4.tcp_ecn": "1"} if ecn else {})
    for one, other in [*pairs, *[(service, client) for client, service in pairs]]:
        subprocess.run(["ip", "netns", "add", one.name], check=True)
        subprocess.run(
            one.command("sysctl", "-qw", *[f"{key}={value}" for key, value in settings.items()]), check=True
        )
        make_interface(one)
        _plug_in(one, other)
    for client, service in pairs:
        if service.names:
            answer_for_names(client, service)


def answer_for_names(client: Host, service: Host) -> None:
    """Give the service's side the address where its client asks for names."""
    _ip(service, [f"address add {DNS_ADDRESS}/32 dev lo"])
    _ip(client, [f"route add {DNS_ADDRESS} dev {INTERFACE}", _neighbour(DNS_ADDRESS, service)])


def _plug_in(one: Host, other: Host) -> None:
    """Give a host its addresses, and the way to the other."""
    network = one.address.rsplit(".", 1)[0] + ".0/24"
    # The sysctl of a namespace does not take every controller; the route does, for all that it carries.
    controller = f" congctl {one.cca}" if one.cca else ""
    _ip(
        one,
        [
            "link set lo up",
            f"link set {INTERFACE} address {one.mac} txqueuelen {TRANSMIT_QUEUE_PACKETS} up",
            *[f"address add {address}/24 dev {INTERFACE} noprefixroute" for address in one.addresses],
            f"route add {network} dev {INTERFACE} src {one.address}{controller}",
            *[_neighbour(address, other) for address in other.addresses],
        ],
    )


def _neighbour(address: str, host: Host) -> str:
    return f"neighbour add {address} lladdr {host.mac} nud permanent dev {INTERFACE}"


def _ip(host: Host, commands: list[str]) -> None:
    batch = "\n".join(commands) + "\n"
    subprocess.run(["ip", "-n", host.name, "-batch", "-"], check=True, text=True, input=batch)
