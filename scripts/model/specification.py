"""A trial's specification (config/schemas/trial.yaml): what the plan writes once and the testbed runs."""

from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import read_json
from scripts.base.records import Number, from_json
from scripts.model.campaign import Backend
from scripts.model.schemas import check
from scripts.model.services import Service
from scripts.model.settings import Access, Link, Rtt
from scripts.model.trials import TrialKey


@dataclass(frozen=True)
class CalibrationRound:
    """The round that a calibration trial precedes, and the host that it is of; older ones name none."""

    round: int
    host: str | None = None


@dataclass(frozen=True)
class SpecifiedClient:
    """One client: its service, which instance of it, and its start after the trial's.

    `rtt_ms` and `access` are given where this client's differ from the link's.
    """

    client: str
    service: Service
    instance: int
    start_offset_s: Number
    rtt: Rtt = "normalised"
    rtt_ms: Number | None = None
    access: Access | None = None


@dataclass(frozen=True, kw_only=True)
class Specification:
    """One trial. It contains no round and no order, so it is the same in whichever round it is planned.

    `parallel` says how many trials may run on its host at once; 1: it runs alone.
    """

    schema: int
    campaign: str
    cycle: str
    setting: str
    pair: str
    trial: int
    link: Link
    bottleneck: Backend
    seed: int
    calibration: CalibrationRound | None = None
    parallel: int = 1
    duration_s: Number
    ignore_first_s: Number
    ignore_last_s: Number
    clients: tuple[SpecifiedClient, ...]

    @property
    def key(self) -> TrialKey:
        """The trial's key."""
        return TrialKey(self.setting, self.pair, self.trial)


def read_specification(path: Path) -> Specification:
    """Read and check a specification.

    Raises:
        UserError: the file cannot be read, is not valid JSON, or violates its schema.
    """
    content = read_json(path)
    check(content, "trial", lambda keys: str(path))
    return from_json(Specification, content, str(path))
