"""datapackage.json of a snapshot: its tables with the meaning of their columns, and its raw files."""

from collections.abc import Mapping
from pathlib import Path

from scripts.base.files import read_json
from scripts.base.records import Json
from scripts.model.pairs import SEPARATOR
from scripts.snapshot.checksums import digest
from scripts.tables.table_schema import load_schema


def describe(snapshot: Path, sums: Mapping[Path, str] | None = None) -> dict[str, Json]:
    """The Frictionless data package of a snapshot's folder.

    Args:
        snapshot: the folder.
        sums: the SHA-256 of each file in `trials`; computed if it is None.
    """
    config = read_json(snapshot / "plan/config.json")
    raw = (path.relative_to(snapshot) for path in (snapshot / "trials").rglob("*") if path.is_file())
    return {
        "profile": "data-package",
        "name": f"internet-fairness-{config['campaign']}",
        "title": config["title"],
        "resources": [
            *map(_table, sorted((snapshot / "tables").glob("*.parquet"))),
            *(_raw(snapshot, path, sums or {}) for path in sorted(raw)),
        ],
    }


def _raw(snapshot: Path, path: Path, sums: Mapping[Path, str]) -> Json:
    """A file of a trial."""
    size = (snapshot / path).stat().st_size
    checksum = f"sha256:{sums.get(path) or digest(snapshot / path)}"
    return {"name": _resource_name(path), "path": path.as_posix(), "bytes": size, "hash": checksum}


def _table(parquet: Path) -> Json:
    """A table: its CSV, or its Parquet file if it has too many rows for a CSV (scripts/tables/output.py)."""
    csv = parquet.with_suffix(".csv")
    path = csv if csv.is_file() else parquet
    columns = load_schema(parquet.stem).columns
    fields: list[Json] = [{"name": column.name, "description": column.meaning} for column in columns]
    return {
        "name": parquet.stem,
        "path": f"tables/{path.name}",
        "format": path.suffix.removeprefix("."),
        "schema": {"fields": fields},
    }


def _resource_name(path: Path) -> str:
    """The name of a trial's file, of the characters that a Frictionless data package allows."""
    return "-".join(path.parts[1:]).lower().replace(SEPARATOR, ".")
