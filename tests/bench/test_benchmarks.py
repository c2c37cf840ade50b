"""Every benchmark runs on tiny inputs, in `make soak ONLY=benchmarks`. No test asserts a speed."""

import importlib
import inspect
import math

import pytest

from tests.bench.__main__ import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_can_be_started(name):
    parameters = inspect.signature(importlib.import_module(f"tests.bench.{name}").measure).parameters
    assert [*parameters] == ["size"]


@pytest.mark.soak(minutes=3)
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_runs(name):
    """`switch` gives no figures without root."""
    for what, figure, unit in importlib.import_module(f"tests.bench.{name}").measure("tiny"):
        assert what and unit
        assert math.isfinite(figure), what
