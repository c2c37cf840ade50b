"""The contract of data/v1/: columns are only added. v1.yaml lists every column with its type and unit.

    python -m scripts.site.data.contract

adds the columns that scripts/tables/*.yaml has and v1.yaml lacks. It refuses to remove or change one.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import write_text
from scripts.base.yaml_files import load_yaml
from scripts.tables.table_schema import FOLDER, TableSchema, load_schema

FILE = Path(__file__).with_name("v1.yaml")

HEAD = """\
# The columns of data/v1/, each with its type and unit. Queries of readers depend on them, so columns are only
# added: python -m scripts.site.data.contract
"""

Columns = Mapping[str, Mapping[str, str]]
"""For each table, the type and unit of each column, such as `double Mbps`."""


def promised(path: Path = FILE) -> Columns:
    """The columns of v1.yaml.

    Raises:
        UserError: the file cannot be read.
    """
    return load_yaml(path)


def current() -> Columns:
    """The columns of scripts/tables/*.yaml."""
    return {path.stem: columns_of(load_schema(path.stem)) for path in sorted(FOLDER.glob("*.yaml"))}


def columns_of(schema: TableSchema) -> Mapping[str, str]:
    """The type and unit of each column of a table."""
    return {column.name: " ".join(filter(None, (column.type, column.unit))) for column in schema.columns}


def broken(contract: Columns, tables: Columns) -> list[str]:
    """The promises that the tables break, each with what to do instead; empty if they keep all."""
    return [
        f"{table}.{column}: v1 promises `{promise}`, now it is {found}; keep the column and add another "
        "one; if its meaning must change, begin data/v2/"
        for table, columns in contract.items()
        for column, promise in columns.items()
        if (found := _found(tables, table, column)) != f"`{promise}`"
    ]


def _found(tables: Columns, table: str, column: str) -> str:
    held = tables.get(table, {}).get(column)
    return "missing" if held is None else f"`{held}`"


def missing(contract: Columns, tables: Columns) -> list[str]:
    """The columns that the tables have and the contract does not, such as `pairs.share_median`."""
    return [
        f"{table}.{column}"
        for table, columns in tables.items()
        for column in columns
        if column not in contract.get(table, {})
    ]


def extend(path: Path, tables: Columns) -> list[str]:
    """Add the missing columns of these tables to the file. A missing file is written.

    Returns:
        The added columns.

    Raises:
        UserError: the tables break the contract.
    """
    contract = promised(path) if path.exists() else {}
    problems = broken(contract, tables)
    if problems:
        raise UserError(f"{path}: " + "\n".join(problems))
    lines = [HEAD]
    for table, columns in sorted(tables.items()):
        lines += [f"{table}:\n", *(f"  {name}: {words}\n" for name, words in columns.items())]
    write_text(path, "".join(lines))
    return missing(contract, tables)


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser_of("scripts.site.data.contract", __doc__).parse_args(arguments)
    added = extend(FILE, current())
    print(f"{FILE.name}: added {', '.join(added) or 'nothing'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
