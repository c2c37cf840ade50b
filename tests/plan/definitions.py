"""Definitions of campaigns outside of config/: one service on the Internet that meets iperf-cubic."""

from pathlib import Path
from typing import Any

import yaml

NAME = "submission-ab12cd34"
PAIR = f"iperf-cubic~{NAME}"


def service_of(name: str, **changes: Any) -> dict[str, Any]:
    """A file of services/, with these keys changed."""
    return {
        "name": name,
        "title": "Example (submitted)",
        "category": "File transfer",
        "driver": "download",
        "cca": None,
        "live": {"url": "https://example.org/", "prepare": "Nothing.", "cca": "unknown"},
        "probe": {"host": "example.org", "port": 443},
    } | changes


def write_definition(folder: Path, name: str = NAME, campaign: Any = None, **changes: Any) -> Path:
    """A definition; `campaign` has more keys of the campaign, `changes` those of the service."""
    pairs = [f"iperf-cubic~{name}"]
    content = {"title": "Example", "services": [name, "iperf-cubic"], "pairs": pairs} | (campaign or {})
    (folder / "services").mkdir(parents=True)
    (folder / "campaign.yaml").write_text(yaml.safe_dump(content))
    (folder / f"services/{name}.yaml").write_text(yaml.safe_dump(service_of(name, **changes)))
    return folder
