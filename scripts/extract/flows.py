"""The flows of packets.parquet as flows.parquet, one row for each. Its columns are documented here.

`down` means from the source to the destination, `up` the reverse. TCP segments are classified as seen at the
place of the capture (scripts/extract/native/connection.h): in a trial, next to the client.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
from observatory_capture import Flows

from scripts.base.parquet import RowGroupWriter
from scripts.extract.flow_labels import Flow, FlowLabels, Label
from scripts.extract.public_form import UNCHANGED, PublicForm

# The text behind the semicolon is the condition for a value; otherwise it is null.
FLOWS_SCHEMA = pa.schema(
    [
        ("flow", pa.int32()),  # its number in packets.parquet
        ("client", pa.string()),  # the client whose capture holds it; capture of a trial
        ("protocol", pa.int16()),  # 6 TCP, 17 UDP
        ("source", pa.string()),  # the service's end; without a known client, the end with the lower port
        ("source_port", pa.int32()),
        ("destination", pa.string()),
        ("destination_port", pa.int32()),
        ("service", pa.string()),  # the service that the client uses; capture of a trial
        ("name", pa.string()),  # host name that the client requested, in its public form (public_form.py)
        ("known_by", pa.string()),  # source of the name: sni, http or dns
        ("packets_down", pa.int64()),
        ("packets_up", pa.int64()),
        ("ip_bytes_down", pa.int64()),  # lengths of the IP packets
        ("ip_bytes_up", pa.int64()),
        ("first_ns", pa.int64()),  # time of its earliest packet, ns since the Unix epoch
        ("last_ns", pa.int64()),  # time of its latest packet
        ("retransmissions_down", pa.int64()),  # segments that were sent again; TCP
        ("retransmissions_up", pa.int64()),
        ("out_of_order_down", pa.int64()),  # segments that later ones had overtaken; TCP
        ("out_of_order_up", pa.int64()),
        ("duplicate_acks_down", pa.int64()),  # acknowledgements that repeat the last one; TCP
        ("duplicate_acks_up", pa.int64()),
        ("bytes_in_flight_down", pa.int64()),  # maximum sent and not yet acknowledged; TCP
        ("bytes_in_flight_up", pa.int64()),
        ("rtt_samples", pa.int64()),  # timestamps of the destination that the source echoed; TCP
        ("rtt_min_ns", pa.int64()),  # RTT from the capture to the source; null without a sample
        ("rtt_median_ns", pa.int64()),  # in whole microseconds; includes delays of the echo by the source
    ]
)


ROWS_AT_ONCE = 65_536


def write_flows(
    path: Path,
    flows: Flows,
    clients: Sequence[str | None],
    labels: FlowLabels | None = None,
    form: PublicForm = UNCHANGED,
) -> None:
    """Write all flows, in the order of their numbers.

    Args:
        path: the file to write.
        flows: the flows. They are numbered in the order of their first packets, over all clients of a trial.
        clients: the names of the clients, by number.
        labels: gives services and names. The file's metadata `handshakes` say how the capture of the
            handshakes ended.
        form: the public form of the addresses.
    """
    with RowGroupWriter(path, FLOWS_SCHEMA) as writer:
        if labels is not None:
            writer.add_metadata("handshakes", {"status": labels.status})
        for begin in range(0, len(flows), ROWS_AT_ONCE):
            rows = list(_rows(flows, begin, clients, labels, form))
            writer.write(pa.RecordBatch.from_pylist(rows, FLOWS_SCHEMA))


def _rows(
    flows: Flows, begin: int, clients: Sequence[str | None], labels: FlowLabels | None, form: PublicForm
) -> Iterator[dict[str, object]]:
    rows, totals = flows.rows(begin, begin + ROWS_AT_ONCE), flows.totals(begin, begin + ROWS_AT_ONCE)
    for number, (row, total) in enumerate(zip(rows, totals, strict=True), begin):
        owner, protocol, source, source_port, destination, destination_port = row
        ends = (form.address(source), source_port, form.address(destination), destination_port)
        flow = Flow(clients[owner], protocol, *ends, total["first_ns"])
        label = Label() if labels is None else labels.label(flow)
        yield {"flow": number, **vars(flow), **vars(label), **total}
