"""A setting: one link of a campaign (config/schemas/campaign.yaml describes each field)."""

from dataclasses import dataclass, field, fields
from typing import Literal

from scripts.base.records import Number
from scripts.model.pairs import members

Rtt = Literal["normalised", "fixed", "real"]
OptionValue = int | float | bool | str
SweptValue = str | int | float | bool


@dataclass(frozen=True)
class Access:
    """A service's path to the bottleneck. Without `rate_mbps` it has no link of its own there."""

    rate_mbps: Number | None = None
    queue_packets: int | None = None
    delay_ms: Number = 0
    loss: Number = 0


@dataclass(frozen=True)
class ClientPath:
    """How one client differs from the setting. None: as in the setting."""

    rtt: Rtt | None = None
    rtt_ms: Number | None = None
    start_s: Number = 0
    access: Access | None = None


@dataclass(frozen=True)
class Sweep:
    """The written setting that a swept one comes from, and the swept values by key."""

    of: str
    at: dict[str, SweptValue]


@dataclass(frozen=True, kw_only=True)
class Link:
    """The bottleneck of a trial. The queue is in packets of 1500 bytes, or in bytes of frames."""

    title: str
    rate_mbps: Number
    rtt_ms: Number
    queue_packets: int | None = None
    queue_bytes: int | None = None
    queue_bdp: Number | None = None
    queue_ms: Number | None = None
    discipline: str
    discipline_options: dict[str, OptionValue] = field(default_factory=dict)
    random_loss: Number = 0


@dataclass(frozen=True, kw_only=True)
class Setting(Link):
    """A link, and how it is measured in a campaign.

    `services` names the services that are measured here; empty means all. `clients` says how c1, c2, …, in
    this order, differ from the setting.
    """

    precision_mbps: Number
    queue_rounding: Literal["power_of_two", "none"] | None = None
    rtt: Rtt = "normalised"
    services: tuple[str, ...] = ()
    clients: tuple[ClientPath, ...] = ()
    sweep: Sweep | None = None

    @property
    def link(self) -> Link:
        """The link alone, as a trial's specification holds it."""
        return Link(**{part.name: getattr(self, part.name) for part in fields(Link)})

    def measures(self, pair: str) -> bool:
        """Whether a pair, or a service alone, is measured in this setting."""
        return not self.services or set(members(pair)) <= set(self.services)
