"""docs/tables.md: every table of a cycle, from its schema."""

from scripts.reference.markdown import head, row
from scripts.tables.table_list import every_table
from scripts.tables.table_schema import load_schema

HEAD = """# Tables

The tables of a cycle. `scripts/tables/<name>.yaml` explains every column of a table, and the head of
`<name>.sql` says how it is computed. The data page of a site lists the tables of its cycles. `python -m
scripts.reference` writes this page.

The `qoe_` tables come from the observations of browsers (`qoe.json`). They judge the services with `metric:
rtc` or `web`, which are not cells of the throughput matrix. `trial_completions`, `srpt` and `completions`
tell how long generated flows took (`metric: completion`), against the shortest possible time and against an
ideal link. `share_over_time` shows whether the trials were long enough for shares to settle.
"""
LEVELS = {
    "trial": "Built for each trial, then joined over the cycle",
    "cycle": "Built from the tables of all trials",
    "other": "Built by programs",
}


def page() -> str:
    """The page, as Markdown."""
    schemas = [load_schema(name) for name in sorted(every_table())]
    parts = [HEAD]
    for level, title in LEVELS.items():
        parts += [f"## {title}\n", head("table", "what it has", "a row is")]
        parts += [
            row(f"[`{one.table}`](../scripts/tables/{one.table}.yaml)", one.description, one.grain)
            for one in schemas
            if one.level == level
        ]
        parts.append("")
    return "\n".join(parts)
