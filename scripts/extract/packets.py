"""The captures of a trial's clients as the rows of packets.parquet."""

from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from scripts.extract.flows import UNKNOWN, UP, ClientSide, FlowTable
from scripts.extract.headers import Headers, decode
from scripts.extract.parquet import RowGroupWriter
from scripts.extract.pcapng import CaptureReader, Packets

PACKETS_SCHEMA = pa.schema(
    [
        ("client", pa.string()),
        ("time_ns", pa.int64()),
        ("direction", pa.string()),
        ("flow", pa.int32()),
        ("protocol", pa.int16()),
        ("source_port", pa.int32()),
        ("destination_port", pa.int32()),
        ("frame_bytes", pa.int32()),
        ("ip_bytes", pa.int32()),
        ("payload_bytes", pa.int32()),
        ("tcp_seq", pa.int64()),
        ("tcp_ack", pa.int64()),
        ("tcp_flags", pa.int16()),
    ]
)
COUNTERS = ("time_ns", "tcp_seq", "tcp_ack")


def write_capture(path: Path, client: str, address: str, flows: FlowTable, writer: RowGroupWriter) -> str:
    """Add the packets of one client's capture to packets.parquet.

    Returns:
        How the capture ended: `ok`, `cut` or `corrupt`.

    Raises:
        CaptureError: the file is empty, no pcapng, or not of Ethernet.
    """
    side = ClientSide(address)
    reader = CaptureReader(path)
    for packets in reader:
        writer.write(_rows(packets, client, side, flows))
    return reader.status


def _rows(packets: Packets, client: str, side: ClientSide, flows: FlowTable) -> pa.RecordBatch:
    headers = decode(packets)
    direction = side.directions(headers)
    transport, ports, tcp = headers.transport, headers.ports, headers.tcp
    payload = headers.payload_bytes
    columns = {
        "client": pa.DictionaryArray.from_arrays(np.zeros(len(direction), np.int8), [client]),
        "time_ns": pa.array(packets.time_ns),
        "direction": _direction_names(direction),
        "flow": flows.indices(client, headers, direction),
        "protocol": _nullable(headers.protocol, headers.ip, np.int16),
        "source_port": _nullable(headers.u16(transport), ports, np.int32),
        "destination_port": _nullable(headers.u16(transport + 2), ports, np.int32),
        "frame_bytes": pa.array(packets.original.astype(np.int32)),
        "ip_bytes": _nullable(headers.ip_bytes, headers.ip, np.int32),
        "payload_bytes": _nullable(payload, ports & (payload >= 0), np.int32),
        "tcp_seq": _nullable(headers.u32(transport + 4), tcp, np.int64),
        "tcp_ack": _nullable(headers.u32(transport + 8), tcp, np.int64),
        "tcp_flags": _nullable(_tcp_flags(headers), tcp, np.int16),
    }
    arrays = [columns[field.name].cast(field.type) for field in PACKETS_SCHEMA]
    return pa.RecordBatch.from_arrays(arrays, schema=PACKETS_SCHEMA)


def _direction_names(direction: NDArray[np.int8]) -> pa.DictionaryArray:
    codes = pa.array(np.where(direction == UP, 1, 0).astype(np.int8), mask=direction == UNKNOWN)
    return pa.DictionaryArray.from_arrays(codes, ["down", "up"])


def _tcp_flags(headers: Headers) -> NDArray[np.int64]:
    """The twelve bits after the data offset, reserved ones included, as Wireshark shows them."""
    return headers.u16(headers.transport + 12) & 0x0FFF


def _nullable(values: NDArray[np.int64], known: NDArray[np.bool_], kind: type) -> pa.Array:
    return pa.array(values.astype(kind), mask=~known)
