"""Made-up figures of generated flows, and the campaign that they are of."""

from dataclasses import replace

from scripts.charts.completion_rows import CompletionRow, FlowRow
from scripts.model.campaign import Campaign
from tests.charts.sample_campaign import campaign_of, iperf_service, merged_config

SETTING, OTHER = "8mbps", "50mbps"
BULK, OTHER_BULK = "iperf-cubic", "iperf-bbr"
WEB, ONE = "flows-web-cubic", "flow-60mb-reno"
FIXED = {"kind": "fixed", "values": [60_000_000]}
GENERATORS = {
    WEB: {"sizes_bytes": {"kind": "exponential", "mean": 9000}, "gaps_s": {"kind": "exponential", "mean": 1}},
    ONE: {"sizes_bytes": FIXED, "gaps_s": FIXED, "most_flows": 1},
}


def completions_config(rtts_ms: tuple[float, float] = (20, 100)) -> dict:
    """A merged configuration with a generator of many flows, one of one flow and two bulk flows.

    Args:
        rtts_ms: the RTT of the second client, in SETTING and in OTHER.
    """
    config = merged_config()
    services = {name: iperf_service(name, name) for name in (BULK, OTHER_BULK)}
    for name, generator in GENERATORS.items():
        flows = {"name": name, "driver": "flows", "metric": "completion", "generator": generator}
        services[name] = iperf_service(name, name) | flows
    config["services"] = services
    for name, rtt_ms in zip((SETTING, OTHER), rtts_ms, strict=True):
        alike = config["settings"][SETTING] | {"title": config["settings"][name]["title"]}
        config["settings"][name] = alike | {"clients": [{}, {"rtt_ms": rtt_ms}]}
    return config


def completions_campaign(*rtts_ms: float) -> Campaign:
    """The configuration as the record that the code reads."""
    return campaign_of(completions_config(rtts_ms) if rtts_ms else completions_config())


def figure(service: str, contender: str = "", median: float = 2.0, **other: object) -> CompletionRow:
    """A row of completions: the median slowdown of six trials unless `other` says otherwise."""
    row = CompletionRow(
        setting=SETTING,
        service=service,
        contender=contender,
        instance="first",
        subject="flow",
        size_class="all",
        from_bytes=0,
        to_bytes=None,
        metric="slowdown",
        statistic="median",
        n=6,
        censored=0,
        pooled=median,
        pooled_at_least=False,
        median=median,
        low=0.9 * median,
        high=1.1 * median,
        at_least=None,
    )
    return replace(row, **other)


def few(row: CompletionRow) -> CompletionRow:
    """The same figure of five trials, which have no interval."""
    return replace(row, n=5, low=None, high=None)


def flow(service: str, contender: str = "", trial: int = 1, **other: object) -> FlowRow:
    """A flow of a trial."""
    pair = f"{service}~{contender}" if contender else service
    row = FlowRow(SETTING, pair, trial, "c1", service, contender, 1448, 1500.0, 2.5, False)
    return replace(row, **other)
