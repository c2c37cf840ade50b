"""The settings of this machine's BESS daemon: config/bess.yaml and OBSERVATORY_BESS."""

import os
from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import ROOT
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import check

FILE = ROOT / "config/bess.yaml"
ADDRESS = "OBSERVATORY_BESS"
"""Environment variable: the daemon's address, instead of the file's."""


@dataclass(frozen=True)
class Cable:
    """Two network cards that are cabled to each other, by their PCI addresses."""

    host: str
    daemon: str


@dataclass(frozen=True)
class DaemonSettings:
    """See config/bess.yaml."""

    address: str
    plugin: Path
    ports: str | tuple[Cable, ...]
    start: str | None


def load_settings(address: str | None = None) -> DaemonSettings:
    """Read and check config/bess.yaml. An `address` here or in the environment replaces that of the file.

    Raises:
        UserError: the file is missing or violates config/schemas/bess.yaml.
    """
    content = load_yaml(FILE)
    override = address or os.environ.get(ADDRESS)
    if override:
        content["address"] = override
    check(content, "bess", lambda keys: ADDRESS if override and keys == ["address"] else str(FILE))
    ports = content["ports"]
    return DaemonSettings(
        address=content["address"],
        plugin=ROOT / content["plugin"],
        ports=ports if isinstance(ports, str) else tuple(Cable(**cable) for cable in ports),
        start=content["start"],
    )
