"""Build the archive, the provisional pages of a cycle that still runs, or the unlisted site of a submission.

    python -m scripts.site build [--snapshots data/snapshots] [--lean] [--status FILE] [--submissions DIR]
        [-o public]
    python -m scripts.site provisional FOLDER [-o public]
    python -m scripts.site unlisted SNAPSHOTS RECORD -o FOLDER

`build` adds the snapshots that the site does not have yet (scripts/site/archive.py). With `--lean`, a site
that has no other cycle shows the lean snapshots in data/snapshots/lean/. `--status` names the status.json
of unattended operation, which the page status/ shows; without it the page stays as it is. `--submissions`
names the data folder, whose submissions the page submit/ counts; without it the number stays.

`provisional` shows what scripts.snapshot.trials_so_far made in FOLDER; a folder without provisional.json
changes nothing. `unlisted` makes a site of its own of the snapshots in SNAPSHOTS, to be copied to
unlisted/<token>/ of the published archive (scripts/site/unlisted.py). RECORD is the submission.json that has
the token and the day on which they are published. The settings of the site are those of config/site.yaml.
`python -m scripts.site.serve` shows the site.

Exit status: 0 done; 2 a snapshot, the folder or the output is not as it should be. The old site then stays.
"""

import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.files import in_checkout
from scripts.base.own_folder import require_own_as_root
from scripts.base.records import read_record
from scripts.model.submission import PUBLIC, Submission
from scripts.site.addresses import front_page, provisional
from scripts.site.archive import build_archive, build_provisional
from scripts.site.settings import read_settings
from scripts.site.unlisted import build_unlisted
from scripts.snapshot.identity import PROVISIONAL, Provisional


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = parser_of("scripts.site", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser(
        "build",
        help="add new snapshots to the archive",
        description="Build the pages of snapshots that have none yet.",
    )
    build.add_argument(
        "--snapshots",
        type=Path,
        default=in_checkout("data/snapshots"),
        metavar="DIR",
        help="folder of the snapshots (data/snapshots)",
    )
    build.add_argument("--lean", action="store_true", help="show lean snapshots if there is no other cycle")
    build.add_argument("--status", type=Path, metavar="FILE", help="data/operate/status.json")
    build.add_argument("--submissions", type=Path, metavar="DIR", help="the folder data/")
    showing = commands.add_parser("provisional", help="show a cycle that still runs")
    showing.add_argument("folder", type=Path, metavar="FOLDER", help="data/<campaign>/<cycle>/provisional")
    for command in (build, showing):
        command.add_argument(
            "-o",
            "--output",
            type=Path,
            default=in_checkout("public"),
            metavar="DIR",
            help="the site (public)",
        )
    unlisted = commands.add_parser("unlisted", help="make the unlisted site of a submission")
    unlisted.add_argument("snapshots", type=Path, metavar="SNAPSHOTS", help="folder of the snapshots")
    unlisted.add_argument("record", type=Path, metavar="RECORD", help="submission.json of the submission")
    unlisted.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FOLDER", help="the folder to make"
    )
    arguments = parser.parse_args(argv)
    require_own_as_root(arguments.output)
    if arguments.command == "unlisted":
        submission = read_record(Submission, arguments.record)
        until = None if submission.release == PUBLIC else submission.release
        build_unlisted(arguments.snapshots, submission.token, arguments.output, read_settings(), until)
    elif arguments.command == "build":
        words = arguments.snapshots, arguments.output, read_settings()
        build_archive(*words, arguments.status, arguments.submissions, arguments.lean)
        print(front_page(arguments.output))
    elif (arguments.folder / PROVISIONAL).exists():
        running = read_record(Provisional, arguments.folder / PROVISIONAL)
        build_provisional(arguments.folder, arguments.output, read_settings(), running)
        progress = f"provisional pages of {running.measured} of {running.planned} trials planned so far"
        print(f"{progress}: {arguments.output / provisional(running.campaign) / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
