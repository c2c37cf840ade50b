"""The campaigns of the sample of the site: the reference panel, with short trials."""

from dataclasses import dataclass

from scripts.base.records import Json, from_json, to_json
from scripts.model.campaign import Campaign
from scripts.plan.campaign_file import load_campaign
from tests.charts.sample_campaign import DURATION_S

ALL = (
    *("iperf-bbr", "iperf-cubic", "iperf-reno", "ref-call-1500kbps", "ref-call-2600kbps"),
    *("ref-file-batched-5-bbr", "ref-file-bbr", "ref-file-cubic-45mbps", "ref-file-quic-bbr"),
    *("ref-page-images", "ref-page-text", "ref-page-thumbnails"),
    *("ref-video-2-bbr", "ref-video-4-reno", "ref-video-quic-bbr"),
)
CORE = (
    *("iperf-bbr", "iperf-cubic", "iperf-reno"),
    *("ref-call-1500kbps", "ref-page-text", "ref-video-4-reno"),
)
BATCHED, FILE, QUIC = "ref-file-batched-5-bbr", "ref-file-bbr", "ref-video-quic-bbr"
PARTS = ((*CORE, FILE), (*CORE, FILE, BATCHED), (*CORE, BATCHED, QUIC))
"""The services of the first cycle of the small ones, of the second, of the third, and so on in turn."""

UNABLE = ("50mbps", "ref-video-2-bbr")
UNMEASURED = {
    ("8mbps", "iperf-reno~ref-file-quic-bbr"),
    ("8mbps", "ref-page-images~ref-video-2-bbr"),
    ("8mbps", "ref-file-cubic-45mbps~ref-video-quic-bbr"),
    ("50mbps", "iperf-cubic~ref-page-thumbnails"),
    ("50mbps", "ref-file-batched-5-bbr~ref-file-batched-5-bbr"),
}
FEW_TRIALS = {
    ("8mbps", "iperf-bbr~ref-file-cubic-45mbps"): 3,
    ("8mbps", "ref-file-bbr~ref-video-4-reno"): 4,
    ("8mbps", "iperf-cubic~ref-page-images"): 2,
    ("50mbps", "iperf-bbr~iperf-reno"): 5,
    ("50mbps", "ref-call-2600kbps~ref-file-bbr"): 1,
}
"""Cells without a verdict: too few trials."""


@dataclass(frozen=True)
class Kind:
    """What a cycle measures: its settings, its services, and the seed of its values."""

    settings: tuple[str, ...]
    services: tuple[str, ...]
    seed: int


def panel_config(campaign: str, kind: Kind) -> dict[str, Json]:
    """The merged configuration of a cycle, as plan/config.json holds it."""
    config = to_json(load_campaign("reference"))
    times = {"duration_s": DURATION_S, "ignore_first_s": 3, "ignore_last_s": 1, "kinds": {}}
    times["web"] = config["trial"]["web"] | {"lead_s": 3, "loads": 6, "gap_s": 1, "limit_s": 20}
    pairs = [pair for pair in config["pairs"] if set(pair.split("~")) <= set(kind.services)]
    return config | {
        "campaign": campaign,
        "title": "Made-up values: the reference panel in two settings",
        "services": {name: config["services"][name] for name in kind.services},
        "settings": {name: config["settings"][name] for name in kind.settings},
        "pairs": pairs,
        "trial": config["trial"] | times,
        "period_days": 14,
    }


def campaign_of(config: dict[str, Json]) -> Campaign:
    """A merged configuration as the record that the code reads."""
    return from_json(Campaign, config, "config.json")
