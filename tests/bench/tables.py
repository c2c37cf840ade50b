"""What is made of a short trial; tables from generated Parquet, of a trial and part of the paper's cycle."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.generated import paper_campaign
from tests.bench.process import RUNS, SNAPSHOT, TRIAL, Cost, Size, cost, generated
from tests.tables.campaigns import write_campaign

# Seconds of a trial: a sixth of the paper's, and the paper's.
LENGTHS_S = {"full": (100, 600), "tiny": (2, 4)}
# Trials of a cycle: a twentieth and a tenth of the paper's 1,800.
TRIALS = {"full": (90, 180), "tiny": (2, 4)}

PEER = """
import sys, pyarrow.compute as pc, pyarrow.parquet as pq
folder = sys.argv[1]
columns = ["client", "verdict", "frame_bytes", "ip_bytes", "arrival_ns", "departure_ns"]
rows = pq.read_table(folder + "/queue.parquet", columns=columns)
rows = rows.append_column("wait_ns", pc.subtract(rows["departure_ns"], rows["arrival_ns"]))
rows.group_by(["client", "verdict"]).aggregate(
    [("frame_bytes", "sum"), ("ip_bytes", "sum"), ("wait_ns", "mean"), ("wait_ns", "count")])
columns = ["client", "direction", "payload_bytes", "frame_bytes"]
rows = pq.read_table(folder + "/packets.parquet", columns=columns)
rows.group_by(["client", "direction"]).aggregate([("payload_bytes", "sum"), ("frame_bytes", "sum")])
"""


def measure(size: Size) -> Iterator[tuple[str, float, str]]:
    """Speed and memory of the tables of a trial and of a cycle, each at two sizes."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        places = [word for name in ("published", "parquet", "rows") for word in (f"--{name}", folder / name)]
        config = SNAPSHOT / "plan/config.json"
        ours = _cost(size, "measured_trial", TRIAL, *places, "--config", config)
        yield "everything of a trial of 12 s, after its traffic", ours.wall_s, "s"
        floor = cost([sys.executable, "-c", "import duckdb, pyarrow.compute, pyarrow.parquet"], RUNS[size])
        yield "  the start of its libraries (the floor)", floor.wall_s, "s"
        config = write_campaign(folder / "config.json", paper_campaign())
        spent = []
        for seconds in LENGTHS_S[size]:
            trial = folder / str(seconds)
            rows = generated(f"write_trial(Path({str(trial)!r}), {seconds})")
            ours = _cost(size, "trial_tables", trial, "--config", config, "-o", trial / "rows")
            spent.append((rows, ours))
            yield f"all tables of a trial of {seconds} s", rows / ours.wall_s, "rows/s"
            yield "  their peak memory", ours.peak_mib, "MiB"
            peer = cost([sys.executable, "-c", PEER, trial], RUNS[size])
            yield "  PyArrow: a few sums of the same rows", rows / peer.wall_s, "rows/s"
        yield "each further row of a trial", _marginal(spent), "rows/s"
        for count in TRIALS[size]:
            cycle = folder / f"cycle{count}"
            generated(f"write_cycle(Path({str(trial / 'rows')!r}), Path({str(cycle)!r}), {count})")
            shutil.copyfile(config, cycle / "plan/config.json")
            ours = _cost(size, "cycle", cycle)
            shutil.rmtree(cycle)
            yield f"all tables of a cycle of {count} trials", ours.wall_s, "s"
            yield "  their peak memory", ours.peak_mib, "MiB"


def _cost(size: Size, module: str, *words: str | Path) -> Cost:
    """The cost of a command of scripts.tables."""
    return cost([sys.executable, "-m", f"scripts.tables.{module}", *words], RUNS[size])


def _marginal(spent: list[tuple[int, Cost]]) -> float:
    """Rows per second between two sizes: without the time that the program takes to start."""
    (few, short), (many, long) = spent
    return (many - few) / (long.wall_s - short.wall_s)
