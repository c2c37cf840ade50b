"""Which of a service's connections tell its congestion control."""

import pytest

from testbed.hosts import service_host
from testbed.senders import WORKLOAD_BYTES, tells_control


@pytest.mark.parametrize(("sent_bytes", "told"), [(400, False), (WORKLOAD_BYTES + 1, True)])
def test_where_the_program_chooses_it_the_workload_tells_and_not_what_steers_it(sent_bytes, told):
    assert told == tells_control({"bytes_sent": sent_bytes}, service_host(1))


def test_where_the_route_sets_it_every_connection_tells():
    assert tells_control({"bytes_sent": 400}, service_host(1, ["page.test"], "bbr"))
