"""Which of a service's connections show its congestion control."""

import pytest

from testbed.hosts import service_host
from testbed.sender_sampling import WORKLOAD_BYTES, shows_congestion_control
from testbed.tcp_info import Connection


def connection(sent_bytes: int) -> Connection:
    return Connection("198.18.1.10", 443, "198.18.1.2", 50_000, "bbr", {"bytes_sent": sent_bytes})


@pytest.mark.parametrize(("sent_bytes", "expected"), [(400, False), (WORKLOAD_BYTES + 1, True)])
def test_if_the_program_chooses_it_the_workload_shows_it_and_control_connections_do_not(sent_bytes, expected):
    assert expected == shows_congestion_control(connection(sent_bytes), service_host(1))


def test_if_the_route_sets_it_every_connection_shows_it():
    assert shows_congestion_control(connection(400), service_host(1, ["page.test"], "bbr"))
