"""source.tar.zst: the code that made a snapshot, as it was then.

`zstd -dc source.tar.zst | tar x` unpacks it into one folder, in which `make reproduce SNAPSHOT=…` works.
"""

import io
import os
import subprocess
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.files import ROOT, write_bytes
from scripts.base.tar_files import members, packed
from scripts.snapshot.identity import read_identity

SOURCE_ARCHIVE = "source.tar.zst"
FOLDER = "internet-fairness-observatory"
"""The folder in the archive."""

LEFT_OUT = frozenset({"data", "config/operate.yaml"})
"""Snapshots have the data. The settings of unattended operation are the operator's own."""

TOP = frozenset(
    {
        *("Snakefile", "rules", "testbed", "services", "site", "scripts", "tests", "environment.yml"),
        *("config", "docs", "Makefile", "pyproject.toml", "requirements.lock", ".ci", ".gitignore"),
        *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE"),
    }
)
"""What of the top level is code, where git does not tell. Everything else there is the user's own."""

NOT_CODE = frozenset({"node_modules", "__pycache__"})
"""Folders below the top level that are no code."""

LEVEL = 9
MOST_BYTES = 200_000_000
"""No code is as large as this, unpacked."""


class CommitError(UserError):
    """The commit that made a snapshot is not in this checkout."""


def write_source(snapshot: Path, root: Path = ROOT) -> None:
    """Write source.tar.zst of a snapshot that is being made. The same files give the same bytes."""
    write_bytes(snapshot / SOURCE_ARCHIVE, code_archive(root))


def read_source(snapshot: Path) -> dict[str, bytes]:
    """Every file of source.tar.zst by its path in the repository; of a lean snapshot, of its commit.

    Raises:
        CommitError: this checkout does not have the commit.
        UserError: the file is missing, is not such an archive, or is larger than MOST_BYTES.
    """
    path = snapshot / SOURCE_ARCHIVE
    if not path.is_file() and (identity := read_identity(snapshot)).kind == "lean" and identity.commit:
        return _files_of_commit(identity.commit)
    try:
        stream = path.open("rb")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error}; fetch the snapshot again") from error
    with stream:
        found = members(stream, MOST_BYTES, str(path))
        return {name.removeprefix(f"{FOLDER}/"): content for name, content in found}


def _files_of_commit(commit: str, root: Path = ROOT) -> dict[str, bytes]:
    """Every file of a commit by its path. Raises CommitError if the checkout does not have it."""
    command = ["git", "-c", f"safe.directory={root.resolve()}", "archive", "--format=tar", commit]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, check=True)
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
    paths = ((name, root / name) for name in sorted(_names(root)))
    files = (
        (f"{FOLDER}/{name}", path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
        for name, path in paths
    )
    return packed(files, LEVEL)


def _names(root: Path) -> Iterator[str]:
    """The files of code, relative to the checkout."""
    for name in _tracked(root) if (root / ".git").exists() else _found(root):
        path = root / name
        if not LEFT_OUT & {name, name.split("/")[0]} and path.is_file() and not path.is_symlink():
            yield name


def _tracked(root: Path) -> list[str]:
    """The files that git tracks.

    Raises:
        UserError: git cannot tell.
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
    command = ["git", "-c", f"safe.directory={root.resolve()}", "--no-optional-locks", *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


def _answer(root: Path, *words: str) -> str | None:
    """What git answers; None if it fails or is not installed."""
    try:
        return git(root, *words).strip()
    except (OSError, subprocess.CalledProcessError):
        return None
