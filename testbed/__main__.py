"""Run one trial over the dumbbell, or look into its BESS.

    python -m testbed run SPEC --into TRIAL_DIR
    python -m testbed bess check [--address ADDRESS]

runs the trial that the JSON file SPEC (config/schemas/trial.yaml) describes and leaves TRIAL_DIR, whole or
not at all. Where TRIAL_DIR exists already it returns at once. Works as root, or without where users may
open /dev/net/tun. `bess check` says what of this machine's BESS daemon, which config/bess.yaml names, is fine
and what is missing.

Exit status: 0 the trial was run (`completed` or `failed`: see its trial.json) or stood there already;
2 something the user can mend; 130 or 143 when it was interrupted.
"""

import shutil
import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.model.trials import TrialKey
from services.drivers import programs_of
from services.preparation import require_prepared
from testbed.backends import has_own_network
from testbed.isolation import run_isolated
from testbed.spec import load_spec
from testbed.uplink import PROGRAMS as PROGRAMS_OF_UPLINK

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
    run.add_argument("spec", type=Path, help="the trial's specification")
    run.add_argument("--into", type=Path, required=True, help="the trial directory to make")
    bess = commands.add_parser("bess", help="the BESS daemon as bottleneck")
    look = bess.add_subparsers(dest="look", required=True).add_parser(
        "check", help="what is fine, what is not"
    )
    look.add_argument("--address", help="the daemon's, instead of config/bess.yaml's")
    arguments = parser.parse_args(argv)
    if arguments.command == "bess":
        return _check_bess(arguments.address)
    if arguments.into.is_dir():
        return 0
    spec = load_spec(arguments.spec)
    of_bottleneck = {} if has_own_network(spec["bottleneck"]) else {"ethtool": "ethtool"}
    services = [part["service"] for part in spec["clients"]]
    live = [service for service in services if "live" in service]
    _require_programs(
        PROGRAMS
        | of_bottleneck
        | (PROGRAMS_OF_UPLINK if live else {})
        | programs_of(service["driver"] for service in services)
    )
    require_prepared(services)
    key = TrialKey(spec["setting"], spec["pair"], spec["trial"])
    print(announcement(key, spec["duration_s"]), file=sys.stderr, flush=True)
    return run_isolated(arguments.spec, arguments.into, spec["bottleneck"], bool(live))


def announcement(key: TrialKey, duration_s: float) -> str:
    """The line that is printed when a trial begins."""
    return f"trial {key.title}: {duration_s:g} s"


def _check_bess(address: str | None) -> int:
    from testbed.bess.check import check
    from testbed.bess.daemon_settings import load_settings

    return check(load_settings(address))


def _require_programs(programs: dict[str, str]) -> None:
    """Raise UserError naming every program that is missing and the package that has it."""
    missing = {name: package for name, package in programs.items() if shutil.which(name) is None}
    if missing:
        packages = " ".join(sorted(set(missing.values())))
        raise UserError(
            f"not installed: {', '.join(missing)}; run `make setup`, or install the Debian "
            f"packages {packages}"
        )


if __name__ == "__main__":
    sys.exit(main())
