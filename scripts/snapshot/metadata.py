"""What describes a snapshot to other programs: datapackage.json, croissant.json, ro-crate-metadata.json.

datapackage.json is a Frictionless data package, https://specs.frictionlessdata.io/: every file with size and
checksum but itself and those that SHA256SUMS does not list, and the type of every column of tables.
`frictionless validate datapackage.json` checks sizes, checksums, and every cell of a CSV.

croissant.json has the tables as record sets, http://mlcommons.org/croissant/1.0. Programs that read Croissant
load each table by its name, from its Parquet file. Captures, queue logs and the records of trials are sets of
files. Addresses are relative to the snapshot.

They are written last, because datapackage.json lists every other file with its checksum. The same snapshot
gives the same bytes.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from scripts.base.files import digest, write_text
from scripts.base.records import Json
from scripts.snapshot.about import (
    DATAPACKAGE,
    LICENCE_ADDRESS,
    LICENCE_NAME,
    LICENCE_TITLE,
    MEDIA_TYPES,
    PAPER,
    PAPER_TITLE,
    PUBLISHER,
    About,
    SnapshotFile,
    listed_files,
    read_about,
    resource_name,
)
from scripts.snapshot.crate import CRATE, crate
from scripts.snapshot.environment import read_runs
from scripts.tables.table_schema import Column, TableSchema, load_schema

TYPES = {"string": "string", "int32": "integer", "int64": "integer", "double": "number", "bool": "boolean"}
"""The Frictionless type of a column."""

CROISSANT = "croissant.json"
CROISSANT_TYPES = {
    "string": "Text",
    "int32": "Integer",
    "int64": "Integer",
    "double": "Float",
    "bool": "Boolean",
}
"""The type of a column in schema.org."""

PARQUET = "application/x-parquet"
"""The name by which programs for Croissant know Parquet."""

FILE_SETS = (
    ("captures", "trials/*/*/*/client-*.pcapng.zst", "What each client sent and received, without payload."),
    ("queue-logs", "trials/*/*/*/queue.bin.zst", "What the bottleneck did with every packet."),
    ("trial-records", "trials/*/*/*/trial.json", "Settings, counters, host and programs of each trial."),
)

CONTEXT: dict[str, Json] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{
        name: f"cr:{name}"
        for name in (
            *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty"),
            *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
            *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator"),
            *("source", "subField", "transform"),
        )
    },
}
"""The names of Croissant 1.0 as its specification binds them."""


def datapackage(snapshot: About, files: Sequence[SnapshotFile]) -> dict[str, Json]:
    """The data package of a snapshot with these files."""
    described: dict[str, Json] = {
        "profile": "data-package",
        "name": snapshot.name,
        "title": snapshot.title,
        "description": snapshot.description,
        "version": snapshot.version,
        "licenses": [{"name": LICENCE_NAME, "path": LICENCE_ADDRESS, "title": LICENCE_TITLE}],
        "contributors": [{"title": PUBLISHER, "role": "publisher"}],
        "sources": [{"title": PAPER_TITLE, "path": PAPER}],
        "keywords": ["fairness", "congestion control", *snapshot.services],
    }
    if snapshot.stop:
        described["created"] = snapshot.stop
    return {**described, "resources": [_resource(file) for file in files if file.path.name != DATAPACKAGE]}


def _resource(file: SnapshotFile) -> Json:
    """A file, with the schema of its table if it is one."""
    described: dict[str, Json] = {
        "name": resource_name(file.path),
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


def croissant(snapshot: About, files: Sequence[SnapshotFile]) -> dict[str, Json]:
    """The Croissant description of a snapshot with these files."""
    tables = [file for file in files if is_table(file.path) and file.path.suffix == ".parquet"]
    described: dict[str, Json] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": snapshot.name,
        "description": f"{snapshot.title}. {snapshot.description}",
        "license": LICENCE_ADDRESS,
        "url": ".",
        "version": snapshot.version,
        "creator": {"@type": "sc:Organization", "name": PUBLISHER},
        "citeAs": f"{PUBLISHER}, campaign {snapshot.campaign}, cycle {snapshot.cycle}",
    }
    if snapshot.date:
        described["datePublished"] = snapshot.date
    return {
        **described,
        "distribution": [*map(_table_file, tables), *(_file_set(*each) for each in _file_sets(files))],
        "recordSet": [_record_set(file) for file in tables],
    }


def _table_file(file: SnapshotFile) -> Json:
    """The Parquet file of a table."""
    return {
        "@type": "cr:FileObject",
        "@id": file.path.as_posix(),
        "name": file.path.name,
        "contentUrl": file.path.as_posix(),
        "contentSize": f"{file.bytes} B",
        "encodingFormat": PARQUET,
        "sha256": file.sha256,
    }


def _file_sets(files: Sequence[SnapshotFile]) -> list[tuple[str, str, str]]:
    """The sets of files of trials that are there; a lean snapshot has the records alone."""
    return [each for each in FILE_SETS if any(file.path.match(each[1]) for file in files)]


def _file_set(name: str, pattern: str, description: str) -> Json:
    """Files of trials."""
    kind = MEDIA_TYPES["." + pattern.rpartition(".")[2]]
    return {
        "@type": "cr:FileSet",
        "@id": name,
        "name": name,
        "description": description,
        "encodingFormat": kind,
        "includes": pattern,
    }


def _record_set(file: SnapshotFile) -> Json:
    """The rows of a table."""
    schema = load_schema(file.path.stem)
    return {
        "@type": "cr:RecordSet",
        "@id": schema.table,
        "name": schema.table,
        "description": schema.description,
        "key": [{"@id": f"{schema.table}/{name}"} for name in schema.key],
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{schema.table}/{column.name}",
                "name": f"{schema.table}/{column.name}",
                "description": column.meaning + (f" ({column.unit})" if column.unit else ""),
                "dataType": f"sc:{CROISSANT_TYPES[column.type]}",
                "source": {"fileObject": {"@id": file.path.as_posix()}, "extract": {"column": column.name}},
            }
            for column in schema.columns
        ],
    }


def write_metadata(snapshot: Path, sums: Mapping[Path, str] | None = None) -> dict[Path, str]:
    """Describe a snapshot that has all its other files but SHA256SUMS.

    Args:
        snapshot: the folder.
        sums: the SHA-256 of files, if they are known already.

    Returns:
        The SHA-256 of every file of the snapshot.

    Raises:
        UserError: a file that says what the snapshot is, is missing or wrong.
    """
    about, known = read_about(snapshot), dict(sums or {})
    for name in (CROISSANT, CRATE, DATAPACKAGE):
        (snapshot / name).unlink(missing_ok=True)
    files = listed_files(snapshot, known)
    known = {file.path: file.sha256 for file in files}
    _write(croissant(about, files), "recordSet", snapshot / CROISSANT, known)
    _write(crate(about, files, read_runs(snapshot, files)), "@graph", snapshot / CRATE, known)
    files = listed_files(snapshot, known)
    _write(datapackage(about, files), "resources", snapshot / DATAPACKAGE, known)
    return known


def _write(description: Mapping[str, Json], key: str, path: Path, sums: dict[Path, str]) -> None:
    """Write a description, and keep its checksum. Each item of its longest list has a line."""
    items = description[key]
    assert isinstance(items, list)
    head = _line({name: value for name, value in description.items() if name != key})
    lines = ",\n".join(map(_line, items))
    write_text(path, f"{head[:-1]},{_line(key)}:[\n{lines}\n]}}\n")
    sums[Path(path.name)] = digest(path)


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
