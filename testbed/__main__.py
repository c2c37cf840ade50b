"""Run one trial over the dumbbell, or check the BESS daemon.

    python -m testbed pair A B [--campaign NAME] [--setting 8mbps] [--seconds 60] [--into FOLDER]
    python -m testbed run SPECIFICATION --into TRIAL_DIR
    python -m testbed bess check [--address ADDRESS]

`pair` lets two services compete and prints what each got; `python -m testbed pair --help` says more.

`run` runs the trial that the JSON file SPECIFICATION (scripts/model/specification.py) describes and writes
TRIAL_DIR, completely or not at all. If TRIAL_DIR exists already, it does nothing. It needs root, or a user
who may open /dev/net/tun. `bess check` checks this machine's BESS daemon, which config/bess.yaml names, and
lists what works and what is missing.

Exit status: 0 the trial was run (its trial.json says `completed` or `failed`) or exists already; 1 `pair`:
it does not count; 2 an error that the user can fix; 130 or 143 an interrupt.
"""

import shutil
import sys
from datetime import datetime
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.confinement import PROGRAMS as CONFINEMENT_PROGRAMS
from scripts.base.errors import UserError, reporting
from scripts.model.specification import Specification, read_specification
from scripts.model.trials import TrialKey
from services.browser_settings import require_prepared
from services.drivers import programs_of
from services.endpoint.view import readable_of
from testbed.backends import runs_inside_trial
from testbed.confined_driver import require_confinable
from testbed.isolation import run_isolated
from testbed.pair import __doc__ as pair_help
from testbed.pair import run_pair
from testbed.uplink import PROGRAMS as UPLINK_PROGRAMS

PROGRAMS = {
    "dumpcap": "tshark",
    "mergecap": "tshark",
    "ip": "iproute2",
    "ss": "iproute2",
    "unshare": "util-linux",
    "mount": "mount",
    "sysctl": "procps",
}


@reporting
def main(argv: list[str] | None = None) -> int:
    """Parse the command line and run; see the module's docstring."""
    parser = parser_of("testbed", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="run one trial")
    run.add_argument("specification", type=Path, help="the trial's specification")
    run.add_argument("--into", type=Path, required=True, help="the trial directory to write")
    pair = commands.add_parser(
        "pair", help="let two services compete, without a campaign", description=pair_help
    )
    pair.add_argument("services", nargs=2, metavar="A|B", help="FOLDER, FOLDER:NAME, or one of the catalogue")
    pair.add_argument(
        "--setting",
        default="8mbps",
        metavar="NAME",
        help="8mbps or 50mbps of config/config.yaml, RTT 50 ms, or one of --campaign (default: %(default)s)",
    )
    pair.add_argument(
        "--campaign",
        metavar="NAME",
        help="a campaign of config/campaigns/ that has the setting (default: none)",
    )
    pair.add_argument(
        "--seconds",
        type=int,
        default=60,
        metavar="N",
        help="length of the trial, at least 5 (default: %(default)s)",
    )
    pair.add_argument(
        "--into",
        type=Path,
        metavar="FOLDER",
        help="a new folder for all files and a picture (default: pair-<time>, here)",
    )
    bess = commands.add_parser("bess", help="the BESS daemon as bottleneck")
    check = bess.add_subparsers(dest="action", required=True).add_parser(
        "check", help="list what works and what is missing"
    )
    check.add_argument("--address", help="the daemon's address, instead of that in config/bess.yaml")
    arguments = parser.parse_args(argv)
    if arguments.command == "bess":
        return _check_bess(arguments.address)
    if arguments.command == "pair":
        into = arguments.into or Path(datetime.now().strftime("pair-%Y%m%d-%H%M%S"))
        first, second = arguments.services
        return run_pair(first, second, arguments.setting, arguments.seconds, into, arguments.campaign)
    return _run(arguments.specification, arguments.into)


def _run(path: Path, into: Path) -> int:
    if into.is_dir():
        return 0
    specification = read_specification(path)
    services = [client.service for client in specification.clients]
    _require_programs(_programs(specification))
    require_prepared(services)
    require_confinable(len(services))
    for service in services:
        readable_of(service)
    print(announcement(specification.key, specification.duration_s), file=sys.stderr, flush=True)
    return run_isolated(path, specification, into)


def announcement(key: TrialKey, duration_s: float) -> str:
    """The line that is printed when a trial begins."""
    return f"trial {key.title}: {duration_s:g} s"


def _check_bess(address: str | None) -> int:
    from testbed.bess.check import check
    from testbed.bess.daemon_settings import load_settings

    return check(load_settings(address))


def _programs(specification: Specification) -> dict[str, str]:
    """The programs that a trial runs, each with the Debian package that contains it."""
    services = [client.service for client in specification.clients]
    return (
        PROGRAMS
        | CONFINEMENT_PROGRAMS
        | ({} if runs_inside_trial(specification.bottleneck) else {"ethtool": "ethtool"})
        | (UPLINK_PROGRAMS if any(service.live for service in services) else {})
        | programs_of(service.driver for service in services)
    )


def _require_programs(packages: dict[str, str]) -> None:
    """Raise UserError if programs are missing, with the Debian packages that contain them."""
    missing = {name: package for name, package in packages.items() if shutil.which(name) is None}
    if missing:
        names = " ".join(sorted(set(missing.values())))
        raise UserError(
            f"not installed: {', '.join(missing)}; run `make setup`, or install the Debian packages {names}"
        )


if __name__ == "__main__":
    sys.exit(main())
