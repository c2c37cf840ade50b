"""The report's counters, each from the module or port that keeps it."""

from testbed.bess.report import DelayLine, DelayReport, PortCounts, complete
from testbed.bottleneck import Port
from testbed.hosts import client_host, service_host

PORTS = [Port(client_host(1), service_host(1), 0, 0)]


def queue_report(counts):
    """The report of ObservatoryQueue for one client."""
    return {"version": "x", "downlink": counts | {"clients": [{"name": "c1"} | counts]}}


def test_a_report_has_the_form_of_the_embedded_switchs():
    counts = {
        "arrived_packets": 100, "arrived_bytes": 1000, "forwarded_packets": 0, "forwarded_bytes": 0,
        "dropped_packets": 5, "dropped_bytes": 50, "left_packets": 1, "left_bytes": 10,
    }  # fmt: skip
    delay = DelayReport((DelayLine(920, 2, 20), DelayLine(400, 9, 90)), {"p50": 1})
    sent = {"client-c1": PortCounts(92, 920, 0, 3), "service-c1": PortCounts(40, 400, 1, 0)}
    report = complete(queue_report(counts), delay, sent, PORTS)
    whole = counts | {"forwarded_packets": 92, "forwarded_bytes": 920, "left_packets": 3, "left_bytes": 30}
    assert report["downlink"] == whole | {"clients": [{"name": "c1"} | whole]}
    assert whole["arrived_packets"] == 92 + 5 + 3
    assert report["uplink"] == {"clients": [{"name": "c1", "packets": 40, "bytes": 400}]}
    assert (report["write_errors"], report["port_missed_packets"]) == (1, 3)
    assert (report["lateness_ns"], report["version"]) == ({"p50": 1}, "x")


def test_packets_that_a_clients_port_refuses_are_left_over_so_every_packet_is_accounted_for():
    counts = {
        "arrived_packets": 10, "arrived_bytes": 9000, "forwarded_packets": 0, "forwarded_bytes": 0,
        "dropped_packets": 1, "dropped_bytes": 1500, "left_packets": 1, "left_bytes": 60,
    }  # fmt: skip
    delay = DelayReport((DelayLine(7400, 1, 40), DelayLine(0, 0, 0)), {})
    sent = {"client-c1": PortCounts(4, 2900, 3, 0), "service-c1": PortCounts(0, 0, 2, 0)}
    report = complete(queue_report(counts), delay, sent, PORTS)
    (found,) = report["downlink"]["clients"]
    assert (found["left_packets"], found["left_bytes"]) == (1 + 1 + 3, 60 + 40 + 4500)
    for unit in ("packets", "bytes"):
        fates = [found[f"{fate}_{unit}"] for fate in ("forwarded", "dropped", "left")]
        assert found[f"arrived_{unit}"] == sum(fates)
    assert report["write_errors"] == 5


def test_a_ports_counters_are_the_difference_of_two_readings():
    assert PortCounts(10, 100, 2, 1).since(PortCounts(4, 40, 1, 0)) == PortCounts(6, 60, 1, 1)
