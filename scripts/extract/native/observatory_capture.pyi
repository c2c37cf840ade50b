"""Reads captures. It is written in C++ beside this file; scripts/extract/packets.py documents the columns."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, NotRequired, TypedDict, type_check_only

class CaptureError(ValueError):
    """The file is not a capture: its magic number is unknown, its file head is incomplete, or it is empty."""

@type_check_only
class CaptureCounts(TypedDict):
    """How a capture ended, and its counts (scripts/extract/capture_facts.py)."""

    status: Literal["ok", "cut", "corrupt"]
    offset: int
    bytes_left: int
    packets: int
    not_ip: int
    cut_headers: int
    time_jumps: int
    zero_length: int
    flows_not_numbered: int
    first_ns: int
    last_ns: int

@type_check_only
class FlowTotals(TypedDict):
    """The totals of one flow (scripts/extract/flows.py). Those of TCP are None in other flows."""

    first_ns: int
    last_ns: int
    packets_down: int
    packets_up: int
    ip_bytes_down: int
    ip_bytes_up: int
    retransmissions_down: int | None
    retransmissions_up: int | None
    out_of_order_down: int | None
    out_of_order_up: int | None
    duplicate_acks_down: int | None
    duplicate_acks_up: int | None
    bytes_in_flight_down: int | None
    bytes_in_flight_up: int | None
    rtt_samples: NotRequired[int]
    rtt_min_ns: NotRequired[int | None]
    rtt_median_ns: NotRequired[int | None]

class Flows:
    """Numbers TCP and UDP flows in the order of their first packets, over any number of captures."""

    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def rows(self, begin: int, end: int) -> list[tuple[int, int, str, int, str, int]]:
        """The flows from `begin` to before `end`: owner, protocol, source, source port, destination,
        destination port. The source is the service's end."""

    def add(self, packets: Batch) -> None:
        """Analyse packets: each one once, in the order of their capture."""

    def totals(self, begin: int, end: int) -> list[FlowTotals]:
        """The totals of the flows from `begin` to before `end`."""

class Batch:
    """Some packets as columns."""

    def __len__(self) -> int: ...
    def values(self, name: str) -> memoryview:
        """The bytes of a column in Arrow's layout. The view keeps the memory alive."""

    def validity(self, name: str) -> bytes | None:
        """One bit for each packet, the lowest first: whether it has a value. None if all packets have one."""

class Capture:
    """One pass over a capture.

    Args:
        path: the file.
        flows: numbers the flows.
        owner: the number of the client. Flows of different owners are different flows.
        addresses: the clients' IP addresses.
        clients_interface: whether the capture was made on the client's interface. If so, the source Ethernet
            address of the first packet from `addresses` gives the direction of packets with other addresses.

    Raises:
        CaptureError: the file is not a capture.
        OSError: the file cannot be read.
        ValueError: an address is not an IP address.
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
        """The next `rows` packets; fewer at the end of the capture, None after the last packet."""

    @property
    def consumed(self) -> int:
        """The number of bytes of the file that were read so far."""

    def facts(self) -> CaptureCounts:
        """How the capture ended, and its counts. Valid after the last packet."""

class Publication:
    """A copy of a capture without payload, as pcapng.

    Args:
        path: the file.
        pseudonym: the pseudonym of an address: 4 bytes of IPv4 or 16 of IPv6, in network byte order. It is
            called once for each address. Without it addresses are published.

    Raises:
        CaptureError: the file is not a capture.
        OSError: the file cannot be read.
    """

    def __init__(self, path: Path, pseudonym: Callable[[bytes], bytes] | None = None) -> None: ...
    def next(self, size: int) -> bytes:
        """The next part of the copy, about `size` bytes; empty after the last one."""

class Stream:
    """The bytes of a file, decompressed if it is gzip or zstd, up to the first damage.

    Raises:
        OSError: the file cannot be read.
    """

    def __init__(self, path: Path) -> None: ...
    def read(self, size: int) -> bytes:
        """The next `size` bytes; fewer only at the end."""
