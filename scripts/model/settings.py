"""A setting: one link of a campaign (config/schemas/campaign.yaml says what each field means)."""

from dataclasses import dataclass, field
from typing import Literal

from scripts.base.records import Number

Rtt = Literal["normalised", "fixed", "real"]
OptionValue = int | float | bool
SweptValue = str | int | float | bool


@dataclass(frozen=True)
class Access:
    """What a service's packets pass before the bottleneck. Without `rate_mbps` there is no extra link."""

    rate_mbps: Number | None = None
    queue_packets: int | None = None
    delay_ms: Number = 0
    loss: Number = 0


@dataclass(frozen=True)
class ClientPath:
    """What is special about one client of a setting."""

    rtt: Rtt | None = None
    rtt_ms: Number | None = None
    start_s: Number = 0
    access: Access | None = None


@dataclass(frozen=True)
class Sweep:
    """The setting that a swept one comes from, and its swept values by key."""

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

    `services` names the only services that are measured here; empty means all. `clients` holds what is
    special about c1, c2, … in this order.
    """

    precision_mbps: Number
    queue_rounding: Literal["power_of_two", "none"] | None = None
    rtt: Rtt = "normalised"
    services: tuple[str, ...] = ()
    clients: tuple[ClientPath, ...] = ()
    sweep: Sweep | None = None
