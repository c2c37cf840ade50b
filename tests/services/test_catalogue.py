"""What a file of the catalogue must say."""

import shutil

import pytest
import yaml

from scripts.config import ROOT, load_campaign, load_service
from scripts.errors import UserError
from scripts.schemas import check, load_yaml

VIDEO = load_yaml(ROOT / "services/catalogue/ref-video-4-reno.yaml")
QUIC = load_yaml(ROOT / "services/catalogue/ref-file-quic-bbr.yaml")
LIVE = load_yaml(ROOT / "services/catalogue/dropbox.yaml")
PAGE = load_yaml(ROOT / "services/catalogue/wikipedia.yaml")


@pytest.fixture
def load(tmp_path):
    """Load a catalogue entry as if it stood in the catalogue."""
    shutil.copytree(ROOT / "services/drivers", tmp_path / "services/drivers")
    (tmp_path / "services/catalogue").mkdir()

    def loaded(entry: dict) -> dict:
        path = tmp_path / f"services/catalogue/{entry['name']}.yaml"
        path.write_text(yaml.safe_dump(entry))
        return load_service(entry["name"], "the test", tmp_path)

    return loaded


def without(entry: dict, key: str) -> dict:
    return {name: value for name, value in entry.items() if name != key}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (without(VIDEO, "video"), "video: is missing"),
        (without(VIDEO, "flows"), "flows: is missing"),
        (without(VIDEO, "hosts"), "hosts: is missing"),
        (QUIC | {"origin": {"protocol": "h3"}}, "quic_cca: is missing"),
        (QUIC | {"origin": {"protocol": "h4"}}, "'h4' is not one of"),
        (VIDEO | {"hosts": ["www.example.com"]}, "hosts.0"),
        (VIDEO | {"driver": "call"}, "call: is missing"),
        (VIDEO | {"metric": "loudness"}, "'loudness' is not one of"),
        (LIVE | {"hosts": ["file.test"]}, "hosts: does not go with the other keys"),
        (LIVE | {"origin": {"protocol": "h2"}}, "origin: does not go with"),
        (LIVE | {"probe": {"port": 443}}, "probe.host: is missing"),
        (LIVE | {"driver": "iperf"}, "'iperf' is not one of"),
        (LIVE | {"cca": "bbr"}, "cca"),
        (LIVE | {"live": {"url": "https://www.example.com/"}}, "live.prepare: is missing"),
        (LIVE | {"live": {"prepare": "Nothing.", "ports": [0]}}, "ports.0: is 0"),
        (without(PAGE, "page"), "page: is missing"),
    ],
)
def test_what_a_driver_needs_must_stand_there(load, entry, reason):
    with pytest.raises(UserError, match=reason):
        load(entry)


def test_what_a_driver_saw_must_be_as_the_schema_says():
    late = {"late_p50_us": 1.5, "late_p99_us": 2.5, "late_max_us": 3.5}
    calibration = {"probes_sent": 5, "sent": {"200": 9}} | late
    check(calibration, "qoe", lambda keys: "the driver")
    with pytest.raises(UserError, match="received_bytes: is missing"):
        check({"protocols": ["h3"]}, "qoe", lambda keys: "the driver")
    check({"received_bytes": 5, "protocols": ["h3"]}, "qoe", lambda keys: "the driver")
    with pytest.raises(UserError, match=r"the driver: frames\.dropped: is missing"):
        check({"received_bytes": 5, "frames": {"shown": 3}}, "qoe", lambda keys: "the driver")
    with pytest.raises(UserError, match="unknown key"):
        check({"received_bytes": 5, "url": "https://a.test/?user=1"}, "qoe", lambda keys: "the driver")


# Flows, congestion control and cap of Prudentia's Table 1; of pages it gives what they have at least.
TABLE_1 = {
    "youtube": (1, "BBRv1.1", 13),
    "netflix": (4, "NewReno", 8),
    "vimeo": (2, "BBR", 14),
    "dropbox": (1, "BBRv1.0", None),
    "google-drive": (1, "BBRv3", None),
    "onedrive": (1, "Cubic", 45),
    "mega": (5, "BBR", None),
    "google-meet": (1, "GCC", 1.5),
    "microsoft-teams": (1, "unknown", 2.6),
    "wikipedia": (None, "BBRv1.0", None),
    "google-news": (None, "BBRv3.0", None),
    "youtube-page": (None, "BBRv3.0", None),
}


def test_the_live_campaign_is_table_1():
    services = load_campaign("live")["services"]
    live = {name: service for name, service in services.items() if "live" in service}
    found = {
        name: (service.get("flows"), service["live"]["cca"], service["live"].get("cap_mbps"))
        for name, service in live.items()
    }
    assert found == TABLE_1
    assert {"iperf-bbr", "iperf-cubic", "iperf-reno"} == services.keys() - live.keys()
