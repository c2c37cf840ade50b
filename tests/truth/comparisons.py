"""Worlds in which one figure is compared with others: harm, predictions from pairs, and two figures.

Every setting is one draw of the same cycle, as in worlds.py. A scatter draws values around 1.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from scripts.model.expectations import Check, Expectation, FigureKey, Multiple
from scripts.model.pairs import contender_name, members
from tests.tables.built import built
from tests.tables.campaigns import campaign, service

Row = dict[str, Any]
Values = np.ndarray[Any, np.dtype[np.float64]]
Scatter = Callable[[np.random.Generator, int], Values]

RATE_MBPS, RTT_MS = 8.0, 50.0
SERVICES = ("a", "b", "c")


def normal(sd: float) -> Scatter:
    """Trials scatter normally."""
    return lambda draw, size: np.maximum(draw.normal(1, sd, size), 0.01)


def skewed(sd: float) -> Scatter:
    """Trials scatter lognormally: a few are far above the others."""
    return lambda draw, size: draw.lognormal(0, sd, size)


def two_modes(sd: float) -> Scatter:
    """Two thirds of the trials fall around 1, one third far above; the median is within the first mode."""
    return lambda draw, size: np.where(draw.random(size) < 1 / 3, 2, 1) + draw.normal(0, sd, size)


def _client(setting: str, pair: str, trial: int, number: int, **measured: float) -> Row:
    names = members(pair)
    return {
        "setting": setting,
        "pair": pair,
        "trial": trial,
        "client": f"c{number}",
        "service": names[number - 1],
        "contender": contender_name([*names[: number - 1], *names[number:]]),
        "instance": "first",
        "clients": len(names),
        "self_pair": False,
        "status": "completed",
        "valid": True,
        "rate_mbps": RATE_MBPS,
        "rtt_ms": RTT_MS,
        "utilization": 1.0,
        **measured,
    }


ALONE, BESIDE = (7.5, 0.01, 50.0), (3.0, 0.04, 100.0)
"""Median throughput in Mbps, loss rate and queueing delay in ms of a service alone and beside another one."""
HARM = {"harm_throughput": 1 - 3 / 7.5, "harm_loss": 0.75, "harm_delay": 1 / 3}
"""The harm that follows from them."""


def harms(
    folder: Path, draws: int, trials: tuple[int, int], scatters: tuple[Scatter, Scatter], seed: int
) -> pa.Table:
    """The table figures of a service alone and in a pair, from so many trials of each with these scatters."""
    draw = np.random.default_rng(seed)
    rows = []
    for setting in (f"draw-{number}" for number in range(draws)):
        cells = zip(("a", "a~b"), (ALONE, BESIDE), trials, scatters, strict=True)
        for pair, medians, count, scatter in cells:
            values = np.outer(medians, np.ones(count)) * [scatter(draw, count) for _metric in medians]
            for trial, (rate, loss, delay) in enumerate(values.T.tolist(), start=1):
                measured = {"throughput_mbps": rate, "wire_rate_mbps": rate, "loss_rate": loss}
                rows.append(_client(setting, pair, trial, 1, queueing_delay_mean_ms=delay, **measured))
    return _figures(folder, rows)


def predictions(
    folder: Path, draws: int, trials: tuple[int, int], scatter: Scatter, weights: Sequence[float], seed: int
) -> pa.Table:
    """The table figures of three services that keep the ratios of their pairs.

    Args:
        folder: for the tables.
        draws: how many cycles.
        trials: of every pair, and of all three services.
        scatter: of what a service gets, over its truth.
        weights: the true weight of each service.
        seed: of the draws.
    """
    draw = np.random.default_rng(seed)
    weight = dict(zip(SERVICES, weights, strict=True))
    rows: list[Row] = []
    for setting in (f"draw-{number}" for number in range(draws)):
        for size, count in zip((2, 3), trials, strict=True):
            for names in combinations(SERVICES, size):
                for trial in range(1, count + 1):
                    rates = np.array([weight[name] for name in names]) * scatter(draw, size)
                    rates *= RATE_MBPS / rates.sum()
                    rows += [
                        _client(setting, "~".join(names), trial, number, wire_rate_mbps=rate)
                        for number, rate in enumerate(rates.tolist(), start=1)
                    ]
    return _figures(folder, rows)


def _figures(folder: Path, rows: list[Row]) -> pa.Table:
    measured = campaign(*(service(name) for name in SERVICES))
    solo = built("solo", {"trial_services": rows}, folder, measured)
    return built("figures", {"trial_services": rows, "solo": solo}, folder, measured)


def two_figures(
    folder: Path,
    draws: int,
    trials: tuple[int, int],
    scatters: tuple[Scatter, Scatter],
    times: float,
    seed: int,
) -> list[str]:
    """The verdict of each draw on the expectation that the throughput beside b is above that beside c.

    The median beside b is `times` the median beside c, which is 1 Mbps.
    """
    draw = np.random.default_rng(seed)
    checks, samples = [], []
    for setting in (f"draw-{number}" for number in range(draws)):
        keys = [
            FigureKey(setting=setting, service="a", contender=contender, metric="throughput_mbps")
            for contender in ("b", "c")
        ]
        checks.append(Check(keys[0], above=Multiple(keys[1])))
        for key, count, scatter, factor in zip(keys, trials, scatters, (times, 1), strict=True):
            samples += list(_samples(key, factor * scatter(draw, count)))
    expected = campaign(expectations=(Expectation("above", "It is above.", "this test", tuple(checks)),))
    return [
        row["verdict"] for row in built("expectations", {"samples": samples}, folder, expected).to_pylist()
    ]


def _samples(key: FigureKey, values: Values) -> Iterator[Row]:
    flags = {"lower_bound": False, "undefined": False, "valid": True, "completed": True}
    for trial, value in enumerate(values.tolist(), start=1):
        yield vars(key) | flags | {"pair": key.pair, "trial": trial, "value": value}


def covered(figures: pa.Table, metric: str, truth: dict[str, float]) -> float:
    """The fraction of the intervals of a metric in pairs that hold the truth, by service."""
    rows = [row for row in figures.to_pylist() if row["metric"] == metric and row["contender"]]
    return sum(row["low"] <= truth[row["service"]] <= row["high"] for row in rows) / len(rows)
