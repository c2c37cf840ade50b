"""A campaign's merged configuration, plan/config.json (config/schemas/campaign.yaml describes each field).

scripts/plan/campaign_file.py builds it from the campaign's file, the defaults and the catalogue.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from scripts.base.records import Number, read_record
from scripts.model.expectations import Expectation
from scripts.model.pairs import members
from scripts.model.services import Service
from scripts.model.settings import Setting

Backend = Literal["embedded", "bess"]


@dataclass(frozen=True)
class TrialNumbers:
    """How many trials of each service alone and of each pair are measured in a setting."""

    solo: int
    solo_attempts: int
    round: int
    most: int
    attempts: int
    counted: int
    counted_attempts: int


@dataclass(frozen=True)
class WebTimes:
    """How long after its contender a web page starts, how often it is loaded, the gap after each load.

    A load ends after `limit_s` at the latest. In an older cycle that is None: a gap was the time from the
    start of a load to the start of the next, within which it had to end.
    """

    lead_s: int
    loads: int
    gap_s: int
    limit_s: int | None = None


@dataclass(frozen=True)
class KindTimes:
    """The times that one kind of client changes. None: as in every trial."""

    duration_s: int | None = None
    ignore_first_s: Number | None = None
    ignore_last_s: Number | None = None


@dataclass(frozen=True)
class TrialTimes:
    """A trial's duration, ignored ends, spread of the clients' starts; `kinds` is keyed by driver."""

    duration_s: int
    ignore_first_s: Number
    ignore_last_s: Number
    start_jitter_s: Number
    web: WebTimes
    kinds: dict[str, KindTimes] = field(default_factory=dict)


@dataclass(frozen=True)
class Calibration:
    """The tolerances of a calibration trial's figures, and the service that sends its packets."""

    rate_error_fraction: Number
    capacity_error_packets: Number
    empty_queue_loss_packets: Number
    delay_error_p50_ms: Number
    delay_error_p99_ms: Number
    sender_late_p99_ms: Number
    service: Service


@dataclass(frozen=True)
class Campaign:
    """Everything that decides which trials a cycle measures and how they are judged.

    `services` and `settings` are keyed by name; `pairs` is sorted. `validity` holds, for each rule, the
    largest figure of a valid trial. The trials of `hosts_set_aside` are not valid. `campaign` is the name of
    the campaign's file without `.yaml`. So many trials run on a host at once as `parallel` says.
    """

    campaign: str
    title: str
    services: dict[str, Service]
    pairs: tuple[str, ...]
    trials: TrialNumbers
    settings: dict[str, Setting]
    trial: TrialTimes
    bottleneck: Backend
    seed: int
    calibration: Calibration
    validity: dict[str, Number]
    period_days: Number | None = None
    expectations: tuple[Expectation, ...] = ()
    hosts_set_aside: tuple[str, ...] = ()
    parallel: int = 1

    @property
    def at_once(self) -> int:
        """How many trials run on a host at once. A daemon and the uplink of live services serve only one."""
        live = any(service.live for service in self.services.values())
        return 1 if live or self.bottleneck != "embedded" else self.parallel

    def services_of(self, pair: str) -> list[Service]:
        """The services of a pair, or of a service alone: one for each client, in the clients' order."""
        return [self.services[name] for name in members(pair)]


def read_campaign(path: Path) -> Campaign:
    """Read plan/config.json.

    Raises:
        UserError: the file cannot be read, or does not hold a merged configuration.
    """
    return read_record(Campaign, path)
