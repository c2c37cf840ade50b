"""The shares that the planner sees are those of the tables, and a pair stays open until they are proven."""

import math
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.plan.planner import Cell, all_demands, judge, next_trials
from scripts.plan.shares import demand_mbps
from scripts.plan.trial_services import TrialService, read_trial_services
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.parameters import bind_parameters
from scripts.tables.table_schema import load_schema
from tests.model.campaigns import NUMBERS, campaign, service, setting
from tests.truth.worlds import World, measure, normal

CELL = Cell("8mbps", "a~b")
PAIRS_OF_TWELVE = [f"s{one:02d}~s{other:02d}" for one in range(12) for other in range(one, 12)]


def made_up(pairs=("a~b",), **numbers):
    """A campaign that compares so many pairs at 8 Mbps."""
    names = {name for pair in pairs for name in pair.split("~")}
    return campaign(
        services={name: service(name) for name in sorted(names)},
        pairs=tuple(pairs),
        trials=replace(NUMBERS, **numbers),
        settings={"8mbps": setting(queue_packets=128)},
    )


OF_66 = made_up(PAIRS_OF_TWELVE)
CELL_OF_66 = Cell("8mbps", "s00~s01")


def rows_of(cell, shares):
    """Trials of a pair on a link of 8 Mbps with these shares of the first service."""
    return [
        TrialService(
            *(cell.setting, cell.pair, number, f"c{place}", name, True, None, 4 * rate, "first"),
            wire_rate_mbps=4 * rate,
        )
        for number, share in enumerate(shares, start=1)
        for place, (name, rate) in enumerate(
            zip(cell.pair.split("~"), (share, 2 - share), strict=True), start=1
        )
    ]


def reason(campaign, cell, shares, **known):
    return judge(campaign, cell, rows_of(cell, shares), **known).reason


def test_ten_trials_cannot_prove_one_loss_among_66_pairs_so_the_pair_stays_open():
    assert "unproven" == reason(OF_66, CELL_OF_66, [0.5] * 10)
    assert "precise" == reason(OF_66, CELL_OF_66, [0.5] * 20)
    standing = judge(OF_66, CELL_OF_66, rows_of(CELL_OF_66, [0.5] * 10))
    assert ("open", 10) == (standing.state, standing.missing)
    assert "precise" == reason(made_up(), CELL, [0.5] * 10), "one pair alone is proven"


def test_a_pair_within_ten_percent_of_fair_closes():
    assert "precise" == reason(OF_66, CELL_OF_66, [0.91] * 10)
    assert "unproven" == reason(OF_66, CELL_OF_66, [0.89] * 10)


def test_a_pair_that_is_never_proven_closes_at_the_most_trials():
    mixed = [0.89] * 15 + [1.5] * 5
    assert "unproven" == reason(OF_66, CELL_OF_66, mixed)
    assert "enough" == reason(made_up(PAIRS_OF_TWELVE, most=20), CELL_OF_66, mixed)


def test_two_instances_of_one_service_have_nothing_to_prove():
    rows = [
        replace(row, service="a", instance="worse_off" if row.client == "c1" else "better_off")
        for row in rows_of(CELL, [0.5] * 10)
    ]
    rows = [replace(row, pair="a~a") for row in rows]
    itself = made_up(("a~a", *PAIRS_OF_TWELVE))
    assert "precise" == judge(itself, Cell("8mbps", "a~a"), rows).reason


def test_a_limited_service_that_gets_its_limit_does_not_lose():
    """One of 2 Mbps leaves 6 Mbps: a share of half of the link is a loss for the other one only."""
    demands = {Cell("8mbps", "s00"): 2.0}
    assert "precise" == reason(OF_66, CELL_OF_66, [0.5] * 10, demands=demands)
    assert "unproven" == reason(OF_66, CELL_OF_66, [0.5] * 10)


