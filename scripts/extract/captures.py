"""Extracts captures from outside a trial into one file of packets.

A terminal shows which part of the bytes is read, and the time left.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TextIO

from observatory_capture import Flows

from scripts.base.files import replacing
from scripts.base.records import to_json
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
    facts = []
    with replacing(flows_file(output)) as flows_path, replacing(output) as path:
        with packets_writer(path) as writer, ByteProgress(captures) as progress:
            for capture in captures:
                rows = CaptureRows(capture, flows, clients)
                for batch in rows:
                    writer.write(batch)
                    progress.show(rows.consumed_bytes)
                progress.finish(capture)
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


INTERVAL_S = 0.5
WIPE = "\r\x1b[K"


class ByteProgress:
    """Shows percent read and time left on one line of a terminal. To another stream it writes nothing."""

    def __init__(
        self, files: Sequence[Path], stream: TextIO = sys.stderr, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._total_bytes = sum(file.stat().st_size for file in files)
        self._finished_bytes = 0
        self._start_s = self._shown_s = clock()

    def show(self, read_bytes: int) -> None:
        """Show the progress after `read_bytes` bytes of the present file."""
        now_s = self._clock()
        done = self._finished_bytes + read_bytes
        due = now_s - self._shown_s >= INTERVAL_S
        if not self._stream.isatty() or not due or not 0 < done <= self._total_bytes:
            return
        self._shown_s = now_s
        left_s = (now_s - self._start_s) * (self._total_bytes - done) / done
        line = f"{done / self._total_bytes:4.0%}, {_minutes(left_s)} left"
        print(WIPE + line, end="", file=self._stream, flush=True)

    def finish(self, file: Path) -> None:
        """Count `file` as read."""
        self._finished_bytes += file.stat().st_size

    def __enter__(self) -> "ByteProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown_s > self._start_s:
            print(WIPE, end="", file=self._stream, flush=True)


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
