"""croissant.json: the tables of a snapshot as record sets, http://mlcommons.org/croissant/1.0.

Programs that read Croissant load each table by its name, from its Parquet file. Captures, queue logs and the
records of trials are sets of files. Addresses are relative to the snapshot.
"""

from collections.abc import Sequence

from scripts.base.records import Json
from scripts.snapshot import about
from scripts.snapshot.about import About, File
from scripts.snapshot.descriptor import is_table
from scripts.tables.table_schema import load_schema

NAME = "croissant.json"
TYPES = {"string": "Text", "int32": "Integer", "int64": "Integer", "double": "Float", "bool": "Boolean"}
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


def croissant(snapshot: About, files: Sequence[File]) -> dict[str, Json]:
    """The Croissant description of a snapshot with these files."""
    tables = [file for file in files if is_table(file.path) and file.path.suffix == ".parquet"]
    found: dict[str, Json] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": snapshot.name,
        "description": f"{snapshot.title}. {snapshot.description}",
        "license": about.LICENCE_ADDRESS,
        "url": ".",
        "version": snapshot.version,
        "creator": {"@type": "sc:Organization", "name": about.PUBLISHER},
        "citeAs": f"{about.PUBLISHER}, campaign {snapshot.campaign}, cycle {snapshot.cycle}",
    }
    if snapshot.date:
        found["datePublished"] = snapshot.date
    return {
        **found,
        "distribution": [*map(_table_file, tables), *(_file_set(*one) for one in FILE_SETS)],
        "recordSet": [_record_set(file) for file in tables],
    }


def _table_file(file: File) -> Json:
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


def _file_set(name: str, pattern: str, description: str) -> Json:
    """Files of trials."""
    kind = about.MEDIA_TYPES["." + pattern.rpartition(".")[2]]
    return {
        "@type": "cr:FileSet",
        "@id": name,
        "name": name,
        "description": description,
        "encodingFormat": kind,
        "includes": pattern,
    }


def _record_set(file: File) -> Json:
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
                "dataType": f"sc:{TYPES[column.type]}",
                "source": {"fileObject": {"@id": file.path.as_posix()}, "extract": {"column": column.name}},
            }
            for column in schema.columns
        ],
    }
