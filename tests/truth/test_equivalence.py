"""Worlds that did and did not change: what is said of the testbed, of services and of hosts.

The rates are in test_equivalence_rates.py.
"""

import numpy as np
import pytest

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
from tests.truth.worlds import World, normal

CONTROL = World(normal(0.1), services=3, draws=8, numbers=exactly(10))
AS_BEFORE = "the testbed measures as before."
LESS = dict.fromkeys(CONTROL.names, 1 - MARGIN)
MOVED = dict.fromkeys(CONTROL.pairs, 1 - MARGIN)


@pytest.mark.parametrize("shift", [{"factors": LESS}, {"shares": MOVED}], ids=["less for all", "moved"])
def test_a_testbed_that_shifts_by_the_margin_does_not_measure_as_before(shift, tmp_path):
    tables = Pair(CONTROL, 3, **shift).compared(1, tmp_path, ("service_changes",))
    cycles = by_cycle(rows_of(tables, "service_changes"))
    assert not any(control_sentence(rows).endswith(AS_BEFORE) for rows in cycles)


def test_a_steady_testbed_measures_as_before(tmp_path):
    steady = World(normal(0.05), services=3, draws=8, numbers=exactly(10))
    tables = Pair(steady, 3).compared(1, tmp_path, ("service_changes",))
    said = [
        control_sentence(rows).endswith(AS_BEFORE) for rows in by_cycle(rows_of(tables, "service_changes"))
    ]
    assert sum(said) >= 3


def test_a_service_that_loses_a_fifth_everywhere_is_found_and_no_other(tmp_path):
    world = World(normal(0.1), draws=2, numbers=exactly(10))
    tables = Pair(world, factors={"s07": 0.8}).compared(1, tmp_path, ("service_changes",))
    changed = [row for row in rows_of(tables, "service_changes") if row["verdict"] == "changed"]
    assert {("draw-0", "s07"), ("draw-1", "s07")} == {(row["setting"], row["service"]) for row in changed}
    assert all(row["shift_low"] < -0.2 < row["shift_high"] for row in changed)


def test_no_alarm_in_a_year_without_a_change_and_one_after_a_step():
    draw = np.random.default_rng(1)
    still, step = (year(draw, 0.1, 0.02, 26, step) for step in ((0, 0.0), (20, 0.3)))
    assert not any(one.charted.alarm for points in control_points(still).values() for one in points.values())
    points = control_points(step)
    assert points[step[20]]["bbr"].charted.alarm and not points[step[19]]["bbr"].charted.alarm


def test_hosts_that_measure_the_same_agree_and_others_do_not(tmp_path):
    pair = Pair(World(normal(0.05), services=3, draws=2, numbers=exactly(20)))
    assert "The hosts agree" in host_sentence(on_two_hosts(pair, 1, tmp_path / "same"))
    moved = dict.fromkeys(pair.world.pairs, 0.7)
    assert "differ from each other" in host_sentence(on_two_hosts(pair, 1, tmp_path / "other", shares=moved))
