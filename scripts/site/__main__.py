"""Build the archive, or the provisional pages of a cycle that still runs.

    python -m scripts.site build [--snapshots data/snapshots] [--status FILE] [-o public]
    python -m scripts.site provisional FOLDER [-o public]

`build` adds the snapshots that the site does not have yet (scripts/site/archive.py). `--status` names the
status.json of unattended operation, which the page status/ shows; without it the page stays as it is.
`provisional` shows what scripts.snapshot.rounds_so_far made in FOLDER; a folder without provisional.json
changes nothing. The settings of the site are those of config/site.yaml. `python -m scripts.site.serve` shows
the site.

Exit status: 0 done; 2 a snapshot, the folder or the output is not as it should be. The old site then stays.
"""

import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.records import read_record
from scripts.site.archive import build_archive, build_provisional
from scripts.site.settings import read_settings
from scripts.snapshot.provisional import NAME, Provisional


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = parser_of("scripts.site", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="add new snapshots to the archive")
    build.add_argument(
        "--snapshots",
        type=Path,
        default=Path("data/snapshots"),
        metavar="DIR",
        help="folder of the snapshots (data/snapshots)",
    )
    build.add_argument("--status", type=Path, metavar="FILE", help="data/operate/status.json")
    showing = commands.add_parser("provisional", help="show a cycle that still runs")
    showing.add_argument("folder", type=Path, metavar="FOLDER", help="data/<campaign>/<cycle>/provisional")
    for command in (build, showing):
        command.add_argument(
            "-o", "--output", type=Path, default=Path("public"), metavar="DIR", help="the site (public)"
        )
    arguments = parser.parse_args(argv)
    if arguments.command == "build":
        build_archive(arguments.snapshots, arguments.output, read_settings(), arguments.status)
    elif (arguments.folder / NAME).exists():
        running = read_record(Provisional, arguments.folder / NAME)
        build_provisional(arguments.folder, arguments.output, read_settings(), running)
        print(f"provisional pages of {running.measured} of {running.planned} trials planned so far")
    return 0


if __name__ == "__main__":
    sys.exit(main())
