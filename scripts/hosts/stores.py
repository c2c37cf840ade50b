"""Where claims are: a folder that all hosts share, or a bucket of an object storage."""

import errno
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from scripts.base.files import create_text

if TYPE_CHECKING:
    from obstore.store import S3Store

GENERATION = re.compile(r"(.+)\.([0-9]{6})")
ANSWER_S = 20
"""A bucket that has not answered after so long counts as out of reach."""


class ExistsError(Exception):
    """Somebody made the record before."""


class GoneError(Exception):
    """Somebody removed the record."""


class Store(Protocol):
    """A store of records, each of which has a name and a generation.

    All methods raise OSError if the store cannot be reached.
    """

    def generations(self, name: str) -> list[int]:
        """The generations of a name, in order."""

    def read(self, name: str, generation: int) -> bytes:
        """A record. Raises GoneError."""

    def create(self, name: str, generation: int, content: bytes) -> None:
        """Make a record that nobody has made. Raises ExistsError."""

    def replace(self, name: str, generation: int, content: bytes) -> None:
        """Change a record, whose length stays the same. Raises GoneError."""

    def remove(self, name: str, generation: int) -> None:
        """Remove a record, if it is there."""


def store_of(place: str) -> Store:
    """The store of an address: `s3://bucket/prefix`, or a folder."""
    return BucketStore(place) if place.startswith("s3://") else FolderStore(Path(place))


class FolderStore:
    """A folder, also one of NFS: a hard link is made once only, whoever makes it (link(2))."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def generations(self, name: str) -> list[int]:
        """See Store."""
        path = self._folder / name
        try:
            return _generations(path.name, os.listdir(path.parent))
        except FileNotFoundError:
            self._require_place()
            return []

    def read(self, name: str, generation: int) -> bytes:
        """See Store."""
        with self._missing_is_gone(name):
            return self._path(name, generation).read_bytes()

    def create(self, name: str, generation: int, content: bytes) -> None:
        """See Store."""
        self._require_place()
        try:
            create_text(self._path(name, generation), content.decode())
        except FileExistsError:
            raise ExistsError(name) from None

    def replace(self, name: str, generation: int, content: bytes) -> None:
        """Change the record in place. A new file would bring back one that somebody removes meanwhile."""
        with self._missing_is_gone(name):
            descriptor = os.open(self._path(name, generation), os.O_WRONLY)
        try:
            os.pwrite(descriptor, content, 0)
        finally:
            os.close(descriptor)

    def remove(self, name: str, generation: int) -> None:
        """See Store."""
        self._path(name, generation).unlink(missing_ok=True)

    def _path(self, name: str, generation: int) -> Path:
        return self._folder / _address(name, generation)

    def _require_place(self) -> None:
        """Raise OSError if the folder's place is missing, as while a shared disk is not mounted."""
        if not self._folder.parent.is_dir():
            raise FileNotFoundError(
                errno.ENOENT, "the shared folder cannot be reached", str(self._folder.parent)
            )

    @contextmanager
    def _missing_is_gone(self, name: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            self._require_place()
            raise GoneError(name) from None


class BucketStore:
    """A bucket. Objects are made and changed under a condition (If-None-Match, If-Match; RFC 9110, 13.1).

    The server's address, the key and the region come from the environment: AWS_ENDPOINT_URL,
    AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION.
    """

    def __init__(self, address: str) -> None:
        import obstore.store

        parts = urlsplit(address)
        self._bucket: S3Store = obstore.store.S3Store(
            parts.netloc,
            prefix=parts.path.strip("/") or None,
            client_options={"allow_http": os.environ.get("AWS_ENDPOINT_URL", "").startswith("http://")},
            retry_config={"max_retries": 2, "retry_timeout": timedelta(seconds=ANSWER_S)},
        )

    def generations(self, name: str) -> list[int]:
        """See Store."""
        import obstore

        folder, _, last = name.rpartition("/")
        with _reached(name):
            listed = obstore.list_with_delimiter(self._bucket, folder or None)["objects"]
        return _generations(last, (entry["path"].rpartition("/")[2] for entry in listed))

    def read(self, name: str, generation: int) -> bytes:
        """See Store."""
        import obstore

        with _reached(name):
            return bytes(obstore.get(self._bucket, _address(name, generation)).bytes())

    def create(self, name: str, generation: int, content: bytes) -> None:
        """See Store."""
        import obstore

        with _reached(name):
            obstore.put(self._bucket, _address(name, generation), content, mode="create")

    def replace(self, name: str, generation: int, content: bytes) -> None:
        """See Store."""
        import obstore

        address = _address(name, generation)
        with _reached(name):
            tag = obstore.head(self._bucket, address)["e_tag"]
            obstore.put(self._bucket, address, content, mode={"e_tag": tag})

    def remove(self, name: str, generation: int) -> None:
        """See Store."""
        import obstore

        with _reached(name):
            obstore.delete(self._bucket, _address(name, generation))


@contextmanager
def _reached(name: str) -> Iterator[None]:
    """Turn the errors of a bucket into those of a Store."""
    from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError, PreconditionError

    try:
        yield
    except AlreadyExistsError:
        raise ExistsError(name) from None
    except (FileNotFoundError, NotFoundError, PreconditionError):
        raise GoneError(name) from None
    except BaseError as error:
        raise OSError(errno.EIO, f"the object storage cannot be used: {error}") from None


def _address(name: str, generation: int) -> str:
    return f"{name}.{generation:06d}"


def _generations(name: str, entries: Iterable[str]) -> list[int]:
    """The generations of a name among the entries of its folder, in order."""
    found = (GENERATION.fullmatch(entry) for entry in entries)
    return sorted(int(match[2]) for match in found if match and match[1] == name)
