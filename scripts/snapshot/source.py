"""Where a snapshot and its trials are read from: folders of this machine, or an address.

An address, http:// or https://, has what was published:

    <root>/snapshots/<folder>/…                                    the snapshot, without its trials
    <root>/captures/<campaign>/<label>/<setting>/<pair>/<nn>/…      its trials

A copy of a whole snapshot may have its trials in trials/. The site's address of a cycle's pages means the
snapshot of that cycle.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Protocol
from urllib.parse import quote, urljoin, urlsplit

from scripts.base.errors import UserError
from scripts.base.files import parse_json
from scripts.snapshot.http_reader import HttpReader
from scripts.snapshot.identity import CHECKSUMS, IDENTITY, parse_identity, read_identity

TRIALS = "trials"
CHUNK_BYTES = 1 << 20
MOST_DESCRIPTION_BYTES = 50_000_000
"""No file that describes a snapshot is as large: SHA256SUMS of a cycle of the paper's size has 2 MB."""

SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
PAGES = re.compile(r"(.*/)cycles/([^/]+)/([^/]+)/(?:(r[0-9]+)/)?")


class SymlinkError(UserError):
    """A file is reached through a symbolic link."""

    reason = "is a symbolic link, or is below one; fetch the snapshot again"


class Source(Protocol):
    """A snapshot that can be read file by file.

    Attributes:
        title: the folder or the address, for messages.
    """

    title: str

    def names(self) -> set[PurePosixPath] | None:
        """Every file that is there, relative to the snapshot; None where files cannot be listed."""

    def exists(self, path: PurePosixPath) -> bool:
        """Whether a file is there."""

    def stream(self, path: PurePosixPath) -> Iterator[bytes]:
        """The content of a file, in parts.

        Raises:
            FileNotFoundError: there is no such file.
            UserError: it cannot be read.
        """

    def archive(self) -> "Source":
        """The archive: the folder or address in which the snapshot is."""


class Folder:
    """A folder of this machine, or a link to it. A symbolic link in it is an error: it may lead anywhere.

    Attributes:
        path: the folder.
        trials: the folder of the trials, if it is not `path`/trials.
    """

    def __init__(self, path: Path, trials: Path | None = None) -> None:
        self.path, self.trials, self.title = path, trials, str(path)

    def names(self) -> set[PurePosixPath] | None:
        """Every file in the folder."""
        places = {"": self.path} | ({TRIALS: self.trials} if self.trials is not None else {})
        return {
            PurePosixPath(below, path.relative_to(folder))
            for below, folder in places.items()
            for path in folder.rglob("*")
            if path.is_symlink() or not path.is_dir()
        }

    def file(self, path: PurePosixPath) -> Path:
        """Where the file with this path in the snapshot is, or would be."""
        base, rest = self._split(path)
        return base / rest

    def exists(self, path: PurePosixPath) -> bool:
        """Whether a file is there."""
        return self.file(path).exists()

    def stream(self, path: PurePosixPath) -> Iterator[bytes]:
        """The content of a file, in parts."""
        base, rest = self._split(path)
        file = base / rest
        if any((base / name).is_symlink() for name in (rest, *rest.parents[:-1])):
            raise SymlinkError(f"{file}: {SymlinkError.reason}")
        if file.exists() and not file.is_file():
            raise UserError(f"{file}: is not a file; fetch the snapshot again")
        try:
            with file.open("rb") as stream:
                while part := stream.read(CHUNK_BYTES):
                    yield part
        except (FileNotFoundError, NotADirectoryError) as error:
            raise FileNotFoundError(str(file)) from error
        except OSError as error:
            raise UserError(f"{file}: cannot be read: {error.strerror}") from error

    def archive(self) -> "Folder":
        """The folder in which the snapshot is."""
        return Folder(self.path.resolve().parent)

    def _split(self, path: PurePosixPath) -> tuple[Path, PurePosixPath]:
        """The folder that a path begins in, and the rest of the path."""
        if self.trials is None or not path.is_relative_to(TRIALS):
            return self.path, path
        return self.trials, path.relative_to(TRIALS)


