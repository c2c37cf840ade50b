"""Freeze a cycle, verify a snapshot, or rebuild its figures and compare them.

python -m scripts.snapshot freeze CYCLE_DIR -o SNAPSHOT [--setting NAME …]
python -m scripts.snapshot verify SNAPSHOT
python -m scripts.snapshot reproduce SNAPSHOT
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
    """Do what is asked; see the module's docstring."""
    parser = parser_of("scripts.snapshot", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    freezing = commands.add_parser("freeze", help="make a snapshot of a measured cycle")
    freezing.add_argument("cycle", type=Path, help="data/<campaign>/<cycle>")
    freezing.add_argument("-o", "--output", type=Path, required=True, help="the snapshot's folder")
    freezing.add_argument(
        "--setting", action="append", default=[], help="keep only this setting (may be repeated)"
    )
    for name, purpose in (("verify", "check its checksums"), ("reproduce", "rebuild and compare every byte")):
        commands.add_parser(name, help=purpose).add_argument("snapshot", type=Path)
    arguments = parser.parse_args(argv)
    if arguments.command == "freeze":
        freeze(arguments.cycle, arguments.output, arguments.setting)
    elif arguments.command == "verify":
        print(f"{arguments.snapshot}: {verify_checksums(arguments.snapshot)} files are what SHA256SUMS says")
    else:
        count = reproduce(arguments.snapshot)
        print(f"{arguments.snapshot}: identical: {count} files rebuilt, every byte the same")
    return 0


if __name__ == "__main__":
    sys.exit(main())
