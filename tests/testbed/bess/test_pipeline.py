"""The calls that build the pipeline in the daemon."""

from testbed.bess import pipeline
from testbed.bess.client import messages
from testbed.bottleneck import Port
from testbed.hosts import client_host, service_host

PORTS = [Port(client_host(n), service_host(n), n * 1_000_000, n * 2_000_000) for n in (1, 2)]


def test_a_downlink_passes_queue_and_delay_and_an_uplink_the_delay(client, double):
    pipeline.build(client, PORTS, {"rate_bps": 8_000_000}, 8_004_000)
    connections = [
        messages.ConnectModulesRequest.FromString(request)
        for method, request in double.calls
        if method == "ConnectModules"
    ]
    assert [(found.m1, found.ogate, found.m2, found.igate) for found in connections] == [
        ("service-c1-in", 0, "queue", 0),
        ("queue", 0, "delay", 0),
        ("delay", 0, "client-c1-out", 0),
        ("client-c1-in", 0, "delay", 1),
        ("delay", 1, "service-c1-out", 0),
        ("service-c2-in", 0, "queue", 1),
        ("queue", 1, "delay", 2),
        ("delay", 2, "client-c2-out", 0),
        ("client-c2-in", 0, "delay", 3),
        ("delay", 3, "service-c2-out", 0),
    ]


def test_the_limit_of_the_queues_task_may_catch_up_100_ms(client, double):
    pipeline.build(client, PORTS, {}, 8_004_000)
    request = next(request for name, request in double.calls if name == "AddTc")
    limited = getattr(messages.TrafficClassRequest.FromString(request), "class")
    assert (limited.limit["bit"], limited.max_burst["bit"]) == (8_004_000, 800_400)


def test_an_unlimited_link_has_no_limit(client, double):
    pipeline.build(client, PORTS, {}, 0)
    assert "AddTc" not in [method for method, _ in double.calls]


def test_a_delay_starts_after_the_queue_on_the_downlink_and_at_arrival_on_the_uplink():
    assert pipeline.delay_lines(PORTS[:1]) == {
        "lines": [
            {"delay_ns": 1_000_000, "after_queue": True},
            {"delay_ns": 2_000_000, "after_queue": False},
        ]
    }


def test_inputs_are_closed_while_the_workers_pause(client, double):
    pipeline.close_inputs(client, PORTS[:1])
    assert double.calls == [
        ("PauseAll", b""),
        ("DestroyModule", b"\x0a\x0dservice-c1-in"),
        ("DestroyModule", b"\x0a\x0cclient-c1-in"),
        ("ResumeAll", b""),
    ]
