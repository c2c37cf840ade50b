"""The table `plan`: the standing of every pair and service alone after each of its rounds, and the reason.

A file set_aside.json beside the plan names the services that were set aside before the cycle. The planner
itself judges them (scripts/plan/planner.py), so a frozen cycle gives the same answer.
"""

from pathlib import Path

import pyarrow as pa

from scripts.model.campaign import Campaign
from scripts.model.plan_file import read_plan
from scripts.plan.planner import history
from scripts.plan.set_aside import read_set_aside
from scripts.plan.trial_services import read_trial_services
from scripts.tables.table_schema import check, load_schema


def plan_table(campaign: Campaign, plan: Path, rows: Path) -> pa.Table:
    """The rows of scripts/tables/plan.yaml, in the order of its key.

    Args:
        campaign: the merged configuration.
        plan: plan.csv of the cycle.
        rows: its trial_services.parquet.
    """
    rounds = {line.key: line.round for line in read_plan(plan)}
    schema, set_aside = load_schema("plan"), read_set_aside(plan.parent)
    standings = [
        {"setting": cell.setting, "pair": cell.pair, "round": number} | vars(standing)
        for cell, number, standing in history(campaign, rounds, read_trial_services(rows), set_aside)
    ]
    table = pa.Table.from_pylist(standings, schema=schema.arrow)
    check(table, schema)
    return table
