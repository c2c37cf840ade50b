"""Attempts of a taken-over client to reach what it must not reach, and what it must reach.

    python -m tests.testbed.attempts NAME...

makes all of these attempts at once and prints those that were answered, as JSON. The addresses are those of
tests/testbed/internet.py. An attempt that needs no answer is marked by its number (tests/testbed/targets.py).
"""

import json
import socket
import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

TIMEOUT_S = 1.5
CLIENT, OTHER_CLIENT = "198.18.1.2", "198.18.2.2"
ROUTER, OTHER_ROUTER = "198.18.1.10", "198.18.2.10"
MACHINE, WEB, NAMES = "203.0.113.2", "198.51.100.80", "198.51.100.53"
LAN_HOST, LAN_MACHINE, VPN_HOST, POLICY_HOST = "192.0.2.9", "192.0.2.1", "198.51.100.200", "192.0.2.200"
METADATA, AZURE, GATEWAY = "169.254.169.254", "168.63.129.16", "203.0.113.1"
PRIVATE = "10.9.9.9"
OF_INTERNET = (
    *(PRIVATE, "172.16.9.9", "192.168.9.9", "100.64.9.9", "100.100.100.200", METADATA, "169.254.9.9"),
    *(AZURE, "192.0.0.192", "198.19.9.9", "240.9.9.9", "203.0.113.7"),
)
"""Addresses on the test Internet beside those of its public servers."""

NAMES_OF = {
    "private.example": PRIVATE,
    "metadata.example": METADATA,
    "azure.example": AZURE,
    "machine.example": MACHINE,
    "lan.example": LAN_HOST,
    "vpn.example": VPN_HOST,
    "loopback.example": "127.0.0.1",
    "trial.example": OTHER_ROUTER,
    "resolver.example": NAMES,
}
"""Names on the test Internet whose address is not public."""


@dataclass(frozen=True)
class Attempt:
    """One attempt: a kind of packet, and where it goes.

    `by_machine` says that the machine refuses it even if nothing in the trial does.
    """

    kind: str
    place: str
    port: int = 0
    by_machine: bool = False

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{self.kind} {self.place}" + (f" {self.port}" if self.port else "")

    @property
    def mark(self) -> bytes:
        """What its packets contain."""
        return b"attempt/%d/" % NUMBERS[self]


_OWN = [MACHINE, LAN_MACHINE, "10.8.0.1"]
_ELSEWHERE = [LAN_HOST, VPN_HOST, POLICY_HOST, "10.8.0.2"]
REFUSED = [
    *[Attempt("tcp", place, 80) for place in OF_INTERNET],
    *[Attempt("tcp", place, 80, by_machine=True) for place in (*_OWN, *_ELSEWHERE)],
    *[Attempt("tcp", place, 443) for place in (PRIVATE, AZURE, GATEWAY, NAMES)],
    *[Attempt("tcp", place, 80) for place in (ROUTER, OTHER_CLIENT, OTHER_ROUTER, GATEWAY)],
    *[Attempt("tcp", ROUTER, port) for port in (22, 443, 8080)],
    Attempt("tcp", "198.18.0.53", 80),
    *[Attempt("tcp", WEB, port) for port in (22, 25, 8080)],
    Attempt("tcp", NAMES, 53),
    *[Attempt("mapped", place, 80) for place in (PRIVATE, MACHINE, AZURE, "203.0.113.7", LAN_HOST)],
    *[Attempt("udp", place, 443) for place in (PRIVATE, METADATA, AZURE, GATEWAY, ROUTER, OTHER_CLIENT)],
    *[Attempt("udp", place, 443, by_machine=True) for place in (MACHINE, LAN_HOST, VPN_HOST)],
    *[Attempt("udp", WEB, port) for port in (53, 3478, 8443)],
    *[Attempt("udp", NAMES, 53), Attempt("udp", ROUTER, 3478)],
    Attempt("udp", "198.18.0.53", 443),
    *[Attempt("udp", place, 443) for place in ("255.255.255.255", "224.0.0.251", "239.255.255.250")],
    *[Attempt("ping", place) for place in (WEB, PRIVATE, ROUTER)],
    Attempt("ping", MACHINE, by_machine=True),
    *[Attempt("protocol-47", WEB), Attempt("protocol-132", WEB)],
    *[Attempt("tcp", place, 80) for place in ("fd00:2::9", "2001:db8::1", "2001:db8:1::1")],
    *[Attempt("tcp", place, 80, by_machine=True) for place in ("2001:db8::2", "2001:db8:2::2")],
    *[Attempt("udp", place, 443) for place in ("2001:db8::1", "2001:db8:1::1")],
    Attempt("udp", "2001:db8:2::2", 443, by_machine=True),
    *[Attempt(f"from-{source}", WEB, 443, by_machine=True) for source in ("203.0.113.77", "198.51.100.81")],
    *[Attempt(f"from-{source}", WEB, 443) for source in (OTHER_CLIENT, ROUTER)],
    *[Attempt("fragments", WEB, 8443), Attempt("fragments", PRIVATE, 443), Attempt("fragment", WEB, 443)],
    *[Attempt("name", name) for name in NAMES_OF],
    Attempt("name", "six.example"),
]
"""Every one is refused by the client's own firewall and, without that, by its router."""

