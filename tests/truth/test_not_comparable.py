"""An expectation that is false differs where the shares are settled, and hardly ever where they climb."""

from collections import Counter
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from scripts.model.expectations import Check, Expectation, FigureKey
from tests.tables.built import built
from tests.truth.claims import needed
from tests.truth.drifts import drifting
from tests.truth.worlds import measure


def verdicts(climb, above, folder):
    """How many cells of two services get each verdict on the expectation that a share of 1 is above this."""
    world = drifting(climb, 0.05, 10)
    tables = measure(world, 5, folder / "cycle", needed())
    figures = pq.read_table(tables / "figures.parquet")
    cells = [
        row for row in figures.to_pylist() if row["metric"] == "share" and row["service"] < row["contender"]
    ]
    checks = [
        Check(
            FigureKey(**{key: row[key] for key in ("setting", "service", "contender", "metric")}), above=above
        )
        for row in cells
    ]
    expected = replace(
        world.campaign, expectations=(Expectation("one", "It is so.", "a test", tuple(checks)),)
    )
    given = {"figures": figures, "samples": pq.read_table(tables / "samples.parquet")}
    found = Counter(row["verdict"] for row in built("expectations", given, folder, expected).to_pylist())
    return {verdict: count / len(cells) for verdict, count in found.items()}


def test_a_false_expectation_differs_in_a_settled_world(tmp_path):
    assert verdicts(0, 1.2, tmp_path)["did not"] >= 0.9


@pytest.mark.parametrize("climb", [0.2, 0.4])
def test_a_false_expectation_hardly_ever_differs_while_shares_climb(climb, tmp_path):
    assert verdicts(climb, 1.2, tmp_path).get("did not", 0) <= 0.05


def test_a_true_expectation_is_not_comparable_while_shares_climb(tmp_path):
    found = verdicts(0.4, 0.8, tmp_path)
    assert found["not comparable"] >= 0.9 and "did not" not in found
