"""Capture to Parquet, beside tshark with the same columns, pyshark, and reading or writing alone."""

import gzip
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq
import zstandard
from observatory_capture import Capture, Flows, Stream

from scripts.base.parquet import ROW_GROUP
from scripts.extract.packets import PACKETS_SCHEMA, CaptureRows, packets_writer
from tests.bench.captures import LongCapture
from tests.bench.process import RUNS, TRIAL, Cost, Size, cost
from tests.extract.test_against_tshark import FIELDS

CLIENT = "198.18.2.2"
REPEATS = {"full": 310, "tiny": 1}
"""How often the packets of the snapshot's trial are repeated."""
PIECE_BYTES = 64 << 10
EXTRACT = """
import sys
from pathlib import Path
from scripts.extract.captures import extract_captures
extract_captures([Path(sys.argv[1])], Path(sys.argv[2]), [sys.argv[3]])
"""
"""The extraction without its confinement, whose programs would hide the CPU time."""
PYSHARK_PACKETS = {"full": 10_000, "tiny": 50}
"""Pyshark would take hours for all packets."""
PYSHARK = """
import itertools, pyshark, sys
with pyshark.FileCapture(sys.argv[1], keep_packets=False) as capture:
    for packet in itertools.islice(capture, int(sys.argv[2])):
        packet.sniff_timestamp, packet.length
"""


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """Packets per CPU second of the whole extraction, of its parts, and of its peers."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        capture = LongCapture(TRIAL / "client-c2.pcapng.zst", REPEATS[size])
        files = _written(capture, folder)
        for name, file in files.items():
            ours = _ours(file, folder / "out.parquet", RUNS[size])
            yield f"extraction, {name}", capture.packets / ours.cpu_s, "packets/CPU s"
            yield "  its peak memory", ours.peak_mib, "MiB"
            yield "  limit: reading and inflating", capture.packets / _inflating(file), "packets/CPU s"
        yield "Parquet", (folder / "out.parquet").stat().st_size / capture.packets, "B/packet"
        yield "decoding alone", capture.packets / _decoding(files["plain"]), "packets/CPU s"
        yield "limit: writing Parquet alone", _writing(files["plain"], folder), "packets/CPU s"
        yield "two files at once", _at_once(files["zstd"], folder, RUNS[size]), "times one's rate"
        yield from _peers(capture, files["plain"], PYSHARK_PACKETS[size])


def _written(capture: LongCapture, folder: Path) -> dict[str, Path]:
    """The capture, plain and compressed, written piece by piece."""
    files = {"plain": folder / "plain", "zstd": folder / "zstd", "gzip": folder / "gzip"}
    with (
        files["plain"].open("wb") as plain,
        files["zstd"].open("wb") as file,
        zstandard.ZstdCompressor(level=3).stream_writer(file) as zstd,
        gzip.open(files["gzip"], "wb", compresslevel=6) as gz,
    ):
        for piece in capture:
            for output in (plain, zstd, gz):
                output.write(piece)
    return files


def _ours(capture: Path, output: Path, runs: int) -> Cost:
    return cost([sys.executable, "-c", EXTRACT, capture, output, CLIENT], runs)


def _inflating(path: Path) -> float:
    begun = time.process_time()
    stream = Stream(path)
    while stream.read(PIECE_BYTES):
        pass
    return time.process_time() - begun


def _decoding(path: Path) -> float:
    """CPU seconds from a plain file to columns, without those of reading it."""
    begun = time.process_time()
    capture = Capture(path, Flows(), 0, [CLIENT])
    while capture.next(ROW_GROUP) is not None:
        pass
    return time.process_time() - begun - _inflating(path)


def _writing(path: Path, folder: Path) -> float:
    """Rows per CPU second of writing one batch ten times."""
    batch = next(iter(CaptureRows(path, Flows(), [CLIENT])))
    begun = time.process_time()
    with packets_writer(folder / "written.parquet") as writer:
        for _ in range(10):
            writer.write(batch)
    assert pq.read_schema(folder / "written.parquet").names == PACKETS_SCHEMA.names
    return 10 * batch.num_rows / (time.process_time() - begun)


def _at_once(path: Path, folder: Path, runs: int) -> float:
    """The throughput of two processes over that of one."""
    alone = _ours(path, folder / "one.parquet", runs).wall_s
    with ThreadPoolExecutor(2) as pool:
        both = list(
            pool.map(lambda name: _ours(path, folder / name, runs).wall_s, ("a.parquet", "b.parquet"))
        )
    return 2 * alone / max(both)


def _peers(capture: LongCapture, file: Path, packets: int) -> Iterator[tuple[str, float, str]]:
    """The same file by tshark; by pyshark its first packets."""
    fields = sorted({field for fields in FIELDS.values() for field in fields})
    options = [word for field in fields for word in ("-e", field)]
    tshark = cost(["tshark", "-n", "-r", file, "-T", "fields", *options])
    yield "tshark, plain", capture.packets / tshark.cpu_s, "packets/CPU s"
    pyshark = cost([sys.executable, "-c", PYSHARK, file, str(packets)])
    yield f"pyshark, the first {packets}", packets / pyshark.cpu_s, "packets/CPU s"
