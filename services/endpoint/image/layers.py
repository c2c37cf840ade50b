"""Checks the layers of an image before they are unpacked: what they hold, and how much.

It runs confined (unpack.py). Device nodes and names with `..` are refused. Other links and the bits for
setuid are left to unpack.py, because many images have them.
"""

import gzip
import io
import tarfile
import zlib
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.plain import shown
from scripts.base.tar_files import UNREADABLE
from services.endpoint.image.layout import MOST_BYTES, SAVE

MOST_FILES = 1_000_000
REMOVES = ".wh."
"""A file whose name begins so removes the file that the rest names, which is in a layer below."""

GZIP, ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
TYPES = {True: "application/vnd.oci.image.layer.v1.tar+gzip", False: "application/vnd.oci.image.layer.v1.tar"}
"""The media type of a layer that is compressed, and of one that is not."""


class _Padded(io.BufferedIOBase):
    """A file with zeros after its end, once. The layers of `umoci insert` lack the end of a tar file."""

    def __init__(self, file: io.BufferedIOBase) -> None:
        self._file = file
        self._ended = False

    def read(self, size: int | None = -1) -> bytes:
        block = self._file.read(size)
        if size is None or len(block) >= size or self._ended:
            return block
        self._ended = True
        return block.ljust(size, b"\0")


def _opened(path: Path, compressed: bool) -> io.BufferedIOBase:
    return gzip.open(path) if compressed else path.open("rb")


def _tar(file: io.BufferedIOBase) -> tarfile.TarFile:
    return tarfile.open(fileobj=_Padded(file), mode="r|")


class LayerCheck:
    """Checks layers one by one, and counts what all of them hold."""

    def __init__(self) -> None:
        self._bytes = self._files = 0

    def check(self, path: Path, number: int) -> str:
        """Check a layer, and return its media type.

        Args:
            path: its file.
            number: its place in the image, from 1, for errors.

        Raises:
            UserError: it cannot be unpacked, or would harm.
        """
        with path.open("rb") as raw:
            begin = raw.read(4)
        if begin == ZSTANDARD:
            raise UserError(f"layer {number} is compressed by zstd; save it with gzip (--compression gzip)")
        compressed = begin.startswith(GZIP)
        try:
            with _opened(path, compressed) as file, _tar(file) as tar:
                while (member := tar.next()) is not None:
                    tar.members = []  # type: ignore[attr-defined]  # It would remember all.
                    self._add(member, f"layer {number}: {shown(member.name)}")
        except (*UNREADABLE, zlib.error) as error:
            said = shown(error) or "a header is too long"
            raise UserError(f"layer {number} is no tar file that can be read ({said}); {SAVE}") from error
        return TYPES[compressed]

    def _add(self, member: tarfile.TarInfo, name: str) -> None:
        paths = [member.name, *([member.linkname] if member.islnk() else [])]
        last = PurePosixPath(member.name).name
        removes_parent = last.startswith(REMOVES) and last.removeprefix(REMOVES) in ("", ".", "..")
        if removes_parent or any(".." in PurePosixPath(path).parts for path in paths):
            raise UserError(f"{name} leads out of the image; build it again without names that contain ..")
        if member.isdev() and not member.isfifo():
            raise UserError(f"{name} is a device; build the image without it")
        self._bytes += member.size
        self._files += 1
        if self._bytes > MOST_BYTES or self._files > MOST_FILES:
            most = f"{MOST_BYTES >> 30} GiB, or {MOST_FILES} files"
            raise UserError(f"its layers hold more than {most}; make the image smaller")
