"""Compares tables that were extracted from two forms of a trial."""

import filecmp
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from scripts.base.records import Json

FOOTER_END_BYTES = 8
"""A Parquet file ends with the length of its footer, four bytes, and four bytes of magic."""

PIECE_BYTES = 1 << 20

FORM_OF_CAPTURE = ("offset", "bytes_left")
"""Facts about a capture that count bytes of its file: a capture without payload is shorter."""


def same_table(one: Path, other: Path) -> bool:
    """Whether two tables of a trial, packets.parquet for example, have the same bytes.

    Only the metadata of packets.parquet may differ, in FORM_OF_CAPTURE.
    """
    if filecmp.cmp(one, other, shallow=False):
        return True
    files = [pq.ParquetFile(path) for path in (one, other)]
    if not files[0].schema.equals(files[1].schema) or _facts(files[0]) != _facts(files[1]):
        return False
    return _same_beginning(one, other, _footer(one), _footer(other))


def _facts(file: pq.ParquetFile) -> list[dict[str, Any]] | Json:
    """The facts about the captures, without those that differ between the forms of a capture."""
    facts = json.loads((file.metadata.metadata or {}).get(b"captures", b"[]"))
    return [{name: value for name, value in fact.items() if name not in FORM_OF_CAPTURE} for fact in facts]


def _footer(path: Path) -> int:
    """Where the footer of a Parquet file begins."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(size - FOOTER_END_BYTES)
        return size - FOOTER_END_BYTES - int.from_bytes(file.read(4), "little")


def _same_beginning(one: Path, other: Path, *lengths: int) -> bool:
    """Whether two files are the same up to these lengths, which must be equal too."""
    left, equal = lengths[0], lengths[0] == lengths[1]
    with one.open("rb") as first, other.open("rb") as second:
        while equal and left:
            count = min(left, PIECE_BYTES)
            equal = first.read(count) == second.read(count)
            left -= count
    return equal
