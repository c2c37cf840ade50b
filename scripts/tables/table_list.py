"""Which tables there are, and in which order they are built: both follow from the tables' schemas.

A new table is therefore its SQL, its YAML and a test case (tests/tables/). Nothing else lists it.
"""

from collections.abc import Collection, Iterable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import Literal

from scripts.base.files import ROOT
from scripts.model.comparison import RECOGNITION
from scripts.tables.table_schema import FOLDER, TableSchema, TableSchemaError, load_schema, sql_of

EXTRACTED = ("clients", "packets", "queue", "flows", "senders", "qoe")
"""What scripts.extract writes for a trial."""

EARLIER = "earlier_trial_services"
"""A source of cycle tables: trial_services of the previous cycle."""

OTHERS = ("plan", "registration", "equivalence", RECOGNITION, "calibration")
"""Tables that need more than SQL."""

OPTIONAL = ("equivalence", RECOGNITION)
"""Tables that only a cycle over both bottlenecks has, and only one on links with labelled traces."""

MACROS = (FOLDER / "macros.sql").relative_to(ROOT).as_posix()
"""The macros that the SQL of the cycle's tables uses."""


@cache
def names_of(level: Literal["trial", "cycle"]) -> tuple[str, ...]:
    """The tables of a level in the order in which they are built.

    Raises:
        TableSchemaError: a source is unknown, or tables need each other in a circle.
    """
    files = sorted(FOLDER.glob("*.yaml"))
    # A search tells the level. To parse the files of the other levels takes 0.03 s in every trial.
    names = [file.stem for file in files if f"\nlevel: {level}\n" in file.read_text(encoding="utf-8")]
    available = EXTRACTED if level == "trial" else (*names_of("trial"), EARLIER)
    return build_order([load_schema(table) for table in names], available)


def build_order(schemas: Iterable[TableSchema], available: Collection[str]) -> tuple[str, ...]:
    """The names of these tables, each after the tables it is built from.

    Args:
        schemas: the tables to build.
        available: sources that exist already.

    Raises:
        TableSchemaError: a source is unknown, or tables need each other in a circle.
    """
    sources = {schema.table: schema.sources for schema in schemas}
    for table, needed in sources.items():
        for source in needed:
            if source not in sources and source not in available:
                known = ", ".join(sorted({*sources, *available}))
                raise TableSchemaError(f"{table}.yaml: unknown source {source}; a table may use {known}")
    try:
        order = tuple(TopologicalSorter(sources).static_order())
    except CycleError as error:
        circle = " → ".join(reversed(error.args[1]))
        raise TableSchemaError(f"these tables need each other in a circle: {circle}") from error
    return tuple(name for name in order if name in sources)


def files_of(tables: Iterable[str]) -> list[str]:
    """The SQL and YAML files of these tables, relative to the repository, sorted."""
    paths = (path for table in tables for path in [*sql_of(table), FOLDER / f"{table}.yaml"])
    return sorted(path.relative_to(ROOT).as_posix() for path in paths if path.is_file())


@cache
def every_table() -> tuple[str, ...]:
    """Every table of a cycle, each after those that it is made from."""
    return (*names_of("trial"), *names_of("cycle"), *OTHERS)
