"""Counts of the kinds of segments in a capture, by tshark and by our analysis, in the same form."""

import subprocess
from collections import Counter, defaultdict

import pyarrow.parquet as pq
from observatory_capture import Flows

from scripts.extract.flows import write_flows
from scripts.extract.packets import CaptureRows

LATE = ("retransmission", "fast_retransmission", "spurious_retransmission", "out_of_order")
RST, ACK = 0x004, 0x010
PREFERENCES = ("tcp.bif_seq_based:TRUE", "tcp.desegment_tcp_streams:FALSE", "ip.defragment:FALSE")


def read_flows(path, *clients):
    """The rows of flows.parquet of a capture outside a trial."""
    flows = Flows()
    for _ in CaptureRows(path, flows, list(clients)):
        pass
    write_flows(path.with_name("flows.parquet"), flows, [None])
    return pq.read_table(path.with_name("flows.parquet")).to_pylist()


def our_counts(flows):
    """Late segments, duplicate ACKs and the maximum of bytes in flight, by source and destination port."""
    counts = defaultdict(Counter)
    for row in flows:
        ports = (row["source_port"], row["destination_port"])
        for way, ends in (("down", ports), ("up", ports[::-1])):
            if row["protocol"] == 6 and row[f"packets_{way}"]:
                _add(
                    counts[ends],
                    row[f"retransmissions_{way}"] + row[f"out_of_order_{way}"],
                    row[f"duplicate_acks_{way}"],
                    row[f"bytes_in_flight_{way}"],
                )
    return counts


def tshark_counts(path):
    """The same counts by tshark, without a distinction of late segments (see connection.h).

    tshark takes a reset without an acknowledgement for an acknowledgement of byte 0, and then counts the
    bytes in flight of the other end from there. Those are set to 0.
    """
    fields = ["tcp.srcport", "tcp.dstport", "tcp.flags", "tcp.analysis.duplicate_ack"]
    fields += ["tcp.analysis.bytes_in_flight"]
    fields += [f"tcp.analysis.{name}" for name in LATE]
    command = ["tshark", "-n", "-r", str(path), "-Y", "tcp.srcport", "-T", "fields"]
    command += ["-E", "separator=;", "-E", "occurrence=f"]
    command += [word for preference in PREFERENCES for word in ("-o", preference)]
    command += [word for field in fields for word in ("-e", field)]
    counts, reset = defaultdict(Counter), set()
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        source, destination, flags, duplicate, in_flight, *late = line.split(";")
        ends = int(source), int(destination)
        if int(flags, 16) & (RST | ACK) == RST:
            reset.add(ends[::-1])
        _add(counts[ends], any(late), bool(duplicate), 0 if ends in reset else int(in_flight or 0))
    return counts


def _add(counted, late, duplicate_acks, bytes_in_flight):
    counted["late"] += late
    counted["duplicate_acks"] += duplicate_acks
    counted["bytes_in_flight"] = max(counted["bytes_in_flight"], bytes_in_flight)
