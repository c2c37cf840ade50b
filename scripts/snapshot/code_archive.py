"""source.tar.zst: the code that made a snapshot, as it was then.

`zstd -dc source.tar.zst | tar x` unpacks it into one folder, in which `make reproduce SNAPSHOT=…` works.
"""

import ast
import io
import os
import re
import subprocess
import tarfile
from collections.abc import Collection, Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path, PurePosixPath

from scripts.base.errors import UserError
from scripts.base.files import ROOT, write_bytes
from scripts.base.tar_files import members, packed
from scripts.snapshot.identity import IDENTITY, read_identity

SOURCE_ARCHIVE, LOCK = "source.tar.zst", "requirements.lock"
CODE_FOLDER = "internet-fairness-observatory"
"""The folder in the archive."""

NOT_ARCHIVED = frozenset({"data", "config/operate.yaml"})
"""Snapshots have the data. The settings of unattended operation are the operator's own."""

TOP = frozenset(
    {
        *("Snakefile", "rules", "testbed", "services", "site", "scripts", "tests", "environment.yml"),
        *("config", "docs", "Makefile", "pyproject.toml", "requirements.lock", ".ci", ".gitignore"),
        *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE"),
    }
)
"""The code at the top level, for a folder without git. Everything else there is the user's own."""

NOT_CODE = frozenset({"node_modules", "__pycache__"})
"""Folders below the top level that are no code."""

COMMIT = re.compile("[0-9a-f]{7,64}[+]?")
COMPRESSION_LEVEL = 9
MOST_CODE_BYTES = 200_000_000
"""No code is as large as this, unpacked."""

CODE = (
    *("Snakefile", "rules", "scripts/base", "scripts/model", "scripts/plan", "scripts/metrics"),
    *("scripts/extract", "scripts/figures", "scripts/recognition", "scripts/tables", "scripts/charts"),
)
"""The code that tables and charts are made with, in the order in which it is used."""

COMMENTS = {".py": "#", ".smk": "#", "": "#", ".yaml": "#", ".sql": "--", ".cc": "//", ".h": "//"}
"""What a line begins with that is only a comment."""


class CommitError(UserError):
    """The commit that made a snapshot is not in this checkout."""


def write_source(snapshot: Path, root: Path = ROOT) -> None:
    """Write source.tar.zst of a snapshot that is being made. The same files give the same bytes."""
    write_bytes(snapshot / SOURCE_ARCHIVE, code_archive(root))


def read_source(snapshot: Path) -> dict[str, bytes]:
    """Every file of source.tar.zst by its path in the repository; of a lean snapshot, of its commit.

    Raises:
        CommitError: this checkout does not have the commit.
        UserError: the file is missing, is not such an archive, or is larger than MOST_CODE_BYTES.
    """
    path = snapshot / SOURCE_ARCHIVE
    if not path.is_file() and (identity := read_identity(snapshot)).kind == "lean" and identity.commit:
        return files_of_commit(identity.commit)
    try:
        stream = path.open("rb")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error}; fetch the snapshot again") from error
    with stream:
        names = members(stream, MOST_CODE_BYTES, str(path))
        return {name.removeprefix(f"{CODE_FOLDER}/"): content for name, content in names}


def files_of_commit(commit: str) -> dict[str, bytes]:
    """Every file of a commit by its path.

    Raises:
        CommitError: the checkout does not have it, or the name is none of a commit.
    """
    if not COMMIT.fullmatch(commit):  # git would take it as an option, such as --output.
        raise CommitError("made by a commit without a name that git gives")
    command = _git_command(ROOT, "archive", "--format=tar", commit)
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CommitError(f"made by commit {commit}, which this checkout does not have: git fetch") from error
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        members = ((entry.name, archive.extractfile(entry)) for entry in archive if entry.isfile())
        return {name: content.read() for name, content in members if content is not None}


