"""Reads an image in the OCI layout (image-layout.md of opencontainers/image-spec), and checks its digests.

It runs confined (unpack.py): nothing that it reads is trusted.
"""

import hashlib
import os
import platform
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from scripts.base.errors import UserError
from scripts.base.plain import shown
from scripts.base.tar_files import UNREADABLE

MOST_BYTES = 8 << 30
"""The most bytes of an image: of its files as they arrive, and of its files unpacked."""

JSON_BYTES = 4 << 20
MOST_IMAGES, MOST_DEPTH = 100, 3
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
INDEXES = (
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
)
MANIFESTS = (
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
)
SAVE = "save it again as an OCI layout (skopeo copy docker://NAME oci:FOLDER)"
"""What to do about an image that is not whole."""

_BLOCK_BYTES = 1 << 20

Part = TypeVar("Part")


class Platform(msgspec.Struct):
    """What an image runs on."""

    architecture: str
    os: str


class Descriptor(msgspec.Struct, rename="camel"):
    """What an image says of one of its files."""

    digest: str
    size: int
    media_type: str = ""
    platform: Platform | None = None


class Index(msgspec.Struct):
    """The images of a layout."""

    manifests: list[Descriptor]


class Manifest(msgspec.Struct):
    """The files of one image."""

    config: Descriptor
    layers: list[Descriptor]


class Settings(msgspec.Struct, rename="pascal"):
    """How an image starts."""

    entrypoint: list[str] | None = None
    cmd: list[str] | None = None
    env: list[str] | None = None
    working_dir: str | None = None


class Config(msgspec.Struct):
    """What an image runs on, and how it starts."""

    architecture: str = ""
    os: str = ""
    config: Settings | None = None


class ImageLayout:
    """The files of an OCI layout: a folder, or a tar file. Errors are UserErrors that name the file in it.

    Args:
        path: the folder, or the tar file.

    Raises:
        UserError: it cannot be read, or is neither.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._members = None if path.is_dir() else _members(path)

    def _open(self, name: str) -> tuple[BinaryIO, int]:
        """A file of the layout, open at its beginning, and its bytes."""
        try:
            if self._members is None:
                file = (self._path / name).open("rb")
                return file, os.fstat(file.fileno()).st_size
            offset, size = self._members[name]
            file = self._path.open("rb")
            file.seek(offset)
            return file, size
        except KeyError:
            raise UserError(f"{name} is missing; {SAVE}") from None
        except PermissionError:
            raise UserError(f"other users cannot read {name} in it; run chmod -R o+rX on the image") from None
        except OSError as error:
            raise UserError(f"{name}: {error.strerror}; {SAVE}") from error

    def part(self, name: str, kind: type[Part]) -> Part:
        """A JSON file of the layout, of this kind."""
        file, size = self._open(name)
        with file:
            return _decoded(file.read(min(size, JSON_BYTES + 1)), name, kind)

    def blobs(self, descriptor: Descriptor) -> Iterator[bytes]:
        """The blocks of the file that a descriptor names. Errors: its size or its digest is another one."""
        name = blob_name(descriptor)
        file, size = self._open(name)
        with file:
            if size != descriptor.size:
                raise UserError(f"{name} has {size} bytes instead of {descriptor.size}; {SAVE}")
            if size > MOST_BYTES:
                raise UserError(f"{name} has more than {MOST_BYTES >> 30} GiB; make the image smaller")
            digest, left = hashlib.sha256(), size
            while block := file.read(min(left, _BLOCK_BYTES)):
                digest.update(block)
                left -= len(block)
                yield block
        if f"sha256:{digest.hexdigest()}" != descriptor.digest:
            raise UserError(f"{name} has another digest than its name says; {SAVE}")

    def checked_part(self, descriptor: Descriptor, kind: type[Part]) -> Part:
        """The JSON file that a descriptor names, of this kind, after its digest was checked."""
        if descriptor.size > JSON_BYTES:
            raise UserError(f"{blob_name(descriptor)} has more than {JSON_BYTES >> 20} MiB; {SAVE}")
        return _decoded(b"".join(self.blobs(descriptor)), blob_name(descriptor), kind)

    def image(self) -> Descriptor:
        """The descriptor of the manifest of the layout's only image for this machine."""
        found = {each.digest: each for each in self._manifests(self.part("index.json", Index), 1)}
        if not found:
            raise UserError(f"index.json has no image; {SAVE}")
        ours = [each for each in found.values() if each.platform is None or _is_ours(each.platform)]
        if not ours:
            others = sorted({each.platform.architecture for each in found.values() if each.platform})
            raise UserError(_foreign(", ".join(others)))
        if len(ours) > 1:
            raise UserError(f"index.json has {len(ours)} images; save one of them alone")
        return ours[0]

    def config(self, manifest: Manifest) -> Config:
        """How the image starts. Errors: it is for another machine."""
        config = self.checked_part(manifest.config, Config)
        if not _is_ours(Platform(config.architecture, config.os)):
            raise UserError(_foreign(f"{config.os} {config.architecture}".strip()))
        return config

    def _manifests(self, index: Index, depth: int) -> Iterator[Descriptor]:
        """The descriptors of all images below an index."""
        if depth > MOST_DEPTH or len(index.manifests) > MOST_IMAGES:
            raise UserError(
                f"its indexes name more than {MOST_IMAGES} images, or are nested; save one image alone"
            )
        for descriptor in index.manifests:
            if descriptor.media_type in INDEXES:
                yield from self._manifests(self.checked_part(descriptor, Index), depth + 1)
            elif descriptor.media_type in MANIFESTS and _is_image(descriptor):
                yield descriptor


def _members(path: Path) -> dict[str, tuple[int, int]]:
    """Where the files of a tar file begin in it, and how long they are, by name."""
    try:
        with tarfile.open(path, "r:") as tar:
            files = [member for member in tar if member.isreg() and not member.issparse()]
    except UNREADABLE as error:
        raise UserError(f"it is no tar file that can be read ({shown(error)}); {SAVE}") from error
    return {file.name.removeprefix("./"): (file.offset_data, file.size) for file in files}


def blob_name(descriptor: Descriptor) -> str:
    """The name in the layout of the file that a descriptor names.

    Raises:
        UserError: its digest is not a SHA-256.
    """
    method, _, digest = descriptor.digest.partition(":")
    if method != "sha256" or len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        raise UserError(f"the digest {shown(descriptor.digest)} is no SHA-256; {SAVE}")
    return f"blobs/sha256/{digest}"


def our_architecture() -> str:
    """The name of this machine's architecture in images."""
    return ARCHITECTURES.get(platform.machine(), platform.machine())


def _is_ours(found: Platform) -> bool:
    return (found.os, found.architecture) == ("linux", our_architecture())


def _is_image(descriptor: Descriptor) -> bool:
    """Whether it is an image: `docker buildx` adds attestations, whose platform is unknown."""
    return descriptor.platform is None or descriptor.platform.os != "unknown"


def _foreign(found: str) -> str:
    ours = our_architecture()
    return f"it is for {shown(found) or 'an unknown machine'}; build it with --platform linux/{ours}"


def _decoded(content: bytes, name: str, kind: type[Part]) -> Part:
    try:
        if len(content) > JSON_BYTES:
            raise ValueError(f"has more than {JSON_BYTES >> 20} MiB")
        return msgspec.json.decode(content, type=kind)
    except (ValueError, RecursionError) as error:  # ValueError: msgspec's errors are such.
        raise UserError(f"{name} is not as the OCI specification says ({shown(error)}); {SAVE}") from error
