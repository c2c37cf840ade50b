"""A trial's specification: what the plan writes once and the testbed runs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from scripts.base.files import read_json
from scripts.base.records import Json, Number, about, from_json, require_version
from scripts.model.campaign import AtOnce, Backend
from scripts.model.schemas import check
from scripts.model.services import Service
from scripts.model.settings import Access, Link, Rtt, RttMs, Seconds
from scripts.model.trials import TrialKey

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class CalibrationRound:
    """The round that a calibration trial precedes, and the host that it is of."""

    round: Annotated[int, about(minimum=1)]
    host: str | None = None


# Generated flows come from the seed of the trial, so only a specification has them.
_WITH_FLOWS: dict[str, Json] = {
    "if": {"properties": {"driver": {"const": "flows"}}},
    "then": {"required": ["schedule"], "properties": {"schedule": {"required": ["flows"]}}},
}


@dataclass(frozen=True)
class SpecifiedClient:
    """One client: its service, which instance of it, and its start after the trial's.

    `rtt_ms` and `access` are given where this client's differ from the link's.
    """

    client: Annotated[str, about(pattern="^c[1-9][0-9]*$")]
    service: Annotated[Service, about(**_WITH_FLOWS)]
    instance: Annotated[int, about(minimum=1)]
    start_offset_s: Seconds
    rtt: Rtt = "normalised"
    rtt_ms: RttMs | None = None
    access: Access | None = None


@dataclass(frozen=True, kw_only=True)
class Specification:
    """One trial. It contains no round and no order, so it is the same in whichever round it is planned.

    `parallel` says how many trials may run on its host at once; 1: it runs alone.
    """

    schema: Annotated[int, about(const=SCHEMA_VERSION)]
    campaign: str
    cycle: str
    setting: str
    pair: str
    trial: Annotated[int, about(minimum=1)]
    link: Link
    bottleneck: Backend
    seed: Annotated[int, about(minimum=0)]
    calibration: CalibrationRound | None = None
    parallel: AtOnce = 1
    duration_s: Annotated[Number, about(exclusiveMinimum=0)]
    ignore_first_s: Seconds
    ignore_last_s: Seconds
    clients: Annotated[tuple[SpecifiedClient, ...], about(minItems=1, maxItems=254)]

    @property
    def key(self) -> TrialKey:
        """The trial's key."""
        return TrialKey(self.setting, self.pair, self.trial)


def read_specification(path: Path) -> Specification:
    """Read and check a specification.

    Raises:
        UserError: the file cannot be read, is not valid JSON, has another version, or violates its schema.
    """
    content = read_json(path)
    require_version(content.get("schema"), SCHEMA_VERSION, str(path))
    check(content, Specification, lambda keys: str(path))
    return from_json(Specification, content, str(path))