class SnapshotAddress:
    """A snapshot that is read over HTTP.

    Attributes:
        title: its address, without a slash at its end.
    """

    def __init__(self, url: str, captures: str | None = None, reader: HttpReader | None = None) -> None:
        """Name a snapshot; nothing is read yet.

        Args:
            url: its address, in one of the forms that `snapshot_address` accepts.
            captures: the address of its trials; None for captures/, or trials/ of the snapshot.
            reader: what reads it; a new one if it is None.
        """
        self._base = snapshot_address(url)
        self.title = self._base.rstrip("/")
        self._reader = reader or HttpReader()
        self._trials = [_folder_of(captures)] if captures else None

    def names(self) -> None:
        """None: files cannot be listed."""

    def exists(self, path: PurePosixPath) -> bool:
        """Whether a file is there."""
        try:
            self.size(path)
        except FileNotFoundError:
            return False
        return True

    def size(self, path: PurePosixPath) -> int | None:
        """The bytes of a file; None if the server does not say. Errors as in `stream`."""
        for base in self._bases(path):
            try:
                size = self._reader.size(base + _quoted(path, base, self._base))
            except FileNotFoundError:
                continue
            self._prefer(base, path)
            return size
        raise FileNotFoundError(f"{self.title}/{path}")

    def stream(self, path: PurePosixPath, first: int = 0, size: int | None = None) -> Iterator[bytes]:
        """The content of a file from its byte `first` on; `size` is what the whole file should have.

        Raises:
            FileNotFoundError: there is no such file.
            UserError: it cannot be read, or has another size.
        """
        for base in self._bases(path):
            try:
                yield from self._reader.stream(base + _quoted(path, base, self._base), first, size)
            except FileNotFoundError:
                continue
            self._prefer(base, path)
            return
        raise FileNotFoundError(f"{self.title}/{path}")

    def rate(self) -> float | None:
        """The bytes a second of one connection so far; None if there were too few to measure."""
        return self._reader.rate()

    def archive(self) -> "SnapshotAddress":
        """The address `<root>/snapshots/`."""
        return SnapshotAddress(urljoin(self._base, "../"), None, self._reader)

    def _bases(self, path: PurePosixPath) -> list[str]:
        """The folders that may hold a file, the most likely one first."""
        if path.parts[0] != TRIALS:
            return [self._base]
        if self._trials is None:
            self._trials = [*self._published(), self._base]
        return list(self._trials)

    def _prefer(self, base: str, path: PurePosixPath) -> None:
        """Look for other files of trials first where this one was."""
        if self._trials is not None and path.parts[0] == TRIALS:
            self._trials = [base, *(other for other in self._trials if other != base)]

    def _published(self) -> list[str]:
        """The folder of the trials below captures/, by the names in snapshot.json. They are checked later."""
        where = f"{self.title}/{IDENTITY}"
        if (content := read_if_there(self, PurePosixPath(IDENTITY))) is None:
            return []
        identity = parse_identity(parse_json(content, where, "check the address"), where)
        return [urljoin(self._base, f"../../captures/{identity.campaign}/{identity.label}/")]


def open_source(where: str, captures: str | None = None) -> Folder | SnapshotAddress:
    """The snapshot in a folder or at an address.

    Args:
        where: the folder or the address.
        captures: the folder or the address of its trials; None for the places at the top of this module.

    Raises:
        UserError: the folder is missing or is no snapshot, or the address is no address of one.
    """
    if SCHEME.match(where):
        return SnapshotAddress(where, captures)
    if captures is not None and SCHEME.match(captures):
        raise UserError(f"{captures}: is an address; name the folder of the trials, as {where} is a folder")
    folder = Path(where)
    if not folder.is_dir():
        raise UserError(f"{folder}: no such folder; name a snapshot's folder, or its address (https://…)")
    if not (folder / CHECKSUMS).is_file():
        raise UserError(f"{folder}: is no snapshot: it has no {CHECKSUMS}; name the folder that has it")
    return Folder(folder, Path(captures) if captures is not None else _captures_of(folder))


def _captures_of(folder: Path) -> Path | None:
    """The folder of the trials, if a snapshot is published to folders of this machine."""
    if (folder / TRIALS).exists() or not (folder / IDENTITY).is_file():
        return None
    identity = read_identity(folder)
    captures = folder.resolve().parent.parent / "captures" / identity.campaign / identity.label
    return captures if captures.is_dir() else None


def snapshot_address(url: str) -> str:
    """The address of a snapshot's folder, which ends with a slash.

    Args:
        url: that address, with or without the slash; or of its SHA256SUMS; or of the cycle's pages.

    Raises:
        UserError: it is neither http:// nor https://, names no host, or holds a password.
    """
    file = url.partition("#")[0].partition("?")[0]
    folder = _folder_of(file.removesuffix(f"/{CHECKSUMS}").removesuffix("/index.html"))
    if pages := PAGES.fullmatch(folder):
        root, campaign, cycle, revision = pages.groups()
        return f"{root}snapshots/{campaign}-{cycle}{f'-{revision}' if revision else ''}/"
    return folder


def _folder_of(url: str) -> str:
    """An address with a slash at its end; errors as in `snapshot_address`."""
    try:
        parts = urlsplit(url)
        host, user, _ = parts.hostname, parts.username, parts.port
    except ValueError as error:
        raise UserError(f"{url}: is not a valid address: {error}; correct it") from error
    if parts.scheme not in ("http", "https") or not host:
        raise UserError(f"{url}: is no address of the form https://host/snapshots/folder/; correct it")
    if user is not None:
        raise UserError(f"{parts.scheme}://…@{host}: names a user; snapshots are read without one")
    return url if url.endswith("/") else f"{url}/"


def _quoted(path: PurePosixPath, base: str, snapshot: str) -> str:
    """A file's path below a base, as addresses have it. The bases of trials have no folder trials/."""
    below = path if base == snapshot else path.relative_to(TRIALS)
    return quote(below.as_posix(), safe="/~")


def read(source: Source, path: PurePosixPath) -> bytes:
    """The whole content of a small file; errors as in `Source.stream`, and if it is not small."""
    content = bytearray()
    for part in source.stream(path):
        content += part
        check_size(source, path, len(content))
    return bytes(content)


def check_size(source: Source, path: PurePosixPath, size: int) -> None:
    """Raise UserError if a file that describes a snapshot has too many bytes."""
    if size > MOST_DESCRIPTION_BYTES:
        problem = f"is larger than {MOST_DESCRIPTION_BYTES / 1e6:g} MB"
        raise UserError(f"{source.title.rstrip('/')}/{path}: {problem}; do not use this snapshot")


def read_if_there(source: Source, path: PurePosixPath) -> bytes | None:
    """The whole content of a small file; None if there is no such file."""
    try:
        return read(source, path)
    except FileNotFoundError:
        return None
