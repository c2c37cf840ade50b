"""Campaigns over the defaults: the merged configuration, and the text of errors."""

import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest
import yaml

from scripts.base import host
from scripts.base.errors import UserError
from scripts.model.campaign import Campaign, TrialNumbers, TrialTimes, WebTimes, read_campaign
from scripts.model.durations import duration_s
from scripts.model.pairs import members
from scripts.model.schemas import schema_of
from scripts.model.services import Batch
from scripts.model.settings import SettingTimes, Sweep
from scripts.plan.campaign_file import ROOT, campaign_names, load_campaign, load_service, main


@pytest.fixture
def root(tmp_path):
    """A copy of the configuration and catalogue that a test may break."""
    for folder in ("config", "services/catalogue", "services/drivers"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def campaign(root, **overlay):
    """Write a campaign with these keys and load it."""
    (root / "config/campaigns/test.yaml").write_text(yaml.safe_dump({"title": "Test"} | overlay))
    return load_campaign("test", root)


@pytest.mark.parametrize("name", campaign_names())
def test_every_campaign_can_be_loaded(name):
    assert load_campaign(name).campaign == name


@pytest.mark.parametrize(
    "path", sorted((ROOT / "services/catalogue").glob("*.yaml")), ids=lambda path: path.stem
)
def test_every_service_of_the_catalogue_is_valid(path):
    assert path.stem == load_service(path.stem, "a test").name


def test_the_defaults_are_the_papers_protocol():
    watchdog = load_campaign("watchdog")
    assert replace(watchdog.trial, start_jitter_s=1) == TrialTimes(
        duration_s=600, ignore_first_s=120, ignore_last_s=120, start_jitter_s=1,
        web=WebTimes(lead_s=30, loads=10, gap_s=45, limit_s=45),
    )  # fmt: skip
    settings = watchdog.settings.values()
    links = {(setting.rate_mbps, setting.rtt_ms, setting.queue_packets) for setting in settings}
    assert links == {(8, 50, 128), (50, 50, 1024)}
    assert [0.5, 1.5] == [setting.precision_mbps for setting in settings]
    assert watchdog.trials == TrialNumbers(
        solo=10, solo_attempts=15, round=10, most=30, attempts=45, counted=6, counted_attempts=10
    )
    assert 14 == watchdog.period_days


def test_the_merged_configuration_is_read_back_as_it_was_written(tmp_path):
    for name in ("bbr-model-short", "demo", "order", "queue-sweep", "panel-short"):
        path = tmp_path / f"{name}.json"
        assert 0 == main([name, "-o", str(path)])
        assert load_campaign(name) == read_campaign(path)


def test_web_pages_meet_contenders_and_not_each_other(root):
    services = ["iperf-bbr", "ref-page-images", "ref-page-text"]
    assert campaign(root, services=services).pairs == (
        "iperf-bbr~iperf-bbr", "iperf-bbr~ref-page-images", "iperf-bbr~ref-page-text",
    )  # fmt: skip


def test_pairs_that_all_does_not_contain_can_be_added_to_it(root):
    services = ["iperf-bbr", "ref-call-1500kbps", "ref-page-text"]
    pairs = ["all", "ref-page-text~ref-call-1500kbps"]
    assert campaign(root, services=services, pairs=pairs).pairs == (
        "iperf-bbr~iperf-bbr", "iperf-bbr~ref-call-1500kbps", "iperf-bbr~ref-page-text",
        "ref-call-1500kbps~ref-page-text",
    )  # fmt: skip


def test_the_reference_panel_has_the_papers_pairs_and_pairs_of_calls():
    panel = load_campaign("reference")
    assert (15, 55 + 10 * 5 + 3) == (len(panel.services), len(panel.pairs))
    calls = [pair for pair in panel.pairs if set(members(pair)) <= {*CALLS}]
    assert [f"{CALLS[0]}~{CALLS[0]}", f"{CALLS[0]}~{CALLS[1]}", f"{CALLS[1]}~{CALLS[1]}"] == calls


CALLS = ("ref-call-1500kbps", "ref-call-2600kbps")


def test_the_short_panel_has_every_pair_of_kinds_except_two_calls():
    panel = load_campaign("panel-short")
    kinds = {name: service.driver for name, service in panel.services.items()}
    every = sorted({"iperf", "download", "batched_download", "video", "call", "page"})
    assert every == sorted(set(kinds.values()))
    met = Counter(tuple(sorted(kinds[name] for name in members(pair))) for pair in panel.pairs)
    assert met == Counter((a, b) for a in every for b in every if a <= b and not a == b == "call")
    lengths_s = [duration_s(panel, name, pair) for name in panel.settings for pair in [*kinds, *panel.pairs]]
    assert max(lengths_s) <= 40


def test_the_grid_of_batches_differs_from_the_stand_in_only_in_chunk_and_pause():
    stand_in = load_service("ref-file-batched-5-bbr", "a test")
    services = load_campaign("batch-grid").services
    points = {name: service.batch for name, service in services.items() if name != "iperf-reno"}
    chunks, pauses = {250_000: "250kb", 1_000_000: "1mb", 8_000_000: "8mb"}, {0: "0s", 0.5: "500ms", 2: "2s"}
    assert points == {
        f"ref-file-batched-5-bbr-{chunk}-pause-{pause}": Batch(chunk_bytes, pause_s)
        for chunk_bytes, chunk in chunks.items()
        for pause_s, pause in pauses.items()
    }
    for name, batch in points.items():
        same = replace(
            services[name],
            name=stand_in.name,
            title=stand_in.title,
            short=stand_in.short,
            colour=stand_in.colour,
        )
        assert stand_in == replace(same, stands_for=stand_in.stands_for, batch=stand_in.batch)
        assert f"{batch.chunk_bytes // 1000} kB" in services[name].title.replace(" MB", "000 kB")
        assert (f"pause {batch.pause_s} s" if batch.pause_s else "no pause") in services[name].title
    assert stand_in.batch == Batch(1_000_000) in points.values()


def test_the_best_point_of_the_grid_is_one_of_its_points_on_its_link():
    grid, best = load_campaign("batch-grid"), load_campaign("batch-grid-best")
    assert set(best.pairs) < set(grid.pairs)
    four = best.settings["50mbps-4-bdp"]
    assert grid.settings["50mbps-4-bdp"] == replace(four, trial=None)
    eight = replace(four, title="Eight BDP", queue_bdp=8, queue_packets=2048, trial=None)
    assert eight == replace(best.settings["50mbps-8-bdp"], trial=None)


def test_all_pairs_are_all_unordered_pairs_with_self_pairs(root):
    assert campaign(root, services=["iperf-reno", "iperf-bbr"]).pairs == (
        "iperf-bbr~iperf-bbr", "iperf-bbr~iperf-reno", "iperf-reno~iperf-reno",
    )  # fmt: skip


def test_the_name_of_a_pair_is_sorted(root):
    assert campaign(root, pairs=["iperf-reno~iperf-bbr"]).pairs == ("iperf-bbr~iperf-reno",)


def test_null_removes_a_setting(root):
    assert list(campaign(root, settings={"50mbps": None}).settings) == ["8mbps"]


def test_a_queue_may_be_given_in_packets(root):
    queue = {"queue_bdp": None, "queue_rounding": None, "queue_packets": 17}
    assert campaign(root, settings={"8mbps": queue}).settings["8mbps"].queue_packets == 17


def test_a_sweep_gives_settings_with_their_swept_values(root):
    settings = campaign(root, settings={"8mbps": {"queue_bdp": [0.5, 4]}, "50mbps": None}).settings
    assert {"8mbps-queue-bdp-0p5": 16, "8mbps-queue-bdp-4": 128} == {
        name: setting.queue_packets for name, setting in settings.items()
    }
    assert Sweep("8mbps", {"queue_bdp": 0.5}) == settings["8mbps-queue-bdp-0p5"].sweep


def test_a_sweep_computes_the_times_of_its_settings(root):
    """At 50 Mbps the queue of 4 BDP needs two recoveries of Reno, 140 s, that of 8 BDP 470 s and 230 s."""
    swept = {"queue_bdp": [4, 8], "trial": {"settle": True, "ignore_last_s": 5}}
    found = campaign(root, settings={"8mbps": None, "50mbps": swept})
    assert {
        "50mbps-queue-bdp-4": SettingTimes(245, 140, 5),
        "50mbps-queue-bdp-8": SettingTimes(705, 470, 5),
    } == {name: setting.trial for name, setting in found.settings.items()}
    assert [245, 705] == [duration_s(found, name, found.pairs[0]) for name in found.settings]


def test_a_setting_changes_the_times_that_it_names_and_keeps_the_others(root):
    found = campaign(root, settings={"8mbps": {"trial": {"ignore_first_s": 200}}})
    assert {"8mbps": (600, 200, 120), "50mbps": (600, 120, 120)} == {
        name: (times.duration_s, times.ignore_first_s, times.ignore_last_s)
        for name in found.settings
        if (times := found.times(name))
    }


def test_times_to_settle_begin_when_the_last_client_starts(root):
    clients = {"clients": [{}, {"start_s": 20}], "trial": {"settle": True}}
    found = campaign(root, settings={"8mbps": clients, "50mbps": None})
    assert SettingTimes(20 + 120 + 100 + 120, 20 + 120, 120) == found.settings["8mbps"].trial


def test_many_instances_of_a_service_are_written_as_a_count(root):
    assert ("iperf-bbr~iperf-cubic_16",) == campaign(root, pairs=["iperf-cubic_16~iperf-bbr"]).pairs


NEW_LINK = {"title": "x", "rate_mbps": 1, "rtt_ms": 1, "queue_packets": 4}
PAGE = {"services": ["iperf-bbr", "ref-page-text"]}
TWICE = ["iperf-bbr~iperf-reno", "iperf-reno~iperf-bbr"]


@pytest.mark.parametrize(
    ("overlay", "message"),
    [
        ({"titel": "x"}, "config/campaigns/test.yaml: titel: unknown key; known are: bottleneck,"),
        ({"settings": {"8mbps": {"rate_mbps": -8}}}, "8mbps.rate_mbps: is -8; it must be at least 0.1"),
        ({"settings": {"8mbps": {"discipline": "none"}}}, "8mbps.discipline: 'none' is not one of droptail"),
        ({"settings": {"8mbps": {"queue_bdp": 0.01}}}, "queue_bdp 0.01 is less than one packet"),
        ({"settings": {"8mbps": {"queue_packets": 9}}}, "settings.8mbps: give exactly one of"),
        ({"settings": {"new": NEW_LINK}}, "settings.new.discipline: is missing; add it"),
        (
            {"settings": {"8mbps": {"queue_bdp": None, "queue_rounding": None, "queue_packets": 0}}},
            "queue_packets: is 0; it must be at least 1",
        ),
        ({"settings": {"8mbps": {"rtt_ms": 401}}}, "8mbps.rtt_ms: is 401; it must be at most 400"),
        ({"settings": {"8mbps": {"random_loss": 1}}}, "8mbps.random_loss: is 1; it must be less than 1"),
        (
            {"settings": {"8mbps": {"clients": [{"access": {"rate_mbps": 2}}]}}},
            "8mbps.clients.0.access.queue_packets: is missing; add it",
        ),
        (
            {"settings": {"8mbps": {"queue_bdp": [4, 0]}}},
            "test.yaml: settings.8mbps-queue-bdp-0.queue_bdp: is 0; it must be more than 0",
        ),
        ({"settings": {"8mbps": {"clients": [{}, {}, {}]}}}, "test.yaml: settings.8mbps: clients has 3"),
        ({"pairs": ["iperf-bbr~iperf-cubic_300"]}, "iperf-cubic_300 has more than 254 clients"),
        ({"services": ["iperf-vegas"]}, "unknown service iperf-vegas; similar: iperf-reno, iperf-bbr; all: "),
        (
            {"services": ["calibration"]},
            "services: calibration is reserved: the testbed runs it before every round",
        ),
        ({"calibration": {"rate_error_fraction": None}}, "calibration.rate_error_fraction: is missing; add"),
        ({"pairs": TWICE}, "iperf-bbr~iperf-reno is listed 2 times"),
        ({"pairs": ["iperf-bbr_1"]}, "iperf-bbr is alone; name two services, such as iperf-bbr~iperf-bbr"),
        ({"settings": {8: {"rate_mbps": 8}}}, "settings: 8 is no name; write “8mbps” or alike"),
        ({"pairs": ["all", "iperf-bbr~iperf-bbr"]}, "iperf-bbr~iperf-bbr is listed 2 times"),
        (
            {"settings": {"8mbps": {"services": ["iperf-vegas"]}}},
            "test.yaml: settings.8mbps: services: iperf-vegas is not one of this campaign's services; add it",
        ),
        (
            {"settings": {name: {"services": ["iperf-bbr", "iperf-reno"]} for name in ("8mbps", "50mbps")}},
            "settings: no setting measures iperf-cubic; add its services to the services of a setting",
        ),
        ({"trials": {"counted": 11}}, "trials: counted 11 is more than counted_attempts 10 and could never"),
        ({"trial": {"kinds": {"vidoe": {"duration_s": 9}}}}, "kinds: services/drivers/ has no module vidoe"),
        ({"trial": {"kinds": {"video": {"duration_s": 240}}}}, "trial.kinds.video: ignore_first_s and"),
        (
            PAGE | {"trial": {"kinds": {"page": {"duration_s": 300}}}},
            "trial.kinds.page: the length of a web page's trial follows from trial.web; change it there",
        ),
        (
            PAGE | {"trial": {"web": {"lead_s": 0}}},
            "test.yaml: trial.web.lead_s 0 is less than start_jitter_s 1, so a contender could start after",
        ),
        (
            PAGE | {"settings": {"8mbps": {"clients": [{}, {"start_s": 5}]}}},
            "settings.8mbps: clients: start_s cannot be combined with ref-page-text, a web page, which",
        ),
        (
            {"settings": {"8mbps": {"trial": {"settle": True, "duration_s": 600}}}},
            "settings.8mbps.trial.duration_s: cannot be 600: settle computes it; leave out one of the two",
        ),
        ({"settings": {"8mbps": {"trial": {}}}}, "test.yaml: settings.8mbps.trial: "),
        (
            {"settings": {"8mbps": {"trial": {"duration_s": 240}}}},
            "settings.8mbps: trial: ignore_first_s and ignore_last_s leave nothing of duration_s 240",
        ),
        (
            {"settings": {"8mbps": {"trial": {"ignore_first_s": 0}}}},
            "settings.8mbps: trial: start_jitter_s 1 is more than ignore_first_s 0",
        ),
        (
            {"settings": {"8mbps": {"trial": {"ignore_first_s": 20}, "clients": [{}, {"start_s": 30}]}}},
            "inside the steady window, which begins at ignore_first_s 20; ignore more or lower start_s",
        ),
        (
            {"services": ["dropbox", "iperf-bbr"], "pairs": ["dropbox~iperf-bbr"]}
            | {"settings": {"8mbps": {"trial": {"settle": True}}}},
            "settings.8mbps: trial.settle: no long flows of known congestion controls meet here",
        ),
        ({"services": ["iperf-bbr"], "pairs": TWICE[:1]}, "iperf-reno is not one of this campaign's"),
        ({"trials": {"most": 50}}, "trials: most 50 is more than attempts 45 and could never be reached"),
        ({"trials": {"pair": 10}}, "trials.pair: unknown key; known are: attempts, counted, counted_att"),
        ({"period_days": 0}, "period_days: is 0; it must be more than 0"),
        ({"hosts_set_aside": "node-1"}, "hosts_set_aside: is 'node-1'; it must be a list"),
        (
            {"hosts_set_aside": ["node 1"]},
            "hosts_set_aside.0: cannot be node 1: the name of a host has at most 32 letters",
        ),
        ({"hosts_set_aside": [7]}, "hosts_set_aside.0: cannot be 7: the name of a host has at most 32"),
        ({"trial": {"duration_s": 240}}, "ignore_last_s leave nothing of duration_s 240"),
        ({"trial": {"start_jitter_s": 130}}, "a service could start inside the steady window"),
        ({"validity": {"rtt_eror_ms": 1}}, "validity.rtt_eror_ms: unknown key"),
    ],
)
def test_an_error_names_its_key_in_one_line(root, overlay, message):
    with pytest.raises(UserError) as error:
        campaign(root, **overlay)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_an_error_names_the_file_that_holds_the_key(root):
    defaults = root / "config/config.yaml"
    defaults.write_text(defaults.read_text().replace("rate_mbps: 8\n", "rate_mbps: 0\n"))
    with pytest.raises(UserError, match=r"^config/config.yaml: settings.8mbps.rate_mbps"):
        campaign(root)


def test_a_duplicate_key_is_refused(root):
    (root / "config/campaigns/test.yaml").write_text("title: a\ntitle: b\n")
    with pytest.raises(UserError, match=r"test.yaml:2: not valid YAML: the key title is a duplicate"):
        load_campaign("test", root)


def test_the_command_prints_one_line_and_exits_with_2():
    done = subprocess.run(
        [sys.executable, "-m", "scripts.plan.campaign_file", "no-such-campaign"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: config/campaigns/no-such-campaign.yaml: no such campaign; all: ")
    assert done.stderr.count("\n") == 1


def test_hosts_that_are_set_aside_have_names_as_trials_have_them(root):
    assert () == campaign(root).hosts_set_aside
    assert ("node-1", "node_2.example") == campaign(
        root, hosts_set_aside=["node-1", "node_2.example"]
    ).hosts_set_aside
    schema = schema_of(Campaign)["properties"]["hosts_set_aside"]
    assert f"^{host.NAME.pattern}$" == schema["items"]["pattern"]
