"""Removes the large tables of reduced trials that a killed Snakemake did not remove itself."""

from pathlib import Path

from scripts.extract.trial_files import LARGE_TABLES


def remove_leftover_tables(cycle: Path) -> None:
    """Remove the large tables of every reduced trial of a cycle whose rows are built."""
    stamps = cycle / "stamps/reduced"
    for stamp in stamps.glob("*/*/*"):
        trial = stamp.relative_to(stamps)
        if any((cycle / "rows" / trial).glob("*.parquet")):
            for table in LARGE_TABLES:
                (cycle / "parquet" / trial / f"{table}.parquet").unlink(missing_ok=True)
