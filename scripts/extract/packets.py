"""The packets of captures as the rows of packets.parquet. The meaning of its columns is documented here only.

observatory_capture (scripts/extract/native/) reads the captures: pcap and pcapng, plain, gzip or zstd, with
Ethernet frames (tagged or not) or Linux cooked packets. A field that was not captured, or that contradicts
other fields of its header, is null. No value is guessed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
from observatory_capture import Batch, Capture, CaptureError, Flows

from scripts.base.errors import UserError
from scripts.base.parquet import ROW_GROUP, RowGroupWriter
from scripts.extract.capture_facts import CaptureFacts

# One row for each packet, in the order of the capture. The text behind the semicolon is the condition for a
# value; otherwise it is null.
PACKETS_SCHEMA = pa.schema(
    [
        ("client", pa.string()),  # the client whose capture it is: c1, c2, …; capture of a trial
        ("time_ns", pa.int64()),  # ns since the Unix epoch, rounded down; 0 in a pcapng block without time
        ("direction", pa.string()),  # down (to the client) or up; one of the client's addresses is known
        ("flow", pa.int32()),  # the TCP connection or pair of UDP ports, a row of flows.parquet; ports known
        ("protocol", pa.int16()),  # IP protocol, for IPv6 the one after the extension headers; IP
        ("source_port", pa.int32()),  # TCP or UDP, not fragmented or the first fragment
        ("destination_port", pa.int32()),  # the same
        ("frame_bytes", pa.int32()),  # original length of the frame; always
        ("ip_bytes", pa.int32()),  # length of the IP packet as its header states it; IP
        ("payload_bytes", pa.int32()),  # bytes after the TCP or UDP header; ports known
        ("tcp_seq", pa.int64()),  # raw sequence number; TCP
        ("tcp_ack", pa.int64()),  # raw acknowledgement number; TCP
        ("tcp_flags", pa.int16()),  # the twelve bits after the data offset; TCP
        ("capture", pa.string()),  # name of the capture's file; always
        ("ip_version", pa.int8()),  # 4 or 6; IP
        ("ip_id", pa.int64()),  # identification, for IPv6 the fragment header's; IPv4, or a fragment
        ("ip_ttl", pa.int16()),  # time to live, or hop limit; IP
        ("ip_tos", pa.int16()),  # type of service or traffic class: six bits of DSCP, two of ECN; IP
        ("fragment_offset", pa.int32()),  # bytes of the packet before this fragment; IP
        ("more_fragments", pa.bool_()),  # whether more fragments follow; IP
        ("vlan", pa.int16()),  # identifier in the outermost tag; tagged
        ("tcp_window", pa.int32()),  # as in the header, not scaled; TCP
        ("tcp_header_bytes", pa.int16()),  # with options; TCP with a header length of at least 20
        ("tcp_window_scale", pa.int16()),  # shift count (RFC 7323); the option is present
        ("tcp_timestamp", pa.int64()),  # TSval (RFC 7323); the option is present
        ("tcp_timestamp_echo", pa.int64()),  # TSecr; the option is present
        ("tcp_sack", pa.list_(pa.int64())),  # left and right edges in turn (RFC 2018); the option is present
        ("quic_header", pa.string()),  # long or short by its first byte; UDP with the fixed bit of QUIC
    ]
)

# Columns whose values grow slowly are stored as differences, columns with few values as dictionaries.
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


def packets_writer(path: Path) -> RowGroupWriter:
    """A writer of packets.parquet."""
    return RowGroupWriter(path, PACKETS_SCHEMA, COUNTERS, words=("client", "capture", *WORDS))


class CaptureRows:
    """The rows of one capture, in batches of ROW_GROUP rows, and the facts about it.

    Args:
        path: the capture.
        flows: numbers the flows. It may hold flows of other captures already.
        addresses: the IP addresses of the client. In the capture of a trial's client, packets with other
            addresses (IPv6, multicast) get their direction from the client's Ethernet address.
        client: number and name of the trial's client; None for a capture outside a trial.

    Raises:
        UserError: the file cannot be read, or is not a capture.
    """

    def __init__(
        self, path: Path, flows: Flows, addresses: list[str], client: tuple[int, str] | None = None
    ) -> None:
        self._path = path
        self._flows = flows
        self._client = None if client is None else client[1]
        with naming_capture(path):
            self._capture = Capture(path, flows, client[0] if client else 0, addresses, client is not None)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        while True:
            with naming_capture(self._path):
                batch = self._capture.next(ROW_GROUP)
            if batch is None:
                return
            self._flows.add(batch)
            yield _rows(batch, self._client, self._path.name)

    def facts(self) -> CaptureFacts:
        """How the capture ended, and its counts. Valid after the last batch."""
        return CaptureFacts(capture=self._path.name, client=self._client, **self._capture.facts())

    @property
    def consumed_bytes(self) -> int:
        """The number of bytes of the file that were read so far."""
        return self._capture.consumed


class NotACaptureError(UserError):
    """The file is not a capture."""


@contextmanager
def naming_capture(path: Path) -> Iterator[None]:
    """Turn errors of observatory_capture into UserErrors that name the capture."""
    try:
        yield
    except CaptureError as error:
        raise NotACaptureError(
            f"{path}: {error}; give a capture made by dumpcap, tcpdump or a similar program"
        ) from error
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
    """A column that uses the batch's memory without copying it."""
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
