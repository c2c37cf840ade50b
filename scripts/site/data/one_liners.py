"""Commands that read a published table by its address, in several languages.

DuckDB takes `cycle=2026-11-21` in an address for a date, and lets it replace the column `cycle`, unless
`hive_types_autocast` is off. The line in R needs arrow 12 or later.
"""

from collections.abc import Mapping

ONE_LINERS: Mapping[str, str] = {
    "DuckDB": "select * from read_parquet('{address}', hive_types_autocast = false);",
    "pandas": "import pandas; table = pandas.read_parquet('{address}')",
    "R": "table <- arrow::read_parquet('{address}')",
    "curl": "curl -fO '{address}'",
}
"""The command of each language, with `{address}` for the URL of a Parquet file."""


def one_liners(address: str) -> dict[str, str]:
    """The command of each language.

    Args:
        address: the URL of a Parquet file, without quotes in it.

    Raises:
        ValueError: the address has a character that would end the text in a command.
    """
    if any(character in address for character in "'\\\n"):
        raise ValueError(f"{address}: cannot be part of a command")
    return {language: command.replace("{address}", address) for language, command in ONE_LINERS.items()}
