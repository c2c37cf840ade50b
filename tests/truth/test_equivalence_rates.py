"""How often pages say that the testbed, a service or the hosts are as before, and are wrong or right.

Every world is a panel of two settings. What earlier definitions gave stands beside.
"""

from collections.abc import Iterable

import numpy as np
import pytest

from scripts.metrics.multiple_tests import holm, holm_of_groups
from scripts.metrics.stratified import MARGIN
from scripts.site.root.control_charts import control_points
from tests.truth.cycle_pairs import (
    Pair,
    by_cycle,
    control_sentence,
    exactly,
    host_sentence,
    on_two_hosts,
    rows_of,
    year,
)
from tests.truth.rates import told
from tests.truth.worlds import World, normal

pytestmark = pytest.mark.soak(minutes=2)

SCATTERS = (0.1, 0.15, 0.2)
SHIFTS = (0.05, 0.1, 0.2)
YEARS = 100


def percent(rate: float) -> str:
    return f"{100 * rate:.0f} %"


def part(values: Iterable[bool]) -> float:
    return float(np.mean([*values]))


def said_as_before(folder, scatter, trials, **shift) -> float:
    """In which part of the cycles the page says that the testbed measures as before."""
    world = World(normal(scatter), services=3, draws=60, numbers=exactly(trials))
    tables = Pair(world, 3, **shift).compared(1, folder, ("service_changes",))
    cycles = by_cycle(rows_of(tables, "service_changes"))
    return part(control_sentence(rows).endswith("as before.") for rows in cycles)


@pytest.mark.parametrize("scatter", SCATTERS)
@pytest.mark.parametrize("shift", SHIFTS)
def test_as_before_is_said_of_a_shifted_testbed(scatter, shift, tmp_path):
    """Either all services get less, or in each pair the first one gets less and the other one more."""
    world = World(normal(scatter), services=3)
    less = said_as_before(tmp_path / "less", scatter, 10, factors=dict.fromkeys(world.names, 1 - shift))
    moved = said_as_before(tmp_path / "moved", scatter, 10, shares=dict.fromkeys(world.pairs, 1 - shift))
    target = "5 % at most (before: 88, 42, 79, 42 % at 10/5, 10/10, 15/10, 20/20 %)"
    what = f"as before, though shifted by {percent(shift)}, scatter {percent(scatter)}, n = 10"
    told(
        what,
        f"less {percent(less)}, moved {percent(moved)}",
        target if shift >= MARGIN else "within the margin",
    )
    if shift >= MARGIN:
        assert max(less, moved) <= 0.05


@pytest.mark.parametrize(
    ("scatter", "trials", "least"), [(0.05, 10, 0.8), (0.1, 10, 0.2), (0.1, 30, 0.9), (0.2, 30, 0)]
)
def test_as_before_is_said_of_a_testbed_that_did_not_change(scatter, trials, least, tmp_path):
    said = said_as_before(tmp_path, scatter, trials)
    what = f"as before, and it is, scatter {percent(scatter)}, n = {trials}"
    told(what, percent(said), f"{percent(least)} at least")
    assert said >= least


@pytest.mark.parametrize("scatter", SCATTERS)
def test_a_service_that_loses_a_fifth_everywhere_is_found(scatter, tmp_path):
    """Twelve services and ten trials. The table changes tests single cells, service_changes the service."""
    world = World(normal(scatter), draws=20, numbers=exactly(10))
    tables = Pair(world, factors={"s07": 0.8}).compared(1, tmp_path, ("service_changes",))
    cycles = [_judged(rows) for rows in by_cycle(rows_of(tables, "service_changes"))]
    found = part(row["changed"] for rows in cycles for row in rows if row["service"] == "s07")
    others = part(any(row["changed"] for row in rows if row["service"] != "s07") for rows in cycles)
    least = {0.1: 0.95, 0.15: 0.9, 0.2: 0.5}[scatter]
    before = {0.1: 34, 0.15: 7, 0.2: 2}[scatter]
    what = f"a service that loses 20 % everywhere is found, scatter {percent(scatter)}"
    told(what, percent(found), f"{percent(least)} at least (before: {before} % of its cells)")
    told("cycles that name another service", percent(others), "5 % at most")
    assert found >= least and others <= 0.05


