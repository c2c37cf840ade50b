"""The settings of several testbed hosts: config/hosts.yaml."""

from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import ROOT
from scripts.base.records import Number, from_json
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import check

FILE = ROOT / "config/hosts.yaml"


@dataclass(frozen=True)
class SlurmSettings:
    """Where jobs run; `own_disk` None: they measure in the folder of the cycle. See the file for the rest."""

    partition: str
    feature: str
    own_disk: str | None
    batch_trials: int
    batch_partition: str | None
    batch_cpus: int


@dataclass(frozen=True)
class HostsSettings:
    """Where claims are (None: in the folder of the cycle), the length of a lease, and Slurm."""

    claims: str | None
    lease_s: Number
    slurm: SlurmSettings

    @property
    def claim_variables(self) -> tuple[str, ...]:
        """Patterns of the environment variables that tell how the store of the claims is reached."""
        return () if self.claims is None else ("AWS_*",)


def load_settings(file: Path = FILE) -> HostsSettings:
    """Read config/hosts.yaml.

    Raises:
        UserError: it cannot be read, or violates config/schemas/hosts.yaml.
    """
    content = load_yaml(file)
    check(content, "hosts", lambda keys: str(file))
    return from_json(HostsSettings, content, str(file))
