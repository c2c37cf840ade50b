"""Finds planted texts and addresses in files of every published format, in every form they may have there."""

import base64
import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Address
from pathlib import Path
from urllib.parse import quote

import pyarrow.parquet as pq
import zstandard

BINARY = (".pcapng.zst", ".bin.zst")
"""Files that could hold an address as bytes. Elsewhere four bytes are found by chance."""


@dataclass(frozen=True)
class Marker:
    """A planted text. An IPv4 or Ethernet address also has the bytes of packets."""

    name: str
    text: str
    packed: bytes = b""

    @cached_property
    def forms(self) -> dict[str, bytes]:
        """What to look for, by the name of the form; all but base64 in lower case."""
        text = self.text.encode()
        forms = {
            "plain": text,
            "percent": quote(self.text, safe="").encode(),
            "percent of every byte": b"".join(b"%%%02x" % byte for byte in text),
            "hexadecimal": text.hex().encode(),
            "reversed domain": ".".join(reversed(self.text.split("."))).encode(),
        }
        if self.packed:
            forms["address in hexadecimal"] = self.packed.hex().encode()
        if len(self.packed) == 4:
            forms["address as a number"] = str(int.from_bytes(self.packed, "big")).encode()
        return {form: pattern.lower() for form, pattern in forms.items()} | self._base64()

    def _base64(self) -> dict[str, bytes]:
        """The characters that depend on the text alone, at each of the three places within three bytes."""
        forms = {}
        for before in range(3):
            padded = bytes(before) + self.text.encode()
            code = base64.b64encode(padded + bytes(-len(padded) % 3))
            first, last = (8 * before + 5) // 6, 8 * len(padded) // 6
            forms[f"base64 at {before}"] = code[first:last]
            forms[f"base64 for addresses at {before}"] = code[first:last].translate(
                bytes.maketrans(b"+/", b"-_")
            )
        return forms

    def in_bytes(self, content: bytes, binary: bool = False) -> list[str]:
        """The forms in which the content has the marker."""
        lower = content.lower()
        found = [
            form
            for form, pattern in self.forms.items()
            if pattern in (content if "base64" in form else lower)
        ]
        packed = binary and self.packed and (self.packed in content or self.packed[::-1] in content)
        return [*found, "bytes of the address"] if packed else found


def ipv4_marker(name: str, address: str) -> Marker:
    """A marker that is an IPv4 address."""
    return Marker(name, address, IPv4Address(address).packed)


def ethernet_marker(name: str, address: str) -> Marker:
    """A marker that is an Ethernet address, such as 02:00:00:00:00:01."""
    return Marker(name, address, bytes.fromhex(address.replace(":", "")))


def find(markers: list[Marker], folder: Path) -> list[str]:
    """Every marker in the files of a folder and in their names: file, marker and form."""
    found = []
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        found += [f"name of {name}: {marker.name}" for marker in markers if marker.in_bytes(name.encode())]
        for content in _contents(path) if path.is_file() else ():
            binary = path.name.endswith(BINARY)
            for marker in markers:
                found += [f"{name}: {marker.name}, {form}" for form in marker.in_bytes(content, binary)]
    return found


def _contents(path: Path) -> Iterator[bytes]:
    """The bytes of a file; also decompressed, and the values of every column."""
    content = path.read_bytes()
    yield content
    if path.suffix == ".zst":
        yield zstandard.ZstdDecompressor().stream_reader(io.BytesIO(content)).read()
    if path.suffix == ".parquet":
        file = pq.ParquetFile(path)
        yield repr(file.schema_arrow.metadata).encode() + repr(file.metadata.metadata).encode()
        for column in file.read().columns:
            values = column.to_pylist()
            yield "\n".join(map(str, values)).encode()
            yield b"\n".join(value for value in values if isinstance(value, bytes))
