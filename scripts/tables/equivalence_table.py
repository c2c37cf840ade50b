"""Compare a campaign's cycle over BESS with one over the embedded switch.

    python -m scripts.tables.equivalence_table --bess TRIAL_SERVICES.parquet
        --embedded TRIAL_SERVICES.parquet --config CONFIG.json -o TABLES_DIR

CONFIG.json is the campaign's merged configuration, which has the margin of every setting. The command writes
equivalence.parquet and equivalence.csv.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.model.campaign import Campaign, read_campaign
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.output import write_table
from scripts.tables.parameters import bind_parameters
from scripts.tables.stored_rows import check_stored
from scripts.tables.table_schema import load_schema

TABLE = "equivalence"
BACKENDS = ("bess", "embedded")


def build_equivalence(rows: Mapping[str, Path], campaign: Campaign, output: Path) -> None:
    """Write the table.

    Args:
        rows: trial_services.parquet of the cycle over each bottleneck.
        campaign: the merged configuration.
        output: the folder for the table.

    Raises:
        UserError: a table is missing, or its columns are not known.
    """
    for path in rows.values():
        check_stored(path)
    inputs = {f"{backend}_trial_services": path for backend, path in rows.items()}
    parameters = bind_parameters(load_schema(TABLE).parameters, campaign)
    with connect() as connection:
        add_formulas(connection)
        table = build(connection, TABLE, {**inputs, **parameters})
    write_table([table], TABLE, output, with_csv=True)


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.tables.equivalence_table", __doc__)
    for backend in BACKENDS:
        parser.add_argument(
            f"--{backend}",
            type=Path,
            required=True,
            metavar="TRIAL_SERVICES.parquet",
            help=f"trial_services of the cycle over {backend}",
        )
    parser.add_argument(
        "--config", type=Path, required=True, metavar="CONFIG.json", help="the merged configuration"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="TABLES_DIR", help="folder for the table"
    )
    options = parser.parse_args(arguments)
    rows = {backend: getattr(options, backend) for backend in BACKENDS}
    build_equivalence(rows, read_campaign(options.config), options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
