"""The bind parameters that the SQL of the tables takes from a campaign, by name."""

from collections.abc import Callable, Iterable
from dataclasses import asdict

from scripts.base.records import Number
from scripts.figures.catalogue import CATALOGUE
from scripts.figures.keys import key_words
from scripts.model import rules
from scripts.model.campaign import Campaign
from scripts.model.caps import cap_mbps, wire_cap_mbps
from scripts.model.expectations import Check, Multiple
from scripts.model.link import FULL_FRAME_BYTES
from scripts.model.rules import RULES, UPSTREAM_LOSS
from scripts.model.services import Service
from scripts.model.size_classes import SIZE_CLASSES
from scripts.tables.database import BindParameters
from scripts.tables.stand_ins import cannot_show

CONTROL = "Baseline"
"""The category of services that do not change by themselves (services/catalogue/)."""

CALL_CCA = "gcc"
"""The congestion control of a self-hosted call: Chromium's WebRTC has no other (Prudentia, Table 1)."""

WITH_SHARES = ("pairs", "orders", "models", "predictions")
"""The tables whose figures follow from how the clients of a cell share its link."""

NEVER_SETTLED = ("share_change", "startup_loss_rate")
"""Those of their metrics that are about a share before it settles."""


def bind_parameters(names: Iterable[str], campaign: Campaign) -> BindParameters:
    """The values of the parameters that a table's schema names."""
    return {name: PARAMETERS[name](campaign) for name in names}


def beyond_throughput(campaign: Campaign) -> list[str]:
    """Calls, web pages and generated flows: they are not judged by throughput, and no cells of the matrix."""
    return [name for name, service in campaign.services.items() if not service.judged_by_throughput]


def alone(campaign: Campaign) -> list[str]:
    """The metrics of trial_services that a service alone has."""
    return [name for name, metric in CATALOGUE.items() if metric.alone]


def relative(campaign: Campaign) -> list[str]:
    """The metrics that compare a trial with medians of other trials."""
    return [name for name, metric in CATALOGUE.items() if metric.relative]


def moving(campaign: Campaign) -> list[str]:
    """The metrics that change with the shares of a cell as long as these are not settled."""
    return [
        name
        for name, metric in CATALOGUE.items()
        if metric.table in WITH_SHARES and name not in NEVER_SETTLED
    ]


def calls(campaign: Campaign) -> list[str]:
    """The services that are calls."""
    return [name for name, service in campaign.services.items() if service.metric == "rtc"]


def controls(campaign: Campaign) -> list[str]:
    """The services that do not change by themselves."""
    return [name for name, service in campaign.services.items() if service.category == CONTROL]


def families(campaign: Campaign) -> list[dict[str, object]]:
    """How many pairs of every setting are compared by their shares."""
    return [{"setting": name, "planned": len(campaign.compared_pairs(name))} for name in campaign.settings]


def generators(campaign: Campaign) -> list[str]:
    """The services that generate flows, most of which are short."""
    return [name for name, service in campaign.services.items() if service.metric == "completion"]


def hosts_set_aside(campaign: Campaign) -> list[str]:
    """The hosts whose trials do not count."""
    return [*campaign.hosts_set_aside]


def intermittent(campaign: Campaign) -> list[str]:
    """The services of many short flows, between which they are idle: web pages and generated flows."""
    return [*pages(campaign), *generators(campaign)]


def pages(campaign: Campaign) -> list[str]:
    """The services that are web pages."""
    return [name for name, service in campaign.services.items() if service.is_web]


def patterns(campaign: Campaign) -> list[dict[str, str]]:
    """The patterns of host names of every service's workload."""
    return [
        {"service": name, "pattern": pattern}
        for name, service in campaign.services.items()
        for pattern in service.workload
    ]


def tolerances(campaign: Campaign) -> list[dict[str, object]]:
    """The half-width that the interval of a median may have in every setting."""
    return [
        {"setting": name, "tolerance_mbps": setting.precision_mbps}
        for name, setting in campaign.settings.items()
    ]


def starts(campaign: Campaign) -> list[dict[str, object]]:
    """When each client starts that a setting has an entry for, in seconds before its random delay."""
    return [
        {"setting": name, "client": f"c{number}", "start_s": client.start_s}
        for name, setting in campaign.settings.items()
        for number, client in enumerate(setting.clients, start=1)
    ]


def bound(campaign: Campaign) -> list[str]:
    """The settings in which a start, an RTT or an access belongs to a client's place."""
    return [name for name, setting in campaign.settings.items() if setting.binds_clients]


def caps(campaign: Campaign) -> list[dict[str, object]]:
    """The limit of every service according to the catalogue, as wire rate; None without one."""
    return [
        {"service": name, "cap_mbps": wire_cap_mbps(service)} for name, service in campaign.services.items()
    ]


def catalogue(campaign: Campaign) -> list[dict[str, object]]:
    """What the catalogue says about every service, for Prudentia's Table 1."""
    return [
        {
            "service": name,
            "category": service.category,
            "driver": service.driver,
            "cca_asked": _cca(service),
            "of_kernel": service.kernel_cca is not None,
            "flows_declared": service.flows,
            "cap_mbps": cap_mbps(service),
        }
        for name, service in campaign.services.items()
    ]


