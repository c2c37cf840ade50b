"""Extracts captures from outside a trial into one file of packets."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from observatory_capture import Flows

from scripts.base.files import replacing
from scripts.base.records import to_json
from scripts.extract.byte_progress import ByteProgress
from scripts.extract.capture_facts import CaptureFacts
from scripts.extract.flows import write_flows
from scripts.extract.jobs import flows_file
from scripts.extract.packets import CaptureRows, packets_writer


@dataclass(frozen=True)
class Extracted:
    """The facts about each capture, and the number of flows in all of them."""

    captures: list[CaptureFacts]
    flows: int


def extract_captures(captures: Sequence[Path], output: Path, clients: list[str]) -> Extracted:
    """Write the packets of captures into one file, capture after capture; whole or not at all.

    Args:
        captures: pcap or pcapng, plain, gzip or zstd.
        output: a Parquet file with the columns of PACKETS_SCHEMA. Its metadata `captures` hold the facts
            about each capture. Flows are numbered over all captures and listed in
            <output's name>.flows.parquet.
        clients: the IP addresses of the clients. Packets from them are `up`, packets to them `down`; others
            have no direction.

    Raises:
        UserError: a file cannot be read, or is not a capture.
    """
    flows = Flows()
    facts, sizes = [], [capture.stat().st_size for capture in captures]
    with replacing(flows_file(output)) as flows_path, replacing(output) as path:
        with packets_writer(path) as writer, ByteProgress(sum(sizes), "read") as progress:
            for capture, size in zip(captures, sizes, strict=True):
                progress.begin(capture.name, size)
                rows = CaptureRows(capture, flows, clients)
                for batch in rows:
                    writer.write(batch)
                    progress.show(rows.consumed_bytes)
                facts.append(rows.facts())
            writer.add_metadata("captures", to_json(facts))
        write_flows(flows_path, flows, [None])
    return Extracted(facts, len(flows))


def summary(extracted: Extracted) -> list[str]:
    """The result in words: packets, time span and ending of each capture, then the totals."""
    lines = [_summary_of(facts) for facts in extracted.captures]
    packets = sum(facts.packets for facts in extracted.captures)
    return [*lines, f"in all: {packets:,} packets, {extracted.flows:,} flows"]


def _summary_of(facts: CaptureFacts) -> str:
    parts = [f"{facts.packets:,} packets"]
    if facts.packets:
        span_ns = facts.last_ns - facts.first_ns
        first = datetime.fromtimestamp(facts.first_ns // 10**9, UTC)
        parts.append(f"{span_ns / 1e9:,.3f} s from {first:%Y-%m-%d %H:%M:%S} UTC")
    counts = {
        "not IP": facts.not_ip,
        "with cut headers": facts.cut_headers,
        "time jumps": facts.time_jumps,
        "of length zero": facts.zero_length,
        "of flows without a number": facts.flows_not_numbered,
    }
    parts += [f"{count:,} {name}" for name, count in counts.items() if count]
    ending: str = facts.status
    if facts.status != "ok":
        ending += f" at byte {facts.offset:,}, {facts.bytes_left:,} bytes left"
    return f"{facts.capture}: {ending}: {', '.join(parts)}"
