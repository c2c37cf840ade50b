"""From a campaign to a site: plan the trials, run them, extract, build tables, draw charts, build pages.

    snakemake --cores all --scheduler greedy --config campaign=demo [cycle=NAME] [data=DIR] [public=DIR]

`make demo` and `make cycle CAMPAIGN=…` run this, after the setup. Further configuration:

    definition=DIR     the campaign's own definition, outside of config/ (scripts/plan/campaign_file.py)
    bottleneck=NAME    replaces the campaign's bottleneck
    testbed=COMMAND    replaces `python -m testbed`
    frozen=True        uses the existing plan/plan.csv and plans no rounds
    provisional=False  builds no pages of the trials so far while the cycle runs
    reduce=True        keeps of each measured trial its published form only, and no large Parquet file
    slurm=True         runs trials, and what follows them in batches, as jobs of Slurm (config/profiles/slurm)
"""

import compileall
import os
import sys

from dataclasses import replace
from functools import cache
from glob import glob
from pathlib import Path

from snakemake.logging import logger

from scripts.base.errors import UserError
from scripts.base.imports import PACKAGES, code_of, stamp_of
from scripts.base.own_folder import require_own_as_root
from scripts.hosts.settings import load_settings
from scripts.hosts.slurm import NoAnswerError, testbed_hosts
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.plan.campaign_file import definition_files, load_campaign
from scripts.model.comparison import NAMES, comparison
from scripts.model.cycle_names import cycle_name
from scripts.model.plan_file import read_plan
from scripts.model.trials import TrialKey

workflow.snakemake_tmp_dir.rmdir()  # No rule uses it. After a kill it would stay in /tmp.

# Confined programs cannot keep what Python compiles, and would compile it for each trial again.
for package in PACKAGES:
    compileall.compile_dir(package, quiet=2)

# A trial ends when the process with this id ends, for whatever reason (testbed/isolation.py).
os.environ["OBSERVATORY_OWNER"] = os.environ.get("OBSERVATORY_OWNER", str(os.getpid()))

DATA = config.get("data", "data")
PUBLIC = config.get("public", "public")
CAMPAIGN = config.get("campaign", "demo")
try:
    require_own_as_root(Path(DATA), Path(PUBLIC))
    CYCLE = cycle_name(DATA, CAMPAIGN, config.get("cycle"))
except UserError as error:
    print(f"error: {error}", file=sys.stderr)
    sys.exit(2)
FROZEN = config.get("frozen", False)
PROVISIONAL = config.get("provisional", True)
REDUCE = config.get("reduce", False) and not FROZEN
DEFINITION = config.get("definition")
BOTTLENECK = config.get("bottleneck")
SLURM = load_settings().slurm if config.get("slurm") and not FROZEN else None
TESTBED = config.get("testbed", "python -m testbed")


@cache
def campaign_of_today():
    """The campaign as its files are now, with the bottleneck of this run."""
    campaign = load_campaign(CAMPAIGN, definition=Path(DEFINITION) if DEFINITION else None)
    return replace(campaign, bottleneck=BOTTLENECK or campaign.bottleneck)


def trials_at_once():
    """How many trials are measured at once: on this host, or over Slurm on all hosts; 1 if Slurm does not answer."""
    if FROZEN:
        return 1
    try:
        if SLURM:
            return len(testbed_hosts(SLURM))
        return campaign_of_today().at_once
    except NoAnswerError:
        return 1
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


AT_ONCE = trials_at_once()

# The logger plugin (scripts/progress/) reads the progress of the cycle from this directory.
logger.info(
    f"cycle {DATA}/{CAMPAIGN}/{CYCLE}",
    extra={"cycle_directory": f"{DATA}/{CAMPAIGN}/{CYCLE}", "at_once": AT_ONCE},
)


wildcard_constraints:
    setting=r"[a-z0-9-]+",
    pair=r"[a-z0-9_~-]+",
    nn=r"\d+",
    round=r"\d+",


# The rows of a trial in the table that the planner reads. All that is made of a trial is there once they are.
ROWS = DATA + "/{campaign}/{cycle}/rows/{setting}/{pair}/{nn}/trial_services.parquet"


rule all:
    input:
        f"{DATA}/{CAMPAIGN}/{CYCLE}/stamps/site",


include: "rules/plan.smk"
include: "rules/trials.smk"
include: "rules/extract.smk"
include: "rules/tables.smk"
include: "rules/charts.smk"
include: "rules/batches.smk"
include: "rules/site.smk"
include: "rules/snapshot.smk"
