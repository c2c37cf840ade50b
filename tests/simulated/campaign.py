"""A campaign without Snakemake: planner, simulated testbed and the tables of every trial, in a loop."""

import json
from pathlib import Path
from typing import Any

from scripts.base.files import write_text
from scripts.extract.extract_trial import extract
from scripts.model.plan_file import read_plan, write_plan_table
from scripts.plan.campaign_file import load_campaign
from scripts.plan.rounds import write_round
from scripts.tables.trial_tables import build_trial
from tests.simulated import testbed

PAPER = {"solo": 10, "solo_attempts": 15, "round": 10, "most": 30, "attempts": 45}


def configuration(services: list[str], pairs: list[str], **trials: int) -> dict[str, Any]:
    """A merged configuration with one setting, the paper's numbers but for those given."""
    demo = load_campaign("demo")
    return demo | {
        "campaign": "simulated",
        "services": {name: demo["services"][name] for name in services},
        "pairs": pairs,
        "settings": {"8mbps": demo["settings"]["8mbps"]},
        "trials": demo["trials"] | PAPER | trials,
    }


def run_cycle(config: dict[str, Any], behaviours: dict[str, Any], cycle: Path) -> int:
    """Measure a cycle to its end, or go on with it.

    Returns:
        How many trials were measured.
    """
    write_text(cycle / "config.json", json.dumps(config))
    before = len(list(cycle.glob("trials/*/*/[0-9]*")))
    lines: list[dict[str, str]] = []
    number, asked = 0, 1
    while asked:
        number += 1
        asked = write_round(config, "test", number, cycle / "rows", cycle / "trials", cycle / "plan")
        new = read_plan(cycle / f"plan/round-{number:02d}.csv")
        for line in new:
            _measure(Path(line["setting"], line["pair"], line["nn"]), behaviours, cycle)
        lines += new
    write_plan_table(lines, cycle / "plan/plan.csv")
    return len(list(cycle.glob("trials/*/*/[0-9]*"))) - before


def _measure(name: Path, behaviours: dict[str, Any], cycle: Path) -> None:
    """One trial and its tables, unless they are there."""
    spec = json.loads((cycle / "plan/specs" / name).with_suffix(".json").read_text())
    testbed.run(behaviours, spec, cycle / "trials" / name)
    if not (cycle / "rows" / name / "trial_services.parquet").exists():
        extract(cycle / "trials" / name, cycle / "parquet" / name)
        build_trial(cycle / "parquet" / name, cycle / "rows" / name, cycle / "config.json")
