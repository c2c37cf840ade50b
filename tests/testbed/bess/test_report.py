"""The report's counters, each from the module or port that keeps it."""

import json

import pytest

from scripts.base.errors import UserError
from scripts.extract.testbed_columns import columns_on_testbed
from scripts.extract.trial_json import read_trial
from testbed.bess.report import DelayLine, DelayReport, PortCounts, complete
from testbed.bottleneck import Port
from testbed.hosts import client_host, service_host
from tests.extract.synthetic import example_trial

PORTS = [Port(client_host(1), service_host(1), 0, 0)]


def queue_report(counts):
    """The report of ObservatoryQueue for one client."""
    return {"version": "x", "parameters": {}, "downlink": counts | {"clients": [{"name": "c1"} | counts]}}


def test_a_report_has_the_form_of_the_embedded_switchs():
    counts = {
        "arrived_packets": 100, "arrived_bytes": 1000, "forwarded_packets": 0, "forwarded_bytes": 0,
        "dropped_packets": 5, "dropped_bytes": 50, "left_packets": 1, "left_bytes": 10,
    }  # fmt: skip
    lateness = {"p50": 1, "p99": 2, "max": 3, "count": 4, "start_ns": 5, "by_second": [6]}
    delay = DelayReport((DelayLine(94, 940, 920, 2, 20), DelayLine(50, 500, 410, 9, 90)), lateness)
    sent = {"client-c1": PortCounts(92, 920, 0, 3), "service-c1": PortCounts(40, 400, 1, 7)}
    report = complete(queue_report(counts), delay, sent, PORTS)
    whole = counts | {"forwarded_packets": 92, "forwarded_bytes": 920, "left_packets": 3, "left_bytes": 30}
    whole |= {"missed_packets": 7}
    assert report["downlink"] == whole | {"clients": [{"name": "c1"} | whole]}
    assert whole["arrived_packets"] == 92 + 5 + 3
    up = {"name": "c1", "packets": 40, "bytes": 400, "missed_packets": 3}
    up |= {"arrived_packets": 50, "arrived_bytes": 500, "left_packets": 10, "left_bytes": 100}
    assert report["uplink"] == {"clients": [up]}
    assert up["arrived_packets"] == up["packets"] + up["left_packets"]
    assert (report["write_errors"], report["lateness_ns"], report["version"]) == (1, lateness, "x")


def test_packets_that_the_daemon_missed_are_drops_of_devices(tmp_path):
    """The service's count as its own: they were lost before they arrived."""
    delay = DelayReport((DelayLine(0, 0, 0, 0, 0), DelayLine(0, 0, 0, 0, 0)), {"p99": 2})
    sent = {"client-c1": PortCounts(0, 0, 0, 3), "service-c1": PortCounts(0, 0, 0, 7)}
    report = complete(queue_report({"left_packets": 0, "left_bytes": 0}), delay, sent, PORTS)
    record = example_trial().report()
    record["bottleneck"] |= {name: report[name] for name in ("downlink", "uplink", "lateness_ns")}
    (tmp_path / "trial.json").write_text(json.dumps(record))
    trial = read_trial(tmp_path / "trial.json")
    columns = columns_on_testbed(trial, trial.clients[0])
    assert (columns["device_dropped_packets"], columns["service_device_dropped_packets"]) == (10, 7)
    assert columns["lateness_p99_ns"] == 2


def test_packets_that_a_clients_port_refuses_are_left_over_so_every_packet_is_accounted_for():
    counts = {
        "arrived_packets": 10, "arrived_bytes": 9000, "forwarded_packets": 0, "forwarded_bytes": 0,
        "dropped_packets": 1, "dropped_bytes": 1500, "left_packets": 1, "left_bytes": 60,
    }  # fmt: skip
    delay = DelayReport((DelayLine(8, 7440, 7400, 1, 40), DelayLine(0, 0, 0, 0, 0)), {})
    sent = {"client-c1": PortCounts(4, 2900, 3, 0), "service-c1": PortCounts(0, 0, 2, 0)}
    report = complete(queue_report(counts), delay, sent, PORTS)
    (found,) = report["downlink"]["clients"]
    assert (found["left_packets"], found["left_bytes"]) == (1 + 1 + 3, 60 + 40 + 4500)
    for unit in ("packets", "bytes"):
        fates = [found[f"{fate}_{unit}"] for fate in ("forwarded", "dropped", "left")]
        assert found[f"arrived_{unit}"] == sum(fates)
    assert report["write_errors"] == 5


WHOLE = queue_report({"left_packets": 0, "left_bytes": 0})


@pytest.mark.parametrize(
    ("queue", "lines"),
    [
        ({}, 2),
        (WHOLE | {"parameters": None}, 2),
        (WHOLE | {"downlink": []}, 2),
        (WHOLE | {"downlink": {"clients": []}}, 2),
        (WHOLE, 1),
        (WHOLE, 4),
    ],
)
def test_a_wrong_report_is_named(queue, lines):
    delay = DelayReport((DelayLine(0, 0, 0, 0, 0),) * lines, {})
    sent = {"client-c1": PortCounts(0, 0, 0, 0), "service-c1": PortCounts(0, 0, 0, 0)}
    with pytest.raises(UserError, match=r"ObservatoryQueue|bessd"):
        complete(queue, delay, sent, PORTS)


def test_a_ports_counters_are_the_difference_of_two_readings():
    assert PortCounts(10, 100, 2, 1).since(PortCounts(4, 40, 1, 0)) == PortCounts(6, 60, 1, 1)
