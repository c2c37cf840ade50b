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

TRIALS_OF_PAIRS = """\
select p.setting, p.incumbent, p.contender, p.instance, p.share_median, t.trial, t.share
from read_parquet('{pairs}', hive_types_autocast = false) p
join read_parquet('{trial_fairness}', hive_types_autocast = false) t
  on p.cycle = t.cycle and p.setting = t.setting and p.incumbent = t.service and p.contender = t.contender
  and p.instance is not distinct from t.instance
where t.valid
order by all;"""
"""Each median share with the shares of its trials, in DuckDB."""


def one_liners(address: str) -> dict[str, str]:
    """The command of each language.

    Args:
        address: the URL of a Parquet file, without quotes in it.

    Raises:
        ValueError: the address has a character that would end the text in a command.
    """
    _check(address)
    return {language: command.replace("{address}", address) for language, command in ONE_LINERS.items()}


def trials_of_pairs(pairs: str, trial_fairness: str) -> str:
    """TRIALS_OF_PAIRS for the tables at these addresses; errors as in `one_liners`."""
    _check(pairs)
    _check(trial_fairness)
    return TRIALS_OF_PAIRS.replace("{pairs}", pairs).replace("{trial_fairness}", trial_fairness)


def _check(address: str) -> None:
    """Raise ValueError if an address would end the text in a command."""
    if any(character in address for character in "'\\\n"):
        raise ValueError(f"{address}: cannot be part of a command")
