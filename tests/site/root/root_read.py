"""Reading the tables of the root's pages and the rows of summaries."""

import pyarrow.parquet as pq

from tests.site.pages_read import text


def figures(site, place, **wanted) -> list[dict]:
    """The rows of summary.parquet with these values."""
    rows = pq.read_table(site.root / place.pages / "summary.parquet").to_pylist()
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def rows_of(page) -> list[str]:
    """The rows of all tables, with ` | ` between the cells."""
    return [" | ".join(map(text, row)) for row in page.findall(".//tbody/tr")]


def row_of(page, cycle: str) -> str:
    """The first row that begins with the name of a cycle."""
    return next(row for row in rows_of(page) if row.startswith(cycle))
