"""Observations of host names in a capture of handshakes, dissected by tshark through pyshark."""

import asyncio
import ipaddress
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import pyshark
from pyshark.capture.capture import TSharkCrashException
from pyshark.tshark.tshark import TSharkNotFoundException

from scripts.base.errors import UserError
from scripts.extract.name_observation import KnownBy, NameObservation

# Packets that an ICMP error quotes are excluded.
WANTED = (
    "(tls.handshake.extensions_server_name or (http.request and http.host) or "
    "(dns.flags.response == 1 and dns.count.answers > 0)) and not icmp and not icmpv6"
)

# A name may be spread over several packets, which may arrive out of order.
PREFERENCES = {
    "tcp.desegment_tcp_streams": "TRUE",
    "tcp.reassemble_out_of_order": "TRUE",
    "tls.desegment_ssl_records": "TRUE",
    "quic.reassemble_crypto_out_of_order": "TRUE",
    "http.desegment_headers": "TRUE",
}
PROTOCOLS = {"tcp": 6, "udp": 17}
A, AAAA = "1", "28"
NAME_FIELDS: dict[KnownBy, str] = {"sni": "tls.handshake.extensions_server_name", "http": "http.host"}

# Letters, digits, hyphens, dots, and underscores, which some names have. A client may send anything.
HOST_NAME = re.compile(r"[a-z0-9_-][a-z0-9._-]{0,252}")


class Field(Protocol):
    """One value of a field, as pyshark gives it."""

    show: str


class FieldValues(Protocol):
    """All values of a field in a layer, as pyshark gives them."""

    all_fields: Sequence[Field]


class Layer(Protocol):
    """One layer of a packet, as pyshark gives it."""

    layer_name: str

    def get_field(self, name: str) -> FieldValues | None:
        """The values of a field; None if the layer does not have it."""


class Packet(Protocol):
    """A dissected packet, as pyshark gives it."""

    sniff_timestamp: str
    layers: Sequence[Layer]


def observations(path: Path, broken: bool) -> list[NameObservation]:
    """All observations in a capture, in the order of its packets.

    Args:
        path: the capture, in any format that tshark reads.
        broken: whether the end of the capture is missing or damaged. Then tshark may fail at the damage, and
            the observations before it are returned.

    Raises:
        UserError: tshark is not installed, or it failed on a capture that is not broken. The message contains
            tshark's own.
    """
    names: list[NameObservation] = []
    try:
        _for_each_packet(path, lambda packet: names.extend(_observations_in(packet)))
    except TSharkNotFoundException:
        raise UserError("tshark: is not installed; run make setup") from None
    except TSharkCrashException as error:
        if not broken:
            raise UserError(f"{path}: tshark cannot dissect it: {error}") from None
    return names


def _for_each_packet(path: Path, take: Callable[[Packet], None]) -> None:
    """Run tshark over the capture and call `take` with every packet that may contain a name."""
    loop = asyncio.new_event_loop()
    try:
        capture = _Capture(
            str(path), keep_packets=False, display_filter=WANTED, override_prefs=PREFERENCES, eventloop=loop
        )
        capture.apply_on_packets(take)
    finally:
        loop.close()


class _Capture(pyshark.FileCapture):  # type: ignore[misc]
    """A capture that waits for tshark to end, and fails if its exit status is not 0.

    pyshark kills tshark after its last packet, so that the exit status depends on timing. It also loses the
    error message of a tshark that fails at once.
    """

    def _created_new_process(self, parameters: list[str], process: asyncio.subprocess.Process) -> None:
        self._running_processes.add(process)

    async def _cleanup_subprocess(self, process: asyncio.subprocess.Process) -> None:
        if not self._eof_reached:
            await super()._cleanup_subprocess(process)
            return
        self._running_processes.discard(process)
        if await process.wait() != 0:
            await asyncio.gather(*self._stderr_handling_tasks)
            raise TSharkCrashException(self._last_error_line)


def _observations_in(packet: Packet) -> Iterator[NameObservation]:
    """The observations in one packet."""
    time_ns = _nanoseconds(packet.sniff_timestamp)
    ends = _ends(packet)
    for layer in packet.layers:
        for known_by, field in NAME_FIELDS.items():
            for value in _values(layer, field):
                host = _host(value)
                if host is not None:
                    yield NameObservation(time_ns, known_by, host, *ends)
        if layer.layer_name == "dns":
            yield from _answers(layer, time_ns, client=ends[3])


def _answers(message: Layer, time_ns: int, client: str) -> Iterator[NameObservation]:
    """The addresses in the answer section, each with the name in the question, not with its alias."""
    questions = [_host(name) for name in _values(message, "dns.qry.name")]
    if len(questions) != 1 or questions[0] is None:
        return
    addresses = {A: iter(_values(message, "dns.a")), AAAA: iter(_values(message, "dns.aaaa"))}
    answers = int(_values(message, "dns.count.answers")[0])
    for kind in _values(message, "dns.resp.type")[:answers]:
        if kind in addresses:
            address = next(addresses[kind], None)
            if address is None:  # the record lacks its address; the message is damaged from here on
                return
            yield NameObservation(time_ns, "dns", questions[0], None, client, None, _address(address), None)


def _ends(packet: Packet) -> tuple[int, str, int, str, int]:
    """Protocol, then address and port of the sender and of the receiver, in the outermost headers."""
    network = next(layer for layer in packet.layers if layer.layer_name in ("ip", "ipv6"))
    transport = next(layer for layer in packet.layers if layer.layer_name in PROTOCOLS)
    source, destination = (_address(_values(network, name)[0]) for name in ("src", "dst"))
    source_port, destination_port = (int(_values(transport, name)[0]) for name in ("srcport", "dstport"))
    return PROTOCOLS[transport.layer_name], source, source_port, destination, destination_port


def _values(layer: Layer, name: str) -> list[str]:
    """All values of a field in a layer, in their order."""
    fields = layer.get_field(name)
    return [] if fields is None else [field.show for field in fields.all_fields]


def _host(text: str) -> str | None:
    """A host name in lower case and without a port; None if the text is not a host name."""
    name = re.sub(r":\d+$", "", text.strip()).rstrip(".").lower()
    return name if HOST_NAME.fullmatch(name) else None


def _address(text: str) -> str:
    return str(ipaddress.ip_address(text))


def _nanoseconds(epoch: str) -> int:
    seconds, _, fraction = epoch.partition(".")
    return int(seconds) * 1_000_000_000 + int(fraction.ljust(9, "0")[:9])
