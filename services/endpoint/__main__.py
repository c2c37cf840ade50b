"""Check whether an endpoint can be measured.

    python -m services.endpoint check DIR[:NAME] [--keep FOLDER]
    python -m services.endpoint check services/stacks/ngtcp2:bbr

DIR is a folder with endpoint.yaml (docs/settings.md). Each of its congestion controls, or the one of this
NAME, has a trial of 60 s, alone on a link of 50 Mbps. The check prints a line for each point: what was seen,
or what to do (docs/endpoints.md). It needs what a trial needs (python -m testbed).

Exit status: 0 every point is kept; 1 some are not, or were not tried; 2 an error that the user can fix.
"""

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.plain import plain_lines
from scripts.model.endpoint import Endpoint, read_endpoint
from services.endpoint.check import DURATION_S, points_of, run_check
from services.endpoint.view import other_files

MARKS = {True: "ok", False: "MISSING", None: "not tried"}


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("services.endpoint", __doc__)
    check = parser.add_subparsers(dest="command", required=True).add_parser(
        "check", help="check one endpoint", description=__doc__
    )
    check.add_argument("folder", metavar="DIR[:NAME]", help="the folder with endpoint.yaml")
    check.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="a new folder for the files of the trials (default: none are kept)",
    )
    given = parser.parse_args(argv)
    place, _, cca = given.folder.partition(":")
    folder = Path(place)
    endpoint = read_endpoint(folder, cca)
    other_files(endpoint)
    controllers = [cca] if cca else endpoint.controllers
    each, others = ("each of ", f"; {folder}:NAME tries one") if len(controllers) > 1 else ("", "")
    print(f"{folder}: {DURATION_S} s for {each}{', '.join(controllers)}{others}", flush=True)
    with tempfile.TemporaryDirectory(prefix="endpoint-check.") as temporary:
        if given.keep:
            _make(given.keep)
        return _checked(endpoint, controllers, given.keep or Path(temporary))


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise UserError(f"{folder}: exists already; remove it, or name another folder by --keep") from None


def _checked(endpoint: Endpoint, controllers: Sequence[str], folder: Path) -> int:
    """Try these congestion controls, and print the points of each; the exit status."""
    kept = True
    for cca in controllers:
        began_s = time.monotonic()
        points = points_of(run_check(endpoint, cca, folder / cca), endpoint.controllers)
        print(f"{cca}, {time.monotonic() - began_s:.0f} s:")
        for point in points:
            print(plain_lines(f"{MARKS[point.kept]:11}{point.name}: {point.words}"), flush=True)
        kept = kept and all(point.kept for point in points)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
