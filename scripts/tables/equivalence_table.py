"""Compare a campaign's cycle over BESS with one over the embedded switch.

    python -m scripts.tables.equivalence_table --bess TRIAL_SERVICES --embedded TRIAL_SERVICES -o TABLES_DIR

Writes equivalence.parquet and .csv. What the user can mend is one line on standard error and exit status 2.
"""

import argparse
import sys
from pathlib import Path

from scripts.base.errors import UserError, reporting
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.output import write_table

BACKENDS = ("bess", "embedded")


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.tables.equivalence_table",
        description="Compare BESS with the embedded switch.",
    )
    for backend in BACKENDS:
        parser.add_argument(
            f"--{backend}", type=Path, required=True, metavar="PARQUET", help="trial_services of its cycle"
        )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="TABLES_DIR", help="folder for the table"
    )
    options = parser.parse_args(arguments)
    inputs = {f"{backend}_trial_services": getattr(options, backend) for backend in BACKENDS}
    for path in inputs.values():
        if not path.is_file():
            raise UserError(f"{path}: no such file; name trial_services.parquet of a cycle")
    with connect() as connection:
        add_formulas(connection)
        table = build(connection, "equivalence", inputs)
    write_table([table], "equivalence", options.output, with_csv=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
