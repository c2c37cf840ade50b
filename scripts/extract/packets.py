"""The packets of captures as the rows of packets.parquet; what its columns mean stands here and nowhere else.

The captures are read by observatory_capture (scripts/extract/native/): pcap and pcapng, plain, gzip or zstd,
of Ethernet (tagged or not) or Linux cooked packets. A field is null where it was not captured or contradicts
itself; it is never guessed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from observatory_capture import Batch, Capture, CaptureError, Flows

from scripts.base.errors import UserError
from scripts.base.parquet import ROW_GROUP, RowGroupWriter

# One row a packet, in the order of the capture. Null where the right-hand side does not hold.
PACKETS_SCHEMA = pa.schema(
    [
        ("client", pa.string()),  # in whose capture it stands: c1, c2, …; a trial's capture
        ("time_ns", pa.int64()),  # ns since the Unix epoch, rounded down; 0 in a pcapng block without time
        ("direction", pa.string()),  # down to the client, or up; one of its addresses is known
        ("flow", pa.int32()),  # the TCP connection or pair of UDP ports, a row of flows.parquet; ports known
        ("protocol", pa.int16()),  # IP protocol, of IPv6 that behind the extension headers; IP
        ("source_port", pa.int32()),  # TCP or UDP, not fragmented or the first fragment
        ("destination_port", pa.int32()),  # the same
        ("frame_bytes", pa.int32()),  # length of the frame when it was captured; always
        ("ip_bytes", pa.int32()),  # length of the IP packet by its own header; IP
        ("payload_bytes", pa.int32()),  # of it behind the TCP or UDP header; ports known
        ("tcp_seq", pa.int64()),  # raw sequence number; TCP
        ("tcp_ack", pa.int64()),  # raw acknowledgement number; TCP
        ("tcp_flags", pa.int16()),  # the twelve bits behind the data offset; TCP
        ("capture", pa.string()),  # name of the capture's file; always
        ("ip_version", pa.int8()),  # 4 or 6; IP
        ("ip_id", pa.int64()),  # identification, of IPv6 that of the fragment header; IPv4, or a fragment
        ("ip_ttl", pa.int16()),  # time to live, or hop limit; IP
        ("ip_tos", pa.int16()),  # type of service or traffic class: six bits of DSCP, two of ECN; IP
        ("fragment_offset", pa.int32()),  # bytes of the packet before this fragment; IP
        ("more_fragments", pa.bool_()),  # whether fragments follow; IP
        ("vlan", pa.int16()),  # number in the outermost tag; tagged
        ("tcp_window", pa.int32()),  # as in the header, not scaled; TCP
        ("tcp_header_bytes", pa.int16()),  # with options; TCP of at least 20
        ("tcp_window_scale", pa.int16()),  # shift count of the option; it is there
        ("tcp_timestamp", pa.int64()),  # TSval (RFC 7323); the option is there
        ("tcp_timestamp_echo", pa.int64()),  # TSecr; the same
        ("tcp_sack", pa.list_(pa.int64())),  # left and right edges by turns (RFC 2018); the option is there
        ("quic_header", pa.string()),  # long or short by its first byte; UDP with the fixed bit of QUIC
    ]
)

# What grows slowly is stored as differences; what has few values as dictionaries, the rest of it as it is.
COUNTERS = (
    "time_ns",
    "tcp_seq",
    "tcp_ack",
    "ip_id",
    "tcp_window",
    "tcp_timestamp",
    "tcp_timestamp_echo",
    "tcp_sack.list.element",
)
WORDS = {"direction": ["down", "up"], "quic_header": ["long", "short"]}

# How a capture ended and what is odd about it: CaptureRows.facts().
Facts = dict[str, Any]


def packets_writer(path: Path) -> RowGroupWriter:
    """A writer of packets.parquet."""
    return RowGroupWriter(path, PACKETS_SCHEMA, COUNTERS, words=("client", "capture", *WORDS))


class CaptureRows:
    """The rows of one capture, batch after batch of ROW_GROUP rows; facts() tells what was found.

    Args:
        path: the capture.
        flows: numbers the flows, on from those it has.
        client: the trial's client whose capture it is, and its number; without one, anyone's capture.
        addresses: the client's addresses. What the capture of a trial's client holds under other addresses
            (IPv6, multicast) goes by the client's Ethernet address.

    Raises:
        UserError: the file cannot be read, or is no capture at all.
    """

    def __init__(
        self, path: Path, flows: Flows, addresses: list[str], client: tuple[int, str] | None = None
    ) -> None:
        self._path = path
        self._flows = flows
        self._client = None if client is None else client[1]
        with reported(path):
            self._capture = Capture(path, flows, client[0] if client else 0, addresses, client is not None)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        while True:
            with reported(self._path):
                batch = self._capture.next(ROW_GROUP)
            if batch is None:
                return
            self._flows.add(batch)
            yield _rows(batch, self._client, self._path.name)

    def facts(self) -> Facts:
        """After the last batch: how the capture ended and what is odd about it.

        `status` is ok, cut or corrupt, `offset` the byte of the decompressed capture up to which it was read,
        `bytes_left` what lies behind. Counted are `packets` and, of them: `not_ip`; `cut_headers` (a header
        or TCP options reach beyond what was captured); `zero_length` (no byte was captured); `time_jumps`
        (more than 1 ms before or 1 h after the packet before it in the file); `flows_not_numbered` (of more
        flows than are told apart).
        """
        return {"capture": self._path.name, "client": self._client, **self._capture.facts()}

    @property
    def consumed_bytes(self) -> int:
        """How much of the file has been read."""
        return self._capture.consumed


class NotACaptureError(UserError):
    """A file that is no capture at all."""


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Tell what is wrong with a capture as a UserError that names it."""
    try:
        yield
    except CaptureError as error:
        raise NotACaptureError(f"{path}: {error}; give a capture by dumpcap, tcpdump or the like") from error
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error


