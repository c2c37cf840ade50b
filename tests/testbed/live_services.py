"""Live services of the tests' Internet (tests/testbed/internet.py), and trials with them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from scripts.base.records import from_json
from scripts.model.campaign import Campaign, WebTimes
from scripts.model.pairs import pair_name
from scripts.model.services import Service
from scripts.model.trials import TrialKey
from scripts.plan.campaign_file import load_campaign
from scripts.plan.specification_writer import specification
from tests.testbed.sample_specification import in_order_of_name, write_specification

FILE = {
    "name": "live-file",
    "title": "File",
    "category": "File transfer",
    "driver": "download",
    "cca": None,
    "flows": 1,
    "live": {"url": "http://files.example/", "click": ["Download now"], "prepare": "Nothing."},
    "probe": {"host": "files.example", "port": 80},
}
FILM = FILE | {
    "name": "live-film",
    "category": "Video",
    "driver": "video",
    "live": {"url": "http://files.example/film.html", "prepare": "Nothing."},
}
PAGE = FILE | {
    "name": "live-page",
    "category": "Web",
    "driver": "page",
    "metric": "web",
    "live": {"url": "http://files.example/", "prepare": "Nothing."},
}


def live_campaign(*services: dict[str, Any], duration_s: int, ignore_first_s: int = 5) -> Campaign:
    """The demo campaign with these services and this length of a trial."""
    demo = load_campaign("demo")
    web = WebTimes(lead_s=5, loads=2, gap_s=3, limit_s=15)
    live = {service["name"]: from_json(Service, service, "the test") for service in services}
    times = replace(demo.trial, duration_s=duration_s, ignore_first_s=ignore_first_s, kinds={}, web=web)
    return replace(demo, services=demo.services | live, trial=times)


def write_live_specification(campaign: Campaign, path: Path, *services: dict[str, Any]) -> Path:
    """Write the specification of a trial of these services."""
    key = TrialKey("8mbps", pair_name(service["name"] for service in services), 1)
    return write_specification(in_order_of_name(specification(campaign, "test", key)), path)
