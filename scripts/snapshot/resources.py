"""The files that datapackage.json describes. descriptor.py writes it."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from scripts.base.errors import UserError
from scripts.base.records import read_record

NAME = "datapackage.json"


@dataclass(frozen=True)
class Resource:
    """A file of a snapshot. `hash` has the form `sha256:...`."""

    path: str
    bytes: int
    hash: str

    @property
    def sha256(self) -> str:
        """Its checksum in hexadecimal digits."""
        return self.hash.removeprefix("sha256:")


@dataclass(frozen=True)
class _Package:
    """The part of datapackage.json that is read here."""

    resources: tuple[Resource, ...]


def read_resources(snapshot: Path) -> tuple[Resource, ...]:
    """Read the datapackage.json of a snapshot.

    Raises:
        UserError: it is missing or wrong.
    """
    return read_record(_Package, snapshot / NAME).resources


def resources_in(content: bytes, origin: str) -> tuple[Resource, ...]:
    """Read the content of a datapackage.json.

    Raises:
        UserError: it is wrong; the error names `origin`.
    """
    try:
        return msgspec.json.decode(content, type=_Package).resources
    except (msgspec.DecodeError, RecursionError) as error:
        raise UserError(f"{origin}: {error}; ask the owner of the snapshot") from error
