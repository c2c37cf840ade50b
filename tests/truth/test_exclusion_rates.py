"""How often the pooled test sees a rule that excludes at random, and one that does so by the outcome."""

import pytest

from tests.truth.exclusions import Stall, at_random, measured, when_low
from tests.truth.rates import told
from tests.truth.test_exclusion import LOSES, TESTS
from tests.truth.worlds import World, normal

CYCLES = 150


@pytest.mark.soak(minutes=2)
@pytest.mark.parametrize(
    ("what", "shares", "stall", "least", "most"),
    [
        ("at random, fair services", {}, at_random(0.1), 0, 0.05),
        ("at random, unfair services", LOSES, at_random(0.1), 0, 0.05),
        ("when the loser gets less", LOSES, when_low(0.65), 0.95, 1),
    ],
)
def test_rates(what: str, shares: dict[str, float], stall: Stall, least: float, most: float, tmp_path):
    cycle = measured(World(normal(0.1), shares, services=4, draws=2), 1, tmp_path / "tables")
    seen = sum(
        row["direction"] != "undecided"
        for seed in range(CYCLES)
        for row in cycle.judged(stall, seed, TESTS)["exclusion_tests"]
    )
    told(f"exclusion {what}: seen", f"{seen / CYCLES:.3f}", f"{least:g} to {most:g}")
    chance = 0.03 if most < 1 else 0
    assert least <= seen / CYCLES <= most + chance, (
        "0.03: nearly two standard deviations of 150 cycles at 5 %"
    )
