"""Anyone's captures, outside a trial, as one file of packets."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from observatory_capture import Flows

from scripts.base.errors import UserError
from scripts.base.files import replacing
from scripts.extract.byte_progress import Progress
from scripts.extract.flows import write_flows
from scripts.extract.packets import CaptureRows, Facts, packets_writer


@dataclass(frozen=True)
class Extracted:
    """What was found in each capture, and how many flows there are in all of them."""

    captures: list[Facts]
    flows: int


def extract_captures(captures: Sequence[Path], output: Path, clients: list[str]) -> Extracted:
    """Write the packets of captures, one after the other, into one file; whole or not at all.

    Args:
        captures: pcap or pcapng, plain, gzip or zstd.
        output: a Parquet file with the columns of PACKETS_SCHEMA; its metadata hold what was found in each
            capture. Flows are numbered over all captures; <output's name>.flows.parquet tells their ends.
        clients: the IP addresses whose packets go up; packets of no such address have no direction.

    Raises:
        UserError: a capture cannot be read, or is none at all.
    """
    if output.is_dir():
        raise UserError(f"{output}: is a folder; give the name of a file")
    for capture in captures:
        if not capture.exists():
            raise UserError(f"{capture}: no such file")
        if output.exists() and capture.samefile(output):
            raise UserError(f"{output}: is one of the captures; give another name")
    flows = Flows()
    facts = []
    with replacing(flows_file(output)) as flows_path, replacing(output) as path:
        with packets_writer(path) as writer, Progress(captures) as progress:
            for capture in captures:
                rows = CaptureRows(capture, flows, clients)
                for batch in rows:
                    writer.write(batch)
                    progress.show(rows.consumed_bytes)
                progress.finish(capture)
                facts.append(rows.facts())
            writer.remark("captures", facts)
        write_flows(flows_path, flows, [None])
    return Extracted(facts, len(flows))


def flows_file(output: Path) -> Path:
    """Where the ends of the flows of an extracted file stand."""
    return output.with_name(f"{output.stem}.flows.parquet")


def summary(found: Extracted) -> list[str]:
    """What a person wants to know: packets, flows, span and how each capture ended."""
    lines = [_of_capture(facts) for facts in found.captures]
    packets = sum(facts["packets"] for facts in found.captures)
    return [*lines, f"in all: {packets:,} packets, {found.flows:,} flows"]


def _of_capture(facts: Facts) -> str:
    parts = [f"{facts['packets']:,} packets"]
    if facts["packets"]:
        span_ns = facts["last_ns"] - facts["first_ns"]
        first = datetime.fromtimestamp(facts["first_ns"] // 10**9, UTC)
        parts.append(f"{span_ns / 1e9:,.3f} s from {first:%Y-%m-%d %H:%M:%S} UTC")
    names = {
        "not_ip": "not IP",
        "cut_headers": "with cut headers",
        "time_jumps": "time jumps",
        "zero_length": "of length zero",
        "flows_not_numbered": "of flows without a number",
    }
    parts += [f"{facts[key]:,} {name}" for key, name in names.items() if facts[key]]
    status = facts["status"]
    if status != "ok":
        status += f" at byte {facts['offset']:,}, {facts['bytes_left']:,} bytes left"
    return f"{facts['capture']}: {status}: {', '.join(parts)}"
