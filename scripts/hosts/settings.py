"""The settings of several testbed hosts: config/hosts.yaml."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from scripts.base.files import ROOT
from scripts.base.records import Number, about
from scripts.model.schemas import read_checked

FILE = ROOT / "config/hosts.yaml"


SlurmName = Annotated[str, about(pattern="^[A-Za-z0-9_.-]+$")]


@dataclass(frozen=True)
class SlurmSettings:
    """`make cycle PROFILE=slurm`: trials are jobs of Slurm. They are never requeued."""

    partition: SlurmName
    """Trials run in this partition, each alone on its node."""
    feature: SlurmName
    """Trials run on nodes with this feature."""
    own_disk: Annotated[str | None, about(pattern="^/.")]
    """Each host measures in this folder of its own disk, then hands the trial in to the folder of the cycle.
    A host that loses the shared folder keeps the trial here, and hands it in later. It is made for the user
    of the jobs alone; one that somebody else can write or exchange is refused. null: it measures in the
    folder of the cycle."""
    batch_trials: Annotated[int, about(minimum=1)]
    """What follows so many trials is one batch."""
    batch_partition: SlurmName | None
    """Batches are jobs in this partition. null: the machine that runs Snakemake does them, one at a time on
    all its cores."""
    batch_cpus: Annotated[int, about(minimum=1)]
    """The processors of a batch."""


@dataclass(frozen=True)
class HostsSettings:
    """Several testbed hosts that measure one cycle together. No plan contains them."""

    claims: Annotated[str | None, about(pattern="^s3://[^/]+(/.*)?$")]
    """Each trial is claimed before it is measured, on a store that all hosts share. null: the folder of the
    cycle. Or s3://bucket/prefix; AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION in
    the environment say how it is reached. Jobs of Slurm then get these variables too."""
    lease_s: Annotated[Number, about(exclusiveMinimum=0)]
    """A claim that was not renewed for so many seconds is dead: another host takes it over. It is renewed
    four times in a lease."""
    slurm: SlurmSettings

    @property
    def claim_variables(self) -> tuple[str, ...]:
        """Patterns of the environment variables that tell how the store of the claims is reached."""
        return () if self.claims is None else ("AWS_*",)


def load_settings(file: Path = FILE) -> HostsSettings:
    """Read config/hosts.yaml.

    Raises:
        UserError: it cannot be read, or breaks its schema.
    """
    return read_checked(HostsSettings, file)