@cache
def code_archive(root: Path) -> bytes:
    """The archive of a checkout: the tracked files, or every file of code where there is no git.

    It is made once, since a process runs the code that it began with.
    """
    paths = ((name, root / name) for name in sorted(code_files(root)))
    files = (
        (f"{CODE_FOLDER}/{name}", path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
        for name, path in paths
    )
    return packed(files, COMPRESSION_LEVEL)


def code_files(root: Path) -> Iterator[str]:
    """The files of code, relative to the checkout: the tracked ones; without git, all that are code."""
    for name in _tracked(root) if (root / ".git").exists() else _found(root):
        path = root / name
        if not NOT_ARCHIVED & {name, name.split("/")[0]} and path.is_file() and not path.is_symlink():
            yield name


def _tracked(root: Path) -> list[str]:
    """The files that git tracks.

    Raises:
        UserError: git fails.
    """
    try:
        return git(root, "ls-files", "-z").split("\0")[:-1]
    except (OSError, subprocess.CalledProcessError) as error:
        detail = getattr(error, "stderr", None) or str(error)
        problem = f"{root}: git cannot list the files of the code: {detail.strip()}"
        raise UserError(f"{problem}; mend it, or remove .git") from error


def _found(root: Path) -> Iterator[str]:
    """The files of an unpacked archive, without what was built there and caches."""
    for folder, folders, files in os.walk(root):
        if Path(folder) == root:
            folders[:], files = TOP.intersection(folders), [*TOP.intersection(files)]
        else:
            folders[:] = [name for name in folders if name not in NOT_CODE and not name.startswith(".")]
        yield from ((Path(folder) / name).relative_to(root).as_posix() for name in files)


def commit_of_code(root: Path = ROOT) -> str | None:
    """The commit of a checkout, with `+` if a tracked file was changed; None if it is no checkout."""
    if not (root / ".git").exists():
        return None
    commit = _answer(root, "rev-parse", "HEAD")
    changed = _answer(root, "status", "--porcelain", "--untracked-files=no")
    return f"{commit}+" if commit and changed else commit


def git(root: Path, *words: str) -> str:
    """What git answers about a checkout, which may belong to another user.

    Raises:
        OSError: git is not installed.
        CalledProcessError: git fails.
    """
    done = subprocess.run(_git_command(root, *words), cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


def _git_command(root: Path, *words: str) -> list[str]:
    return ["git", "-c", f"safe.directory={root.resolve()}", "--no-optional-locks", *words]


def _answer(root: Path, *words: str) -> str | None:
    """What git answers; None if it fails or is not installed."""
    try:
        return git(root, *words).strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def other_code(
    snapshot: Path, unneeded: Collection[str] = (), root: Path = ROOT
) -> Iterator[tuple[PurePosixPath, str]]:
    """The files of code that differ from those that made the snapshot, in the order in which they are used.

    Lines that are only comments are not compared.

    Args:
        snapshot: its folder.
        unneeded: files and folders of code that cannot be the cause.
        root: the code that is used here.
    """
    try:
        archived = read_source(snapshot)
    except CommitError as error:
        yield PurePosixPath(IDENTITY), str(error)
        return
    here = {path.relative_to(root).as_posix(): path for path in _compared_files(root)}
    names = {name for name in (*archived, *here) if _within(name, CODE) and not _within(name, unneeded)}
    for name in sorted(names, key=lambda name: (_place_of_code(name), name)):
        if name not in here:
            yield PurePosixPath(name), "is missing here, and is in the source of the snapshot"
        elif name not in archived:
            yield PurePosixPath(name), "is not in the source of the snapshot"
        elif (line := _other_line(name, archived[name], here[name].read_bytes())) is not None:
            yield PurePosixPath(name), line


def _compared_files(root: Path) -> Iterator[Path]:
    """The files of CODE in a checkout."""
    for name in CODE:
        files = (root / name).rglob("*") if (root / name).is_dir() else iter([root / name])
        yield from (path for path in files if path.is_file() and "__pycache__" not in path.parts)


def _within(name: str, places: Collection[str]) -> bool:
    return any(name == place or name.startswith(f"{place}/") for place in places)


def _place_of_code(name: str) -> int:
    return next(number for number, place in enumerate(CODE) if _within(name, [place]))


def _other_line(name: str, before: bytes, here: bytes) -> str | None:
    """The first line of code that differs; None if only comments do."""
    if before == here or (name.endswith(".py") and _tree(before) == _tree(here)):
        return None
    mark = COMMENTS.get(PurePosixPath(name).suffix)
    for old, new in zip_longest(_lines(before, mark), _lines(here, mark), fillvalue=(0, "the end")):
        if old[1] != new[1]:
            return f"line {new[0] or old[0]}: `{new[1]}` here, `{old[1]}` in the source of the snapshot"
    return None


def _tree(source: bytes) -> str | None:
    """What a module says to Python; None if it is not valid."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError):
        return None


def _lines(content: bytes, mark: str | None) -> list[tuple[int, str]]:
    """The numbered lines that are not empty and not only a comment."""
    text = content.decode("utf-8", errors="replace").splitlines()
    lines = ((number, line.strip()) for number, line in enumerate(text, start=1))
    return [(number, line) for number, line in lines if line and not (mark and line.startswith(mark))]
