"""Capture to Parquet, beside `tshark -T fields` with the same columns."""

import shutil
import struct
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import zstandard

from tests.bench.process import TRIAL, cost

REPEATS = 30
ENHANCED_PACKET = 6
FIELDS = (
    *(
        "frame.time_epoch",
        "ip.src",
        "ip.dst",
        "ip.proto",
        "tcp.srcport",
        "tcp.dstport",
        "frame.len",
        "ip.len",
    ),
    *("tcp.len", "tcp.seq_raw", "tcp.ack_raw", "tcp.flags"),
)


def measure() -> Iterator[tuple[str, float, str]]:
    """Packets per CPU second, ours and tshark's, on one trial's packets many times over."""
    with tempfile.TemporaryDirectory() as scratch:
        trial = Path(scratch) / "trial"
        shutil.copytree(TRIAL, trial)
        packets = [_multiply(trial / f"client-{client}.pcapng.zst") for client in ("c1", "c2")]
        ours = cost([sys.executable, "-m", "scripts.extract", trial, "-o", Path(scratch) / "parquet"])
        yield "python -m scripts.extract (with the queue log)", sum(packets) / ours.cpu_s, "packets/CPU s"
        yield "  its peak memory", ours.peak_mib, "MiB"
        plain = trial / "plain.pcapng"
        plain.write_bytes(_unpacked(trial / "client-c2.pcapng.zst"))
        options = [word for field in FIELDS for word in ("-e", field)]
        peer = cost(["tshark", "-n", "-r", plain, "-T", "fields", *options])
        yield "tshark -T fields", packets[1] / peer.cpu_s, "packets/CPU s"


def _unpacked(path: Path) -> bytes:
    with path.open("rb") as packed:
        return zstandard.ZstdDecompressor().stream_reader(packed).read()


def _blocks(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Type and bytes of every block of a little-endian pcapng."""
    place = 0
    while place < len(content):
        kind, length = struct.unpack_from("<II", content, place)
        yield kind, content[place : place + length]
        place += length


def _multiply(path: Path) -> int:
    """Repeat the packets of a capture REPEATS times; how many there are then."""
    blocks = list(_blocks(_unpacked(path)))
    head = b"".join(block for kind, block in blocks if kind != ENHANCED_PACKET)
    packets = [block for kind, block in blocks if kind == ENHANCED_PACKET]
    path.write_bytes(zstandard.ZstdCompressor(level=3).compress(head + b"".join(packets) * REPEATS))
    return len(packets) * REPEATS