def _rows(batch: Batch, client: str | None, capture: str) -> pa.RecordBatch:
    rows = len(batch)
    columns = {
        "client": _constant(rows, client),
        "capture": _constant(rows, capture),
        "tcp_sack": _lists(batch, "tcp_sack"),
        **{name: _words(batch, name) for name in WORDS},
    }
    arrays = [columns.get(field.name) or _array(batch, field.name, field.type) for field in PACKETS_SCHEMA]
    return pa.RecordBatch.from_arrays(arrays, names=PACKETS_SCHEMA.names)


def _array(batch: Batch, name: str, kind: pa.DataType) -> pa.Array:
    """A column on the batch's own memory."""
    return pa.Array.from_buffers(kind, len(batch), [_validity(batch, name), pa.py_buffer(batch.values(name))])


def _validity(batch: Batch, name: str) -> pa.Buffer | None:
    bits = batch.validity(name)
    return None if bits is None else pa.py_buffer(bits)


def _lists(batch: Batch, name: str) -> pa.Array:
    values = batch.values(name)
    items = pa.Array.from_buffers(pa.int64(), len(values) // 8, [None, pa.py_buffer(values)])
    buffers = [_validity(batch, name), pa.py_buffer(batch.values(f"{name}_end"))]
    return pa.Array.from_buffers(pa.list_(pa.int64()), len(batch), buffers, children=[items])


def _words(batch: Batch, name: str) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(_array(batch, name, pa.int8()), WORDS[name])


def _constant(rows: int, word: str | None) -> pa.DictionaryArray:
    zeros = pa.Array.from_buffers(pa.int8(), rows, [None, pa.py_buffer(bytes(rows))])
    return pa.DictionaryArray.from_arrays(pa.nulls(rows, pa.int8()) if word is None else zeros, [word or ""])
