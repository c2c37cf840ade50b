"""SHA256SUMS: the list of a snapshot's files, in the format of sha256sum(1): written, read, and compared.

It lists every file but itself, the signatures, tombstone.json and pruned.json (absent.py). A snapshot that
comes from elsewhere may have a problem: each has a kind, which messages name.
"""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.files import digest, write_text
from scripts.base.plain import plain
from scripts.snapshot.file_threads import AddBytes, work_through
from scripts.snapshot.http_reader import CONNECTIONS
from scripts.snapshot.identity import CHECKSUMS, SIGNATURE
from scripts.snapshot.source import Folder, Source, SymlinkError, read_if_there

ProblemKind = Literal[
    "flipped",
    "missing",
    "extra",
    "renamed",
    "symlinked",
    "unreadable",
    "removal incomplete",
    "unsigned",
    "other key",
    "wrong namespace",
    "expired",
    "old revision",
    "not in the chain",
    "old tombstone",
]

MOST_NAMED = 10
"""How many problems, or files, a message names."""


@dataclass(frozen=True)
class FileProblem:
    """A file, what kind of problem it has, and the problem in words with what to do."""

    kind: ProblemKind
    file: str
    text: str

    def __str__(self) -> str:
        return plain(f"{self.file}: {self.text} ({self.kind})")


class RefusedError(UserError):
    """One problem, as an error."""

    def __init__(self, kind: ProblemKind, file: str, text: str) -> None:
        self.problem = FileProblem(kind, file, text)
        super().__init__(str(self.problem))


def refuse(problems: Collection[FileProblem]) -> None:
    """Raise UserError if there is a problem. The message names at most ten, one a line."""
    if not problems:
        return
    lines = [str(problem) for problem in problems][:MOST_NAMED]
    if len(problems) > MOST_NAMED:
        lines.append(f"and {len(problems) - MOST_NAMED} more problems")
    raise UserError("\n".join(lines))


TOMBSTONE, PRUNED = "tombstone.json", "pruned.json"
PUBLISHED_WITHOUT_CHECKSUM = (CHECKSUMS, CHECKSUMS + SIGNATURE, TOMBSTONE, TOMBSTONE + SIGNATURE)
"""The published files that SHA256SUMS does not list."""
WITHOUT_CHECKSUM = frozenset(map(PurePosixPath, (*PUBLISHED_WITHOUT_CHECKSUM, PRUNED)))
"""All files that SHA256SUMS does not list."""

LINE = re.compile(r"([0-9a-f]{64})  ([^\\]+)")
"""A checksum, two spaces, a name. sha256sum(1) writes a backslash only before escaped names."""


def parse_listing(content: bytes, title: str) -> dict[PurePosixPath, str]:
    """The checksum of every file that SHA256SUMS lists.

    Args:
        content: the file.
        title: its name, for errors.

    Raises:
        UserError: a line is not of this form, or its name leads out of the snapshot, has characters that are
            not printable, is a duplicate, or is one that is never listed.
    """
    listed: dict[PurePosixPath, str] = {}
    *lines, end = content.split(b"\n")
    if end:
        raise UserError(f"{title}: its last line is not complete; fetch the snapshot again")
    for number, line in enumerate(lines, start=1):
        checksum, name = _parts(line, f"{title}: line {number}")
        path = PurePosixPath(name)
        leads_out = path.as_posix() != name or path.is_absolute() or ".." in path.parts
        if leads_out or not name.isprintable() or path in WITHOUT_CHECKSUM:
            raise UserError(f"{title}: line {number}: {name!r} cannot be a file of a snapshot; do not use it")
        if path in listed:
            raise UserError(f"{title}: line {number}: {name} is listed twice; fetch the snapshot again")
        listed[path] = checksum
    return listed


def _parts(line: bytes, title: str) -> tuple[str, str]:
    """The checksum and the name of a line."""
    try:
        match = LINE.fullmatch(line.decode("utf-8"))
    except UnicodeDecodeError:
        match = None
    if match is None:
        raise UserError(f"{title} is not in the format of sha256sum; fetch the snapshot again")
    return match[1], match[2]


