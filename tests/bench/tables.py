"""One trial's tables by DuckDB, beside PyArrow computing the sums of one of them."""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from scripts.extract.trial import extract
from tests.bench.process import SNAPSHOT, TRIAL, cost

REPEATS = 200
PEER = """
import sys, pyarrow.compute as pc, pyarrow.parquet as pq
columns = ["client", "verdict", "frame_bytes", "ip_bytes", "arrival_ns", "departure_ns"]
rows = pq.read_table(sys.argv[1], columns=columns)
rows = rows.append_column("wait_ns", pc.subtract(rows["departure_ns"], rows["arrival_ns"]))
rows.group_by(["client", "verdict"]).aggregate(
    [("frame_bytes", "sum"), ("ip_bytes", "sum"), ("wait_ns", "mean"), ("wait_ns", "count")])
"""


def measure() -> Iterator[tuple[str, float, str]]:
    """Rows of packets and queue log per second, all three tables against one table's sums."""
    with tempfile.TemporaryDirectory() as scratch:
        once, many = Path(scratch) / "once", Path(scratch) / "many"
        extract(TRIAL, once)
        shutil.copytree(once, many)
        rows = {name: _multiply(once / name, many / name) for name in ("packets.parquet", "queue.parquet")}
        config = json.loads((SNAPSHOT / "plan/config.json").read_text())
        (many / "config.json").write_text(json.dumps(config))
        command = [sys.executable, "-m", "scripts.tables.trial", many, "--config", many / "config.json"]
        ours = cost([*command, "-o", many / "rows"])
        yield "validity, trial_services, trial_series", sum(rows.values()) / ours.wall_s, "rows/s"
        yield "  their peak memory", ours.peak_mib, "MiB"
        peer = cost([sys.executable, "-c", PEER, many / "queue.parquet"])
        yield "PyArrow: sums and means of the queue log alone", rows["queue.parquet"] / peer.wall_s, "rows/s"


def _multiply(source: Path, target: Path) -> int:
    """Write a table REPEATS times over, each time a trial's length later; how many rows it has then."""
    table = pq.read_table(source)
    times = [name for name in table.column_names if name.endswith("_ns")]
    length_ns = 13_000_000_000
    with pq.ParquetWriter(target, table.schema, compression="zstd", compression_level=1) as writer:
        for repeat in range(REPEATS):
            later = table
            for name in times:
                place = table.column_names.index(name)
                shifted = pc.add(table[name], pa.scalar(repeat * length_ns, table[name].type))
                later = later.set_column(place, table.schema.field(name), shifted)
            writer.write_table(later)
    return table.num_rows * REPEATS