def _judged(rows):
    """The rows of a cycle of its own: Holm's correction over its services alone."""
    corrected = holm([row["p"] for row in rows])
    return [row | {"changed": p < 0.05} for row, p in zip(rows, corrected, strict=True)]


def test_without_a_change_no_service_and_hardly_a_cell_changes(tmp_path):
    """A family of pairs has the false alarm rate of one test, although each pair has two rows."""
    world = World(normal(0.1), services=4, draws=100, numbers=exactly(10))
    tables = Pair(world, 3).compared(1, tmp_path, ("changes", "service_changes"))
    control = [row for row in rows_of(tables, "changes") if row["control"]]
    cells = part(
        min(holm_of_groups([row["p"] for row in rows], [row["setting"] + row["pair"] for row in rows])) < 0.05
        for rows in by_cycle(control)
    )
    services = part(row["verdict"] == "changed" for row in rows_of(tables, "service_changes"))
    told(
        "cycles without a change in which a cell of the control group changed",
        percent(cells),
        "5 % (up to 12 % in 50 draws)",
    )
    told("services that changed without a change", percent(services), "0 %")
    assert cells <= 0.12 and services == 0


@pytest.mark.parametrize("between", [0.0, 0.03, 0.05])
def test_the_control_chart_has_less_than_one_false_alarm_a_year(between):
    """After six cycles, 26 are judged. `between` is the scatter of every pair from cycle to cycle."""
    draw = np.random.default_rng(1)
    alarms = np.mean([_alarms(year(draw, 0.1, between, 32)) for _ in range(YEARS)])
    steps = part(_alarms(year(draw, 0.1, between, 23, (20, 0.2))) > 0 for _ in range(YEARS))
    chart = f"control chart, {percent(between)} from cycle to cycle"
    told(f"{chart}: false alarms a year", f"{alarms:.2f}", "1 at most, 0.05 meant (before: 0.5)")
    told(f"{chart}: a step of 20 % of one baseline after 20 cycles is found in 3", percent(steps), "told")
    assert alarms <= 0.15


def _alarms(cycles) -> int:
    """How many cycles have an alarm."""
    return sum(
        any(one.charted.alarm for one in points.values()) for points in control_points(cycles).values()
    )


@pytest.mark.parametrize(("services", "least"), [(3, 0.2), (6, 0.4)])
def test_hosts_agree_or_differ(services, least, tmp_path):
    """Ten trials of each pair on either host, in two settings; scatter 10 %."""
    pair = Pair(World(normal(0.1), services=services, draws=2, numbers=exactly(20)), services)
    moved = dict.fromkeys(pair.world.pairs, 0.7)
    same = [host_sentence(on_two_hosts(pair, seed, tmp_path / f"same-{seed}")) for seed in range(25)]
    other = [
        host_sentence(on_two_hosts(pair, seed, tmp_path / f"other-{seed}", shares=moved))
        for seed in range(10)
    ]
    agree, differ = (
        part("hosts agree:" in words for words in same),
        part("differ from each other" in words for words in same),
    )
    found = part("differ from each other" in words for words in other)
    what = f"{services} services on two hosts, 10 + 10 trials"
    told(
        f"{what}: identical hosts agree", percent(agree), f"{percent(least)} at least (before: 1 % of cells)"
    )
    told(f"{what}: identical hosts differ", percent(differ), "5 % at most")
    told(f"{what}: a difference of 30 % is found", percent(found), "95 % at least (before: 15 % of cells)")
    assert agree >= least and differ <= 0.05 and found >= 0.95


def test_twelve_services_on_two_hosts_agree_with_five_trials_on_each(tmp_path):
    """At the paper's count, ten trials of a pair, on two hosts."""
    pair = Pair(World(normal(0.1), draws=2, numbers=exactly(10)))
    tables = [on_two_hosts(pair, seed, tmp_path / f"{seed}") for seed in range(5)]
    agree = part("hosts agree:" in host_sentence(one) for one in tables)
    told(
        "12 services on two hosts, 5 + 5 trials: identical hosts agree",
        percent(agree),
        "told (before: no verdict)",
    )
