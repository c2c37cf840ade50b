"""What may cause a difference: the captures, the code, Python and its packages.

Each function compares what a snapshot was made from with what is used here, and returns messages that name
the file. They say what differs, not that it matters: they are asked only after a table or chart differed.
"""

import ast
import platform
from collections.abc import Collection, Iterable, Iterator
from itertools import zip_longest
from pathlib import Path, PurePosixPath

from scripts.base.files import ROOT
from scripts.base.packages import other_packages
from scripts.model.trials import TrialKey
from scripts.snapshot.absent import PACKAGE, read_resources
from scripts.snapshot.checksums import CHECKSUMS, digest, read_checksums
from scripts.snapshot.environment import NAME as ENVIRONMENT
from scripts.snapshot.environment import read_environment
from scripts.snapshot.source_archive import read_source

LOCK = "requirements.lock"

CODE = (
    *("Snakefile", "rules", "scripts/base", "scripts/model", "scripts/plan", "scripts/metrics"),
    *("scripts/extract", "scripts/tables", "scripts/charts"),
)
"""The code that tables and charts are made with, in the order in which it is used."""

COMMENTS = {".py": "#", ".smk": "#", "": "#", ".yaml": "#", ".sql": "--", ".cc": "//", ".h": "//"}
"""What a line begins with that is only a comment."""


def wrong_captures(snapshot: Path, trials: Iterable[TrialKey]) -> Iterator[tuple[PurePosixPath, str]]:
    """The files of trials that are not those that the snapshot lists."""
    folders = {Path("trials", key.path) for key in trials}
    listed, described = read_checksums(snapshot), _described(snapshot)
    for path in sorted(path for path in listed if path.parent in folders and (snapshot / path).is_file()):
        found = digest(snapshot / path)
        for name, checksum in ((CHECKSUMS, listed[path]), (PACKAGE, described.get(path, found))):
            if found != checksum:
                yield PurePosixPath(path), f"does not match {name}"
                break


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
    archived = read_source(snapshot)
    here = {path.relative_to(root).as_posix(): path for path in _files(root)}
    names = {name for name in (*archived, *here) if _within(name, CODE) and not _within(name, unneeded)}
    for name in sorted(names, key=lambda name: (_place(name), name)):
        if name not in here:
            yield PurePosixPath(name), "is missing here, and is in the source of the snapshot"
        elif name not in archived:
            yield PurePosixPath(name), "is not in the source of the snapshot"
        elif (found := _other_line(name, archived[name], here[name].read_bytes())) is not None:
            yield PurePosixPath(name), found


def other_environment(snapshot: Path) -> Iterator[tuple[PurePosixPath, str]]:
    """Another Python or other packages than those that made the snapshot; absent packages do not count."""
    if (before := read_environment(snapshot).builder.python) != (here := platform.python_version()):
        yield PurePosixPath(ENVIRONMENT), f"Python {here} here, {before} in the snapshot"
    if not (snapshot / LOCK).is_file():
        return
    others = [one for one in other_packages((snapshot / LOCK).read_text(encoding="utf-8")) if one.here]
    if others:
        told = (f"{one.name} {one.here} here, {' or '.join(one.locked)} in the snapshot" for one in others)
        yield PurePosixPath(LOCK), "; ".join(told)


def _described(snapshot: Path) -> dict[Path, str]:
    """The checksums that datapackage.json has."""
    if not (snapshot / PACKAGE).is_file():
        return {}
    return {Path(one.path): one.sha256 for one in read_resources(snapshot)}


def _files(root: Path) -> Iterator[Path]:
    for name in CODE:
        found = (root / name).rglob("*") if (root / name).is_dir() else iter([root / name])
        yield from (path for path in found if path.is_file() and "__pycache__" not in path.parts)


def _within(name: str, places: Collection[str]) -> bool:
    return any(name == place or name.startswith(f"{place}/") for place in places)


def _place(name: str) -> int:
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