def tcp_senders(campaign: Campaign) -> list[dict[str, object]]:
    """The services that send over the kernel's TCP and are judged by throughput: what they send with.

    `pauses`: it does not send as fast as TCP lets it all the time, because it downloads in batches or has a
    limit of its own, as a video has.
    """
    return [
        {
            "service": name,
            "sends": service.kernel_cca,
            "flows": service.flows or 1,
            "pauses": service.batch is not None or cap_mbps(service) is not None,
        }
        for name, service in campaign.services.items()
        if service.kernel_cca is not None and service.judged_by_throughput
    ]


def links(campaign: Campaign) -> list[dict[str, object]]:
    """What the bottleneck of every setting does with packets. A queue in bytes holds so many full frames."""
    return [
        {
            "setting": name,
            "discipline": setting.discipline,
            "queue_packets": setting.queue_packets or (setting.queue_bytes or 0) / FULL_FRAME_BYTES,
            "random_loss": setting.random_loss,
            "ecn": bool(setting.discipline_options.get("ecn")),
        }
        for name, setting in campaign.settings.items()
    ]


def batches(campaign: Campaign) -> list[dict[str, str]]:
    """Each download in batches, with every service that has as many flows of its congestion control without.

    A service with a limit of its own is none of these.
    """
    plain = [
        service
        for service in campaign.services.values()
        if service.batch is None and service.judged_by_throughput and cap_mbps(service) is None
    ]
    return [
        {"contender": name, "counterpart": other.name}
        for name, service in campaign.services.items()
        for other in plain
        if service.batch and (_cca(service), service.flows) == (_cca(other), other.flows)
    ]


def size_classes(campaign: Campaign) -> list[dict[str, object]]:
    """The classes of sizes of flows, which are the same in every campaign."""
    return [
        {"size_class": size_class.name, "from_bytes": size_class.from_bytes, "to_bytes": size_class.to_bytes}
        for size_class in SIZE_CLASSES
    ]


def sweeps(campaign: Campaign) -> list[dict[str, object]]:
    """Every swept value of every setting of a sweep, in the campaign's order, which `place` tells."""
    swept = [
        {"setting": name, "sweep": setting.sweep.of, "key": key, "value": str(value)}
        for name, setting in campaign.settings.items()
        if setting.sweep is not None
        for key, value in setting.sweep.at.items()
    ]
    return [row | {"place": place} for place, row in enumerate(swept)]


def expectations(campaign: Campaign) -> list[dict[str, object]]:
    """Every check of the campaign's expectations, in their order."""
    return [
        {"expectation": expectation.name, "place": place, "check_number": number}
        | _compared(check)
        | {"cannot_show": cannot_show(check, campaign)}
        for place, expectation in enumerate(campaign.expectations, start=1)
        for number, check in enumerate(expectation.checks, start=1)
    ]


def _compared(check: Check) -> dict[str, object]:
    """The figure of a check, and the numbers or the multiple of another figure that it is compared with."""
    other = check.bound if isinstance(check.bound, Multiple) else None
    low, high = check.numbers or (None, None)
    return {
        "figure": asdict(check.figure),
        "relation": check.relation,
        "low": low,
        "high": high,
        "other": None if other is None else asdict(other.figure),
        "other_words": None if other is None else key_words(other.figure),
        "times": 1 if other is None else other.times,
    }


def _cca(service: Service) -> str | None:
    """The congestion control that a service should use; None where the catalogue does not know it."""
    if service.driver == "call" and service.origin:
        return CALL_CCA
    quic_cca = service.origin.quic_cca if service.origin else None
    live_cca = service.live.cca if service.live else None
    return service.cca or quic_cca or live_cca


def tcp_rules(campaign: Campaign) -> list[str]:
    """The rules of validity that know nothing of a sender that is not the kernel's TCP."""
    return [name for name, rule in RULES.items() if rule.reads_tcp]


def thresholds(campaign: Campaign) -> list[dict[str, object]]:
    """Every rule of validity that applies to the campaign (scripts/model/rules.py)."""
    return [
        {
            "rule": name,
            "threshold": threshold,
            "class": RULES[name].kind,
            "alone": RULES[name].alone or RULES[name].kind,
            "optional": RULES[name].optional,
        }
        for name, threshold in rules.thresholds(campaign.validity).items()
    ]


def upstream_loss_min_packets(campaign: Campaign) -> Number:
    """The fewest packets lost upstream that the rule upstream_loss_fraction counts for a service."""
    return campaign.validity[UPSTREAM_LOSS]


PARAMETERS: dict[str, Callable[[Campaign], object]] = {
    "alone": alone,
    "batches": batches,
    "beyond": beyond_throughput,
    "bound": bound,
    "calls": calls,
    "caps": caps,
    "catalogue": catalogue,
    "controls": controls,
    "expectations": expectations,
    "families": families,
    "generators": generators,
    "hosts_set_aside": hosts_set_aside,
    "intermittent": intermittent,
    "links": links,
    "moving": moving,
    "pages": pages,
    "patterns": patterns,
    "relative": relative,
    "size_classes": size_classes,
    "starts": starts,
    "sweeps": sweeps,
    "tcp_rules": tcp_rules,
    "tcp_senders": tcp_senders,
    "thresholds": thresholds,
    "tolerances": tolerances,
    "upstream_loss_min_packets": upstream_loss_min_packets,
}
"""What a table's YAML may name in `parameters`."""
