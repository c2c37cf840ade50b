"""A setting: one link of a campaign."""

from dataclasses import dataclass, field, fields
from typing import Annotated

from scripts.base.records import Number, Scalar, about, with_rules
from scripts.model import disciplines
from scripts.model.pairs import Name, members

Rtt = Annotated[str, about(enum=["normalised", "fixed", "real"])]
RttMs = Annotated[Number, about(minimum=0, maximum=400)]
RateMbps = Annotated[Number, about(minimum=0.1, maximum=1000)]
Seconds = Annotated[Number, about(minimum=0)]
Duration = Annotated[int, about(minimum=3)]
Packets = Annotated[int, about(minimum=1)]
Loss = Annotated[Number, about(minimum=0, exclusiveMaximum=1)]
Positive = Annotated[Number, about(exclusiveMinimum=0)]


@with_rules(
    minProperties=1, dependentRequired={"rate_mbps": ["queue_packets"], "queue_packets": ["rate_mbps"]}
)
@dataclass(frozen=True)
class Access:
    """A service's path to the bottleneck: a link of its own with a drop-tail queue, a delay, random loss."""

    rate_mbps: RateMbps | None = None
    """The rate of the link. Default is no link."""
    queue_packets: Packets | None = None
    """The queue of the link, in packets."""
    delay_ms: Annotated[Number, about(minimum=0, maximum=400)] = 0
    """A delay in addition to the RTT."""
    loss: Loss = 0
    """The fraction of packets lost at random."""


@dataclass(frozen=True)
class ClientPath:
    """How one client differs from the setting."""

    rtt: Rtt | None = None
    """As in the setting, for this client."""
    rtt_ms: RttMs | None = None
    """As in the setting, for this client."""
    start_s: Annotated[Number, about(minimum=0)] = 0
    """Seconds from the trial's beginning to the client's start, to which a random delay up to start_jitter_s
    is added."""
    access: Access | None = None
    """The path of the client's service to the bottleneck."""


@with_rules(minProperties=1)
@dataclass(frozen=True)
class OwnTimes:
    """The times that one kind of client changes, by the name of its driver. Default is as in every trial.

    If two kinds meet, the kind whose trials last longer decides (scripts/model/durations.py).
    """

    duration_s: Duration | None = None
    """How long a trial lasts."""
    ignore_first_s: Seconds | None = None
    """The time at the start of a trial that no figure counts."""
    ignore_last_s: Seconds | None = None
    """The time at the end of a trial that no figure counts."""


@with_rules(
    minProperties=1,
    dependentSchemas={
        "settle": {
            "properties": {
                key: {"not": {}, "because": "settle computes it; leave out one of the two"}
                for key in ("duration_s", "ignore_first_s")
            }
        }
    },
)
@dataclass(frozen=True)
class SettingTimes(OwnTimes):
    """The times that a setting changes, for each kind of client. Default is as in the campaign.

    A trial with a web page lasts as long as its loads take in any case.
    """

    settle: Annotated[bool, about(const=True)] = False
    """Computes duration_s and ignore_first_s from the link and the services, so that shares can become steady
    before the window begins (scripts/plan/settling.py)."""


@dataclass(frozen=True)
class Sweep:
    """The written setting that a swept one comes from, and the swept values by key."""

    of: str
    at: dict[str, Scalar]


@with_rules(oneOf=[{"required": ["queue_packets"]}, {"required": ["queue_bytes"]}], **disciplines.schema())
@dataclass(frozen=True, kw_only=True)
class Link:
    """The bottleneck of a trial."""

    title: Annotated[str, about(minLength=1)]
    """The name of the link on pages."""
    rate_mbps: RateMbps
    """The rate."""
    rtt_ms: RttMs
    """The round-trip time. `rtt` says what it is for."""
    queue_packets: Packets | None = None
    """The queue in packets of 1500 bytes."""
    queue_bytes: Packets | None = None
    """The queue in bytes; a packet counts with its Ethernet header."""
    queue_bdp: Positive | None = None
    """The queue in bandwidth-delay products of rate_mbps and rtt_ms, converted to packets of 1500 bytes."""
    queue_ms: Positive | None = None
    """The queue in milliseconds that it takes to empty, converted to packets of 1500 bytes."""
    discipline: str
    """The queue discipline (scripts/model/disciplines.py)."""
    discipline_options: dict[str, Scalar] = field(default_factory=dict)
    """Options of the discipline. Each has a default."""
    random_loss: Loss = 0
    """The fraction of packets lost at random."""


@with_rules(
    oneOf=[{"required": [key]} for key in ("queue_bdp", "queue_ms", "queue_packets", "queue_bytes")],
    **disciplines.schema(),
)
@dataclass(frozen=True, kw_only=True)
class Setting(Link):
    """A link, and how it is measured in a campaign.

    A campaign may give a list instead of a value: it then has one setting for each value, or for each
    combination of the values of several lists (scripts/plan/sweep.py).
    """

    precision_mbps: Positive
    """A pair closes if the 95 % intervals of both medians lie within ± this of the median."""
    queue_rounding: Annotated[str | None, about(enum=["power_of_two", "none"])] = None
    """How queue_bdp or queue_ms is rounded to packets. power_of_two: to the nearest power of two, as in the
    paper's switch. Default is none, the nearest whole number."""
    rtt: Rtt = "normalised"
    """normalised: delay is added so that each service's RTT becomes rtt_ms. fixed: rtt_ms is added to the
    service's own RTT. real: nothing is added, and rtt_ms only determines the length of queue_bdp."""
    services: Annotated[tuple[Name, ...], about(minItems=1, uniqueItems=True)] = ()
    """The services that are measured here, alone and in pairs of these. Default is all services."""
    clients: tuple[ClientPath, ...] = ()
    """How c1, c2, …, in this order, differ from the setting; an empty mapping or a missing entry does not
    differ. The last of two or more entries is also that of further clients, such as c3 to c17. If any
    differs, the services are c1, c2, … in the order of the pair's name; else the seed draws their order for
    each trial. A service alone has the entry of its first place in the campaign's pairs, and starts at
    once."""
    trial: SettingTimes | None = None
    sweep: Annotated[Sweep | None, about(in_file=False)] = None

    @property
    def link(self) -> Link:
        """The link alone, as a trial's specification holds it."""
        return Link(**{part.name: getattr(self, part.name) for part in fields(Link)})

    def client(self, number: int) -> ClientPath:
        """How the client c<number> of a trial differs from the setting."""
        if len(self.clients) < min(number, 2):
            return ClientPath()
        return self.clients[min(number, len(self.clients)) - 1]

    @property
    def binds_clients(self) -> bool:
        """Whether it matters which service is c1: a start, an RTT or an access belongs to a place."""
        return any(client != ClientPath() for client in self.clients)

    def measures(self, pair: str) -> bool:
        """Whether a pair, or a service alone, is measured in this setting."""
        return not self.services or set(members(pair)) <= set(self.services)
