"""Packets of a pcapng capture, piece by piece, up to the first byte that is missing or wrong.

Format: IETF draft-ietf-opsawg-pcapng, sections 4.1 to 4.3. Section headers of either byte order, interface
descriptions and enhanced packet blocks are read; every other block is passed over.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.errors import UserError
from scripts.extract.interface import ETHERNET, Interface, read_interface
from scripts.extract.stream import ByteStream

SECTION_HEADER = 0x0A0D0D0A
INTERFACE_DESCRIPTION = 1
ENHANCED_PACKET = 6
BYTE_ORDER_MAGIC = 0x1A2B3C4D

# Wireshark takes no block above 16 MiB either: beyond that a length is damage, not data.
LONGEST_BLOCK = 16 << 20

# Zero bytes behind the last packet, so that reading a header cannot run off the end.
PADDING = 256


class CaptureError(UserError):
    """A file that is no capture of Ethernet packets at all."""


@dataclass(frozen=True)
class Packets:
    """Some packets of a capture: `data` holds them, the arrays have one element a packet.

    `start` is where the captured bytes begin in `data`, `captured` how many there are, `original` the
    packet's length on the wire, `time_ns` nanoseconds since the Unix epoch.
    """

    data: NDArray[np.uint8]
    start: NDArray[np.int64]
    captured: NDArray[np.int64]
    original: NDArray[np.int64]
    time_ns: NDArray[np.int64]


class CaptureReader:
    """Iterates over the packets of one capture, plain or compressed with zstd.

    Attributes:
        status: after the last piece: `ok`, `cut` (the file stops inside a block) or `corrupt` (a block
            contradicts itself); every complete packet before that place has been given.

    Raises:
        CaptureError: on iteration: the file is empty, no pcapng, or not of Ethernet.
    """

    def __init__(self, path: Path) -> None:
        self.status = "ok"
        self._path = path
        self._order = "<"
        self._interfaces: list[Interface] = []
        self._in_section = False

    def __iter__(self) -> Iterator[Packets]:
        stream = ByteStream(self._path)
        rest = b""
        for piece in stream:
            data = rest + piece
            position, advanced = 0, True
            while advanced and self.status == "ok":
                begin = position
                starts, position = self._scan(data, begin)
                advanced = position > begin
                if starts:
                    yield self._packets(data, starts)
            if self.status != "ok":
                return
            rest = data[position:]
        if rest or stream.status != "ok":
            self.status = stream.status if stream.status != "ok" else "cut"
        elif not self._in_section:
            raise CaptureError(f"{self._path}: is empty; a capture begins with a section header")

    def _scan(self, data: bytes, position: int) -> tuple[list[int], int]:
        """Find the packet blocks up to the end of the data, the next section or the first broken block."""
        starts: list[int] = []
        if not self._in_section and len(data) >= 4 and data[:4] != b"\n\r\r\n":
            raise CaptureError(f"{self._path}: is no pcapng capture; record it with dumpcap")
        head = struct.Struct(self._order + "II").unpack_from
        tail = struct.Struct(self._order + "I").unpack_from
        limit = len(data)
        while position + 12 <= limit:
            kind, length = head(data, position)
            if kind == SECTION_HEADER:
                if starts or not self._open_section(data, position):
                    break
                head = struct.Struct(self._order + "II").unpack_from
                tail = struct.Struct(self._order + "I").unpack_from
                length = head(data, position)[1]
            if length < 12 or length % 4 or length > LONGEST_BLOCK:
                self.status = "corrupt"
                break
            if position + length > limit:
                break
            if tail(data, position + length - 4)[0] != length:
                self.status = "corrupt"
                break
            if kind == ENHANCED_PACKET:
                starts.append(position)
            elif kind == INTERFACE_DESCRIPTION:
                self._interfaces.append(self._interface(data[position + 8 : position + length - 4]))
            position += length
        return starts, position

    def _open_section(self, data: bytes, position: int) -> bool:
        """Take the byte order of a section header (section 4.1); False if it has none."""
        for order in "<>":
            if struct.unpack_from(order + "I", data, position + 8)[0] == BYTE_ORDER_MAGIC:
                self._order = order
                self._interfaces = []
                self._in_section = True
                return True
        self.status = "corrupt"
        return False

    def _interface(self, body: bytes) -> Interface:
        """Read an interface description; its packets must be Ethernet frames."""
        try:
            interface = read_interface(body, self._order)
        except ValueError:
            self.status = "corrupt"
            return Interface(ETHERNET)
        if interface.link_type != ETHERNET:
            link_type = interface.link_type
            raise CaptureError(f"{self._path}: has link type {link_type}; capture an Ethernet interface")
        return interface

    def _packets(self, data: bytes, starts: list[int]) -> Packets:
        """Read the fixed fields of enhanced packet blocks (section 4.3), up to the first impossible one."""
        whole = len(data) // 4 * 4
        words = np.frombuffer(data[:whole], dtype=self._order + "u4")
        at = np.array(starts, dtype=np.int64)
        length = words[at // 4 + 1].astype(np.int64)
        at = at[: _first(length < 32)]
        interface, high, low, captured, original = (
            words[at // 4 + 2 + field].astype(np.int64) for field in range(5)
        )
        room = length[: len(at)] - 32
        impossible = (interface >= len(self._interfaces)) | (captured > room) | (original >= 1 << 31)
        count = _first(impossible)
        if count < len(starts):
            self.status = "corrupt"
        ticks = (high.astype(np.uint64) << np.uint64(32)) | low.astype(np.uint64)
        return Packets(
            data=np.frombuffer(data + bytes(PADDING), dtype=np.uint8),
            start=at[:count] + 28,
            captured=captured[:count],
            original=original[:count],
            time_ns=self._times(interface[:count], ticks[:count]),
        )

    def _times(self, interface: NDArray[np.int64], ticks: NDArray[np.uint64]) -> NDArray[np.int64]:
        times = np.zeros(len(ticks), dtype=np.int64)
        for index in np.unique(interface):
            chosen = interface == index
            times[chosen] = self._interfaces[index].to_ns(ticks[chosen])
        return times


def _first(condition: NDArray[np.bool_]) -> int:
    """Index of the first true element; the length if there is none."""
    return int(np.argmax(condition)) if condition.any() else len(condition)
