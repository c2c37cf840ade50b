"""The bottleneck's per-packet log (queue.bin.zst) as the rows of queue.parquet."""

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from observatory_capture import Stream

from scripts.base.errors import UserError
from scripts.base.parquet import RowGroupWriter
from scripts.base.records import require_version

MAGIC = b"IFOQUEUE"
VERSION = 1
NO_FLOW = 0xFFFFFFFF
TCP = 6
PIECE_BYTES = 4 << 20
VERDICTS = ["forwarded", "tail", "aqm", "random", "marked", "lost_before"]

QUEUE_SCHEMA = pa.schema(
    [
        ("arrival_ns", pa.int64()),
        ("departure_ns", pa.int64()),
        ("flow", pa.int32()),
        ("tcp_seq", pa.int64()),
        ("frame_bytes", pa.int32()),
        ("ip_bytes", pa.int32()),
        ("backlog_packets", pa.int32()),
        ("backlog_bytes", pa.int64()),
        ("verdict", pa.string()),
        ("client", pa.string()),
        ("dropped_ns", pa.int64()),
    ]
)
COUNTERS = ("arrival_ns", "departure_ns", "tcp_seq", "backlog_bytes", "dropped_ns")
WORDS = ("verdict", "client")


def queue_writer(path: Path) -> RowGroupWriter:
    """A writer of queue.parquet."""
    return RowGroupWriter(path, QUEUE_SCHEMA, COUNTERS, words=WORDS)


def write_log(path: Path, protocols: list[int], clients: int, writer: RowGroupWriter) -> None:
    """Write the records of a log, plain or compressed. An incomplete last record is left out.

    Args:
        path: the log.
        protocols: the IP protocol of each flow, by the flow's index in the log.
        clients: the number of clients in the trial.
        writer: a writer made by queue_writer().

    Raises:
        UserError: the file is missing, is not a queue log of this version, or a record contains an unknown
            client or verdict.
    """
    flow_is_tcp = np.append(np.array(protocols, dtype=np.int64) == TCP, False)
    names = [f"c{number}" for number in range(1, clients + 1)]
    for records in _records(path):
        verdict, client = records["verdict"], records["client"]
        if verdict.max() >= len(VERDICTS) or client.min() < 1 or client.max() > clients:
            raise UserError(f"{path}: a record contains an unknown verdict or client; the log is damaged")
        writer.write(_rows(records, flow_is_tcp, names))


def _records(path: Path) -> Iterator[NDArray[np.void]]:
    """The log's records as structured arrays."""
    if not path.is_file():
        raise UserError(f"{path}: is missing; a completed trial must have it")
    incomplete = b""
    record: np.dtype[np.void] | None = None
    stream = Stream(path)
    while piece := stream.read(PIECE_BYTES):
        data = incomplete + piece
        begin = 0
        if record is None:
            record, begin = _head(path, data)
        count = (len(data) - begin) // record.itemsize
        if count:
            yield np.frombuffer(data, record, count, begin)
        incomplete = data[begin + count * record.itemsize :]
    if record is None:
        raise UserError(f"{path}: is empty; a queue log must begin with {MAGIC.decode()}")


def _head(path: Path, data: bytes) -> tuple[np.dtype[np.void], int]:
    """The type of a record as the head of the log states it, and the offset of the first record."""
    if len(data) < 16 or data[:8] != MAGIC:
        raise UserError(f"{path}: is not a queue log; it must begin with {MAGIC.decode()}")
    version, size = struct.unpack_from("<II", data, 8)
    require_version(version, VERSION, str(path))
    try:
        record = np.dtype([tuple(column) for column in json.loads(data[16 : 16 + size])["record"]])
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path}: its head cannot be read ({error}); the log is damaged") from error
    missing = [name for name in QUEUE_SCHEMA.names if name not in (record.names or ())]
    if missing:
        raise UserError(f"{path}: has no column {', '.join(missing)}; the log is damaged")
    return record, 16 + size


def _rows(records: NDArray[np.void], flow_is_tcp: NDArray[np.bool_], names: list[str]) -> pa.RecordBatch:
    flow = records["flow"]
    no_flow = flow == NO_FLOW
    tcp = flow_is_tcp[np.minimum(flow, len(flow_is_tcp) - 1)]
    dropped = records["departure_ns"] == 0
    missing = {"departure_ns": dropped, "flow": no_flow, "tcp_seq": ~tcp, "dropped_ns": ~dropped}
    columns = {
        "verdict": pa.DictionaryArray.from_arrays(_array(records["verdict"], pa.int8()), VERDICTS),
        "client": pa.DictionaryArray.from_arrays(_array(records["client"] - 1, pa.int8()), names),
    }
    arrays = []
    for field in QUEUE_SCHEMA:
        if field.name in columns:
            arrays.append(columns[field.name])
        else:
            arrays.append(_array(records[field.name], field.type, missing.get(field.name)))
    return pa.RecordBatch.from_arrays(arrays, names=QUEUE_SCHEMA.names)


def _array(values: NDArray[Any], kind: pa.DataType, missing: NDArray[np.bool_] | None = None) -> pa.Array:
    """What pa.array(values, mask=missing) gives. That loads numpy.ma, which nothing else needs here."""
    valid = None if missing is None else pa.py_buffer(np.packbits(~missing, bitorder="little"))
    data = pa.py_buffer(np.ascontiguousarray(values, kind.to_pandas_dtype()))
    return pa.Array.from_buffers(kind, len(values), [valid, data])
