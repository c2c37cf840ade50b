"""Makes datagrams and segments that contain host names, byte by byte."""

import ipaddress
import struct

from tests.extract.synthetic import ethernet, ipv4

A, CNAME, AAAA = 1, 5, 28


def host(name: str) -> bytes:
    """A host name in the format of DNS (RFC 1035, 3.1)."""
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def record(owner: str, kind: int, value: str) -> bytes:
    """A resource record with an address, or for CNAME with a name."""
    data = host(value) if kind == CNAME else ipaddress.ip_address(value).packed
    return host(owner) + struct.pack(">HHIH", kind, 1, 60, len(data)) + data


def dns(question: str, answers: list[bytes], additional: list[bytes] | None = None) -> bytes:
    """A DNS response to one question."""
    more = additional or []
    head = struct.pack(">HHHHHH", 7, 0x8180, 1, len(answers), 0, len(more))
    return head + host(question) + struct.pack(">HH", A, 1) + b"".join(answers + more)


def datagram(up: bool, service_port: int, content: bytes, client_port: int = 41000) -> bytes:
    """An Ethernet frame with UDP between the first client and its service."""
    ports = (client_port, service_port) if up else (service_port, client_port)
    head = struct.pack(">HHHH", *ports, 8 + len(content), 0)
    return ethernet(up, 0x0800, ipv4(up, 17, head + content))


def segment(up: bool, service_port: int, seq: int, content: bytes, client_port: int = 40000) -> bytes:
    """An Ethernet frame with TCP between the first client and its service."""
    ports = (client_port, service_port) if up else (service_port, client_port)
    head = struct.pack(">HHIIBBHHH", *ports, seq, 1, 5 << 4, 0x18, 500, 0, 0)
    return ethernet(up, 0x0800, ipv4(up, 6, head + content))


def client_hello(name: str) -> bytes:
    """A TLS record with a ClientHello for this server name (RFC 8446, 4.1.2; RFC 6066, 3)."""
    entry = b"\0" + struct.pack(">H", len(name)) + name.encode()
    server_name = struct.pack(">HHH", 0, len(entry) + 2, len(entry)) + entry
    padding = struct.pack(">HH", 21, 1800) + bytes(1800)
    extensions = padding + server_name
    body = b"\x03\x03" + bytes(32) + b"\0" + struct.pack(">HH", 2, 0x1301) + b"\x01\0"
    body += struct.pack(">H", len(extensions)) + extensions
    message = b"\x01" + struct.pack(">I", len(body))[1:] + body
    return b"\x16\x03\x01" + struct.pack(">H", len(message)) + message
