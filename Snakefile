"""From a campaign to a site: every pair of services over one bottleneck, measured, reduced, drawn.

    snakemake --cores all --scheduler greedy --config campaign=demo [cycle=NAME] [data=DIR] [public=DIR]

(`make demo`, `make cycle CAMPAIGN=…` do this and what has to be done around it.) Also of the configuration:
testbed=COMMAND stands in for `python -m testbed`; frozen=True takes plan/plan.csv as it stands; bottleneck=NAME
replaces the campaign's own.
"""

import os

from functools import cache
from glob import glob
from pathlib import Path

from snakemake.logging import logger

from scripts.base.imports import code_of
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.model.cycle_names import bottleneck_of, cycle_before, cycle_name, cycle_of_other_bottleneck
from scripts.model.plan_file import read_plan

# Every trial ends when this process does, however it ends (testbed/isolation.py).
os.environ["OBSERVATORY_OWNER"] = os.environ.get("OBSERVATORY_OWNER", str(os.getpid()))

DATA = config.get("data", "data")
PUBLIC = config.get("public", "public")
CAMPAIGN = config.get("campaign", "demo")
CYCLE = cycle_name(DATA, CAMPAIGN, config.get("cycle"))
FROZEN = config.get("frozen", False)
BOTTLENECK = config.get("bottleneck")
TESTBED = config.get("testbed", "python -m testbed")

# The progress display (rules/logger/) reads how far the cycle is from this directory.
logger.info(f"cycle {DATA}/{CAMPAIGN}/{CYCLE}", extra={"cycle_directory": f"{DATA}/{CAMPAIGN}/{CYCLE}"})


wildcard_constraints:
    setting=r"[a-z0-9-]+",
    pair=r"[a-z0-9_~-]+",
    nn=r"\d+",
    round=r"\d+",


rule all:
    input:
        f"{DATA}/{CAMPAIGN}/{CYCLE}/stamps/site",


include: "rules/plan.smk"
include: "rules/trials.smk"
include: "rules/extract.smk"
include: "rules/tables.smk"
include: "rules/charts.smk"
include: "rules/site.smk"
include: "rules/snapshot.smk"
