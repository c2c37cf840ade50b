"""Measure a campaign up to its pages, or go on where an earlier run of the same command stopped.

    observatory cycle CAMPAIGN [--cycle NAME] [--bottleneck NAME] [--reduce] [--force] [--profile NAME]
        [--data DIR] [--public DIR]

CAMPAIGN is a file of config/campaigns/. A cycle that cannot finish in its period, or does not fit the disk,
is refused (scripts/plan/estimate.py). Snakemake then does what is missing: it plans, measures, extracts,
builds tables and charts, freezes a snapshot and adds it to the site. `observatory demo` is the campaign demo.

Exit status: 0 the cycle has its pages; 2 an error that the user can fix; 75 another cycle is running in this
checkout; 130 an interrupt; any other is Snakemake's.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import ROOT, in_checkout
from scripts.base.processes import start_child
from scripts.base.snakemake_command import LOCKED, PROFILES, snakemake_command
from scripts.hosts.settings import load_settings
from scripts.hosts.slurm import NoAnswerError, testbed_hosts
from scripts.model.campaign import Backend
from scripts.model.cycle_names import FILE
from scripts.plan import estimate
from scripts.site.addresses import Place, front_page


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the cycle; see the module's docstring."""
    given = _parser().parse_args(argv)
    refused = estimate.main(_asked(given))
    if refused:
        return refused
    status = _run(snakemake_command(given.profile, _variables(given), "--forcerun", "site"))
    if status == LOCKED:
        print("error: another cycle is running in this checkout; wait for it or stop it", file=sys.stderr)
    if status == 0:
        cycle = given.cycle or (given.data / given.campaign / FILE).read_text(encoding="utf-8").strip()
        print(f"This cycle: {given.public / Place(given.campaign, cycle).pages}/index.html")
        print(front_page(given.public))
    return status


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("scripts.observatory.cycle", __doc__)
    parser.prog = "observatory cycle"
    parser.add_argument("campaign", help="a file of config/campaigns/, without .yaml")
    parser.add_argument("--cycle", metavar="NAME", help="by default the day on which it began")
    parser.add_argument("--bottleneck", choices=get_args(Backend), help="replaces the campaign's bottleneck")
    parser.add_argument("--reduce", action="store_true", help="keep of each trial only what is published")
    parser.add_argument("--force", action="store_true", help="start it though it takes too long or too much")
    profiles = sorted(path.name for path in PROFILES.iterdir())
    parser.add_argument("--profile", choices=profiles, default="local", help="slurm: on several hosts")
    parser.add_argument(
        "--data", type=Path, default=in_checkout("data"), metavar="DIR", help="the measured cycles (data)"
    )
    parser.add_argument(
        "--public", type=Path, default=in_checkout("public"), metavar="DIR", help="the site (public)"
    )
    return parser


def _asked(given: argparse.Namespace) -> list[str]:
    """The words of the estimate that may refuse this cycle."""
    words = [given.campaign, "--refuse", "--data", str(given.data)]
    for name in ("cycle", "bottleneck"):
        words += [f"--{name}", value] if (value := getattr(given, name)) else []
    words += [f"--{name}" for name in ("reduce", "force") if getattr(given, name)]
    return [*words, "--hosts", str(_count_hosts())] if given.profile == "slurm" else words


def _count_hosts() -> int:
    try:
        return len(testbed_hosts(load_settings().slurm))
    except NoAnswerError as error:
        raise UserError(f"Slurm does not answer: {error}") from None


def _variables(given: argparse.Namespace) -> dict[str, object]:
    """The variables of the Snakefile, which runs in the checkout."""
    folders = {name: _from_checkout(getattr(given, name)) for name in ("data", "public")}
    options = {
        name: getattr(given, name) for name in ("cycle", "bottleneck", "reduce") if getattr(given, name)
    }
    return {"campaign": given.campaign, **folders, **options}


def _from_checkout(folder: Path) -> Path:
    """A folder as it is called in the checkout: `data` in it, the whole path elsewhere."""
    path = Path(os.path.abspath(folder))
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def _run(command: Sequence[str]) -> int:
    """Run Snakemake, which ends with this process; its exit status.

    Ctrl-C reaches Snakemake, too, and it then ends its jobs. So this process waits for its end.
    """
    child, interrupted = start_child(command, cwd=ROOT), False
    while True:
        try:
            status = child.wait()
        except KeyboardInterrupt:
            interrupted = True
        else:
            return 128 + signal.SIGINT if interrupted else status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
