"""The campaign of the made-up cycle: two settings, three services."""

from scripts.base.records import from_json
from scripts.model.campaign import Campaign

SERVICES = ("iperf-bbr", "iperf-cubic", "iperf-reno")
RATES_MBPS = {"8mbps": 8, "50mbps": 50}
DURATION_S, WINDOW_S = 11, 7

TITLES = {"8mbps": "Highly constrained", "50mbps": "Moderately constrained"}
PRECISIONS_MBPS = {"8mbps": 0.5, "50mbps": 1.5}
QUEUES_PACKETS = {"8mbps": 128, "50mbps": 1024}
DISCIPLINES = {
    "8mbps": {"discipline": "droptail"},
    "50mbps": {
        "discipline": "codel",
        "discipline_options": {"target_ms": 5, "interval_ms": 100, "ecn": False},
        "random_loss": 0.001,
        "clients": [{}, {"start_s": 1, "rtt_ms": 20, "access": {"delay_ms": 3}}],
    },
}
"""One setting like the paper's, one unlike it."""


def iperf_service(name: str, title: str) -> dict:
    """A bulk download as the catalogue describes it."""
    return {
        "name": name,
        "title": f"iPerf ({title})",
        "category": "Baseline",
        "driver": "iperf",
        "cca": name.removeprefix("iperf-"),
        "flows": 1,
        "probe": {"port": 5202},
    }


def merged_config() -> dict:
    """The campaign's merged configuration, as plan/config.json holds it."""
    return {
        "campaign": "demo",
        "title": "Three congestion controls on two links",
        "services": {
            name: iperf_service(name, title)
            for name, title in zip(SERVICES, ("BBR", "Cubic", "NewReno"), strict=True)
        },
        "pairs": [],
        "trials": {
            "solo": 2,
            "solo_attempts": 2,
            "round": 2,
            "most": 2,
            "attempts": 2,
            "counted": 1,
            "counted_attempts": 1,
        },
        "settings": {
            name: {
                "title": TITLES[name],
                "rate_mbps": rate,
                "rtt_ms": 50,
                "queue_bdp": 4,
                "queue_packets": QUEUES_PACKETS[name],
                "precision_mbps": PRECISIONS_MBPS[name],
                **DISCIPLINES[name],
            }
            for name, rate in RATES_MBPS.items()
        },
        "trial": {
            "duration_s": DURATION_S,
            "ignore_first_s": 3,
            "ignore_last_s": 1,
            "start_jitter_s": 1,
            "web": {"lead_s": 3, "loads": 2, "gap_s": 8},
        },
        "bottleneck": "embedded",
        "seed": 1,
        "calibration": {
            "rate_error_fraction": 0.001,
            "capacity_error_packets": 0,
            "empty_queue_loss_packets": 0,
            "delay_error_p50_ms": 0.05,
            "delay_error_p99_ms": 0.3,
            "sender_late_p99_ms": 1.0,
            "service": iperf_service("calibration", "calibration"),
        },
        "validity": {"capture_missing_packets": 0, "rtt_error_ms": 1.0},
    }


def campaign_of(config: dict) -> Campaign:
    """A merged configuration as the record that the code reads."""
    return from_json(Campaign, config, "merged.json")
