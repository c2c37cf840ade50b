"""Extract captures to Parquet: those of a trial, or any others.

    python -m scripts.extract TRIAL_DIR -o PARQUET_DIR [--captures DIR]
                              [--key FILE --config MERGED.json]

reads trial.json, client-c<n>.pcapng.zst, queue.bin.zst, flows.json, senders.jsonl.zst and qoe.json of a trial
directory and writes clients, packets, flows, queue, senders and qoe.parquet, all or none.
A trial with a live service needs --key and --config. Its tables have the public form of addresses and names.

    python -m scripts.extract CAPTURE... -o OUT.parquet [--client ADDRESS]...

reads captures (pcap or pcapng, plain, gzip or zstd) and writes their packets into one file, capture after
capture. The column `capture` contains the name of the capture, the column `flow` a row number in
OUT.flows.parquet, which is written beside it. scripts/extract/packets.py documents every column.

The files are read without privileges and within limits (scripts/extract/confined.py).

Exit status: 0 every capture was whole; 1 at least one is cut or corrupt, and the packets before the damage
were kept; 2 nothing was written.
"""

import argparse
import ipaddress
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.extract.confined import made_by_worker, require_ending, run_worker, workshop
from scripts.extract.confined_trial import extract_trial
from scripts.extract.jobs import ExtractionJob, add_public_options, flows_file
from scripts.extract.trial_files import TRIAL_JSON


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    if any((source / TRIAL_JSON).exists() for source in arguments.sources):
        if len(arguments.sources) > 1 or arguments.client:
            parser.error("give one trial directory and no --client; trial.json contains the addresses")
        return extract_trial(
            arguments.sources[0],
            arguments.output,
            arguments.captures,
            arguments.key,
            arguments.config,
        )
    if arguments.captures:
        parser.error("--captures needs a trial directory")
    return _extract_captures(arguments.sources, arguments.output, arguments.client)


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("scripts.extract", __doc__)
    parser.add_argument(
        "sources", type=Path, nargs="+", metavar="SOURCE", help="a trial directory, or captures"
    )
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="a folder for a trial, a file for captures"
    )
    parser.add_argument(
        "--captures",
        type=Path,
        metavar="DIR",
        help="for a trial: the folder of its captures, if it is another one (published copies)",
    )
    add_public_options(parser)
    parser.add_argument(
        "--client",
        action="append",
        default=[],
        type=_address,
        metavar="ADDRESS",
        help="for captures: an IP address of the client, whose packets get the direction `up`; may be "
        "repeated; without it, no packet has a direction",
    )
    return parser


def _extract_captures(captures: Sequence[Path], output: Path, clients: Sequence[str]) -> int:
    _check(captures, output)
    flows = flows_file(output)
    job = ExtractionJob("captures", [str(path.absolute()) for path in captures], output.name, clients=clients)
    with workshop(output) as folder:
        status = run_worker(job, captures, folder)
        require_ending(status, captures[0])
        if status != 2:
            made = made_by_worker(folder, [output.name, flows.name])
            os.replace(made / flows.name, flows)
            os.replace(made / output.name, output)
    return status


def _check(captures: Sequence[Path], output: Path) -> None:
    """Raise UserError if a capture cannot be one, or the output is a folder or a capture."""
    for capture in captures:
        if capture.is_dir():
            raise UserError(f"{capture}: is a folder without trial.json; give a trial directory, or captures")
    if output.is_dir():
        raise UserError(f"{output}: is a folder; give the name of a file")
    for capture in captures:
        if not capture.exists():
            raise UserError(f"{capture}: no such file")
        if output.exists() and capture.samefile(output):
            raise UserError(f"{output}: is one of the captures; give another name")


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


if __name__ == "__main__":
    sys.exit(main())
