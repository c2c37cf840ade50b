"""datapackage.json: every file of a snapshot with size and checksum, and the type of every column of tables.

It is a Frictionless data package, https://specs.frictionlessdata.io/. It lists every file but itself and
those that SHA256SUMS does not list. `frictionless validate datapackage.json` checks sizes, checksums, and
every cell of a CSV.
"""

from collections.abc import Sequence
from pathlib import Path

from scripts.base.records import Json
from scripts.snapshot import about
from scripts.snapshot.about import About, File
from scripts.snapshot.absent import PACKAGE
from scripts.tables.table_schema import Column, TableSchema, load_schema

TYPES = {"string": "string", "int32": "integer", "int64": "integer", "double": "number", "bool": "boolean"}
"""The Frictionless type of a column."""


def datapackage(snapshot: About, files: Sequence[File]) -> dict[str, Json]:
    """The data package of a snapshot with these files."""
    found: dict[str, Json] = {
        "profile": "data-package",
        "name": snapshot.name,
        "title": snapshot.title,
        "description": snapshot.description,
        "version": snapshot.version,
        "licenses": [
            {"name": about.LICENCE_NAME, "path": about.LICENCE_ADDRESS, "title": about.LICENCE_TITLE}
        ],
        "contributors": [{"title": about.PUBLISHER, "role": "publisher"}],
        "sources": [{"title": about.PAPER_TITLE, "path": about.PAPER}],
        "keywords": ["fairness", "congestion control", *snapshot.services],
    }
    if snapshot.stop:
        found["created"] = snapshot.stop
    return {**found, "resources": [_resource(file) for file in files if file.path.name != PACKAGE]}


def _resource(file: File) -> Json:
    """A file, with the schema of its table if it is one."""
    described: dict[str, Json] = {
        "name": about.resource_name(file.path),
        "path": file.path.as_posix(),
        "mediatype": file.media_type,
        "bytes": file.bytes,
        "hash": f"sha256:{file.sha256}",
    }
    if not is_table(file.path):
        return described
    schema = load_schema(file.path.stem)
    words: dict[str, Json] = {"title": schema.table, "description": schema.description}
    if file.path.suffix == ".csv":
        return {
            **described,
            "profile": "tabular-data-resource",
            "format": "csv",
            **words,
            "schema": _schema(schema),
        }
    # `frictionless` reads nulls of Parquet as NaN, and does not count its bytes: as a file it checks both.
    return {**described, "type": "file", "format": "parquet", **words, "schema": _schema(schema)}


def is_table(path: Path) -> bool:
    """Whether a file of a snapshot is one of its tables."""
    return path.parent == Path("tables") and path.suffix in (".csv", ".parquet")


def _schema(schema: TableSchema) -> Json:
    """Columns and key of a table. Null is an empty cell in CSV."""
    fields: list[Json] = [_field(column) for column in schema.columns]
    return {"fields": fields, "primaryKey": [*schema.key], "missingValues": [""]}


def _field(column: Column) -> Json:
    """A column: type, meaning, unit and limits. In CSV an empty text is null, so those are not required."""
    may_be_empty = column.type == "string" and (column.values is None or "" in column.values)
    limits: dict[str, Json] = {
        "required": not (column.optional or may_be_empty) or None,
        "minimum": column.minimum,
        "maximum": column.maximum,
        "enum": list(column.values) if column.values else None,
    }
    constraints: Json = {name: value for name, value in limits.items() if value is not None}
    return {
        "name": column.name,
        "type": TYPES[column.type],
        "description": column.meaning,
        **({"unit": column.unit} if column.unit else {}),
        **({"constraints": constraints} if constraints else {}),
    }
