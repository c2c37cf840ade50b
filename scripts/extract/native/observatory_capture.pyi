"""Reads captures; written in C++ beside this file. scripts/extract/packets.py says what the columns mean."""

from pathlib import Path
from typing import Any

class CaptureError(ValueError):
    """A file that is no capture at all: unknown magic, an incomplete file head, nothing in it."""

class Flows:
    """Numbers TCP and UDP flows in order of first sight, over any number of captures, and analyses them."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def rows(self, begin: int, end: int) -> list[tuple[int, int, str, int, str, int]]:
        """Of the flows from `begin` to before `end`: owner, protocol, source and its port, destination and
        its port, the service's end first."""

    def add(self, packets: Batch) -> None:
        """Analyse packets: each once, in the order of their capture."""

    def totals(self, begin: int, end: int) -> list[dict[str, int | None]]:
        """What was found in each of them, under the names of flows.parquet's columns."""

class Batch:
    """Some packets as columns."""

    def __len__(self) -> int: ...
    def values(self, name: str) -> memoryview:
        """The bytes of a column, in the layout of Arrow; they stay as long as they are held."""

    def validity(self, name: str) -> bytes | None:
        """A bit a packet, lowest first: whether it has a value; None if all have."""

class Capture:
    """One pass over a capture.

    Args:
        path: the file.
        flows: numbers the flows.
        owner: which client's capture it is: flows of different owners are different ones.
        addresses: the clients' IP addresses.
        clients_interface: whether it was taken on the client's interface, so that its Ethernet address, that
            of the first packet its addresses sent, tells the direction of the rest.

    Raises:
        CaptureError: the file is no capture.
        OSError: it cannot be read.
        ValueError: an address is none.
    """

    def __init__(
        self,
        path: Path,
        flows: Flows,
        owner: int = 0,
        addresses: list[str] = ...,
        clients_interface: bool = False,
    ) -> None: ...
    def next(self, rows: int) -> Batch | None:
        """The next packets, as many as asked for until the capture ends; None after the last."""

    @property
    def consumed(self) -> int:
        """How many bytes of the file have been read."""

    def facts(self) -> dict[str, Any]:
        """How the capture ended and what was counted."""

class Publication:
    """A copy of a capture without payload, as pcapng.

    Raises:
        CaptureError: the file is no capture.
        OSError: it cannot be read.
    """

    def __init__(self, path: Path) -> None: ...
    def next(self, size: int) -> bytes:
        """The next piece, of about `size` bytes; empty after the last."""

class Stream:
    """The bytes of a file, decompressed if it is gzip or zstd, as far as they can be read.

    Raises:
        OSError: it cannot be read.
    """

    def __init__(self, path: Path) -> None: ...
    def read(self, size: int) -> bytes:
        """The next bytes; fewer than asked for only at the end."""
