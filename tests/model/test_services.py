"""Services: how they are judged."""

from tests.model.campaigns import service


def test_calls_and_pages_are_not_judged_by_their_throughput():
    services = [service(), service(metric="throughput"), service(metric="rtc"), service(metric="web")]
    assert [True, True, False, False] == [each.judged_by_throughput for each in services]
