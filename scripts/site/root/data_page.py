"""The data of the page data/: all cycles, the tables of the latest one, and commands that read them."""

from scripts.site import Row
from scripts.site.data.one_liners import one_liners, trials_of_pairs
from scripts.site.data.summary import Summary
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.history_pages import cycle_entry
from scripts.site.root.sitemap import absolute
from scripts.site.times import utc
from scripts.tables.table_schema import FOLDER, load_schema

EXAMPLE, TRIALS = "pairs", "trial_fairness"
"""The table that the commands read, and the one with its trials."""


def data_page(archive: Archive) -> Row:
    """All cycles with their sizes, and the tables of the front page's cycle; empty without a cycle."""
    cycle = archive.front
    if cycle is None:
        return {}
    summary = cycle.summary
    about = {path.stem: load_schema(path.stem).description for path in FOLDER.glob("*.yaml")}
    return {
        "cycles": [
            _cycle(cycle) for campaign in archive.campaigns for cycle in reversed(archive.counted(campaign))
        ],
        "cycle": cycle.name,
        "commands": _commands(archive, summary),
        "join": _join(archive, summary),
        "checksum": summary.checksum,
        "columns": cycle.page("data/"),
        "tables": [
            vars(table)
            | {
                "about": about.get(table.name, "").partition(". ")[0].removesuffix("."),
                "files": [
                    vars(file) | {"address": summary.place.table(table.name, file.form)}
                    for file in table.files
                ],
            }
            for table in summary.tables
        ],
    }


def _cycle(cycle: Cycle) -> Row:
    """A cycle with the days that it took, its trials that count, and the size of its tables as Parquet."""
    summary = cycle.summary
    last = utc(summary.last_stop_ns)
    return cycle_entry(cycle) | {
        "campaign": summary.campaign,
        "last_day": last[:10] if last else None,
        "counted": summary.counted,
        "bytes": sum(
            file.bytes for table in summary.tables for file in table.files if file.form == "parquet"
        ),
        "manifest": f"{cycle.pages}manifest.parquet",
    }


def _commands(archive: Archive, summary: Summary) -> list[Row]:
    """Commands that read one of the cycle's tables."""
    names = [table.name for table in summary.tables]
    if not names:
        return []
    name = EXAMPLE if EXAMPLE in names else names[0]
    commands = one_liners(_address(archive, summary, name))
    return [{"name": language, "command": command} for language, command in commands.items()]


def _join(archive: Archive, summary: Summary) -> str | None:
    """The query for figures with their trials; None if the cycle lacks one of both tables."""
    if not {EXAMPLE, TRIALS} <= {table.name for table in summary.tables}:
        return None
    return trials_of_pairs(*(_address(archive, summary, name) for name in (EXAMPLE, TRIALS)))


def _address(archive: Archive, summary: Summary, table: str) -> str:
    """The URL of a table's Parquet file."""
    return absolute(archive.settings, summary.place.table(table, "parquet"))
