"""How this machine's BESS daemon is reached: config/bess.yaml, and the environment before it."""

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
    """Two network cards, by their PCI addresses, cabled to each other."""

    host: str
    daemon: str


@dataclass(frozen=True)
class Settings:
    """See config/bess.yaml."""

    address: str
    plugin: Path
    ports: str | tuple[Cable, ...]
    start: str | None


def load_settings(address: str | None = None) -> Settings:
    """Read and check config/bess.yaml; an `address` given here or in the environment replaces its own.

    Raises:
        UserError: it is missing, or not as config/schemas/bess.yaml says.
    """
    content = load_yaml(FILE)
    named = address or os.environ.get(ADDRESS)
    if named:
        content["address"] = named
    check(content, "bess", lambda keys: ADDRESS if named and keys == ["address"] else str(FILE))
    ports = content["ports"]
    return Settings(
        address=content["address"],
        plugin=ROOT / content["plugin"],
        ports=ports if isinstance(ports, str) else tuple(Cable(**cable) for cable in ports),
        start=content["start"],
    )
