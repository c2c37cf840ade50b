"""The tables of one synthetic trial, worked by hand."""

import json
from dataclasses import replace
from itertools import pairwise

import pyarrow.parquet as pq
import pytest

from scripts.extract.extract_trial import extract
from scripts.model.rules import RULES
from scripts.tables import database
from scripts.tables.cycle_tables import PER_TRIAL
from scripts.tables.parameters import bind_parameters
from scripts.tables.table_schema import FOLDER
from scripts.tables.trial_tables import build_trial, main
from tests.extract.synthetic import example_trial
from tests.tables.campaigns import DEFAULTS, campaign, service, write_campaign

VALIDITY = DEFAULTS | {"longest_stall_rtt": 0.2}


def config_with(tmp_path, **changes):
    return write_campaign(tmp_path / "config.json", campaign(validity=VALIDITY | changes))


@pytest.fixture
def built(tmp_path):
    """Folder of the example trial's tables."""
    extract(example_trial().write(tmp_path / "trial"), tmp_path / "parquet")
    build_trial(tmp_path / "parquet", tmp_path / "parquet", config_with(tmp_path))
    return tmp_path / "parquet"


def rows(folder, table):
    return pq.read_table(folder / f"{table}.parquet").to_pylist()


def test_services_by_hand(built):
    """c1: 100 of 125 packets of 1500 B (1538 on the wire) left in 6 s; the k-th waited k * 0.1 ms.

    51 of these, the SYN-ACK and all 25 drops arrived in the 5 s after both SYN-ACKs.
    """
    first, second = rows(built, "trial_services")
    expected = {
        "setting": "8mbps",
        "pair": "iperf-bbr~iperf-cubic",
        "trial": 1,
        "client": "c1",
        "service": "iperf-bbr",
        "contender": "iperf-cubic",
        "clients": 2,
        "self_pair": False,
        "status": "completed",
        "valid": True,
        "reason": None,
        "cca": "bbr",
        "rate_mbps": 8.0,
        "window_s": 6.0,
        "window_start_s": 2.0,
        "window_stop_s": 8.0,
        "arrived_packets": 125,
        "forwarded_packets": 100,
        "dropped_packets": 25,
        "loss_events": 1,
        "wire_bytes": 153_800,
        "ip_bytes": 150_000,
        "wire_rate_mbps": 153_800 * 8 / 6e6,
        "throughput_mbps": 0.2,
        "goodput_mbps": 146_000 * 8 / 6e6,
        "loss_rate": 0.2,
        "queueing_delay_mean_ms": 4.95,
        "queueing_delay_p50_ms": 4.95,
        "queueing_delay_p95_ms": 9.405,
        "queueing_delay_p99_ms": 9.801,
        "utilization": 175 * 1538 * 8 / 6e6 / 8,
        "able": None,
        "rtt_ms": 50.0,
        "instance": "first",
        "host": None,
        "kernel": None,
        "switch": "embedded 0.1.0",
        "trial_start_ns": example_trial().start,
        "first_half_wire_bytes": 76_900,
        "second_half_wire_bytes": 76_900,
        "cca_asked": "bbr",
        "stack": None,
        "stack_version": None,
        "controller": None,
        "gso": None,
        "pacing": None,
        "shipped": None,
        "burst_packets": None,
        "burst_p95_packets": None,
        "server_s_per_gb": None,
        "client_s_per_gb": None,
        "startup_loss_rate": 25 / 77,
    }
    assert pytest.approx(expected) == first
    assert pytest.approx((0.15, 0.0, 1.0, first["utilization"])) == tuple(
        second[name] for name in ("throughput_mbps", "loss_rate", "queueing_delay_mean_ms", "utilization")
    )


def test_the_trial_keeps_every_rule(built):
    """The SYN-ACK took 52 ms, 2 of them in the queue; the link has 50 ms. No sender or host is known."""
    found = {row["rule"]: (row["figure"], row["valid"]) for row in rows(built, "validity")}
    unknown = {
        "client_wait_fraction",
        "sender_wait_fraction",
        "buffer_limited_fraction",
        "handshakes_lost_packets",
        "host_set_aside",
        "window_limited_fraction",
        "render_limited_fraction",
        "unfilled_fraction",
    }
    assert set(RULES) - unknown == set(found)
    assert all(valid for _, valid in found.values())
    assert found["rtt_error_ms"] == (0.0, True)


def test_the_series_covers_the_trial_and_sums_to_its_bytes(built):
    series = rows(built, "trial_series")
    assert [(client, slot) for client in ("c1", "c2") for slot in range(100)] == [
        (row["client"], row["slot"]) for row in series
    ]
    megabits = sum(row["throughput_mbps"] for row in series if row["client"] == "c1") * 0.1
    assert pytest.approx((150_000 + 40) * 8 / 1e6) == megabits
    assert sum(row["ip_bytes"] for row in series if row["client"] == "c1") == 150_000 + 40
    assert sum(row["dropped_packets"] for row in series) == 25


