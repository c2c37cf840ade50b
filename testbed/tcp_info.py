"""The kernel's counters of its TCP connections, as `ss -tin` prints them, read by sock_diag(7)."""

import os
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from scripts.base.errors import UserError

NETLINK_SOCK_DIAG = 4
SOCK_DIAG_BY_FAMILY = 20
NLM_F_REQUEST_DUMP = 0x301
NLMSG_ERROR, NLMSG_DONE = 2, 3
INET_DIAG_INFO, INET_DIAG_VEGASINFO, INET_DIAG_CONG, INET_DIAG_BBRINFO = 2, 3, 4, 16
RECEIVE_BYTES = 1 << 18
INFINITE_SSTHRESH = 0x7FFFFFFF

# Established, both FIN-WAITs, CLOSE-WAIT, LAST-ACK and CLOSING (the numbers of linux/tcp_states.h):
# connections that may still have data to send or to be acknowledged.
STATES = sum(1 << state for state in (1, 4, 5, 8, 9, 11))

HEAD = struct.Struct("=IHHII")
REQUEST = struct.Struct("=BBBBI48x")
ATTRIBUTE = struct.Struct("=HH")
MESSAGE_BYTES = 72

# Format and offset of the fields of struct tcp_info (linux/tcp.h). New kernels add fields at its end only.
COUNTERS = {
    "snd_mss_bytes": ("I", 16),
    "srtt_us": ("I", 68),
    "ssthresh_packets": ("I", 76),
    "cwnd_packets": ("I", 80),
    "pacing_rate_bytes_per_s": ("Q", 104),
    "bytes_acked": ("Q", 120),
    "min_rtt_us": ("I", 148),
    "delivery_rate_bytes_per_s": ("Q", 160),
    "busy_us": ("Q", 168),
    "rwnd_limited_us": ("Q", 176),
    "sndbuf_limited_us": ("Q", 184),
    "bytes_sent": ("Q", 200),
    "bytes_retransmitted": ("Q", 208),
    "snd_wnd_bytes": ("I", 228),
}
INFO_BYTES = 232
UNLIMITED = 1 << 63
"""A pacing rate from here on means no limit. It would not fit a signed number."""

BBR_INFO = struct.Struct("=5I")
BBR_UNIT = 256
"""The gains of struct tcp_bbr_info count in such parts of 1 (net/ipv4/tcp_bbr.c)."""

NO_RTT = 0xFFFFFFFF
"""BBR's estimate of the RTT before its first sample."""

STATE_OF_BBR = (
    "bbr_bandwidth_bytes_per_s",
    "bbr_min_rtt_us",
    "bbr_pacing_gain",
    "bbr_cwnd_gain",
)


@dataclass(frozen=True)
class Connection:
    """One TCP connection.

    Attributes:
        counters: by the names of COUNTERS; None means no limit.
        bbr: by the names of STATE_OF_BBR; None means not known yet. Empty under another congestion control:
            the kernel tells nothing of Cubic and Reno beyond the counters.
    """

    source: str
    source_port: int
    destination: str
    destination_port: int
    cca: str
    counters: dict[str, int | None]
    bbr: dict[str, float | None] = field(default_factory=dict)

    @property
    def bytes_sent(self) -> int:
        """Payload sent so far, retransmissions included."""
        return self.counters["bytes_sent"] or 0

    def columns(self) -> dict[str, str | float | None]:
        """All of it in one mapping: a line of senders.jsonl without time and client."""
        fields = {name: value for name, value in vars(self).items() if name not in ("counters", "bbr")}
        return fields | self.counters | self.bbr


def open_diagnosis() -> socket.socket:
    """A sock_diag socket of the network namespace that this thread is in."""
    return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, NETLINK_SOCK_DIAG)


def connections(diagnosis: socket.socket) -> Iterator[Connection]:
    """Every TCP connection over IPv4.

    Whoever asks for INET_DIAG_VEGASINFO gets the state of any congestion control that has some to tell, as an
    attribute of its own kind.

    Args:
        diagnosis: a socket of `open_diagnosis`.

    Raises:
        UserError: the kernel refuses the request.
    """
    wanted = sum(1 << (kind - 1) for kind in (INET_DIAG_INFO, INET_DIAG_VEGASINFO, INET_DIAG_CONG))
    body = REQUEST.pack(socket.AF_INET, socket.IPPROTO_TCP, wanted, 0, STATES)
    diagnosis.send(HEAD.pack(HEAD.size + len(body), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST_DUMP, 1, 0) + body)
    while True:
        answer = diagnosis.recv(RECEIVE_BYTES)
        for kind, content in _messages(answer):
            if kind == NLMSG_DONE:
                return
            if kind == NLMSG_ERROR:
                why = os.strerror(-struct.unpack_from("=i", content)[0])
                raise UserError(
                    f"the kernel does not list TCP connections ({why}); load its module: modprobe tcp_diag"
                )
            yield _connection(content)


def _messages(answer: bytes) -> Iterator[tuple[int, bytes]]:
    """Kind and content of every netlink message."""
    position = 0
    while position + HEAD.size <= len(answer):
        length, kind = struct.unpack_from("=IH", answer, position)
        yield kind, answer[position + HEAD.size : position + length]
        position += length + 3 & ~3


def _connection(content: bytes) -> Connection:
    """One struct inet_diag_msg (linux/inet_diag.h) with its attributes."""
    source_port, destination_port = struct.unpack_from(">HH", content, 4)
    source, destination = (socket.inet_ntoa(content[start : start + 4]) for start in (8, 24))
    attributes = dict(_attributes(content[MESSAGE_BYTES:]))
    info = attributes.get(INET_DIAG_INFO, b"").ljust(INFO_BYTES, b"\0")
    counters: dict[str, int | None] = {
        name: struct.unpack_from(f"={form}", info, offset)[0] for name, (form, offset) in COUNTERS.items()
    }
    for name, unlimited in (("ssthresh_packets", INFINITE_SSTHRESH), ("pacing_rate_bytes_per_s", UNLIMITED)):
        if (counters[name] or 0) >= unlimited:
            counters[name] = None
    cca = attributes.get(INET_DIAG_CONG, b"").rstrip(b"\0").decode()
    bbr = _state_of_bbr(attributes.get(INET_DIAG_BBRINFO))
    return Connection(source, source_port, destination, destination_port, cca, counters, bbr)


def _state_of_bbr(info: bytes | None) -> dict[str, float | None]:
    """The fields of a struct tcp_bbr_info (linux/inet_diag.h); none without one."""
    if info is None:
        return {}
    bandwidth_low, bandwidth_high, min_rtt_us, pacing_gain, cwnd_gain = BBR_INFO.unpack_from(info)
    values = (
        bandwidth_high << 32 | bandwidth_low,
        None if min_rtt_us == NO_RTT else min_rtt_us,
        pacing_gain / BBR_UNIT,
        cwnd_gain / BBR_UNIT,
    )
    return dict(zip(STATE_OF_BBR, values, strict=True))


def _attributes(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Kind and value of every netlink attribute."""
    position = 0
    while position + ATTRIBUTE.size <= len(content):
        length, kind = ATTRIBUTE.unpack_from(content, position)
        yield kind, content[position + ATTRIBUTE.size : position + length]
        position += max(ATTRIBUTE.size, length + 3 & ~3)
