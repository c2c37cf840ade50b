"""Check whether an endpoint can be measured.

    python -m services.endpoint check DIR [--cca NAME] [--keep FOLDER]

DIR is a folder with endpoint.yaml (docs/settings.md). The check takes about a minute. It prints a line for
each point: what was seen, or what to do. It needs what a trial needs (python -m testbed).

Exit status: 0 every point is kept; 1 some are not; 2 an error that the user can fix.
"""

import sys
import tempfile
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.plain import plain_lines
from scripts.model.endpoint import FILE, read_endpoint
from services.endpoint.check import points_of, run_check
from services.endpoint.view import other_files


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("services.endpoint", __doc__)
    check = parser.add_subparsers(dest="command", required=True).add_parser(
        "check", help="check one endpoint"
    )
    check.add_argument("folder", type=Path, metavar="DIR", help="the folder with endpoint.yaml")
    check.add_argument("--cca", metavar="NAME", help="one of its controllers; default is the first")
    check.add_argument("--keep", type=Path, metavar="FOLDER", help="a new folder for the files of the trial")
    given = parser.parse_args(argv)
    endpoint = read_endpoint(given.folder)
    other_files(endpoint)
    cca = given.cca or endpoint.controllers[0]
    if cca not in endpoint.controllers:
        raise UserError(f"{given.folder / FILE}: controllers: {cca} is missing; add it, or choose another")
    with tempfile.TemporaryDirectory(prefix="endpoint-check.") as temporary:
        folder = given.keep or Path(temporary)
        if given.keep:
            folder.mkdir(parents=True)
        points = points_of(run_check(endpoint, cca, folder), endpoint.controllers)
    for point in points:
        print(plain_lines(f"{'ok' if point.kept else 'MISSING':8}{point.name}: {point.words}"))
    return 0 if all(point.kept for point in points) else 1


if __name__ == "__main__":
    sys.exit(main())
