"""K over the settings of a sweep: the interval of its percentile, and the draws of some settings."""

import hashlib
import math
import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.table_schema import load_schema


def k_row(setting, k, pair="a~b"):
    """K of a pair in a setting, of one valid trial."""
    services = dict(zip(("service", "contender"), pair.split("~", 1), strict=True))
    row = {"sweep": "link", "setting": f"link-{setting}", "pair": pair, "n": 1, "trials": "1"}
    return row | services | {"k": k, "k_abs": abs(k)}


def built(table, rows, folder, **parameters):
    """The rows of a table that is made from fmp_settings."""
    path = folder / "fmp_settings.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=load_schema("fmp_settings").arrow), path)
    with connect() as connection:
        add_formulas(connection)
        return build(connection, table, {"fmp_settings": path} | parameters).to_pylist()


@pytest.mark.parametrize(("settings", "places"), [(35, None), (36, (29, 36)), (100, (84, 96))])
def test_the_interval_of_the_percentile_is_that_of_binomial_order_statistics(settings, places, tmp_path):
    """The largest of n values is above the 90th percentile with the probability 1 - 0.9^n: 97.7 % for 36."""
    rows = [k_row(place, place / 200 * (-1) ** place) for place in range(1, settings + 1)]
    (row,) = built("fmp", rows, tmp_path, sweeps=[])
    assert settings == row["n"]
    if places is None:
        assert (None, None) == (row["low"], row["high"])
        return
    first, last = places
    assert pytest.approx((1 - last / 200, 1 - first / 200)) == (row["low"], row["high"])
    assert row["low"] < row["k_percentile"] < row["high"]
    assert sum(_chance(settings, k) for k in range(first, last)) >= 0.95


def _chance(n, k):
    """That exactly k of n values are below the 90th percentile."""
    return math.comb(n, k) * 0.9**k * 0.1 ** (n - k)


def draws(ks, drawn):
    """1 - P90 of |K| over the first settings of each draw, by NumPy."""
    return [
        1 - np.percentile([abs(ks[name]) for name in _in_order(ks, draw)[:drawn]], 90)
        for draw in range(1, 1001)
    ]


def _in_order(names, draw):
    return sorted(names, key=lambda name: hashlib.md5(f"{draw} {name}".encode()).hexdigest())


def test_the_draws_are_the_first_settings_in_the_order_of_their_hash(tmp_path):
    rng = random.Random(3)
    rows = [k_row(place, rng.uniform(-0.5, 0.5)) for place in range(70)]
    ks = {row["setting"]: row["k"] for row in rows}
    found = built("fmp_accuracy", rows, tmp_path)
    assert [20, 40, 60] == [row["drawn_settings"] for row in found]
    percentiles = {"lowest": 0, "p5": 5, "q25": 25, "median": 50, "q75": 75, "p95": 95, "highest": 100}
    for row in found:
        expected = draws(ks, row["drawn_settings"])
        for name, percent in percentiles.items():
            assert pytest.approx(np.percentile(expected, percent)) == row[name], name
        assert pytest.approx(1 - np.percentile([*map(abs, ks.values())], 90)) == row["exact"]
    spreads = [row["p95"] - row["p5"] for row in found]
    assert spreads == sorted(spreads, reverse=True)


def test_the_order_of_the_rows_changes_no_digit(tmp_path):
    rng = random.Random(4)
    rows = [k_row(place, rng.uniform(-0.5, 0.5), pair) for place in range(45) for pair in ("a~b", "a~b~d")]

    def both():
        return built("fmp", rows, tmp_path, sweeps=[]), built("fmp_accuracy", rows, tmp_path)

    first = both()
    rng.shuffle(rows)
    assert first == both()
