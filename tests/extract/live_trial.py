"""Makes a trial whose first client uses a live service, and whose second client a self-hosted one."""

import json
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import zstandard

from scripts.base.records import from_json, to_json
from scripts.extract.trial_files import HANDSHAKES
from scripts.model.services import Service
from scripts.plan.campaign_file import load_campaign
from tests.extract.messages import A, client_hello, datagram, dns, record, segment
from tests.extract.synthetic import CLIENT, SERVICE, capture, example_trial, write_compressed

SERVER = "203.0.113.80"
LIVE = {
    "name": "live-video",
    "title": "Video",
    "category": "Video",
    "driver": "video",
    "cca": None,
    "live": {"url": "https://www.video.com/", "prepare": "Nothing."},
    "probe": {"host": "www.video.com", "port": 443},
    "workload": ["*.cdn-of-video.com"],
}


def write_live_trial(folder: Path, *frames: bytes, **changes: object) -> tuple[Path, Path]:
    """Write a trial, and the configuration of its campaign; `frames` are more packets of its first client."""
    trial = example_trial()
    clients: list[dict[str, Any]] = trial.report()["clients"]  # type: ignore[assignment]
    clients[0] |= {"service": LIVE["name"], "service_addresses": [], "cca": []}
    pair = {"pair": "iperf-cubic~live-video", "clients": clients}
    directory = trial.write(folder / "trial", **(pair | changes))
    more = [(trial.start + number, frame) for number, frame in enumerate(frames)]
    write_compressed(directory / "client-c1.pcapng.zst", as_live(capture(more + trial.packets(1))))
    names = [
        datagram(False, 53, dns("a1.cdn-of-video.com", [record("a1.cdn-of-video.com", A, SERVER)])),
        segment(True, 5201, 1, client_hello("token.cdn-of-video.com")),
        segment(True, 5202, 1, client_hello("private.tracker.com"), 40001),
        segment(True, 5203, 1, client_hello("nas.lan"), 40002),
    ]
    handshakes = capture([(trial.start + number, frame) for number, frame in enumerate(names)], 65535)
    write_compressed(directory / HANDSHAKES, as_live(handshakes))
    flows = (directory / "flows.json").read_text()
    (directory / "flows.json").write_text(flows.replace(SERVICE, SERVER))
    (directory / "private.json").write_text(json.dumps({"names": ["private.de"]}))
    (directory / "senders.jsonl.zst").write_bytes(zstandard.compress(sample(trial.start).encode()))
    campaign = load_campaign("demo")
    services = campaign.services | {"live-video": from_json(Service, LIVE, "the test")}
    config = folder / "config.json"
    config.write_text(json.dumps(to_json(replace(campaign, services=services))))
    return directory, config


def as_live(content: bytes) -> bytes:
    """A capture in which the service of the first client is on the Internet."""
    return content.replace(ip_address(SERVICE).packed, ip_address(SERVER).packed)


def sample(time_ns: int) -> str:
    """A line of senders.jsonl."""
    ends = {"source": SERVER, "source_port": 5201, "destination": CLIENT, "destination_port": 40000}
    return json.dumps({"time_ns": time_ns, "client": "c1", **ends, "cca": "bbr"}) + "\n"