def test_an_unproven_pair_is_in_the_next_round():
    planned = next_trials(OF_66, rows_of(CELL_OF_66, [0.5] * 10))
    again = [key.number for key in planned if key.pair == CELL_OF_66.pair]
    assert [*range(11, 21)] == again


def alone(rates, valid=True):
    """Trials alone with these wire rates."""
    return [
        TrialService("8mbps", "a", number, "c1", "a", valid, True, rate, "first", wire_rate_mbps=rate)
        for number, rate in enumerate(rates, start=1)
    ]


@pytest.mark.parametrize(
    ("of", "rates", "expected"),
    [
        (service("a"), [], math.inf),
        (service("a"), [7.9] * 6, math.inf),
        (service("a"), [2.0, 2.5, 3.0], 2.5),
        (service("a"), [2.0, 2.5, 7.8], math.inf),
        (service("a"), [2.0] * 8 + [7.9], 2.0),
        (service("a", bitrate_mbps=2), [7.9] * 3, 2 * 1538 / 1448),
        (service("a", bitrate_mbps=20), [2.0] * 3, math.inf),
        (service("a", bitrate_mbps=2), [], math.inf),
    ],
)
def test_a_demand_is_that_of_the_table_solo(of, rates, expected, tmp_path):
    """Without trials alone a service has no row in solo, and counts as not limited."""
    rows = alone(rates)
    assert pytest.approx(expected) == demand_mbps(of, 8, rows)
    if rates:
        assert pytest.approx(expected) == demand_in_solo(of, rows, tmp_path)


def demand_in_solo(of, rows, folder):
    """The demand that the table solo gives for these trials."""
    schema = load_schema("trial_services").arrow
    table = [
        {"setting": row.setting, "pair": row.pair, "trial": row.trial, "client": row.client}
        | {"service": row.service, "valid": row.valid, "able": row.able, "instance": row.instance}
        | {"wire_rate_mbps": row.wire_rate_mbps, "clients": 1, "rate_mbps": 8.0, "status": "completed"}
        for row in rows
    ]
    path = folder / "trial_services.parquet"
    pq.write_table(pa.Table.from_pylist(table, schema=schema), path)
    inputs = bind_parameters(load_schema("solo").parameters, replace(made_up(), services={"a": of}))
    with connect() as connection:
        add_formulas(connection)
        (row,) = build(connection, "solo", inputs | {"trial_services": path}).to_pylist()
    return math.inf if row["demand_mbps"] is None else row["demand_mbps"]


def test_the_planner_closes_no_losing_pair_that_the_tables_cannot_prove(tmp_path):
    """What is precise and beyond 10 % has p of the table verdicts at 5 % / pairs or less."""
    world = World(normal(0.08), shares={"s01~s02": 0.75, "s03~s04": 1.2}, services=5, draws=2)
    tables = measure(world, 5, tmp_path / "world")
    rows = list(read_trial_services(tables / "trial_services.parquet"))
    by_cell = {}
    for row in rows:
        by_cell.setdefault(Cell(row.setting, row.pair), []).append(row)
    demands = all_demands(world.campaign, by_cell)
    medians = {
        (row["setting"], row["pair"], row["incumbent"]): row["share_median"]
        for row in pq.read_table(tables / "pairs.parquet").to_pylist()
    }
    for row in pq.read_table(tables / "verdicts.parquet").to_pylist():
        cell = Cell(row["setting"], row["pair"])
        standing = judge(world.campaign, cell, by_cell[cell], demands=demands)
        beyond = any(
            not 0.9 <= medians[row["setting"], row["pair"], row[side]] <= 1.1
            for side in ("service", "contender")
        )
        assert "closed" == standing.state and 10 == row["pairs"]
        assert standing.reason == "enough" or not beyond or row["p"] <= 0.05 / row["pairs"]
    assert {"precise"} == {
        judge(world.campaign, cell, by_cell[cell], demands=demands).reason
        for cell in by_cell
        if cell.pair in ("s01~s02", "s03~s04")
    }
