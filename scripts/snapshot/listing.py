"""SHA256SUMS: the list of a snapshot's files, in the format of sha256sum(1).

It lists every file but itself, the signatures, tombstone.json, which tells what was removed since
(tombstone.py), and pruned.json, which tells what is published elsewhere only (pruned.py).
"""

import re
from pathlib import PurePosixPath

from scripts.base.errors import UserError
from scripts.snapshot.pruned import NAME as PRUNED
from scripts.snapshot.tombstone import NAME as TOMBSTONE

NAME = "SHA256SUMS"
SIGNATURE = ".sig"
"""A signature is in the file of this name after that of what is signed."""
PUBLISHED_UNLISTED = (NAME, NAME + SIGNATURE, TOMBSTONE, TOMBSTONE + SIGNATURE)
"""The published files that SHA256SUMS does not list."""
UNLISTED = frozenset(map(PurePosixPath, (*PUBLISHED_UNLISTED, PRUNED)))
"""What SHA256SUMS does not list."""

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
        if leads_out or not name.isprintable() or path in UNLISTED:
            raise UserError(f"{title}: line {number}: {name!r} cannot be a file of a snapshot; do not use it")
        if path in listed:
            raise UserError(f"{title}: line {number}: {name} is listed twice; fetch the snapshot again")
        listed[path] = checksum
    return listed


def _parts(line: bytes, title: str) -> tuple[str, str]:
    """The checksum and the name of a line."""
    try:
        found = LINE.fullmatch(line.decode("utf-8"))
    except UnicodeDecodeError:
        found = None
    if found is None:
        raise UserError(f"{title} is not in the format of sha256sum; fetch the snapshot again")
    return found[1], found[2]
