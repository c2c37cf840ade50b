"""data/v1/index.json: all tables with their columns, and all cycles with their files, in one fetch.

Addresses are relative to the root of the site.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from scripts.base.files import write_text
from scripts.base.records import Json
from scripts.site.data.manifest import NAME as MANIFEST
from scripts.site.data.summary import JSON, PARQUET, Summary, TableSummary
from scripts.site.times import iso
from scripts.tables.table_schema import FOLDER, Column, load_schema

ADDRESS = "data/v1/index.json"

OWN_COLUMNS = (
    Column("campaign", "string", "the campaign, as in the address of the file"),
    Column(
        "cycle", "string", "the cycle, as in the address of the file; a later revision ends with .r2, .r3, …"
    ),
)
"""The first columns of every table in data/v1/."""


def write_index(site: Path, summaries: Sequence[Summary]) -> None:
    """Write data/v1/index.json.

    Args:
        site: the root of the site.
        summaries: those of all published cycles, in any order.
    """
    latest: dict[tuple[str, str], int] = {}
    for summary in summaries:
        cycle = summary.campaign, summary.cycle
        latest[cycle] = max(summary.revision, latest.get(cycle, 1))
    content: Json = {
        "version": 1,
        "tables": [_table(path.stem) for path in sorted(FOLDER.glob("*.yaml"))],
        "cycles": [
            _cycle(summary, summary.revision == latest[summary.campaign, summary.cycle])
            for summary in sorted(summaries, key=lambda summary: summary.place)
        ],
    }
    write_text(site / ADDRESS, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _table(name: str) -> Json:
    """A table and its columns."""
    schema = load_schema(name)
    return {
        "name": name,
        "description": schema.description,
        "grain": schema.grain,
        "key": [*(column.name for column in OWN_COLUMNS), *schema.key],
        "columns": [
            {"name": column.name, "type": column.type, "unit": column.unit, "meaning": column.meaning}
            for column in (*OWN_COLUMNS, *schema.columns)
        ],
    }


def _cycle(summary: Summary, current: bool) -> Json:
    """A cycle and its files. `current` is false for a revision that was corrected."""
    place = summary.place
    return {
        "campaign": place.campaign,
        "cycle": place.label,
        "revision": place.revision,
        "current": current,
        "measured_from": iso(summary.first_start_ns),
        "measured_to": iso(summary.last_stop_ns),
        "pages": place.pages,
        "summary": [place.pages + name for name in (JSON, PARQUET)],
        "manifest": place.pages + MANIFEST,
        "tables": [_files(summary, table) for table in sorted(summary.tables, key=lambda table: table.name)],
    }


def _files(summary: Summary, table: TableSummary) -> Json:
    """The files of one table of a cycle."""
    files: list[Json] = [
        {
            "form": file.form,
            "address": summary.place.table(table.name, file.form),
            "bytes": file.bytes,
            "sha256": file.sha256,
        }
        for file in table.files
    ]
    return {"name": table.name, "rows": table.rows, "files": files}
