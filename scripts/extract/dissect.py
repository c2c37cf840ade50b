"""The packets of a handshakes capture that name something, dissected by tshark through pyshark."""

import asyncio
import ipaddress
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyshark
from pyshark.capture.capture import TSharkCrashException
from pyshark.tshark.tshark import TSharkNotFoundException

from scripts.base.errors import UserError
from scripts.extract.name_observation import NameObservation

# A packet quoted in an ICMP error is not that packet.
WANTED = (
    "(tls.handshake.extensions_server_name or (http.request and http.host) or "
    "(dns.flags.response == 1 and dns.count.answers > 0)) and not icmp and not icmpv6"
)

# What names a flow may be spread over packets, and these may have overtaken each other.
PREFERENCES = {
    "tcp.desegment_tcp_streams": "TRUE",
    "tcp.reassemble_out_of_order": "TRUE",
    "tls.desegment_ssl_records": "TRUE",
    "quic.reassemble_crypto_out_of_order": "TRUE",
    "http.desegment_headers": "TRUE",
}
PORTS = {"tcp": 6, "udp": 17}
A, AAAA = "1", "28"

# Letters, digits, hyphens, dots, and the underscore that some use; nothing else of what a client may send.
HOST_NAME = re.compile(r"[a-z0-9_-][a-z0-9._-]{0,252}")


def observations(path: Path, broken: bool) -> list[NameObservation]:
    """Everything a capture says of names, in its order.

    Args:
        path: the capture, in any form tshark reads.
        broken: whether its end is missing or damaged: then what stands before is all there is.

    Raises:
        UserError: tshark is not installed, or failed on a capture that is not broken; its own words.
    """
    found: list[NameObservation] = []
    try:
        _each_packet(path, lambda packet: found.extend(_names(packet)))
    except TSharkNotFoundException:
        raise UserError("tshark: is not installed; run make setup") from None
    except TSharkCrashException as error:
        if not broken:
            raise UserError(f"{path}: tshark cannot dissect it: {error}") from None
    return found


def _each_packet(path: Path, take: Callable[[Any], None]) -> None:
    """Run tshark over the capture and call `take` with every packet wanted."""
    loop = asyncio.new_event_loop()
    try:
        capture = _Capture(
            str(path), keep_packets=False, display_filter=WANTED, override_prefs=PREFERENCES, eventloop=loop
        )
        capture.apply_on_packets(take)
    finally:
        loop.close()


class _Capture(pyshark.FileCapture):  # type: ignore[misc]
    """A capture whose tshark ends by itself, and is judged by its exit status and last words.

    pyshark kills it once it has said everything, so that whether it failed depends on who is faster; and the
    words of one that fails at once it does not give.
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


def _names(packet: Any) -> Iterator[NameObservation]:
    """What one packet says."""
    time_ns = _nanoseconds(packet.sniff_timestamp)
    ends = _ends(packet)
    for layer in packet.layers:
        for known_by, field in (("sni", "tls.handshake.extensions_server_name"), ("http", "http.host")):
            for value in _values(layer, field):
                host = _host(value)
                if host is not None:
                    yield NameObservation(time_ns, known_by, host, *ends)
        if layer.layer_name == "dns":
            yield from _answers(layer, time_ns, client=ends[3])


def _answers(message: Any, time_ns: int, client: str) -> Iterator[NameObservation]:
    """The addresses of the answer section, under the name that was asked for (not its aliases)."""
    asked = [_host(name) for name in _values(message, "dns.qry.name")]
    if len(asked) != 1 or asked[0] is None:
        return
    addresses = {A: iter(_values(message, "dns.a")), AAAA: iter(_values(message, "dns.aaaa"))}
    answers = int(_values(message, "dns.count.answers")[0])
    for kind in _values(message, "dns.resp.type")[:answers]:
        if kind in addresses:
            found = next(addresses[kind], None)
            if found is None:  # a record without the address it announces: what follows is no better
                return
            yield NameObservation(time_ns, "dns", asked[0], None, client, None, _address(found), None)


def _ends(packet: Any) -> tuple[int, str, int, str, int]:
    """Protocol, address and port of the sender, then of the receiver: the outermost headers' ones."""
    network = next(layer for layer in packet.layers if layer.layer_name in ("ip", "ipv6"))
    transport = next(layer for layer in packet.layers if layer.layer_name in PORTS)
    source, destination = (_address(network.get_field(name)) for name in ("src", "dst"))
    source_port, destination_port = (int(transport.get_field(name)) for name in ("srcport", "dstport"))
    return PORTS[transport.layer_name], source, source_port, destination, destination_port


def _values(layer: Any, name: str) -> list[str]:
    """All values of a field in a layer, in their order."""
    found = layer.get_field(name)
    return [] if found is None else [field.show for field in found.all_fields]


def _host(text: str) -> str | None:
    """A host name without port and in small letters; None if it is none."""
    name = re.sub(r":\d+$", "", text.strip()).rstrip(".").lower()
    return name if HOST_NAME.fullmatch(name) else None


def _address(text: str) -> str:
    return str(ipaddress.ip_address(str(text)))


def _nanoseconds(epoch: str) -> int:
    seconds, _, fraction = epoch.partition(".")
    return int(seconds) * 1_000_000_000 + int(fraction.ljust(9, "0")[:9])
