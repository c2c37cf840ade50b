"""The data of the page about the tables: those of the latest cycle, and commands that read them."""

from scripts.site.data.one_liners import one_liners, trials_of_pairs
from scripts.site.data.summary import Summary
from scripts.site.root.archive_cycles import Archive
from scripts.site.root.history_pages import Row, cycle_entry
from scripts.site.root.sitemap import absolute

EXAMPLE, TRIALS = "pairs", "trial_fairness"
"""The table that the commands read, and the one with its trials."""


def data_page(archive: Archive) -> Row:
    """The tables of the front page's cycle with their addresses. Without a cycle there are none."""
    cycle = archive.front
    if cycle is None:
        return {}
    summary = cycle.summary
    return cycle_entry(cycle) | {
        "commands": _commands(archive, summary),
        "join": _join(archive, summary),
        "campaign": summary.campaign,
        "checksum": summary.checksum,
        "columns": cycle.page("data/"),
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


def _commands(archive: Archive, summary: Summary) -> list[Row]:
    """Commands that read one of the cycle's tables."""
    names = [table.name for table in summary.tables]
    if not names:
        return []
    name = EXAMPLE if EXAMPLE in names else names[0]
    found = one_liners(_address(archive, summary, name))
    return [{"name": language, "command": command} for language, command in found.items()]


def _join(archive: Archive, summary: Summary) -> str | None:
    """The query for figures with their trials; None if the cycle lacks one of both tables."""
    if not {EXAMPLE, TRIALS} <= {table.name for table in summary.tables}:
        return None
    return trials_of_pairs(*(_address(archive, summary, name) for name in (EXAMPLE, TRIALS)))


def _address(archive: Archive, summary: Summary, table: str) -> str:
    """The URL of a table's Parquet file."""
    return absolute(archive.settings, summary.place.table(table, "parquet"))