def files_of(folder: Path) -> list[Path]:
    """Every file in `folder` and its subfolders that SHA256SUMS lists, relative to `folder`, sorted."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in files if PurePosixPath(path) not in WITHOUT_CHECKSUM)


def write_checksums(folder: Path, known: Mapping[Path, str] | None = None) -> None:
    """Write SHA256SUMS for all files in `folder`; checksums that are known already are not computed again."""
    sums = known or {}
    lines = [f"{sums.get(path) or digest(folder / path)}  {path.as_posix()}\n" for path in files_of(folder)]
    write_text(folder / CHECKSUMS, "".join(lines))


def read_checksums(folder: Path) -> dict[Path, str]:
    """The checksum of every file that SHA256SUMS lists.

    Raises:
        UserError: SHA256SUMS is missing or wrong.
    """
    return {Path(path): checksum for path, checksum in read_listing(Folder(folder)).items()}


def read_listing(source: Source) -> dict[PurePosixPath, str]:
    """The checksum of every file that the SHA256SUMS of a snapshot lists; errors as in `read_checksums`."""
    return parse_listing(read_sums(source), f"{source.title}/{CHECKSUMS}")


def read_sums(source: Source) -> bytes:
    """The SHA256SUMS of a snapshot.

    Raises:
        UserError: there is none, or it cannot be read.
    """
    content = read_if_there(source, PurePosixPath(CHECKSUMS))
    if content is None:
        file = f"{source.title.rstrip('/')}/{CHECKSUMS}"
        raise UserError(f"{file}: cannot be read: No such file or directory; is this a snapshot?")
    return content


def file_problems(
    source: Source,
    listed: Mapping[PurePosixPath, str],
    removed: AbstractSet[PurePosixPath] = frozenset(),
    pruned: AbstractSet[PurePosixPath] = frozenset(),
    show: AddBytes = lambda count: None,
) -> list[FileProblem]:
    """What is wrong with the files of a snapshot.

    Args:
        source: the snapshot.
        listed: SHA256SUMS.
        removed: the files in its tombstone, which must be absent.
        pruned: the files that need not be there.
        show: is called again and again with the bytes that were read so far.

    Raises:
        UserError: a server fails.
    """
    there = source.names()
    incomplete = "its removal is incomplete; run remove again"
    problems = [
        FileProblem("removal incomplete", _file(source, path), incomplete)
        for path in sorted(removed)
        if source.exists(path)
    ]
    paths, missing = sorted(listed.keys() - removed - pruned), list[PurePosixPath]()
    sums: dict[PurePosixPath, str | FileProblem | None] = {}

    def compute(path: PurePosixPath, add_bytes: AddBytes) -> None:
        sums[path] = _digest(source, path, add_bytes)

    work_through(compute, paths, CONNECTIONS if there is None else 1, show)
    for path in paths:
        if (checksum := sums[path]) is None:
            missing.append(path)
        elif isinstance(checksum, FileProblem):
            problems.append(checksum)
        elif checksum != listed[path]:
            text = f"does not match {CHECKSUMS}; fetch the snapshot again"
            problems.append(FileProblem("flipped", _file(source, path), text))
    extra = sorted((there or set()) - listed.keys() - WITHOUT_CHECKSUM)
    return problems + list(_misplaced(source, listed, missing, extra))


def _misplaced(
    source: Source,
    listed: Mapping[PurePosixPath, str],
    missing: list[PurePosixPath],
    extra: list[PurePosixPath],
) -> Iterator[FileProblem]:
    """The files that are missing, and those that are not listed. If both have one content, it is renamed."""
    lost = {listed[path]: path for path in reversed(missing)}
    renamed = set()
    for path in extra:
        checksum = _digest(source, path, lambda count: None)
        if isinstance(checksum, FileProblem):
            yield checksum
        elif checksum in lost:
            renamed.add(checksum)
            text = f"has the content of {lost[checksum]}, which is missing; give it that name"
            yield FileProblem("renamed", _file(source, path), text)
        else:
            text = f"is not in {CHECKSUMS}; remove it, or fetch the snapshot again"
            yield FileProblem("extra", _file(source, path), text)
    for path in missing:
        if listed[path] not in renamed:
            yield FileProblem("missing", _file(source, path), "is missing; fetch the snapshot again")


def _digest(source: Source, path: PurePosixPath, add_bytes: AddBytes) -> str | FileProblem | None:
    """The SHA-256 of a file; the problem if it cannot be read; None if it is missing.

    Raises:
        UserError: a server fails. The next file would wait for it, too.
    """
    sha256 = hashlib.sha256()
    try:
        for part in source.stream(path):
            sha256.update(part)
            add_bytes(len(part))
        return sha256.hexdigest()
    except FileNotFoundError:
        return None
    except SymlinkError as error:
        return FileProblem("symlinked", _file(source, path), error.reason)
    except UserError as error:
        if not isinstance(source, Folder):
            raise
        return FileProblem("unreadable", _file(source, path), str(error))


def _file(source: Source, path: PurePosixPath) -> str:
    return f"{source.title.rstrip('/')}/{path}"
