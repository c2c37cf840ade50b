"""Check that the browsers of some services are prepared, and that one starts as in a trial.

    python -m services.browser_check [--definition DIR] SERVICE …

Each SERVICE is a file of services/catalogue/, without .yaml, or of services/ in the definition of a campaign
(scripts/plan/campaign_file.py). The last line says what was found. Exit status:
0 a browser started, or none is needed; 2 an error that the user can fix.
"""

import json
import signal
import sys
import tempfile
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.processes import exit_on
from scripts.base.records import to_json
from scripts.model.services import Origin, Probe, Service, read_service, service_file
from services.browser import PROGRAMS, chromium
from services.browser_settings import CLIENT_FILE, has_browser, load_settings, require_prepared
from services.drivers import ServiceError
from services.origin.certificate import make_certificate
from services.use_time import SHARED

HOST = "check.test"
CHECKED = Service(
    name="check",
    title="Check",
    category="Check",
    driver="download",
    cca=None,
    probe=Probe(443),
    hosts=(HOST,),
    origin=Origin("h1"),
)
"""A service that is never opened."""


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("services.browser_check", __doc__)
    parser.add_argument("services", nargs="+", metavar="SERVICE", help="a file of services/catalogue/")
    parser.add_argument(
        "--definition", type=Path, metavar="DIR", help="the folder of the campaign's definition"
    )
    given = parser.parse_args(argv)
    services = [read_service(service_file(name, given.definition)) for name in given.services]
    with_browser = [service for service in services if has_browser(service)]
    if not with_browser:
        print("no service needs one")
        return 0
    require_prepared(with_browser)
    exit_on(signal.SIGTERM)  # so that the browser ends with this process
    print(f"chromium {started_version()} starts")
    return 0


def started_version() -> str:
    """Start a browser as in a trial, and return its version.

    Raises:
        UserError: it does not start.
    """
    with tempfile.TemporaryDirectory(prefix="browser-check.") as name:
        directory = Path(name)
        (directory / SHARED).mkdir()
        settings = to_json(load_settings().of_client(CHECKED))
        (directory / SHARED / CLIENT_FILE).write_text(json.dumps(settings), encoding="utf-8")
        make_certificate([HOST], directory, directory)
        try:
            with chromium(CHECKED, directory) as browser:
                return str(browser.capabilities["browserVersion"])
        except ServiceError as error:
            packages = " ".join(sorted(PROGRAMS.values()))
            raise UserError(f"{error}; try `chromium --version`, and install {packages} again") from error


if __name__ == "__main__":
    sys.exit(main())
