"""A complete cycle as the rules leave it: the sample tables, and made-up files of trials and charts."""

from pathlib import Path

import pyarrow.parquet as pq

from scripts.model.plan_file import PlanLine, write_plan_table
from scripts.model.trials import TrialKey
from scripts.tables.table_list import every_table
from scripts.tables.table_schema import load_schema
from tests.charts.sample_files import write_cycle

NOT_TAKEN = ("rows", "parquet", "logs")


def write_complete_cycle(cycle: Path) -> Path:
    """Write the folder data/<campaign>/<cycle>, with files that no snapshot takes."""
    cycle.mkdir(parents=True)
    write_cycle(cycle)
    for table in every_table():
        if not (cycle / f"tables/{table}.parquet").exists():
            pq.write_table(load_schema(table).arrow.empty_table(), cycle / f"tables/{table}.parquet")
    (cycle / "trials").rename(cycle / "published")
    trials = sorted(TrialKey.of(path.parent) for path in (cycle / "published").glob("*/*/*/trial.json"))
    for key in trials:
        _write(cycle / "plan/specs" / key.path.with_suffix(".json"), "{}")
        _write(cycle / "trials" / key.path / "private.json", "secret")
        _write(cycle / "published" / key.path / ".snakemake_timestamp", "")
    planned = [key for key in trials if key.pair != "calibration"]
    lines = [PlanLine(order, 1, key, 12) for order, key in enumerate(planned, start=1)]
    write_plan_table(lines, cycle / "plan/plan.csv")
    _write(cycle / "plan/round-01.csv", "")
    for folder in ("cycle", *(f"trials/{key.setting}/{key.pair}" for key in planned)):
        _write(cycle / "charts" / folder / "chart.svg", folder)
        _write(cycle / "charts" / folder / ".snakemake_timestamp", "")
    _write(cycle / "charts/trials/chosen.json", "{}")
    _write(cycle / "compared/comparison.json", '{"before": "2026-11-07", "other_bottleneck": "bess"}')
    for table in ("before", "other_bottleneck", "labels"):
        _write(cycle / f"compared/{table}.parquet", table)
    for folder in NOT_TAKEN:
        _write(cycle / folder / "file", "")
    return cycle


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
