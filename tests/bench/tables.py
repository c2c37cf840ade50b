"""Tables from generated Parquet of the paper's shape: one trial by DuckDB beside PyArrow, and a tenth of a cycle."""

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.config import load_campaign
from scripts.files import write_text
from tests.bench.generated import write_cycle, write_trial
from tests.bench.process import Cost, cost

# Seconds of a trial: the paper's, and a sixth of it.
LENGTHS_S = (100, 600)
# Trials of a cycle: a twentieth and a tenth of the paper's 1,800.
TRIALS = (90, 180)

PEER = """
import sys, pyarrow.compute as pc, pyarrow.parquet as pq
folder = sys.argv[1]
columns = ["client", "verdict", "frame_bytes", "ip_bytes", "arrival_ns", "departure_ns"]
rows = pq.read_table(folder + "/queue.parquet", columns=columns)
rows = rows.append_column("wait_ns", pc.subtract(rows["departure_ns"], rows["arrival_ns"]))
rows.group_by(["client", "verdict"]).aggregate(
    [("frame_bytes", "sum"), ("ip_bytes", "sum"), ("wait_ns", "mean"), ("wait_ns", "count")])
rows = pq.read_table(folder + "/packets.parquet", columns=["client", "direction", "payload_bytes", "frame_bytes"])
rows.group_by(["client", "direction"]).aggregate([("payload_bytes", "sum"), ("frame_bytes", "sum")])
"""


def measure() -> Iterator[tuple[str, float, str]]:
    """Packet rows per second and memory of a trial's tables, seconds and memory of a cycle's, each at two sizes."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_text(folder / "config.json", json.dumps(load_campaign("watchdog")))
        spent = []
        for seconds in LENGTHS_S:
            trial = folder / str(seconds)
            rows = write_trial(trial, seconds)
            command = [
                sys.executable,
                "-m",
                "scripts.tables.trial",
                trial,
                "--config",
                folder / "config.json",
            ]
            ours = cost([*command, "-o", trial / "rows"])
            spent.append((rows, ours))
            yield f"all tables of a trial of {seconds} s", rows / ours.wall_s, "rows/s"
            yield "  their peak memory", ours.peak_mib, "MiB"
            peer = cost([sys.executable, "-c", PEER, trial])
            yield "  PyArrow: a few sums of the same rows", rows / peer.wall_s, "rows/s"
        yield "each further row of a trial", _marginal(spent), "rows/s"
        for count in TRIALS:
            plan = write_cycle(trial / "rows", folder / f"cycle{count}", count)
            command = [sys.executable, "-m", "scripts.tables.cycle", plan, "--rows", plan.parent / "rows"]
            ours = cost([*command, "-o", plan.parent / "tables"])
            yield f"all tables of a cycle of {count} trials", ours.wall_s, "s"
            yield "  their peak memory", ours.peak_mib, "MiB"


def _marginal(spent: list[tuple[int, Cost]]) -> float:
    """Rows per second between two sizes: what is left without the start of the program."""
    (few, short), (many, long) = spent
    return (many - few) / (long.wall_s - short.wall_s)
