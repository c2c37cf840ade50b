"""Captures of any length: the packets of a real one, repeated with other numbers in their headers."""

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import zstandard
from numpy.typing import NDArray

ENHANCED_PACKET = 6
SEED = 1

# Offsets of fields in a packet block that holds TCP with timestamps over IPv4 over Ethernet.
TIME_HIGH, TIME_LOW, FRAME = 12, 16, 28
IP_ID, SEQ, ACK, CHECKSUM, TIMESTAMP, ECHO = (FRAME + at for at in (18, 38, 42, 50, 58, 62))
BLOCK_BYTES = FRAME + 66 + 4

Positions = NDArray[np.int64]


class LongCapture:
    """The bytes of a capture with the packets of a pcapng file repeated; `packets` is their number.

    Each repetition is later than the one before, continues its sequence numbers and timestamps, and has
    other checksums, so that it compresses no better than a real capture.
    """

    def __init__(self, path: Path, repeats: int) -> None:
        content = _unpacked(path)
        blocks = list(_blocks(content))
        self._head = b"".join(content[at : at + size] for kind, at, size in blocks if kind != ENHANCED_PACKET)
        packets = [content[at : at + size] for kind, at, size in blocks if kind == ENHANCED_PACKET]
        packets = [packet for packet in packets if len(packet) >= BLOCK_BYTES]
        self._body = np.frombuffer(b"".join(packets), dtype=np.uint8)
        self._at = np.cumsum([0, *map(len, packets[:-1])])
        self._repeats = repeats
        self.packets = len(packets) * repeats

    def __iter__(self) -> Iterator[bytes]:
        rng = np.random.default_rng(SEED)
        yield self._head
        times = self._times()
        span = int(times[-1] - times[0]) + 1_000_000
        for number in range(self._repeats):
            body = self._body.copy()
            later = (times + number * span).astype(np.uint64)
            _put(body, self._at + TIME_HIGH, (later >> np.uint64(32)).astype("<u4"))
            _put(body, self._at + TIME_LOW, later.astype("<u4"))
            for at, step in (
                (SEQ, 10_000_019),
                (ACK, 10_000_019),
                (TIMESTAMP, span // 10**6),
                (ECHO, span // 10**6),
            ):
                _put(body, self._at + at, (_get(body, self._at + at, ">u4") + number * step).astype(">u4"))
            _put(body, self._at + IP_ID, (_get(body, self._at + IP_ID, ">u2") + number * 4001).astype(">u2"))
            _put(body, self._at + CHECKSUM, rng.integers(0, 1 << 16, len(self._at)).astype(">u2"))
            yield body.tobytes()

    def _times(self) -> NDArray[np.int64]:
        high, low = (_get(self._body, self._at + at, "<u4") for at in (TIME_HIGH, TIME_LOW))
        return high << 32 | low


def _get(body: NDArray[np.uint8], at: Positions, kind: str) -> NDArray[np.int64]:
    return body[_span(at, np.dtype(kind).itemsize)].view(kind)[:, 0].astype(np.int64)


def _put(body: NDArray[np.uint8], at: Positions, values: NDArray[np.generic]) -> None:
    body[_span(at, values.itemsize)] = values[:, np.newaxis].view(np.uint8)


def _span(at: Positions, size: int) -> Positions:
    """Positions of `size` bytes from each position on, one row each."""
    return at[:, np.newaxis] + np.arange(size)


def _unpacked(path: Path) -> bytes:
    with path.open("rb") as packed:
        return zstandard.ZstdDecompressor().stream_reader(packed).read()


def _blocks(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Type, position and length of every block of a little-endian pcapng."""
    at = 0
    while at < len(content):
        kind, size = struct.unpack_from("<II", content, at)
        yield kind, at, size
        at += size
