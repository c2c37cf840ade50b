"""The checks of a catalogue file."""

import re
import shutil
import subprocess

import pytest
import yaml

from scripts.base.errors import UserError
from scripts.base.records import to_json
from scripts.base.yaml_files import load_yaml
from scripts.model.drivers import check_observation
from scripts.model.schemas import schema_of
from scripts.model.services import SHORT_LETTERS, Origin, read_service
from scripts.plan.campaign_file import ROOT, load_campaign, load_service

VIDEO = load_yaml(ROOT / "services/catalogue/ref-video-4-reno.yaml")
IPERF = load_yaml(ROOT / "services/catalogue/iperf-bbr.yaml")
FILE = load_yaml(ROOT / "services/catalogue/ref-file-cubic-45mbps.yaml")
PAGE = load_yaml(ROOT / "services/catalogue/ref-page-text.yaml")
CALL = load_yaml(ROOT / "services/catalogue/ref-call-1500kbps.yaml")
ORIGIN = {"protocol": "h3", "quic_cca": "bbr"}
QUIC = load_yaml(ROOT / "services/catalogue/ref-file-quic-bbr.yaml")
LIVE = load_yaml(ROOT / "services/catalogue/dropbox.yaml")
FLOWS = {
    "name": "flows",
    "title": "Flows",
    "category": "Flows",
    "driver": "flows",
    "metric": "completion",
    "cca": "cubic",
    "generator": {
        "sizes_bytes": {"kind": "fixed", "values": [1000]},
        "gaps_s": {"kind": "exponential", "mean": 0.5},
    },
    "probe": {"port": 5203},
}
TAIL = {"tail_from": 5000, "tail_index": 1.2, "most": 9000}


@pytest.fixture
def load(tmp_path):
    """Load an entry as a file of the catalogue."""
    shutil.copytree(ROOT / "services/drivers", tmp_path / "services/drivers")
    (tmp_path / "services/catalogue").mkdir()

    def loaded(entry: dict) -> dict:
        path = tmp_path / f"services/catalogue/{entry['name']}.yaml"
        path.write_text(yaml.safe_dump(entry))
        return to_json(load_service(entry["name"], "the test", tmp_path))

    return loaded


def without(entry: dict, key: str) -> dict:
    return {name: value for name, value in entry.items() if name != key}


