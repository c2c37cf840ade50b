"""Extract one trial to Parquet.

    python -m scripts.extract TRIAL_DIR -o PARQUET_DIR [--captures DIR]

reads trial.json, client-c<n>.pcapng.zst, queue.bin.zst, flows.json and senders.jsonl.zst of a trial
directory and writes clients, packets, flows, queue and senders.parquet, all or none. What the user can mend
is one line on standard error and exit status 2.
"""

import argparse
import sys
from pathlib import Path

from scripts.errors import reporting
from scripts.extract.trial import extract


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = argparse.ArgumentParser(prog="python -m scripts.extract", description="Extract one trial.")
    parser.add_argument("trial", type=Path, metavar="TRIAL_DIR", help="a trial's directory")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="PARQUET_DIR",
        help="the folder for the Parquet files",
    )
    parser.add_argument(
        "--captures", type=Path, metavar="DIR", help="take the captures from here instead (published copies)"
    )
    options = parser.parse_args(arguments)
    extract(options.trial, options.output, options.captures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
