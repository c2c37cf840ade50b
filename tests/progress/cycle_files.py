"""The files of a cycle that the progress display reads, written small."""

import contextlib
import io

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.plan import campaign_file


def write_config(cycle, campaign="smoke"):
    """plan/config.json of a campaign of the project."""
    with contextlib.redirect_stdout(io.StringIO()):
        assert campaign_file.main([campaign, "-o", str(cycle / "plan/config.json")]) == 0


def write_round(cycle, number, lines):
    """plan/round-<nn>.csv of these trials: setting, pair, number of the trial, duration in seconds."""
    rows = [f"{order},{number},{','.join(map(str, line))}\n" for order, line in enumerate(lines, start=1)]
    path = cycle / f"plan/round-{number:02d}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("order,round,setting,pair,trial,duration_s\n" + "".join(rows))


def write_verdict(path, reason=None, status="completed"):
    """trial_services.parquet of a trial that is valid, or excluded for this reason, with two clients."""
    path.parent.mkdir(parents=True, exist_ok=True)
    names = {"client": pa.string(), "status": pa.string(), "valid": pa.bool_(), "reason": pa.string()}
    judged = {"status": status, "valid": reason is None, "reason": reason}
    rows = [{"client": client} | judged for client in ("c1", "c2")]
    pq.write_table(pa.Table.from_pylist(rows, pa.schema(names)), path)