def flows_of(sizes: dict | None = None, **generator: object) -> dict:
    """The entry of generated flows with these sizes, or with these keys of the generator."""
    changed = {"sizes_bytes": sizes} if sizes else generator
    return FLOWS | {"generator": FLOWS["generator"] | changed}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (without(VIDEO, "video"), "video: is missing"),
        (without(VIDEO, "flows"), "flows: is missing"),
        (without(VIDEO, "hosts"), "hosts: is missing"),
        (QUIC | {"origin": {"protocol": "h3"}}, "quic_cca: is missing"),
        (QUIC | {"origin": {"protocol": "h3", "quic_cca": "bbr3"}}, "'bbr3' is not one of"),
        (IPERF | {"bitrate_mbps": 0}, "bitrate_mbps: is 0; it must be more than 0"),
        (QUIC | {"origin": {"protocol": "h4"}}, "'h4' is not one of"),
        (VIDEO | {"hosts": ["www.example.com"]}, "hosts.0"),
        (VIDEO | {"driver": "call"}, "call: is missing"),
        (VIDEO | {"metric": "loudness"}, "'loudness' is not one of"),
        (without(PAGE, "metric"), "metric: is missing"),
        (PAGE | {"page": {"path": "x", "loads": 3}}, "page.loads: unknown key; known are: path"),
        (LIVE | {"hosts": ["file.test"]}, "hosts: does not go with the other keys"),
        (LIVE | {"origin": {"protocol": "h2"}}, "origin: does not go with"),
        (LIVE | {"probe": {"port": 443}}, "probe.host: is missing"),
        (LIVE | {"driver": "iperf"}, "'iperf' is not one of"),
        (LIVE | {"cca": "bbr"}, "cca"),
        (LIVE | {"live": {"url": "https://www.example.com/"}}, "live.prepare: is missing"),
        (LIVE | {"live": {"prepare": "Nothing.", "ports": [0]}}, "ports.0: is 0"),
        (LIVE | {"page": {"path": "x"}}, "page: does not go with"),
        (without(PAGE, "page"), "page: is missing"),
        (without(FLOWS, "generator"), "generator: is missing"),
        (without(FLOWS, "metric"), "metric: is missing"),
        (flows_of({"kind": "fixed"}), "generator.sizes_bytes.values: is missing"),
        (flows_of({"kind": "fixed", "values": []}), "generator.sizes_bytes.values: "),
        (flows_of({"kind": "fixed", "values": [0]}), "values.0: is 0; it must be more than 0"),
        (flows_of({"kind": "fixed", "values": [1.5]}), "values.0: is 1.5; it must be a whole number"),
        (
            flows_of({"kind": "fixed", "values": [5], "mean": 5}),
            "sizes_bytes.mean: unknown key; known are: kind",
        ),
        (flows_of({"kind": "uniform"}), "sizes_bytes.kind: 'uniform' is not one of"),
        (flows_of({"kind": "exponential", "mean": 0.5}), "sizes_bytes.mean: is 0.5; it must be at least 1"),
        (flows_of(gaps_s={"kind": "exponential", "mean": 0}), "gaps_s.mean: is 0; it must be more than 0"),
        (flows_of({"kind": "lognormal_pareto", "median": 9}), "sizes_bytes.sigma: is missing"),
        (
            flows_of({"kind": "lognormal_pareto", "median": 9, "sigma": 1} | without(TAIL, "tail_index")),
            "sizes_bytes.tail_index: is missing",
        ),
        (
            flows_of({"kind": "lognormal_pareto", "median": 9, "sigma": 1} | TAIL | {"most": 5000}),
            "sizes_bytes.most: 5000 is not more than tail_from 5000; raise it",
        ),
        (flows_of({"kind": "empirical", "file": "../sizes.csv"}), "generator.sizes_bytes.file: "),
        (flows_of({"kind": "empirical", "file": "none.csv"}), "sizes_bytes.file: none.csv cannot be read"),
        (flows_of(group_flows=0), "generator.group_flows: is 0; it must be at least 1"),
    ],
)
def test_a_field_that_a_driver_needs_must_be_present(load, entry, reason):
    with pytest.raises(UserError, match=reason):
        load(entry)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (IPERF | {"cca": None}, "cca: cannot be null: iperf has no congestion control of its own"),
        (FILE | {"bitrate_mbps": 1}, "bitrate_mbps: cannot be 1: only the driver iperf limits its sender"),
        (QUIC | {"cca": "bbr"}, "cca: cannot be bbr: it is the kernel's, which QUIC does not use"),
        (QUIC | {"origin": ORIGIN | {"cap_mbps": 45}}, "cap_mbps: cannot be 45: the server of HTTP/3 has no"),
        (VIDEO | {"origin": {"protocol": "h1", "cap_mbps": 5}}, "cap_mbps: cannot be 5: the server limits"),
        (VIDEO | {"origin": {"protocol": "h1", "quic_cca": "bbr"}}, "quic_cca: cannot be bbr: only HTTP/3"),
        (FILE | {"flows": 4}, "flows: cannot be 4: download fetches its file by one request; set it to 1"),
        (VIDEO | {"origin": {"protocol": "h2"}}, "flows: cannot be 4: HTTP/2 and HTTP/3 send everything"),
        (VIDEO | {"cca": None, "origin": ORIGIN}, "flows: cannot be 4: HTTP/2 and HTTP/3 send everything"),
        (VIDEO | {"flows": 7}, "flows: cannot be 7: by HTTP/1.1 a browser opens at most six connections"),
        (VIDEO | {"cca": None}, "cca: cannot be null: our server has no congestion control"),
        (VIDEO | {"probe": {"port": 80}}, "probe.port: cannot be 80: the servers of a self-hosted service"),
        (VIDEO | {"metric": "web"}, "metric: cannot be web: only the driver page loads its page repeatedly"),
        (PAGE | {"metric": "rtc"}, "metric: cannot be rtc: a page is judged by its load time"),
        (CALL | {"cca": "bbr"}, "cca: cannot be bbr: it is TCP's, and WebRTC has its own; set it to null"),
        (CALL | {"origin": {"protocol": "h2"}}, "protocol: cannot be h2: HTTP/1.1 fetches a call's page"),
        (
            FLOWS | {"metric": "throughput"},
            "metric: cannot be throughput: generated flows are judged by their",
        ),
        (FLOWS | {"cca": None}, "cca: cannot be null: the generator has no congestion control of its own"),
        (FLOWS | {"flows": 2}, "flows: cannot be 2: the generator decides how many flows there are"),
        (IPERF | {"metric": "completion"}, "metric: cannot be completion: only the driver flows has flows"),
        (IPERF | {"generator": FLOWS["generator"]}, "only the driver flows generates flows; leave it out"),
    ],
)
def test_an_impossible_service_is_refused_with_the_reason(load, entry, reason):
    with pytest.raises(UserError) as error:
        load(entry)
    assert reason in str(error.value)
    assert str(error.value).startswith(f"services/catalogue/{entry['name']}.yaml: ")


