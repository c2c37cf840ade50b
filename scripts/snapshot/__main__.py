"""Freeze a cycle, verify a snapshot, or rebuild its figures and compare them.

    python -m scripts.snapshot freeze CYCLE_DIR -o SNAPSHOT [--setting NAME …]
    python -m scripts.snapshot verify SNAPSHOT
    python -m scripts.snapshot reproduce SNAPSHOT

Exit status: 0 done; 2 the snapshot could not be made, is damaged, or is not identical when rebuilt.
"""

import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.snapshot.checksums import verify_checksums
from scripts.snapshot.freeze import freeze
from scripts.snapshot.reproduce import reproduce


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = parser_of("scripts.snapshot", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    freezing = commands.add_parser("freeze", help="make a snapshot of a measured cycle")
    freezing.add_argument("cycle", type=Path, metavar="CYCLE_DIR", help="data/<campaign>/<cycle>")
    freezing.add_argument(
        "-o", "--output", type=Path, required=True, metavar="SNAPSHOT", help="the folder to make"
    )
    freezing.add_argument(
        "--setting",
        action="append",
        default=[],
        metavar="NAME",
        help="keep this setting only; may be repeated; without it, all settings are kept",
    )
    for name, purpose in (
        ("verify", "check every file against SHA256SUMS"),
        ("reproduce", "rebuild the tables and charts and compare every byte"),
    ):
        command = commands.add_parser(name, help=purpose)
        command.add_argument("snapshot", type=Path, metavar="SNAPSHOT", help="the folder of the snapshot")
    arguments = parser.parse_args(argv)
    if arguments.command == "freeze":
        freeze(arguments.cycle, arguments.output, arguments.setting)
    elif arguments.command == "verify":
        print(f"{arguments.snapshot}: {verify_checksums(arguments.snapshot)} files match SHA256SUMS")
    else:
        count = reproduce(arguments.snapshot)
        print(f"{arguments.snapshot}: identical: {count} files rebuilt, every byte the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
