"""The definition of a submission: a campaign and a service of its own (scripts/plan/campaign_file.py).

The campaign is the panel's, with other services, pairs and settings: the submitted service meets each
contender, and itself unless it is a page.
"""

from pathlib import Path
from typing import Any

import yaml

from scripts.base.files import ROOT, write_text
from scripts.base.yaml_files import load_yaml
from scripts.model.campaign import Campaign
from scripts.model.pairs import pair_name
from scripts.model.submission import Submission
from scripts.plan.campaign_file import load_campaign
from scripts.submissions.addresses import Address
from scripts.submissions.panel import SUBMITTED, Panel

CATEGORIES = {"page": "Web", "video": "Video"}
OTHER_CATEGORY = "File transfer"
PAGE = "page"


def write_definition(folder: Path, submission: Submission, address: Address, panel: Panel) -> Campaign:
    """Write campaign.yaml and services/<name>.yaml into a folder, and read them again.

    Raises:
        UserError: the campaign is impossible.
    """
    name = submission.campaign
    _write(folder / f"services/{name}.yaml", service_of(submission, address))
    _write(folder / "campaign.yaml", campaign_of(submission, panel))
    return load_campaign(name, definition=folder)


def service_of(submission: Submission, address: Address) -> dict[str, Any]:
    """The file of the submitted service, as the catalogue has it."""
    service: dict[str, Any] = {
        "name": submission.campaign,
        "title": title_of(submission),
        "category": CATEGORIES.get(submission.kind, OTHER_CATEGORY),
        "driver": submission.kind,
        "cca": None,
        "live": {"url": address.url, "ports": list(address.ports), "prepare": "Nothing. It was submitted."},
        "probe": {"host": address.host, "port": address.ports[0]},
    }
    if submission.kind == PAGE:
        service["metric"] = "web"
    if submission.kind == "download":
        service["flows"] = 1
    if submission.workload:
        service["workload"] = list(submission.workload)
    return service


OF_THE_PANEL = ("expectations", "parallel", "period_days")
"""Keys of a campaign that are about the panel alone."""


def campaign_of(submission: Submission, panel: Panel) -> dict[str, Any]:
    """The file of the campaign, laid over the defaults as the panel's is."""
    campaign = {
        key: panel.overlay[key]
        for key in panel.overlay
        if key not in ("expectations", "parallel", "period_days")
    }
    service = submission.campaign
    opponents = list(submission.contenders) + ([] if submission.kind == PAGE else [service])
    return campaign | {
        "title": f"Submission: {title_of(submission)}",
        "services": [service, *submission.contenders],
        "pairs": [pair_name([service, opponent]) for opponent in opponents],
        "settings": _settings(submission, panel),
    }


def title_of(submission: Submission) -> str:
    """The title of the submitted service."""
    return f"{submission.name} ({SUBMITTED})"


def _settings(submission: Submission, panel: Panel) -> dict[str, Any]:
    """The chosen settings as the panel has them, for all services; null for the others of the defaults."""
    defaults = load_yaml(ROOT / "config/config.yaml")["settings"]
    written = panel.overlay.get("settings") or {}
    settings: dict[str, Any] = {name: None for name in defaults if name not in submission.settings}
    for name in submission.settings:
        settings[name] = {key: value for key, value in (written.get(name) or {}).items() if key != "services"}
        if "services" in defaults.get(name, {}):
            settings[name]["services"] = None
    return settings


def _write(path: Path, content: dict[str, Any]) -> None:
    write_text(path, yaml.safe_dump(content, sort_keys=False, allow_unicode=True))
