"""Build the tables of one trial.

    python -m scripts.tables.trial_tables PARQUET_DIR --config CONFIG.json -o TABLES_DIR

PARQUET_DIR holds what scripts.extract wrote for the trial. CONFIG.json is the campaign's merged
configuration; its `validity` holds the thresholds, so that a changed threshold judges the same extraction
again. The command writes every table of level trial as Parquet.
"""

import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.model.campaign import read_campaign
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_trial_formulas
from scripts.tables.output import write_table
from scripts.tables.parameters import bind_parameters
from scripts.tables.table_list import EXTRACTED, names_of
from scripts.tables.table_schema import load_schema

TABLES = names_of("trial")


def build_trial(parquet: Path, output: Path, config: Path) -> None:
    """Write the tables of one trial.

    Args:
        parquet: the folder that scripts.extract wrote.
        output: the folder for the tables.
        config: the merged configuration as JSON.

    Raises:
        UserError: an input is missing.
    """
    paths = {name: parquet / f"{name}.parquet" for name in EXTRACTED}
    for path in paths.values():
        if not path.is_file():
            raise UserError(f"{path}: is missing; extract the trial first")
    campaign = read_campaign(config)
    paths |= {name: output / f"{name}.parquet" for name in TABLES}
    with connect() as connection:
        add_trial_formulas(connection)
        for table in TABLES:
            schema = load_schema(table)
            inputs = {source: paths[source] for source in schema.sources}
            parameters = bind_parameters(schema.parameters, campaign)
            write_table([build(connection, table, {**inputs, **parameters})], table, output, with_csv=False)


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.tables.trial_tables", __doc__)
    parser.add_argument("parquet", type=Path, metavar="PARQUET_DIR", help="what scripts.extract wrote")
    parser.add_argument(
        "--config", type=Path, required=True, metavar="CONFIG.json", help="the merged configuration"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="TABLES_DIR", help="folder for the tables"
    )
    options = parser.parse_args(arguments)
    build_trial(options.parquet, options.output, options.config)
    return 0


if __name__ == "__main__":
    sys.exit(main())
