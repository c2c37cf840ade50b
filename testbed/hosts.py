"""The hosts of a trial: network namespaces, one for every client and one for its service's side."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from scripts.base.errors import UserError
from testbed.namespaces import network_namespace

INTERFACE = "eth0"
SOCKET_BUFFER_BYTES = 64 * 1024 * 1024
TRANSMIT_QUEUE_PACKETS = 10_000
DNS_ADDRESS = "198.18.0.53"
"""The name server of every client, on its own service's side (testbed/name_server.py)."""

SYSCTLS = {
    "net.ipv4.tcp_rmem": f"4096 {SOCKET_BUFFER_BYTES} {SOCKET_BUFFER_BYTES}",
    "net.ipv4.tcp_wmem": f"4096 131072 {SOCKET_BUFFER_BYTES}",
    "net.ipv4.tcp_no_metrics_save": "1",
    "net.ipv6.conf.all.disable_ipv6": "1",
    "net.ipv4.ip_unprivileged_port_start": "0",
}
"""Buffers so large that the congestion window is the limit; no metrics kept from earlier connections; no
packets on the link that no service sent (IPv6 sends announcements of its own); servers without privileges may
have any port of their host."""

BUFFER_LIMITS = ("net.core.rmem_max", "net.core.wmem_max")
"""The largest buffer that a program may request. These limits hold for the whole machine, and some kernels do
not show them in a namespace."""


@dataclass(frozen=True)
class Host:
    """One network namespace with its address on the dumbbell.

    A service's side may have `names`: the first belongs to `address`, and every other has its own address.
    If `cca` is given, all TCP connections of the host use that congestion control.
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

    def start(
        self, *argv: str, log: IO[bytes], before: Callable[[], None] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a program on this host; its output goes to `log`. The new process calls `before` first."""
        return subprocess.Popen(
            self.command(*argv), stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=before
        )

    def output(self, *argv: str) -> str:
        """Run a program on this host and return what it printed."""
        return subprocess.run(self.command(*argv), check=True, stdout=subprocess.PIPE, text=True).stdout

    def python(self, *argv: str) -> list[str]:
        """A command for `start` that runs a module of this project."""
        return [sys.executable, "-m", *argv]


def client_host(number: int) -> Host:
    """The client c<number>. Addresses come from RFC 2544's benchmarking block 198.18.0.0/15."""
    return Host(f"client-c{number}", f"198.18.{number}.2", f"02:00:00:00:{number:02x}:02")


def service_host(number: int, names: Sequence[str] = (), cca: str | None = None) -> Host:
    """The service's side of client c<number>."""
    return Host(
        f"service-c{number}", f"198.18.{number}.10", f"02:00:00:00:{number:02x}:0a", tuple(names), cca
    )


def sysctls_in_effect(host: Host) -> dict[str, str]:
    """The values of SYSCTLS that are in effect, and of BUFFER_LIMITS if the namespace shows them."""
    with network_namespace(host.netns):
        files = {key: Path("/proc/sys") / key.replace(".", "/") for key in (*SYSCTLS, *BUFFER_LIMITS)}
        return {key: " ".join(path.read_text().split()) for key, path in files.items() if path.exists()}


def make_hosts(
    pairs: list[tuple[Host, Host]], make_interface: Callable[[Host], None], ecn: bool = False
) -> None:
    """Make the namespaces of every pair (client, service), each with an interface and a route to the other.

    `make_interface` makes INTERFACE in a host's namespace. Neighbour entries are permanent, so that no ARP is
    on the link. With `ecn` TCP negotiates ECN (RFC 3168), and a queue can mark packets instead of dropping.
    """
    settings = SYSCTLS | ({"net.ipv4.tcp_ecn": "1"} if ecn else {})
    for host, peer in [*pairs, *[(service, client) for client, service in pairs]]:
        subprocess.run(["ip", "netns", "add", host.name], check=True)
        subprocess.run(
            host.command("sysctl", "-qw", *[f"{key}={value}" for key, value in settings.items()]), check=True
        )
        make_interface(host)
        _configure_interface(host, peer)
    for client, service in pairs:
        if service.names:
            route_to_name_server(client, service)


def route_to_name_server(client: Host, service: Host) -> None:
    """Give the service's side DNS_ADDRESS, and the client a route to it."""
    _ip(service, [f"address add {DNS_ADDRESS}/32 dev lo"])
    _ip(client, [f"route add {DNS_ADDRESS} dev {INTERFACE}", _neighbour(DNS_ADDRESS, service)])


def _configure_interface(host: Host, peer: Host) -> None:
    """Give a host its addresses and the route to its peer."""
    network = host.address.rsplit(".", 1)[0] + ".0/24"
    # A namespace's sysctl does not accept every congestion control. A route does, for all its connections.
    congestion_control = f" congctl {host.cca}" if host.cca else ""
    _ip(
        host,
        [
            "link set lo up",
            f"link set {INTERFACE} address {host.mac} txqueuelen {TRANSMIT_QUEUE_PACKETS} up",
            *[f"address add {address}/24 dev {INTERFACE} noprefixroute" for address in host.addresses],
            *[_neighbour(address, peer) for address in peer.addresses],
        ],
    )
    try:
        _ip(host, [f"route add {network} dev {INTERFACE} src {host.address}{congestion_control}"])
    except subprocess.CalledProcessError as error:
        raise UserError(
            f"{host.cca}: this machine's kernel has no such congestion control; load its module"
        ) from error


def _neighbour(address: str, host: Host) -> str:
    return f"neighbour add {address} lladdr {host.mac} nud permanent dev {INTERFACE}"


def _ip(host: Host, commands: list[str]) -> None:
    batch = "\n".join(commands) + "\n"
    subprocess.run(["ip", "-n", host.name, "-batch", "-"], check=True, text=True, input=batch)
