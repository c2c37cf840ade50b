"""Does other work on the host change what a trial measures? Trials beside neighbours, in random order.

    python -m tests.end_to_end.neighbours ROWS.csv [--repetitions N] [--not-first]

For each repetition, every workload is measured once on every link beside every neighbour: nobody; two loops
of the shell; a browser that draws and computes without pause. Neighbours have the ordinary priority. With
--not-first, trials beside the loops have no right to run in real time. ROWS.csv has a line for each trial,
and a repeated command goes on where it stopped. Nothing else may run on the host. In neighbours.csv, four
repetitions have the seed of the first, and trials beside nobody that other work disturbed were repeated.
tests/end_to_end/neighbours_table.py makes the table of the definitions.
"""

import argparse
import csv
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from itertools import product
from pathlib import Path

import pyarrow.parquet as pq

from scripts.base.files import ROOT, write_text
from scripts.base.processes import start_child
from scripts.base.records import to_json
from scripts.extract.extract_trial import extract
from scripts.plan.campaign_file import load_campaign
from scripts.tables.trial_tables import build_trial
from tests.end_to_end.conftest import make_spec

WORKLOADS = {"two downloads": "iperf-bbr~iperf-cubic", "a video": "iperf-cubic~ref-video-4-reno"}
RATES_MBPS = (8, 50)
DURATION_S, IGNORED_S = 60, 15
REPETITIONS = 10
SETTLED_S = 2
LOOP = ["sh", "-c", "while :; do :; done"]
PAGE = """data:text/html,<canvas id=c width=1280 height=720></canvas><script>
const area = c.getContext('2d');
function draw(at) {
  for (let n = 0; n < 2000; n++) {
    area.fillStyle = 'hsl(' + (n + at) % 360 + ' 50% 50%)';
    area.fillRect(Math.random() * 1280, Math.random() * 720, 40, 40);
  }
  requestAnimationFrame(draw);
}
requestAnimationFrame(draw);
</script>"""
NEIGHBOURS = ("nobody", "two loops", "a browser")
NOT_FIRST = ("two loops, not first",)
WITHOUT_REAL_TIME = ["setpriv", "--bounding-set", "-sys_nice", "--inh-caps", "-sys_nice"]
FIGURES = ("sender_wait_fraction", "client_wait_fraction", "lateness_p99_fraction", "longest_stall_rtt")
COLUMNS = (
    *("repetition", "workload", "rate_mbps", "neighbour", "at", "status", "real_time", "share"),
    *("throughput_mbps", "cpu_pressure_fraction", *FIGURES, "broken"),
)
"""`share` is that of the first service, of the throughput of both. A trial that failed has fewer columns."""


@contextmanager
def neighbour(kind: str) -> Iterator[None]:
    """Run a neighbour, and end it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = ["chromium", "--headless", "--no-sandbox", f"--user-data-dir={profile}", PAGE]
        commands = {"nobody": [], "a browser": [browser]}.get(kind, [LOOP, LOOP])
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
        running = [start_child(command, **quiet) for command in commands]
        try:
            time.sleep(SETTLED_S)
            yield
        finally:
            for process in running:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def measure(folder: Path, repetition: int, workload: str, rate_mbps: int, kind: str) -> dict[str, object]:
    """Run one trial, and return its columns. Within a repetition all trials have the same seed."""
    times = {"duration_s": DURATION_S, "ignore_first_s": IGNORED_S}
    spec = make_spec(folder, WORKLOADS[workload], number=repetition, rate_mbps=rate_mbps, **times)
    trial, config = folder / "trial", folder / "config.json"
    with neighbour(kind):
        command = [sys.executable, "-m", "testbed", "run", str(spec), "--into", str(trial)]
        prefix = WITHOUT_REAL_TIME if kind in NOT_FIRST else []
        subprocess.run([*prefix, *command], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    record = json.loads((trial / "trial.json").read_text())
    extract(trial, folder / "parquet")
    config.write_text(json.dumps(to_json(load_campaign("demo"))))
    build_trial(folder / "parquet", folder / "rows", config)
    services = pq.read_table(folder / "rows/trial_services.parquet").to_pylist()
    rules = {row["rule"]: row for row in pq.read_table(folder / "rows/validity.parquet").to_pylist()}
    first, second = (row["throughput_mbps"] or 0.0 for row in services)
    host = record["host"]
    return {
        "status": record["status"],
        "real_time": host.get("real_time"),
        "share": first / (first + second) if first + second else None,
        "throughput_mbps": first + second,
        "cpu_pressure_fraction": host["cpu_pressure_fraction"],
        **{name: rules[name]["figure"] if name in rules else None for name in FIGURES},
        "broken": " ".join(sorted(name for name, row in rules.items() if row["valid"] is False)),
    }


def planned(repetitions: int, neighbours: tuple[str, ...]) -> list[tuple[int, str, int, str]]:
    """Every trial, those of a repetition in an order of its own."""
    found = []
    for number in range(1, repetitions + 1):
        cells = [*product(WORKLOADS, RATES_MBPS, neighbours)]
        random.Random(number).shuffle(cells)
        found += [(number, *cell) for cell in cells]
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure what is missing; see the module's docstring."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.end_to_end.neighbours", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("rows", type=Path, metavar="ROWS.csv")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, metavar="N")
    parser.add_argument("--not-first", action="store_true", help="measure trials without real time")
    options = parser.parse_args(arguments)
    neighbours = NOT_FIRST if options.not_first else NEIGHBOURS
    rows: list[dict[str, object]] = []
    if options.rows.exists():
        rows = [*csv.DictReader(options.rows.read_text(encoding="utf-8").splitlines())]
    done = {tuple(str(row[name]) for name in COLUMNS[:4]) for row in rows}
    left = [one for one in planned(options.repetitions, neighbours) if tuple(map(str, one)) not in done]
    for number, (repetition, workload, rate_mbps, kind) in enumerate(left):
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found = measure(Path(folder), repetition, workload, rate_mbps, kind)
        key = {"repetition": repetition, "workload": workload, "rate_mbps": rate_mbps, "neighbour": kind}
        rows.append({**key, "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), **found})
        text = StringIO()
        table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
        write_text(options.rows, text.getvalue())
        minutes = (time.monotonic() - began) * (len(left) - number - 1) / 60
        told = f"share {found['share']}, broken: {found['broken'] or 'no rule'}"
        print(f"{workload}, {rate_mbps} Mbps, {kind}: {told}; {minutes:.0f} min left", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
