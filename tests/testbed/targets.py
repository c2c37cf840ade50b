"""Hosts that tell whether a packet reached them: TCP and UDP servers, and a record of every marked packet.

    python -m tests.testbed.targets RECORD INTERFACE PORT...

answers at these TCP and UDP ports over IPv4 and IPv6, except at ports where another server answers. Every
mark (`attempt/<number>/`) in a packet that arrives is a line of the file RECORD.
"""

import re
import socket
import struct
import sys
import threading
from contextlib import suppress
from pathlib import Path

GROUPS = ("224.0.0.251", "239.255.255.250")
MARK = re.compile(rb"attempt/\d+/")
ALL_PROTOCOLS = 3
IP_PKTINFO = 8


def record_marks(record: Path, interface: str) -> None:
    """Write the marks of all packets that arrive at the interface."""
    everything = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ALL_PROTOCOLS))
    with record.open("ab", buffering=0) as lines:
        while True:
            packet, (name, _, direction, *_) = everything.recvfrom(65536)
            if name == interface and direction != socket.PACKET_OUTGOING:
                for mark in MARK.findall(packet):
                    lines.write(mark + b"\n")


def accept(family: int, port: int) -> None:
    """Accept TCP connections, one at a time, and answer a request of HTTP."""
    with socket.create_server(("", port), family=family) as server:
        while True:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.settimeout(1)
                if connection.recv(4096):
                    connection.sendall(b"HTTP/1.0 204 No Content\r\n\r\n")


def echo(family: int, interface: str, port: int) -> None:
    """Send UDP packets back, from the address that they were sent to."""
    server = socket.socket(family, socket.SOCK_DGRAM)
    if family == socket.AF_INET6:
        server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    else:
        server.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)
        for group in GROUPS:
            member = struct.pack("4s4si", socket.inet_aton(group), bytes(4), socket.if_nametoindex(interface))
            server.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
    server.bind(("", port))
    while True:
        packet, ancillary, _, sender = server.recvmsg(2048, 64)
        source = [(level, kind, _as_source(data)) for level, kind, data in ancillary]
        with suppress(OSError):
            server.sendmsg([packet], source, 0, sender)


def _as_source(packet_information: bytes) -> bytes:
    """The `struct in_pktinfo` that makes the address of a received packet the source of its answer."""
    _, local, _ = struct.unpack("i4s4s", packet_information)
    return struct.pack("i4s4s", 0, local, bytes(4))


def main(record: str, interface: str, *ports: str) -> None:
    """Serve until killed; see the module's docstring."""
    threads = [threading.Thread(target=record_marks, args=[Path(record), interface])]
    for port in map(int, ports):
        for family in (socket.AF_INET, socket.AF_INET6):
            threads.append(threading.Thread(target=_unless_taken, args=[accept, family, port]))
            threads.append(threading.Thread(target=_unless_taken, args=[echo, family, interface, port]))
    for thread in threads:
        thread.start()


def _unless_taken(serve, *arguments) -> None:
    with suppress(OSError):
        serve(*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
