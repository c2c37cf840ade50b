"""The settings of this machine's BESS daemon: config/bess.yaml and OBSERVATORY_BESS."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from scripts.base.files import ROOT
from scripts.base.records import about, from_json
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import check

FILE = ROOT / "config/bess.yaml"
ADDRESS = "OBSERVATORY_BESS"
"""Environment variable: the daemon's address, instead of the file's."""


PCI_ADDRESS = about(pattern="^[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}[.][0-7]$")


@dataclass(frozen=True)
class Cable:
    """Two network cards that are cabled to each other, by their PCI addresses."""

    host: Annotated[str, PCI_ADDRESS]
    """The kernel's card."""
    daemon: Annotated[str, PCI_ADDRESS]
    """DPDK's card."""


@dataclass(frozen=True)
class DaemonSettings:
    """The BESS daemon of one machine, for campaigns whose `bottleneck` is bess. No plan contains it."""

    address: Annotated[str, about(pattern="^(unix:/.+|[^:/]+:[0-9]+)$")]
    """The address of bessd: host:port, or unix:/path as given to its --grpc_url. It must run on this machine,
    in the initial network namespace. The environment variable OBSERVATORY_BESS replaces it."""
    plugin: Annotated[Path, about(minLength=1)]
    """The observatory's plugin, built against the source tree of that daemon (docs/bess.md)."""
    ports: Literal["veth", "tap"] | Annotated[tuple[Cable, ...], about(minItems=2)]
    """How the hosts of a trial are connected to the daemon. veth: a virtual Ethernet pair; the daemon opens
    its end with DPDK's net_af_packet. tap: a TAP device of DPDK's net_tap. Or a list of cables between real
    network cards, for client c1, its service, client c2, its service, …: {host: "0000:05:00.0", daemon:
    "0000:06:00.0"}."""
    start: str | None
    """A command that restarts the daemon. It is run if no daemon answers, or if the daemon's clock is wrong.
    null: none."""


def load_settings(address: str | None = None) -> DaemonSettings:
    """Read and check config/bess.yaml. An `address` here or in the environment replaces that of the file.

    Raises:
        UserError: the file is missing or breaks its schema.
    """
    content = load_yaml(FILE)
    override = address or os.environ.get(ADDRESS)
    if override:
        content["address"] = override
    check(content, DaemonSettings, lambda keys: ADDRESS if override and keys == ["address"] else str(FILE))
    settings = from_json(DaemonSettings, content, str(FILE))
    return replace(settings, plugin=ROOT / settings.plugin)
