"""Distributions of generated flows: quantiles worked by hand, and draws that follow them."""

import math
from itertools import islice
from random import Random
from statistics import fmean

import pytest

from scripts.base.files import ROOT
from scripts.model.distributions import draws, mean, quantile, typical
from scripts.model.services import Distribution, read_service

EXPONENTIAL = Distribution("exponential", mean=0.5)
LOGNORMAL = Distribution("lognormal_pareto", median=1000, sigma=2)
TAILED = Distribution("lognormal_pareto", median=1000, sigma=1, tail_from=1000, tail_index=1, most=4000)
MEASURED = Distribution("empirical", points=((100, 0.25), (200, 0.5), (1000, 1)))
FIXED = Distribution("fixed", values=(3, 1, 2))
RANDOM = pytest.mark.parametrize("distribution", [EXPONENTIAL, LOGNORMAL, TAILED, MEASURED])


@pytest.mark.parametrize(
    ("distribution", "p", "expected"),
    [
        (EXPONENTIAL, 1 - math.exp(-1), 0.5),
        (EXPONENTIAL, 0.5, 0.5 * math.log(2)),
        (LOGNORMAL, 0.5, 1000),
        (LOGNORMAL, 0.8413447460685429, 1000 * math.exp(2)),  # one standard deviation above the median
        (TAILED, 0.15865525393145707, 1000 / math.e),  # one below it, in the body
        (TAILED, 0.5, 1000),
        # The tail has the upper half. With index 1 from 1000 to 4000, 1 - F = (1000/x - 1/4) / (3/4).
        (TAILED, 0.5 + 0.5 * 2 / 3, 2000),
        (TAILED, 1 - 1e-12, 4000),
        (MEASURED, 0.1, 100),
        (MEASURED, 0.25, 100),
        (MEASURED, 0.375, 150),
        (MEASURED, 0.75, 600),
        (MEASURED, 1, 1000),
    ],
)
def test_quantiles_worked_by_hand(distribution, p, expected):
    assert pytest.approx(expected, rel=1e-9) == quantile(distribution, p)


@RANDOM
def test_quantiles_rise(distribution):
    values = [quantile(distribution, step / 1000) for step in range(1, 1000)]
    assert sorted(values) == values


@RANDOM
def test_draws_follow_the_quantiles(distribution):
    drawn = sorted(islice(draws(distribution, Random(1)), 20_000))
    for p in (0.3, 0.5, 0.9):
        at_most = sum(value <= quantile(distribution, p) for value in drawn) / len(drawn)
        assert pytest.approx(p, abs=0.015) == at_most  # four standard deviations


def test_fixed_values_come_in_turn():
    assert [3, 1, 2, 3, 1] == list(islice(draws(FIXED, Random(1)), 5))
    assert [3, 1, 2, 3] == list(islice(typical(FIXED), 4))


@pytest.mark.parametrize(
    ("distribution", "expected"),
    [(EXPONENTIAL, 0.5), (MEASURED, 0.25 * 100 + 0.25 * 150 + 0.5 * 600)],
)
def test_the_mean_is_what_is_typical(distribution, expected):
    assert pytest.approx(expected, rel=1e-3) == mean(distribution)
    assert [mean(distribution)] * 2 == list(islice(typical(distribution), 2))


def test_a_heavy_tail_counts_in_the_mean():
    assert fmean(islice(draws(TAILED, Random(1)), 20_000)) == pytest.approx(mean(TAILED), rel=0.02)


def test_the_random_number_0_has_a_quantile():
    class Zero(Random):
        def random(self):
            return 0.0

    assert next(draws(LOGNORMAL, Zero())) > 0


@pytest.mark.parametrize("cca", ["bbr", "cubic", "reno"])
def test_the_web_flows_are_those_of_the_papers_text(cca):
    """Zapletal and Kuipers 2023, section 4: half fit into the initial window, 1 % outgrow slow start."""
    generator = read_service(ROOT / f"services/catalogue/flows-web-{cca}.yaml").generator
    assert generator is not None
    sizes = generator.sizes_bytes
    assert quantile(sizes, 0.5) == pytest.approx(10 * 1448, rel=0.001)
    outgrown = math.prod([0.5e6, 1.3e6, 4.0e6, 9.2e6]) ** (1 / 4)
    assert quantile(sizes, 0.99) == pytest.approx(outgrown, rel=0.05)
    assert quantile(sizes, 1 - 1e-9) <= 25e6
