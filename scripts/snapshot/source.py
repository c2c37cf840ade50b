"""Where a snapshot is read from: a folder of this machine, or an address (address.py)."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Protocol

from scripts.base.errors import UserError

TRIALS = "trials"
CHUNK_BYTES = 1 << 20
MOST_BYTES = 50_000_000
"""No file that describes a snapshot is as large: SHA256SUMS of a cycle of the paper's size has 2 MB."""


class SymlinkError(UserError):
    """A file is reached through a symbolic link."""

    def __init__(self, file: Path) -> None:
        self.reason = "is a symbolic link, or is below one; fetch the snapshot again"
        super().__init__(f"{file}: {self.reason}")


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

    def beside(self) -> "Source":
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
        names = {PurePosixPath(path.relative_to(self.path)) for path in _files_below(self.path)}
        if self.trials is None:
            return names
        return names | {
            PurePosixPath(TRIALS, path.relative_to(self.trials)) for path in _files_below(self.trials)
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
        if any((base / one).is_symlink() for one in (rest, *rest.parents[:-1])):
            raise SymlinkError(file)
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

    def beside(self) -> "Folder":
        """The folder in which the snapshot is."""
        return Folder(self.path.resolve().parent)

    def _split(self, path: PurePosixPath) -> tuple[Path, PurePosixPath]:
        """The folder that a path begins in, and its rest below that."""
        if self.trials is None or not path.is_relative_to(TRIALS):
            return self.path, path
        return self.trials, path.relative_to(TRIALS)


def _files_below(folder: Path) -> Iterator[Path]:
    """Every file and every link."""
    return (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())


def read(source: Source, path: PurePosixPath) -> bytes:
    """The whole content of a small file; errors as in `Source.stream`, and if it is not small."""
    content = bytearray()
    for part in source.stream(path):
        content += part
        check_size(source, path, len(content))
    return bytes(content)


def check_size(source: Source, path: PurePosixPath, size: int) -> None:
    """Raise UserError if a file that describes a snapshot has too many bytes."""
    if size > MOST_BYTES:
        problem = f"is larger than {MOST_BYTES / 1e6:g} MB"
        raise UserError(f"{source.title.rstrip('/')}/{path}: {problem}; do not use this snapshot")


def read_if_there(source: Source, path: PurePosixPath) -> bytes | None:
    """The whole content of a small file; None if there is no such file."""
    try:
        return read(source, path)
    except FileNotFoundError:
        return None
