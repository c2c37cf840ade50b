"""Captures to Parquet: those of a trial, or anyone's.

    python -m scripts.extract TRIAL_DIR -o PARQUET_DIR [--captures DIR]

reads trial.json, client-c<n>.pcapng.zst, queue.bin.zst, flows.json, senders.jsonl.zst and qoe.json of a trial
directory and writes clients, packets, flows, queue, senders and qoe.parquet, all or none.

    python -m scripts.extract CAPTURE... -o OUT.parquet [--client ADDRESS]...

reads captures (pcap or pcapng, plain, gzip or zstd) and writes their packets into one file, the captures one
after the other; the column `capture` tells them apart. Beside it, OUT.flows.parquet tells whose the numbers
in the column `flow` are. scripts/extract/packets.py explains every column.

Exit status: 0 every capture was whole; 1 at least one is cut or corrupt, and the packets before that place
were kept; 2 nothing was written.
"""

import argparse
import ipaddress
import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.extract.captures import extract_captures, summary
from scripts.extract.extract_trial import extract


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Run the command; give its exit status."""
    parser = parser_of("scripts.extract", __doc__)
    parser.add_argument(
        "sources", type=Path, nargs="+", metavar="SOURCE", help="a trial's directory, or captures"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="a folder for a trial, a file for captures"
    )
    parser.add_argument(
        "--captures",
        type=Path,
        metavar="DIR",
        help="of a trial: take the captures from here (published copies)",
    )
    parser.add_argument(
        "--client",
        action="append",
        default=[],
        type=_address,
        metavar="ADDRESS",
        help="of captures: an IP address of the side whose packets go up; may be repeated; without it, the "
        "direction of packets is null",
    )
    options = parser.parse_args(arguments)
    if any((source / "trial.json").exists() for source in options.sources):
        if len(options.sources) > 1 or options.client:
            parser.error("give one trial directory and no --client: the trial knows its own")
        extract(options.sources[0], options.output, options.captures)
        return 0
    if options.captures:
        parser.error("--captures belongs to a trial directory")
    return _extract_captures(options.sources, options.output, options.client)


def _extract_captures(captures: list[Path], output: Path, clients: list[str]) -> int:
    for capture in captures:
        if capture.is_dir():
            raise UserError(
                f"{capture}: is a folder without trial.json; give a trial's directory, or captures"
            )
    found = extract_captures(captures, output, clients)
    for line in summary(found):
        print(line)
    return 0 if all(facts["status"] == "ok" for facts in found.captures) else 1


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


if __name__ == "__main__":
    sys.exit(main())
