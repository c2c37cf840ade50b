"""Files as one .tar.zst. The same files give the same bytes: owners are root, and times are 0."""

import io
import tarfile
from collections.abc import Iterable, Iterator
from typing import IO

import zstandard

from scripts.base.errors import UserError
from scripts.base.files import readable_bytes

WINDOW_LOG = 25
"""Text that was there before is found in the last 32 MB."""

UNREADABLE = (tarfile.TarError, OSError, EOFError, MemoryError, ValueError, OverflowError)
"""What tarfile raises for an archive that is damaged, or made to damage."""

Packed = tuple[str, bytes, int]
"""A file: its name in the archive, its content, and its mode."""


def packed(files: Iterable[Packed], level: int) -> bytes:
    """The archive of files in their order, compressed by zstd."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content, mode in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(content), mode
            archive.addfile(entry, io.BytesIO(content))
    parameters = zstandard.ZstdCompressionParameters.from_level(
        level, enable_ldm=True, window_log=WINDOW_LOG, write_checksum=True
    )
    return zstandard.ZstdCompressor(compression_params=parameters).compress(tar.getvalue())


class _Limited(io.RawIOBase):
    """A stream of which at most so many bytes are read, whatever headers say of the files in it."""

    def __init__(self, stream: IO[bytes], most_bytes: int) -> None:
        super().__init__()
        self._stream, self._most_bytes, self._read_bytes = stream, most_bytes, 0

    def read(self, size: int = -1) -> bytes:
        """As of a file. Raises TarError beyond the limit."""
        content = self._stream.read(size)
        self._read_bytes += len(content)
        if self._read_bytes > self._most_bytes:
            raise tarfile.TarError(f"has more than {readable_bytes(self._most_bytes)}")
        return content


def members(stream: IO[bytes], most_bytes: int, title: str) -> Iterator[tuple[str, bytes]]:
    """The name and the content of each file of an archive.

    Args:
        stream: the archive.
        most_bytes: no archive of this kind is larger than this, uncompressed.
        title: the archive in messages.

    Raises:
        UserError: it is damaged, or larger than `most_bytes`.
    """
    try:
        with (
            zstandard.ZstdDecompressor().stream_reader(stream) as raw,
            tarfile.open(fileobj=_Limited(raw, most_bytes), mode="r|") as archive,
        ):
            for entry in archive:
                if entry.size < 0:
                    raise tarfile.TarError(f"{entry.name!r} has a size below 0")
                content = archive.extractfile(entry) if entry.isreg() else None
                if content is not None:
                    yield entry.name, content.read()
    except (*UNREADABLE, zstandard.ZstdError) as error:
        raise UserError(f"{title}: cannot be read: {error}; fetch the snapshot again") from error
