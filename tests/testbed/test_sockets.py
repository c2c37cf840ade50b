"""The congestion controls that ss prints."""

from testbed.sockets import congestion_controls

CONTROL = (
    "ESTAB 0 0 198.18.1.10:5201 198.18.1.2:40000\n"
    "\t bbr wscale:7,7 rto:254 rtt:53.1/8 mss:1448 cwnd:10 bytes_sent:400 bytes_acked:401\n"
)
WORKLOAD = (
    "ESTAB 0 912240 198.18.1.10:5201 198.18.1.2:40002\n"
    "\t cubic wscale:7,7 rto:400 rtt:180.9/3 mss:1448 cwnd:98 bytes_sent:4912240 bytes_acked:4770001\n"
)


def test_only_connections_that_carry_the_workload_count():
    assert congestion_controls(CONTROL + WORKLOAD) == ["cubic"]


def test_each_control_is_named_once_in_order():
    assert congestion_controls(WORKLOAD.replace("cubic", "reno") + WORKLOAD + WORKLOAD) == ["cubic", "reno"]


def test_an_idle_host_has_none():
    assert congestion_controls("") == []
