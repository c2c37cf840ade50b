"""The flows of packets.parquet, one row each: flows.parquet. What its columns mean stands here.

`down` is what goes from the source, `up` what comes back. What the segments of a TCP flow are is told as it
is seen where the capture was made (scripts/extract/native/connection.h): beside a trial's client.
"""

from pathlib import Path
from typing import Any

import pyarrow as pa
from observatory_capture import Flows

from scripts.base.parquet import RowGroupWriter
from scripts.extract.flow_labels import Labels

# A TCP flow's own columns are null in all others.
FLOWS_SCHEMA = pa.schema(
    [
        ("flow", pa.int32()),  # the number packets.parquet has
        ("client", pa.string()),  # whose capture it stands in
        ("protocol", pa.int16()),  # 6 TCP, 17 UDP
        ("source", pa.string()),  # the service's end; where no client is known, the end of the lower port
        ("source_port", pa.int32()),
        ("destination", pa.string()),
        ("destination_port", pa.int32()),
        ("service", pa.string()),  # which the client uses; a trial's capture
        ("name", pa.string()),  # host name the client asked for; something in the handshakes tells it
        ("known_by", pa.string()),  # what does: sni, http or dns
        ("packets_down", pa.int64()),
        ("packets_up", pa.int64()),
        ("ip_bytes_down", pa.int64()),  # of the IP packets
        ("ip_bytes_up", pa.int64()),
        ("first_ns", pa.int64()),  # time of its earliest packet, ns since the Unix epoch
        ("last_ns", pa.int64()),  # and of its latest
        ("retransmissions_down", pa.int64()),  # segments that were sent again; TCP
        ("retransmissions_up", pa.int64()),
        ("out_of_order_down", pa.int64()),  # segments that others had overtaken; TCP
        ("out_of_order_up", pa.int64()),
        ("duplicate_acks_down", pa.int64()),  # acknowledgements that say again what the last one said; TCP
        ("duplicate_acks_up", pa.int64()),
        ("bytes_in_flight_down", pa.int64()),  # most at once, sent and not acknowledged, as seen here; TCP
        ("bytes_in_flight_up", pa.int64()),
        ("rtt_samples", pa.int64()),  # echoes of the destination's timestamps by the source; TCP
        ("rtt_min_ns", pa.int64()),  # from here to the source and back; null without a sample
        ("rtt_median_ns", pa.int64()),  # to the microsecond; the source may have waited with the echo
    ]
)


PIECE = 65_536


def write_flows(path: Path, flows: Flows, clients: list[str | None], labels: Labels | None = None) -> None:
    """Write the flows seen so far, oriented downlink: the source is the service's end.

    Args:
        path: the file to write.
        flows: they are numbered in order of first sight, over the clients of a trial.
        clients: the names of the clients, by number.
        labels: tells services and names; `handshakes` in the file's metadata is how their source ended.
    """
    with RowGroupWriter(path, FLOWS_SCHEMA) as writer:
        if labels is not None:
            writer.remark("handshakes", {"status": labels.status})
        for begin in range(0, len(flows), PIECE):
            rows = _rows(flows, begin, clients, labels)
            writer.write(pa.RecordBatch.from_pylist(rows, FLOWS_SCHEMA))


def _rows(flows: Flows, begin: int, clients: list[str | None], labels: Labels | None) -> list[dict[str, Any]]:
    ends, totals = flows.rows(begin, begin + PIECE), flows.totals(begin, begin + PIECE)
    rows: list[dict[str, Any]] = [
        dict(zip(FLOWS_SCHEMA.names, (number, clients[owner], *rest), strict=False)) | total
        for number, ((owner, *rest), total) in enumerate(zip(ends, totals, strict=True), begin)
    ]
    return rows if labels is None else [row | labels.of(row) for row in rows]
