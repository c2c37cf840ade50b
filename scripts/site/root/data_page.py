"""The data of the page about the tables: those of the latest cycle, and commands that read them."""

from scripts.site.root.archive_cycles import Archive
from scripts.site.root.history_pages import Row, cycle_entry


def data_page(archive: Archive) -> Row:
    """The tables of the front page's cycle with their addresses. Without a cycle there are none."""
    cycle = archive.front
    if cycle is None:
        return {"commands": _commands()}
    summary = cycle.summary
    return cycle_entry(cycle) | {
        "commands": _commands(),
        "campaign": summary.campaign,
        "checksum": summary.checksum,
        "columns": cycle.page("tables/"),
        "manifest": f"{cycle.pages}manifest.parquet",
        "tables": [
            {
                "name": table.name,
                "rows": table.rows,
                "files": [
                    {
                        "form": file.form,
                        "bytes": file.bytes,
                        "sha256": file.sha256,
                        "address": summary.place.table(table.name, file.form),
                    }
                    for file in table.files
                ],
            }
            for table in summary.tables
        ],
    }


def _commands() -> list[Row]:
    return []
