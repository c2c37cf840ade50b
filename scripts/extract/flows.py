"""Who sent to whom: the direction of each packet and the flow it belongs to, seen from a known client."""

import ipaddress

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from scripts.extract.headers import Headers, Integers, Mask

DOWN, UP, UNKNOWN = 0, 1, -1

# A flow's key: protocol, IP version, the ports and the addresses, zero behind an IPv4 address.
KEY_BYTES = 38
SOURCE, DESTINATION = slice(6, 22), slice(22, 38)

FLOWS_SCHEMA = pa.schema(
    [
        ("flow", pa.int32()),
        ("client", pa.string()),
        ("protocol", pa.int16()),
        ("source", pa.string()),
        ("source_port", pa.int32()),
        ("destination", pa.string()),
        ("destination_port", pa.int32()),
    ]
)


class ClientSide:
    """Tells packets to a client from packets of it, by its IPv4 address.

    Packets that name other addresses (IPv6, multicast) go by the client's Ethernet address, learnt from
    the first packet it sends under its own IPv4 address.
    """

    def __init__(self, address: str) -> None:
        self._address = int(ipaddress.IPv4Address(address))
        self._ethernet: int | None = None

    def directions(self, headers: Headers) -> NDArray[np.int8]:
        """DOWN, UP or UNKNOWN for each packet."""
        network = headers.network
        named = headers.ipv4 | headers.arp
        sender = headers.u32(network + np.where(headers.arp, 14, 12))
        target = headers.u32(network + np.where(headers.arp, 24, 16))
        up = named & (sender == self._address)
        down = named & (target == self._address) & ~up
        from_client = self._sent_by_client(headers, up)
        unnamed = headers.ethernet & ~up & ~down & (self._ethernet is not None)
        up |= unnamed & from_client
        down |= unnamed & ~from_client
        return np.select([up, down], [UP, DOWN], UNKNOWN).astype(np.int8)

    def _sent_by_client(self, headers: Headers, up: Mask) -> Mask:
        at = headers.packets.start + 6
        source = headers.u16(at) << 32 | headers.u32(at + 2)
        if self._ethernet is None and up.any():
            self._ethernet = int(source[np.argmax(up)])
        sent: Mask = source == (-1 if self._ethernet is None else self._ethernet)
        return sent


class FlowTable:
    """Numbers flows in order of first sight, over the clients of a trial."""

    def __init__(self) -> None:
        self._indices: dict[tuple[str, bytes], int] = {}

    def indices(self, client: str, headers: Headers, direction: NDArray[np.int8]) -> pa.Array:
        """The flow of each packet, null without ports or direction; both directions are one flow."""
        known = headers.ports & (direction != UNKNOWN)
        keys = _keys(headers, direction, np.flatnonzero(known))
        buffer = pa.py_buffer(keys)
        encoded = pa.Array.from_buffers(pa.binary(KEY_BYTES), len(keys), [None, buffer]).dictionary_encode()
        numbers = [
            self._indices.setdefault((client, key), len(self._indices))
            for key in encoded.dictionary.to_pylist()
        ]
        flows = np.zeros(len(known), dtype=np.int32)
        flows[known] = np.array(numbers, dtype=np.int32)[encoded.indices.to_numpy()]
        return pa.array(flows, mask=~known)

    def table(self) -> pa.Table:
        """The flows seen so far, one row each, oriented downlink: the source is the service's end."""
        rows = [
            {
                "flow": flow,
                "client": client,
                "protocol": key[0],
                "source": _address(key[SOURCE], key[1]),
                "source_port": int.from_bytes(key[2:4], "big"),
                "destination": _address(key[DESTINATION], key[1]),
                "destination_port": int.from_bytes(key[4:6], "big"),
            }
            for (client, key), flow in self._indices.items()
        ]
        return pa.Table.from_pylist(rows, schema=FLOWS_SCHEMA)


def _keys(headers: Headers, direction: NDArray[np.int8], chosen: Integers) -> NDArray[np.uint8]:
    """The key of each chosen packet, its ends swapped if it goes up."""
    data = headers.packets.data
    down = direction[chosen] == DOWN
    network, transport = headers.network[chosen], headers.transport[chosen]
    keys = np.zeros((len(chosen), KEY_BYTES), dtype=np.uint8)
    keys[:, 0] = headers.protocol[chosen]
    keys[:, 1] = np.where(headers.ipv6[chosen], 6, 4)
    keys[:, 2:4] = data[_span(transport + np.where(down, 0, 2), 2)]
    keys[:, 4:6] = data[_span(transport + np.where(down, 2, 0), 2)]
    for version, first, size in ((4, 12, 4), (6, 8, 16)):
        rows = np.flatnonzero(keys[:, 1] == version)
        source = network[rows] + first
        for part, end in ((SOURCE, down), (DESTINATION, ~down)):
            at = source + np.where(end[rows], 0, size)
            keys[rows, part.start : part.start + size] = data[_span(at, size)]
    return keys


def _span(at: Integers, size: int) -> Integers:
    """Positions of `size` bytes from each position on, one row each."""
    return at[:, np.newaxis] + np.arange(size)


def _address(key: bytes, version: int) -> str:
    return str(ipaddress.IPv4Address(key[:4]) if version == 4 else ipaddress.IPv6Address(key))
