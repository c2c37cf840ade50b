"""Campaigns, settings and services for tests: the paper's protocol, with any fields changed."""

from dataclasses import replace
from typing import Any

from scripts.base.records import from_json
from scripts.model.campaign import Calibration, Campaign, TrialNumbers, TrialTimes, WebTimes
from scripts.model.services import Probe, Service
from scripts.model.settings import Setting
from scripts.plan.campaign_file import load_campaign

NUMBERS = TrialNumbers(
    solo=10, solo_attempts=15, round=10, most=30, attempts=45, counted=6, counted_attempts=10
)
TIMES = TrialTimes(
    duration_s=600,
    ignore_first_s=120,
    ignore_last_s=120,
    start_jitter_s=1,
    web=WebTimes(lead_s=30, loads=10, gap_s=45, limit_s=45),
)


def service(name: str = "a", **changes: Any) -> Service:
    """A service that is judged by its throughput, with these fields changed."""
    plain = Service(name, name, category="Baseline", driver="iperf", cca="bbr", probe=Probe(5201))
    return replace(plain, **changes)


def setting(**keys: Any) -> Setting:
    """The paper's link of 8 Mbps with these keys, as in a campaign's file. It has no queue unless given."""
    plain = {"title": "8 Mbps", "rate_mbps": 8, "rtt_ms": 50, "discipline": "droptail", "precision_mbps": 0.5}
    return from_json(Setting, plain | keys, "a test")


def campaign(**changes: Any) -> Campaign:
    """The services `a` and `b` in all pairs over both links of the paper, with these fields changed."""
    paper = Campaign(
        campaign="test",
        title="Test",
        services={name: service(name) for name in "ab"},
        pairs=("a~a", "a~b", "b~b"),
        trials=NUMBERS,
        settings={
            "8mbps": setting(queue_packets=128),
            "50mbps": setting(title="50 Mbps", rate_mbps=50, queue_packets=1024, precision_mbps=1.5),
        },
        trial=TIMES,
        bottleneck="embedded",
        seed=1,
        calibration=Calibration(
            rate_error_fraction=0.001,
            capacity_error_packets=0,
            empty_queue_loss_packets=0,
            delay_error_p50_ms=0.1,
            delay_error_p99_ms=0.3,
            sender_late_p99_ms=1.0,
            service=service("calibration", category="Calibration", driver="calibrate", cca=None),
        ),
        validity={},
    )
    return replace(paper, **changes)


def paper() -> Campaign:
    """The paper's cycle: 12 services, 78 pairs, two settings."""
    names = [f"s{number:02d}" for number in range(12)]
    pairs = tuple(f"{one}~{other}" for one in names for other in names if one <= other)
    return replace(load_campaign("watchdog"), services={name: service(name) for name in names}, pairs=pairs)
