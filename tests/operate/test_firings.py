"""Two years of daily firings of the timer, on a clock that is set."""

from datetime import date, timedelta

import pytest

from scripts.base.errors import UserError
from tests.operate.fake_actions import ANCHOR, Host

FIRINGS = 730
PERIOD = timedelta(14)


def fire_daily(host, days, is_off=lambda day: False, broken=lambda day: {}):
    """Fire at three o'clock of so many days, unless the host is off or a run is still active."""
    first = host.clock.moment
    for number in range(days):
        at = first + timedelta(number)
        if at < host.clock.moment or is_off(at.date()):
            continue
        host.clock.moment = at
        host.broken = broken(at.date())
        host.run()


def slots(count):
    return [(date.fromisoformat(ANCHOR) + number * PERIOD).isoformat() for number in range(count)]


@pytest.mark.parametrize("days", [0.5, pytest.param(13, marks=pytest.mark.soak(minutes=1))])
def test_every_cycle_of_two_years_is_on_the_grid_over_year_ends(tmp_path, days):
    host = Host(tmp_path, days=days)
    fire_daily(host, FIRINGS)
    assert host.completed() == slots(53)
    assert [record["started"][:10] for record in host.records().values()] == slots(53)


def test_outages_and_a_failed_cycle_move_no_name(tmp_path):
    """Off for 26 days: the cycle of its first slot is lost, that of the second begins late."""
    host = Host(tmp_path, days=1.5)
    long, short = (date(2027, 2, 1), date(2027, 2, 26)), (date(2027, 12, 24), date(2028, 1, 5))
    failing = date(2027, 5, 10)
    assert failing.isoformat() in slots(53)

    def is_off(day):
        return any(first <= day <= last for first, last in (long, short))

    def broken(day):
        return {"measure": UserError("the switch did not start")} if day == failing else {}

    fire_daily(host, FIRINGS, is_off, broken)
    lost = [slot for slot in slots(53) if slot == "2027-02-01"]
    assert lost and host.completed() == [slot for slot in slots(53) if slot not in lost]
    started = {cycle: record["started"][:10] for cycle, record in host.records().items()}
    late = {cycle: day for cycle, day in started.items() if cycle != day}
    assert late == {"2027-02-15": "2027-02-27", "2028-01-03": "2028-01-06"}
    assert [failure["step"] for failure in host.records()["2027-05-10"]["failures"]] == ["measure"]
    assert host.records()["2027-05-10"]["completed"] == "2027-05-12T15:00:00Z"


def test_cycles_that_take_longer_than_the_period_keep_names_of_the_grid(tmp_path):
    """They follow each other without a pause in one run, which prunes and reports between them."""
    host = Host(tmp_path, days=17)
    measure, end = host.actions.measure, host.clock.moment + timedelta(FIRINGS)

    def measure_until_the_end(*arguments):
        if host.clock.moment >= end:
            raise UserError("two years are over")
        return measure(*arguments)

    object.__setattr__(host.actions, "measure", measure_until_the_end)
    host.run()
    done = host.completed()
    assert set(done) < set(slots(53)) and len(done) == FIRINGS // 17 + 1
    assert host.calls.count("prune") == len(done) + 1
    assert all(record["scheduled"] for record in host.records().values())
