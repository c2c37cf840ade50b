"""Assemble a site beside the old one, then put it in the old one's place in one step.

A build of `public` makes two names beside it:

    .public.lock        the lock: one build at a time
    .public.XXXXXXXX/   the work folder, with the new site in site/

The two sites are exchanged by renameat2(2). A build that is killed before that leaves the old site, and one
that is killed afterwards the new one. The next build removes the rest.

A file system without that call gets two renames: the old site moves to former/ in the work folder, then the
new one into its place. If the build is killed between the two, there is no site until the next build, which
first moves the old one back.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from scripts.base.errors import UserError
from scripts.base.exchange import exchange
from scripts.base.locks import locked

_FRESH, _FORMER = "site", "former"


@contextmanager
def assembling(output: Path) -> Iterator[Path]:
    """An empty folder for the new site. It replaces `output` if no error occurs.

    Args:
        output: the site, as an absolute path without symbolic links.

    Raises:
        UserError: `output` is something else than a site.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    with _only_build(output):
        _clean_up(output)
        if output.exists() and not _is_site(output):
            problem = f"{output}: is not a site, so it is not replaced"
            raise UserError(f"{problem}; name another folder or remove it")
        work = Path(tempfile.mkdtemp(dir=output.parent, prefix=f".{output.name}."))
        try:
            (work / _FRESH).mkdir()
            yield work / _FRESH
            put_in_place(work / _FRESH, output, exchange)
        finally:
            shutil.rmtree(work)


def _is_site(folder: Path) -> bool:
    """Whether a folder is empty, or has the pages that every site has."""
    return folder.is_dir() and (
        not any(folder.iterdir()) or any((folder / name).is_file() for name in ("index.html", "404.html"))
    )


@contextmanager
def _only_build(output: Path) -> Iterator[None]:
    """Hold the lock of a site."""
    path = output.parent / f".{output.name}.lock"
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(path, wait=False))
        except BlockingIOError:
            print(f"{output}: another build is running; this one waits for it", file=sys.stderr, flush=True)
            stack.enter_context(locked(path))
        yield


def _clean_up(output: Path) -> None:
    """Remove what killed builds left, and restore a site whose replacement was killed between two renames."""
    name = re.compile(rf"\.{re.escape(output.name)}\.[a-z0-9_]{{8}}")
    for work in [path for path in output.parent.iterdir() if name.fullmatch(path.name) and path.is_dir()]:
        if (work / _FORMER).is_dir() and not output.exists():
            (work / _FORMER).rename(output)
        shutil.rmtree(work)


def put_in_place(fresh: Path, output: Path, exchange: Callable[[Path, Path], bool]) -> None:
    """Put the new site in the place of the old one, which stays in the work folder."""
    if not output.exists():
        fresh.rename(output)
    elif not exchange(fresh, output):
        former = fresh.with_name(_FORMER)
        output.rename(former)
        try:
            fresh.rename(output)
        except OSError:
            former.rename(output)
            raise
