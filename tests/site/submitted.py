"""The snapshot of a submission, made up: its service takes the place of one of the sample's services."""

import json
from pathlib import Path

from scripts.base.records import to_json
from scripts.snapshot.checksums import write_checksums
from scripts.snapshot.identity import Identity
from scripts.snapshot.metadata import write_metadata
from scripts.tables.cycle_tables import PER_TRIAL
from tests.charts.sample_campaign import SERVICES, campaign_of, merged_config
from tests.charts.sample_cycle import sample_tables, summarised
from tests.charts.sample_files import cycle_json, write_stand_ins, write_unsealed
from tests.site.generated_archive import SETTING

CAMPAIGN = "submission-a1b2c3d4"
CYCLE = "2026-11-24"
NAME = "O'Neil (x), +1"
REPLACED = SERVICES[-1]
"""The service whose rows the submission has."""


def write_submitted(folder: Path, title: str = f"{NAME} (submitted)", campaign: str = CAMPAIGN) -> Path:
    """Make the snapshot of a submission in a folder.

    Args:
        folder: the folder of the snapshots.
        title: the title of its service, which that of its campaign ends with.
        campaign: the name of its campaign and of its service.
    """
    snapshot, config = folder / f"{campaign}-{CYCLE}", merged_config()
    described = config["services"].pop(REPLACED) | {"name": campaign, "title": title, "category": "Web"}
    config["services"][campaign] = described
    config |= {"campaign": campaign, "title": f"Submission: {title}"}
    config["settings"] = {SETTING: config["settings"][SETTING]}
    tables = sample_tables(seed=7)
    rows = {name: [_renamed(row, campaign) for row in tables[name].to_pylist()] for name in PER_TRIAL}
    measured = {name: [row for row in rows[name] if row["setting"] == SETTING] for name in PER_TRIAL}
    write_unsealed(snapshot, summarised(measured, campaign_of(config)), config)
    write_stand_ins(snapshot)
    provenance = cycle_json(CYCLE) | {"campaign": campaign}
    (snapshot / "tables/cycle.json").write_text(json.dumps(provenance))
    identity = Identity(campaign, CYCLE, 1, None, "0123456789abcdef0123456789abcdef01234567")
    (snapshot / "snapshot.json").write_text(json.dumps(to_json(identity)))
    write_checksums(snapshot, write_metadata(snapshot))
    return snapshot


def _renamed(row: dict, campaign: str) -> dict:
    """A row in which the submission has the place of the replaced service."""
    return {
        key: value.replace(REPLACED, campaign) if isinstance(value, str) else value
        for key, value in row.items()
    }
