"""A campaign without Snakemake: planner, simulated testbed and the tables of every trial, in a loop."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from scripts.base.files import write_text
from scripts.base.records import to_json
from scripts.extract.extract_trial import extract
from scripts.model.campaign import Campaign
from scripts.model.plan_file import PlanLine, read_plan, write_plan_table
from scripts.plan.campaign_file import load_campaign
from scripts.plan.rounds import write_round
from scripts.tables.trial_tables import build_trial
from tests.model.campaigns import NUMBERS
from tests.simulated import testbed


def configuration(services: list[str], pairs: list[str], **trials: int) -> Campaign:
    """A campaign with one setting and the paper's numbers of trials, with these numbers changed."""
    demo = load_campaign("demo")
    return replace(
        demo,
        campaign="simulated",
        services={name: demo.services[name] for name in services},
        pairs=tuple(pairs),
        settings={"8mbps": demo.settings["8mbps"]},
        trials=replace(NUMBERS, **trials),
    )


def run_cycle(campaign: Campaign, behaviours: dict[str, Any], cycle: Path) -> int:
    """Measure a cycle to its end, or go on with it.

    Returns:
        How many trials were measured.
    """
    write_text(cycle / "plan/config.json", json.dumps(to_json(campaign)))
    before = len(list(cycle.glob("trials/*/*/[0-9]*")))
    lines: list[PlanLine] = []
    number, planned = 0, 1
    while planned:
        number += 1
        planned = write_round(campaign, "test", number, cycle / "rows", cycle / "trials", cycle / "plan")
        round_lines = read_plan(cycle / f"plan/round-{number:02d}.csv")
        for line in round_lines:
            _measure(line.key.path, behaviours, cycle)
        lines += round_lines
    write_plan_table(lines, cycle / "plan/plan.csv")
    return len(list(cycle.glob("trials/*/*/[0-9]*"))) - before


def _measure(name: Path, behaviours: dict[str, Any], cycle: Path) -> None:
    """Measure one trial and build its tables, unless they exist."""
    spec = json.loads((cycle / "plan/specs" / name).with_suffix(".json").read_text())
    testbed.run(behaviours, spec, cycle / "trials" / name)
    if not (cycle / "rows" / name / "trial_services.parquet").exists():
        extract(cycle / "trials" / name, cycle / "parquet" / name)
        build_trial(cycle / "parquet" / name, cycle / "rows" / name, cycle / "plan/config.json")
