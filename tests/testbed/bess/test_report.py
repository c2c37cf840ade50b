"""The report's counters, each from where it is kept."""

from testbed.bess.report import Sent, complete
from testbed.bottleneck import Port
from testbed.hosts import client_host, service_host

PORTS = [Port(client_host(1), service_host(1), 0, 0)]


def queue_report(counts):
    """What ObservatoryQueue reports of one client."""
    return {"version": "x", "downlink": counts | {"clients": [{"name": "c1"} | counts]}}


def test_a_report_has_the_form_of_the_embedded_switchs():
    counts = {
        "arrived_packets": 100, "arrived_bytes": 1000, "forwarded_packets": 0, "forwarded_bytes": 0,
        "dropped_packets": 5, "dropped_bytes": 50, "left_packets": 1, "left_bytes": 10,
    }  # fmt: skip
    delay = {
        "lateness_ns": {"p50": 1},
        "lines": [
            {"out_bytes": 920, "left_packets": 2, "left_bytes": 20},
            {"out_bytes": 400, "left_packets": 9, "left_bytes": 90},
        ],
    }
    sent = {"client-c1": Sent(92, 920, 0, 3), "service-c1": Sent(40, 400, 1, 0)}
    report = complete(queue_report(counts), delay, sent, PORTS)
    whole = counts | {"forwarded_packets": 92, "forwarded_bytes": 920, "left_packets": 3, "left_bytes": 30}
    assert report["downlink"] == whole | {"clients": [{"name": "c1"} | whole]}
    assert whole["arrived_packets"] == 92 + 5 + 3
    assert report["uplink"] == {"clients": [{"name": "c1", "packets": 40, "bytes": 400}]}
    assert (report["write_errors"], report["port_missed_packets"]) == (1, 3)
    assert (report["lateness_ns"], report["version"]) == ({"p50": 1}, "x")


def test_what_a_clients_port_refuses_is_left_over_so_that_every_packet_has_a_fate():
    counts = {
        "arrived_packets": 10, "arrived_bytes": 9000, "forwarded_packets": 0, "forwarded_bytes": 0,
        "dropped_packets": 1, "dropped_bytes": 1500, "left_packets": 1, "left_bytes": 60,
    }  # fmt: skip
    lines = [
        {"out_bytes": 7400, "left_packets": 1, "left_bytes": 40},
        {"out_bytes": 0, "left_packets": 0, "left_bytes": 0},
    ]
    sent = {"client-c1": Sent(4, 2900, 3, 0), "service-c1": Sent(0, 0, 2, 0)}
    report = complete(queue_report(counts), {"lateness_ns": {}, "lines": lines}, sent, PORTS)
    (found,) = report["downlink"]["clients"]
    assert (found["left_packets"], found["left_bytes"]) == (1 + 1 + 3, 60 + 40 + 4500)
    for unit in ("packets", "bytes"):
        fates = [found[f"{fate}_{unit}"] for fate in ("forwarded", "dropped", "left")]
        assert found[f"arrived_{unit}"] == sum(fates)
    assert report["write_errors"] == 5


def test_a_ports_counters_are_those_since_an_earlier_reading():
    assert Sent(10, 100, 2, 1).since(Sent(4, 40, 1, 0)) == Sent(6, 60, 1, 1)