def test_a_stricter_threshold_decides_anew_without_extracting(built, tmp_path):
    build_trial(built, tmp_path / "again", config_with(tmp_path, cpu_pressure_fraction=0.001))
    first = rows(tmp_path / "again", "trial_services")[0]
    assert (first["valid"], first["reason"]) == (False, "cpu_pressure_fraction: 0.01 > 0.001")
    assert first["throughput_mbps"] == 0.2


def test_a_failed_trial_has_its_reason_and_no_numbers(tmp_path):
    (tmp_path / "trial").mkdir()
    report = example_trial().report()
    clients = [
        {"client": client, "service": service}
        for client, service in (("c1", "iperf-bbr"), ("c2", "iperf-cubic"))
    ]
    known = ("schema", "campaign", "cycle", "setting", "pair", "trial", "link", "seed")
    kept = {name: report[name] for name in known}
    text = json.dumps(kept | {"status": "failed", "reason": "the switch broke", "clients": clients})
    (tmp_path / "trial/trial.json").write_text(text)
    extract(tmp_path / "trial", tmp_path / "parquet")
    build_trial(tmp_path / "parquet", tmp_path / "parquet", config_with(tmp_path))
    assert [
        (row["rule"], row["figure"], row["threshold"], row["valid"])
        for row in rows(tmp_path / "parquet", "validity")
    ] == [("completed", 1.0, 0.0, False)]
    assert [
        (row["valid"], row["reason"], row["arrived_packets"], row["wire_rate_mbps"], row["utilization"])
        for row in rows(tmp_path / "parquet", "trial_services")
    ] == [(False, "the switch broke", None, None, None)] * 2
    assert rows(tmp_path / "parquet", "trial_series") == []


def test_the_same_input_gives_the_same_bytes(built, tmp_path):
    build_trial(built, tmp_path / "again", config_with(tmp_path))
    for table in PER_TRIAL:
        assert (built / f"{table}.parquet").read_bytes() == (tmp_path / f"again/{table}.parquet").read_bytes()


def test_two_threads_write_the_same_bytes_as_one(built, tmp_path, monkeypatch):
    for threads in (1, 2):
        monkeypatch.setattr(database, "THREADS", threads)
        build_trial(built, tmp_path / str(threads), config_with(tmp_path))
    for table in PER_TRIAL:
        one, two = ((tmp_path / threads / f"{table}.parquet").read_bytes() for threads in ("1", "2"))
        assert one == two, table


def test_a_rule_does_not_apply_to_a_cycle_that_was_planned_before_it(built, tmp_path):
    earlier = campaign(validity={key: VALIDITY[key] for key in VALIDITY if key != "rtt_error_ms"})
    build_trial(built, tmp_path / "again", write_campaign(tmp_path / "config.json", earlier))
    judged = [{row["rule"] for row in rows(folder, "validity")} for folder in (built, tmp_path / "again")]
    assert {"rtt_error_ms"} == judged[0] - judged[1]


def test_patterns_and_pages_are_those_of_the_catalogue():
    video = service("video", workload=("*.cdn.test", "video.test"))
    services = video, service("page", metric="web"), service("call", metric="rtc")
    assert {
        "patterns": [
            {"service": "video", "pattern": "*.cdn.test"},
            {"service": "video", "pattern": "video.test"},
        ],
        "pages": ["page"],
    } == bind_parameters(["patterns", "pages"], campaign(*services))


@pytest.mark.parametrize("missing", ["clients", "packets", "queue", "flows", "senders", "qoe"])
def test_a_missing_input_is_named(built, tmp_path, capsys, missing):
    (built / f"{missing}.parquet").unlink()
    arguments = [str(built), "-o", str(tmp_path / "again"), "--config", str(config_with(tmp_path))]
    assert main(arguments) == 2
    assert f"error: {built / missing}.parquet: is missing" in capsys.readouterr().err


def test_a_broken_config_is_named(built, tmp_path, capsys):
    (tmp_path / "config.json").write_text("{")
    assert main([str(built), "-o", str(tmp_path / "again"), "--config", str(tmp_path / "config.json")]) == 2
    assert "config.json: is not valid JSON" in capsys.readouterr().err


def test_every_rule_has_an_expression():
    words = (FOLDER / "validity.sql").read_text(encoding="utf-8").replace(",", " ").split()
    named = {after for word, after in pairwise(words) if word == "as"}
    assert [] == [name for name in RULES if name not in named]


@pytest.mark.parametrize(("named", "reason"), [("node-1", "host_set_aside: 1 > 0"), ("node-2", None)])
def test_the_trials_of_a_host_that_is_set_aside_are_judged_anew_without_extracting(tmp_path, named, reason):
    host = example_trial().report()["host"] | {"name": "node-1"}
    extract(example_trial().write(tmp_path / "trial", host=host), tmp_path / "parquet")
    for aside, expected in (((), None), ((named,), reason)):
        merged = replace(campaign(validity=VALIDITY), hosts_set_aside=aside)
        build_trial(tmp_path / "parquet", tmp_path / "rows", write_campaign(tmp_path / "config.json", merged))
        assert [(expected is None, expected)] * 2 == [
            (row["valid"], row["reason"]) for row in rows(tmp_path / "rows", "trial_services")
        ]
