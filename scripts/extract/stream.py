"""The bytes of a plain or zstd-compressed file, piece by piece, as far as they can be read."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import zstandard

PIECE_BYTES = 4 << 20
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"

# A decompressor gives all that its input unfolds to, at worst 128 KiB for 4 bytes: little in, bounded out.
FEED_BYTES = 1024


class ByteStream:
    """Iterates over pieces of about PIECE_BYTES; a broken end gives what stands before it.

    Attributes:
        status: after the last piece: `ok`, `cut` (the compressed stream stops too early) or `corrupt`
            (it cannot be decompressed).
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.status = "ok"

    def __iter__(self) -> Iterator[bytes]:
        with open(self._path, "rb") as file:
            compressed = file.read(len(ZSTD_MAGIC)) == ZSTD_MAGIC
            file.seek(0)
            if compressed:
                yield from _gathered(self._decompressed(file))
            else:
                yield from iter(lambda: file.read(PIECE_BYTES), b"")

    def _decompressed(self, file: BinaryIO) -> Iterator[bytes]:
        decoder = zstandard.ZstdDecompressor().decompressobj()
        inside_frame = False
        while data := file.read(FEED_BYTES):
            while data:
                try:
                    output = decoder.decompress(data)
                except zstandard.ZstdError:
                    self.status = "corrupt"
                    return
                yield output
                inside_frame = not decoder.eof
                data = decoder.unused_data if decoder.eof else b""
                if decoder.eof:
                    decoder = zstandard.ZstdDecompressor().decompressobj()
        if inside_frame:
            self.status = "cut"


def _gathered(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Join small parts into pieces of at least PIECE_BYTES; the last may be smaller."""
    waiting: list[bytes] = []
    size = 0
    for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= PIECE_BYTES:
            yield b"".join(waiting)
            waiting, size = [], 0
    if size:
        yield b"".join(waiting)
