"""Where a snapshot and its trials are, in folders or at an address, http:// or https://, as it is published.

    <root>/snapshots/<folder>/…                                    the snapshot, without its trials
    <root>/captures/<campaign>/<label>/<setting>/<pair>/<nn>/…      its trials

A copy of a whole snapshot may have its trials in trials/. The site's address of a cycle's pages means the
snapshot of that cycle.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import quote, urljoin, urlsplit

from scripts.base.errors import UserError
from scripts.base.files import parse_json
from scripts.base.records import from_json
from scripts.snapshot.checksums import CHECKSUMS
from scripts.snapshot.http_reader import HttpReader
from scripts.snapshot.identity import IDENTITY, Identity, read_identity
from scripts.snapshot.source import TRIALS, Folder, read

SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
PAGES = re.compile(r"(.*/)cycles/([^/]+)/([^/]+)/(?:(r[0-9]+)/)?")
LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class SnapshotAddress:
    """A snapshot that is read over HTTP.

    Attributes:
        title: its address, without a slash at its end.
    """

    def __init__(self, url: str, captures: str | None = None, reader: HttpReader | None = None) -> None:
        """Name a snapshot; nothing is read yet.

        Args:
            url: its address, in one of the forms that `snapshot_address` accepts.
            captures: the address of its trials; None for the two places above.
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
        """The bytes of a file; None if the server does not tell. Errors as in `stream`."""
        for base in self._bases(path):
            try:
                size = self._reader.size(base + _quoted(path, base, self._base))
            except FileNotFoundError:
                continue
            self._prefer(base, path)
            return size
        raise FileNotFoundError(f"{self.title}/{path}")

    def stream(self, path: PurePosixPath) -> Iterator[bytes]:
        """The content of a file, in parts."""
        return self.rest(path)

    def rest(self, path: PurePosixPath, first: int = 0, size: int | None = None) -> Iterator[bytes]:
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
        """The bytes a second of one connection so far; None if there were too few to tell."""
        return self._reader.rate()

    def beside(self) -> "SnapshotAddress":
        """The archive, `<root>/snapshots/`."""
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
        try:
            content = read(self, PurePosixPath(IDENTITY))
        except FileNotFoundError:
            return []
        identity = from_json(Identity, parse_json(content, where, "check the address"), where)
        if not all(LABEL.fullmatch(name) for name in (identity.campaign, identity.label)):
            raise UserError(f"{where}: names no cycle; check the address")
        return [urljoin(self._base, f"../../captures/{identity.campaign}/{identity.label}/")]


def open_source(where: str, captures: str | None = None) -> Folder | SnapshotAddress:
    """The snapshot in a folder or at an address.

    Args:
        where: the folder or the address.
        captures: the same of its trials; None for the places at the top of this module.

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