def test_one_flow_over_quic_and_a_capped_download_are_fine(load):
    assert load(QUIC)["flows"] == 1
    assert load(FILE)["origin"]["cap_mbps"] == 45


def test_a_measured_distribution_is_read_from_beside_the_catalogue(tmp_path):
    (tmp_path / "sizes.csv").write_text("value,cumulative\n100,0.5\n14480,1\n")
    (tmp_path / "flows.yaml").write_text(yaml.safe_dump(flows_of({"kind": "empirical", "file": "sizes.csv"})))
    service = read_service(tmp_path / "flows.yaml")
    assert ((100, 0.5), (14480, 1)) == service.generator.sizes_bytes.points


def test_each_row_of_table_1_has_one_reference_service():
    panel = [load_yaml(path) for path in sorted((ROOT / "services/catalogue").glob("ref-*.yaml"))]
    rows = [entry["stands_for"] for entry in panel if "stands_for" in entry]
    assert len(set(rows)) == len(rows) == len(TABLE_1) == 12


def test_an_observation_must_match_its_schema():
    late = {"late_p50_us": 1.5, "late_p99_us": 2.5, "late_max_us": 3.5}
    calibration = {"probes_sent": 5, "sent": {"200": 9}} | late
    check_observation(calibration, "the driver")
    with pytest.raises(UserError, match="received_bytes: is missing"):
        check_observation({"protocols": ["h3"]}, "the driver")
    check_observation({"received_bytes": 5, "protocols": ["h3"]}, "the driver")
    with pytest.raises(UserError, match=r"the driver: frames\.dropped: is missing"):
        check_observation({"received_bytes": 5, "frames": {"shown": 3}}, "the driver")
    with pytest.raises(UserError, match="unknown key"):
        check_observation({"received_bytes": 5, "url": "https://a.test/?user=1"}, "the driver")


def test_every_short_title_is_short_and_unlike_all_others():
    files = sorted((ROOT / "services/catalogue").glob("*.yaml"))
    shorts = [service.short or service.title for service in map(read_service, files)]
    assert [] == [short for short in shorts if len(short) > SHORT_LETTERS]
    assert len(files) == len(set(shorts))


# Flows, congestion control and cap in Prudentia's Table 1. For pages it gives a minimum of flows only.
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
    services = load_campaign("live").services
    live = {name: service for name, service in services.items() if service.live}
    found = {name: (service.flows, service.live.cca, service.live.cap_mbps) for name, service in live.items()}
    assert found == TABLE_1
    assert {"iperf-bbr", "iperf-cubic", "iperf-reno"} == services.keys() - live.keys()


@pytest.mark.skipif(shutil.which("gtlsserver") is None, reason="needs gtlsserver")
def test_the_congestion_controls_of_quic_are_those_of_its_server():
    usage = subprocess.run(["gtlsserver", "--help"], capture_output=True, text=True, check=True).stdout
    (choices,) = re.findall(r"--cc=\((.*?)\)", usage)
    origin = schema_of(Origin)
    assert sorted(choices.split("|")) == sorted(origin["properties"]["quic_cca"]["enum"])
