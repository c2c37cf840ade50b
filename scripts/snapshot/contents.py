"""Compare the files of a snapshot with SHA256SUMS, while they are read."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath

from scripts.base.errors import UserError
from scripts.snapshot.crew import Tell, work_through
from scripts.snapshot.http_requests import CONNECTIONS
from scripts.snapshot.listing import NAME, UNLISTED
from scripts.snapshot.problems import FileProblem
from scripts.snapshot.source import Folder, Source, SymlinkError

Show = Callable[[int], None]
"""Is told how many bytes were read so far."""


def _silent(count: int) -> None:
    """Show nothing."""


def digest_in(source: Source, path: PurePosixPath, tell: Tell) -> str:
    """The SHA-256 of a file, in hexadecimal; errors as in `Source.stream`."""
    found = hashlib.sha256()
    for part in source.stream(path):
        found.update(part)
        tell(len(part))
    return found.hexdigest()


def file_problems(
    source: Source,
    listed: Mapping[PurePosixPath, str],
    removed: AbstractSet[PurePosixPath] = frozenset(),
    pruned: AbstractSet[PurePosixPath] = frozenset(),
    show: Show = _silent,
) -> list[FileProblem]:
    """What is wrong with the files of a snapshot.

    Args:
        source: the snapshot.
        listed: SHA256SUMS.
        removed: the files in its tombstone, which must be absent.
        pruned: the files that need not be there.
        show: is told again and again how many bytes were read so far.

    Raises:
        UserError: a server fails.
    """
    there = source.names()
    problems = [problem for path in sorted(removed) for problem in _remaining(source, path)]
    missing = []
    threads = CONNECTIONS if there is None else 1
    for path, found in _digests(source, sorted(listed.keys() - removed - pruned), threads, show):
        if found is None:
            missing.append(path)
        elif isinstance(found, FileProblem):
            problems.append(found)
        elif found != listed[path]:
            text = f"does not match {NAME}; fetch the snapshot again"
            problems.append(FileProblem("flipped", _file(source, path), text))
    extra = sorted((there or set()) - listed.keys() - UNLISTED)
    return problems + list(_misplaced(source, listed, missing, extra))


def _misplaced(
    source: Source,
    listed: Mapping[PurePosixPath, str],
    missing: list[PurePosixPath],
    extra: list[PurePosixPath],
) -> Iterator[FileProblem]:
    """The files that are missing, those that are not listed, and which of the one are which of the other."""
    lost = {listed[path]: path for path in reversed(missing)}
    renamed = set()
    for path in extra:
        found = _digest(source, path, _silent)
        if isinstance(found, FileProblem):
            yield found
        elif found in lost:
            renamed.add(found)
            text = f"has the content of {lost[found]}, which is missing; give it that name"
            yield FileProblem("renamed", _file(source, path), text)
        else:
            text = f"is not in {NAME}; remove it, or fetch the snapshot again"
            yield FileProblem("extra", _file(source, path), text)
    for path in missing:
        if listed[path] not in renamed:
            yield FileProblem("missing", _file(source, path), "is missing; fetch the snapshot again")


def _remaining(source: Source, path: PurePosixPath) -> Iterator[FileProblem]:
    """A removed file that is still there."""
    if source.exists(path):
        text = "its removal is incomplete; run remove again"
        yield FileProblem("removal incomplete", _file(source, path), text)


def _digests(
    source: Source, paths: list[PurePosixPath], threads: int, show: Show
) -> Iterable[tuple[PurePosixPath, str | FileProblem | None]]:
    """What `_digest` says of each file, in the order of the files."""
    found: dict[PurePosixPath, str | FileProblem | None] = {}

    def one(path: PurePosixPath, tell: Tell) -> None:
        found[path] = _digest(source, path, tell)

    work_through(one, paths, threads, show)
    return [(path, found[path]) for path in paths]


def _digest(source: Source, path: PurePosixPath, tell: Tell) -> str | FileProblem | None:
    """The SHA-256 of a file; the problem if it cannot be read; None if it is missing.

    Raises:
        UserError: a server fails. The next file would wait for it, too.
    """
    try:
        return digest_in(source, path, tell)
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
