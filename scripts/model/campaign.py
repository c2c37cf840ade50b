"""A campaign's merged configuration, plan/config.json.

In the record, services and settings are keyed by name, and pairs are sorted.
scripts/plan/campaign_file.py builds it from the campaign's file, the defaults and the catalogue.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

from scripts.base.records import Json, Number, about, read_record, with_rules
from scripts.model import rules
from scripts.model.expectations import Expectation
from scripts.model.pairs import JOINED, NAME, members
from scripts.model.services import Service
from scripts.model.settings import Duration, OwnTimes, Seconds, Setting

Backend = Literal["embedded", "bess"]
AtOnce = Literal[1, 2, 3, 4]

_NAMED: Json = {"type": "string", "pattern": f"^{NAME}$"}
_PAIRS: Json = {"type": "array", "items": {"type": "string", "pattern": f"^all$|^(?=.*[~_]){JOINED}$"}}

Count = Annotated[int, about(minimum=1, maximum=99)]
CountOrNone = Annotated[int, about(minimum=0, maximum=99)]
WholeSeconds = Annotated[int, about(minimum=1)]
Tolerance = Annotated[Number, about(minimum=0)]


@dataclass(frozen=True)
class TrialNumbers:
    """How many trials of each service alone and of each pair are measured in a setting.

    Pairs are measured in rounds; invalid trials are rerun in the next round. A service alone or a pair with a
    call or a web page, and a pair with generated flows, close at `counted` valid trials: the paper has at
    least 5 (Prudentia 5.2), and a 95 % interval of a median needs 6. scripts/plan/planner.py has the rules.
    """

    solo: CountOrNone
    """Valid trials of a service alone."""
    solo_attempts: CountOrNone
    """Trials of a service alone, valid or not, after which it is not rerun."""
    round: Count
    """Valid trials of a pair after which it may close by its interval (`precision_mbps` of the setting); also
    the size of a round."""
    most: Count
    """Valid trials at which a pair closes even if its interval is wide, or what it seems to show is unproven.
    To call one service of m pairs a loser takes log2(40 m) trials or more: 12 for 66 pairs."""
    attempts: Count
    """Trials of a pair, valid or not, at which it closes as broken."""
    counted: Count
    """Valid trials at which a service alone or a pair with a call or a web page, or a pair with generated
    flows, closes."""
    counted_attempts: Count
    """Trials of such a service or pair, valid or not, at which it closes as broken."""


@with_rules(required=["lead_s", "loads", "gap_s", "limit_s"])
@dataclass(frozen=True)
class WebTimes:
    """Times of trials with a web page, which last as long as its loads take (scripts/model/durations.py)."""

    lead_s: Annotated[int, about(minimum=0)]
    """How long the contender starts before the page."""
    loads: Annotated[int, about(minimum=1)]
    """How often the page is loaded."""
    gap_s: WholeSeconds
    """Time from the end of one load to the start of the next."""
    # None in an older cycle: a gap was the time from the start of a load to the start of the next.
    limit_s: WholeSeconds | None = None
    """Time after which a load ends in any case. Its load time is then known to be longer."""


@dataclass(frozen=True)
class TrialTimes:
    """The times of every trial. The steady window lies between the two ignored ends.

    A setting may have times of its own.
    """

    duration_s: Duration
    """How long a trial lasts."""
    ignore_first_s: Seconds
    """The time at the start of a trial that no figure counts."""
    ignore_last_s: Seconds
    """The time at the end of a trial that no figure counts."""
    start_jitter_s: Seconds
    """Every service starts after a random delay up to this, drawn from the seed, so that identical flows do
    not synchronise."""
    web: WebTimes
    kinds: dict[str, OwnTimes] = field(default_factory=dict)

    def changed_by(self, own: OwnTimes | None) -> "TrialTimes":
        """These times with the `own` ones of a setting, which hold for every kind of client."""
        names = ("duration_s", "ignore_first_s", "ignore_last_s")
        given = {name: time for name in names if (time := getattr(own, name, None)) is not None}
        kinds = {kind: replace(times, **dict.fromkeys(given)) for kind, times in self.kinds.items()}
        return replace(self, **given, kinds=kinds)


@dataclass(frozen=True)
class Calibration:
    """The tolerances of the calibration trial that begins every round in every setting.

    A calibration with a figure beyond one of the first three fails, and its third failure in a row stops the
    cycle. A figure beyond another one is a warning on the page. The random loss of a setting does not count
    as loss.
    """

    rate_error_fraction: Tolerance
    """How far the measured rate of the link may be from its rate."""
    capacity_error_packets: Tolerance
    """How far the measured length of the queue may be from its length."""
    empty_queue_loss_packets: Tolerance
    """How many packets may be lost while the queue is empty."""
    delay_error_p50_ms: Tolerance
    """How far the median delay of single packets may be from the RTT."""
    delay_error_p99_ms: Tolerance
    """The same at the 99th percentile."""
    sender_late_p99_ms: Tolerance
    """How late the sender may be, at the 99th percentile."""
    service: Annotated[Service, about(in_file=False)]


@dataclass(frozen=True)
class Campaign:
    """What a cycle measures: config/config.yaml with one file of config/campaigns/ laid over it."""

    campaign: Annotated[str, about(in_file=False)]
    title: Annotated[str, about(minLength=1)]
    """The title on pages."""
    services: Annotated[
        dict[str, Service],
        about(in_file={"type": "array", "minItems": 1, "uniqueItems": True, "items": _NAMED}),
    ]
    """The services, by the names of their files in services/catalogue/. Each is also measured alone."""
    pairs: Annotated[tuple[str, ...], about(in_file={"oneOf": [{"const": "all"}, _PAIRS]})]
    """all: every pair, also of a service with itself, in which at least one service is judged by its
    throughput. Calls and web pages are not judged by it (Prudentia 5), nor are generated flows. Or a list of
    pairs such as iperf-bbr~iperf-cubic, one service for each client, which may contain all; a~b_16 stands for
    16 instances of b. An empty list if services are measured alone."""
    trials: TrialNumbers
    settings: Annotated[dict[str, Setting], about(minProperties=1, propertyNames=_NAMED)]
    """The links by name. null removes a setting of the defaults."""
    trial: TrialTimes
    bottleneck: Backend
    """The program that is the bottleneck: the embedded switch, or a BESS daemon (config/bess.yaml)."""
    seed: Annotated[int, about(minimum=0)]
    """All that is random follows from it."""
    calibration: Calibration
    validity: Annotated[dict[str, Number], about(in_file=rules.schema())]
    """The highest accepted figure of a rule, where it is not the default (scripts/model/rules.yaml)."""
    period_days: Annotated[Number | None, about(exclusiveMinimum=0)] = None
    """Days within which a cycle must be finished. Default is no limit."""
    expectations: tuple[Expectation, ...] = ()
    """What is expected of the measured figures, written before the first trial. It came out if all its checks
    did (scripts/tables/expectations.sql)."""
    hosts_set_aside: Annotated[
        tuple[
            Annotated[
                str,
                about(
                    pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$",
                    because="the name of a host has at most 32 letters, digits, hyphens, dots "
                    "and underscores",
                ),
            ],
            ...,
        ],
        about(uniqueItems=True),
    ] = ()
    """The hosts whose trials are not valid, by the names that the table `hosts` has. It changes no
    specification of a trial: the tables of a cycle are built again, and its next round measures elsewhere."""
    tests_testbed: bool = False
    """Whether its trials test the testbed and say little of services: the front page prefers other campaigns,
    and its list of who loses in all campaigns leaves this one out."""
    parallel: AtOnce = 1
    """How many trials run on a host at once. More than one is for a first look, not for a cycle that `make
    operate` publishes. Live services and BESS always run alone."""

    @property
    def at_once(self) -> AtOnce:
        """How many trials run on a host at once. A daemon and the uplink of live services serve only one."""
        live = any(service.live for service in self.services.values())
        return 1 if live or self.bottleneck != "embedded" else self.parallel

    def times(self, setting: str) -> TrialTimes:
        """The times of the trials in a setting."""
        return self.trial.changed_by(self.settings[setting].trial)

    def most_clients(self, setting: str) -> int:
        """The clients of the largest pair that is measured in a setting; 1 without a pair."""
        return max(
            (len(members(pair)) for pair in self.pairs if self.settings[setting].measures(pair)), default=1
        )

    def compared_pairs(self, setting: str) -> list[str]:
        """The pairs of two different services that are compared by their shares in a setting.

        They are the family of its verdicts. A pair of a service with itself has no verdict. A service that
        the campaign no longer has counts as judged by its throughput.
        """
        return [
            pair
            for pair in self.pairs
            if len(names := members(pair)) == 2
            and names[0] != names[1]
            and self.settings[setting].measures(pair)
            and all(self.services[name].judged_by_throughput for name in names if name in self.services)
        ]

    def services_of(self, pair: str) -> list[Service]:
        """The services of a pair, or of a service alone: one for each client, in the clients' order."""
        return [self.services[name] for name in members(pair)]


def read_campaign(path: Path) -> Campaign:
    """Read plan/config.json.

    Raises:
        UserError: the file cannot be read, or does not hold a merged configuration.
    """
    return read_record(Campaign, path)