ALLOWED = [
    *[Attempt("tcp", place, 80) for place in (WEB, "files.example")],
    *[Attempt("udp", WEB, 443), Attempt("mapped", WEB, 80)],
    *[Attempt("tcp", WEB, 443), Attempt("tcp", "198.18.0.53", 53)],
]
NUMBERS = {attempt: number for number, attempt in enumerate(REFUSED + ALLOWED)}
BY_NAME = {attempt.name: attempt for attempt in NUMBERS}


def is_answered(attempt: Attempt) -> bool:
    """Make an attempt."""
    kinds = {"tcp": _tcp, "mapped": _mapped, "udp": _udp, "ping": _ping, "name": _name}
    with suppress(OSError):
        if attempt.kind in kinds:
            return kinds[attempt.kind](attempt)
        _send_crafted(attempt)
    return False


def _tcp(attempt: Attempt) -> bool:
    socket.create_connection((attempt.place, attempt.port), timeout=TIMEOUT_S).close()
    return True


def _mapped(attempt: Attempt) -> bool:
    """An IPv4 address written as an IPv6 address."""
    with socket.socket(socket.AF_INET6) as connection:
        connection.settimeout(TIMEOUT_S)
        connection.connect((f"::ffff:{attempt.place}", attempt.port))
    return True


def _udp(attempt: Attempt) -> bool:
    family = socket.AF_INET6 if ":" in attempt.place else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as sender:
        sender.settimeout(TIMEOUT_S)
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        sender.sendto(attempt.mark, (attempt.place, attempt.port))
        return attempt.mark in sender.recv(2048)


def _ping(attempt: Attempt) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as sender:
        sender.settimeout(TIMEOUT_S)
        echo = struct.pack("!BBHHH", 8, 0, 0, NUMBERS[attempt], 0) + attempt.mark
        sender.sendto(echo[:2] + _checksum(echo) + echo[4:], (attempt.place, 0))
        while True:
            answer = sender.recv(2048)
            if answer[20] == 0 and attempt.mark in answer:
                return True


def _name(attempt: Attempt) -> bool:
    return bool(socket.getaddrinfo(attempt.place, 80))


def _send_crafted(attempt: Attempt) -> None:
    """Send an IP packet, or fragments of one, that an ordinary socket does not send."""
    datagram = struct.pack("!HHHH", 9999, attempt.port, 8 + 32, 0) + attempt.mark.ljust(32)
    match attempt.kind.split("-"):
        case ["from", source]:
            parts = [(17, source, 0, datagram)]
        case ["protocol", number]:
            parts = [(int(number), CLIENT, 0, datagram)]
        case ["fragment"]:
            parts = [(17, CLIENT, 1, datagram[8:])]
        case _:
            parts = [(17, CLIENT, 0x2000, datagram[:8]), (17, CLIENT, 1, datagram[8:])]
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as sender:
        for protocol, source, fragment, payload in parts:
            addresses = socket.inet_aton(source) + socket.inet_aton(attempt.place)
            fields = (0x45, 0, 20 + len(payload), 1000 + NUMBERS[attempt], fragment, 64, protocol, 0)
            sender.sendto(struct.pack("!BBHHHBBH", *fields) + addresses + payload, (attempt.place, 0))


def _checksum(packet: bytes) -> bytes:
    """The Internet checksum (RFC 1071)."""
    words = struct.unpack(f"!{(len(packet) + 1) // 2}H", packet + b"\0" * (len(packet) % 2))
    total = sum(words)
    total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", ~(total + (total >> 16)) & 0xFFFF)


if __name__ == "__main__":
    chosen = [BY_NAME[name] for name in sys.argv[1:]]
    with ThreadPoolExecutor(len(chosen)) as pool:
        answered = pool.map(is_answered, chosen)
    print(json.dumps([attempt.name for attempt, found in zip(chosen, answered, strict=True) if found]))
