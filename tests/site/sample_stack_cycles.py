"""Made-up cycles of the campaign stacks-ngtcp2, as snapshots."""

import random
from pathlib import Path

from scripts.base.records import from_json, to_json
from scripts.model.campaign import Campaign
from scripts.plan.campaign_file import load_campaign
from scripts.tables.cycle_tables import PER_TRIAL
from tests.charts.sample_campaign import DURATION_S
from tests.charts.sample_cycle import summarised
from tests.charts.sample_files import seal, write_charts, write_unsealed
from tests.site.panel.panel_trials import panel_rows

CAMPAIGN = "stacks-ngtcp2"
CONTROLLERS = {"bbr": "BBRv1", "cubic": "Cubic"}
VERSIONS = {"2026-12-01": "0.12.1", "2026-12-15": "1.9.0"}
"""The version that each cycle measured."""


def write_stack_cycles(folder: Path) -> None:
    """Write the snapshots of two cycles, which measured two versions."""
    for seed, (cycle, version) in enumerate(VERSIONS.items(), start=1):
        snapshot = write_stack_cycle(folder / f"{CAMPAIGN}-{cycle}", version, seed)
        write_charts(snapshot, "cycle")
        seal(snapshot, cycle, campaign=CAMPAIGN)


def write_stack_cycle(folder: Path, version: str, seed: int) -> Path:
    """Write a cycle that measured a version of ngtcp2, without charts and checksums."""
    config = to_json(load_campaign(CAMPAIGN))
    times = {"duration_s": DURATION_S, "ignore_first_s": 3, "ignore_last_s": 1}
    settings = {name: setting | {"trial": times} for name, setting in config["settings"].items()}
    config |= {"title": f"Made-up values: {config['title']}", "settings": settings}
    campaign = from_json(Campaign, config, "config.json")
    rows, rng = panel_rows(campaign, seed), random.Random(seed)
    for row in rows["trial_services"]:
        if campaign.services[row["service"]].endpoint:
            row |= {"stack": "ngtcp2", "stack_version": version, "gso": True, "pacing": True, "shipped": True}
            row["controller"] = CONTROLLERS[row["service"].removeprefix("ngtcp2-")]
        if row["clients"] == 1 and row["status"] == "completed":
            row |= {"burst_packets": rng.uniform(1.5, 3), "burst_p95_packets": float(rng.randint(2, 10))}
            row |= {name: rng.uniform(1, 3) for name in ("server_s_per_gb", "client_s_per_gb")}
    return write_unsealed(
        folder, summarised({name: rows.get(name, []) for name in PER_TRIAL}, campaign), config
    )
