"""What a trial that one of several testbed hosts measures takes: of its host, and of what all hosts share.

    host_s     = takes_s(duration) + SLURM_S + stored_bytes / store            seconds of its host
    cpu_s      = FOLLOWING_S + FOLLOWING_PACKET_S * packets                    seconds of a core, afterwards
    stored_bytes                                                               raw files, for the shared store

`takes_s` is of scripts/model/durations.py, packets and bytes are of scripts/plan/disk.py: the link is full.
A host begins its next trial when the files of the last one are stored, so that no trial has to share its
host with a transfer.

Measured on one busy core, on trials of two downloads over the embedded switch: what is made of a trial
(`scripts.tables.measured_trial`) takes 1.1 s for 0.04 million packets on the link (50 Mbps for 10 s) and
2.9 s for 0.49 (50 Mbps for 120 s). Half of the 1.1 s is the start of its programs. `snakemake -n` of 1,800
planned trials took 11 s (`python -m tests.bench plan`).
SLURM_S: over a real Slurm, 2 to 3 s passed between two simulated trials on a host (`python -m tests.bench
hosts`). SUBMISSIONS_PER_S is assumed. Without Slurm, Snakemake started 60 jobs a second that do nothing; over
Slurm it also runs `sbatch` for each.
"""

from dataclasses import dataclass

from scripts.model.campaign import Campaign
from scripts.model.durations import takes_s
from scripts.model.plan_file import PlanLine
from scripts.model.settings import Setting
from scripts.plan.calibration import duration_s as calibration_duration_s
from scripts.plan.disk import packets, raw_bytes

SLURM_S = 3
"""What a trial takes more over Slurm: its start on the host, and the report that it ended."""

FOLLOWING_S, FOLLOWING_PACKET_S = 1.0, 4e-6
"""Seconds of a core after a trial, from extraction to reduction, and what each packet on the link adds."""

SUBMISSIONS_PER_S = 10
"""One process of Snakemake submits its jobs one after the other."""

BATCH = 50
"""What follows trials runs for so many trials in one job."""

NEXT_ROUND_S = 30
"""From the last rows of a round to the first submission of the next: Snakemake plans it."""

GIGABIT_MB_PER_S = 110
"""Megabytes of files that a network of 1 Gbit/s carries in a second."""


@dataclass(frozen=True)
class Shared:
    """What all hosts share: the cores for what follows trials, and the store for their files, in MB/s."""

    cores: int
    store_mb_per_s: float = GIGABIT_MB_PER_S


@dataclass(frozen=True)
class Hosts:
    """The number of testbed hosts that measure a cycle over Slurm, and what they share."""

    number: int
    shared: Shared


@dataclass(frozen=True)
class TrialWork:
    """What a trial takes: seconds on its host, bytes for the store, and seconds of a core afterwards."""

    measuring_s: float
    stored_bytes: float
    cpu_s: float

    def stored_s(self, shared: Shared) -> float:
        """How long the store takes to receive the files of this trial alone."""
        return self.stored_bytes / (shared.store_mb_per_s * 1e6)


def trial_work(campaign: Campaign, line: PlanLine) -> TrialWork:
    """What a planned trial takes."""
    rate_mbps = campaign.settings[line.key.setting].rate_mbps
    return TrialWork(
        measuring_s=takes_s(line.duration_s) + SLURM_S,
        stored_bytes=raw_bytes(rate_mbps, line.duration_s),
        cpu_s=FOLLOWING_S + FOLLOWING_PACKET_S * packets(rate_mbps, line.duration_s),
    )


def calibration_s(setting: Setting) -> float:
    """How long a host is busy with a calibration, which it evaluates itself. Its files are small."""
    return takes_s(calibration_duration_s(setting)) + SLURM_S
