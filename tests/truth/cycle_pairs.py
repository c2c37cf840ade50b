"""Two cycles of one world, of which the second may differ by a known shift; cycles that two hosts measure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.records import from_json
from scripts.figures.figure import Figure
from scripts.model.campaign import Campaign, TrialNumbers
from scripts.site.addresses import Place
from scripts.site.cycle.hosts import Agreement, HostFigures, hosts_sentence
from scripts.site.data.service_change import ServiceChange
from scripts.site.root.archive_cycles import Cycle
from scripts.site.story.changes import Changes, control_words
from scripts.site.story.names import Names
from scripts.tables.cycle_tables import build_summaries
from scripts.tables.parameters import CONTROL
from scripts.tables.table_schema import load_schema
from tests.model.campaigns import NUMBERS
from tests.site.root.sample_summaries import make_summary
from tests.site.sample_figures import change
from tests.truth.worlds import World, measure

Row = dict[str, Any]

BASELINES = ("bbr", "cubic", "reno")
"""The services of a control chart."""


def exactly(trials: int) -> TrialNumbers:
    """So many trials of every pair, whatever their interval, and no more of a service alone."""
    return replace(NUMBERS, round=trials, most=trials, attempts=trials, solo=trials)


@dataclass(frozen=True)
class Pair:
    """Two cycles of one world: the second one has other true shares, and what each service gets is scaled.

    Attributes:
        world: of both cycles.
        baselines: how many of its services are baselines, the first ones.
        shares: the true shares of the second cycle, by pair.
        factors: what each service of a pair gets in the second cycle, as a multiple, by its name.
    """

    world: World
    baselines: int = 0
    shares: Mapping[str, float] = field(default_factory=dict)
    factors: Mapping[str, float] = field(default_factory=dict)

    @property
    def campaign(self) -> Campaign:
        """The campaign of the world, with its baselines."""
        campaign, baselines = self.world.campaign, self.world.names[: self.baselines]
        services = {
            name: replace(service, category=CONTROL if name in baselines else service.category)
            for name, service in campaign.services.items()
        }
        return replace(campaign, services=services)

    def compared(self, seed: int, folder: Path, only: Sequence[str]) -> Path:
        """The folder of the second cycle, with the tables that `only` names; measures both cycles."""
        before = measure(self.world, 2 * seed, folder / "before", only=())
        after = measure(replace(self.world, shares=self.shares), 2 * seed + 1, folder / "after", only=())
        changed(after, self._scaled)
        build_summaries(after, self.campaign, before / "trial_services.parquet", only)
        return after

    def _scaled(self, row: Row) -> Row:
        factor = self.factors.get(row["service"], 1) if row["clients"] > 1 else 1
        return row | {"throughput_mbps": row["throughput_mbps"] * factor}


def on_two_hosts(
    pair: Pair, seed: int, folder: Path, factor: float = 1.0, shares: Mapping[str, float] | None = None
) -> Path:
    """Measure a cycle whose trials two hosts take in turns, and build the tables about hosts.

    Args:
        pair: its world and its baselines.
        seed: of the trials.
        folder: to make.
        factor: what every service gets on the second host, as a multiple.
        shares: the true shares on the second host; none: those of the world.

    Returns:
        The folder of the tables.
    """
    measure(pair.world, 2 * seed, folder / "one", only=())
    other = measure(replace(pair.world, shares=shares or {}), 2 * seed + 1, folder / "other", only=())
    theirs = {_key(row): row for row in _rows(other)}

    def on_a_host(row: Row) -> Row:
        if row["trial"] % 2:
            return row | {"host": "node-1"}
        twin = theirs[_key(row)]
        return twin | {"host": "node-2", "throughput_mbps": twin["throughput_mbps"] * factor}

    tables = folder / "one"
    changed(tables, on_a_host)
    build_summaries(tables, pair.campaign, only=("hosts", "host_agreement"))
    return tables


def changed(tables: Path, change: Callable[[Row], Row]) -> None:
    """Replace each row of trial_services."""
    rows = [change(row) for row in _rows(tables)]
    schema = load_schema("trial_services").arrow
    pq.write_table(pa.Table.from_pylist(rows, schema), tables / "trial_services.parquet")


def rows_of(tables: Path, table: str) -> list[Row]:
    """The rows of a table."""
    return pq.read_table(tables / f"{table}.parquet").to_pylist()


def by_cycle(rows: Iterable[Row]) -> list[list[Row]]:
    """The rows of each two settings, which are as good as a cycle of its own: a cycle has two settings."""
    cycles: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        cycles[int(row["setting"].removeprefix("draw-")) // 2].append(row)
    return [*cycles.values()]


def control_sentence(rows: Iterable[Row]) -> str:
    """What the page says of the control group: no cell of it changed, and these are its service_changes."""
    services = [from_json(ServiceChange, row, "service_changes") for row in rows]
    cell = change("s01", "s02", 4.0, 4.0, changed=False, control=True)
    return control_words(Changes((cell,), tuple(services)), Names(()))


def host_sentence(tables: Path) -> str:
    """What the page says of the two hosts."""
    different = Counter(row["host"] for row in rows_of(tables, "hosts") if row["verdict"] == "different")
    hosts = [HostFigures(name, 1, 1, 0, 0, 0, False, different[name]) for name in ("node-1", "node-2")]
    compared = [from_json(Agreement, row, "host_agreement") for row in rows_of(tables, "host_agreement")]
    return hosts_sentence(hosts, compared)


def year(
    draw: np.random.Generator, scatter: float, between: float, cycles: int, step: tuple[int, float] = (0, 0.0)
) -> list[Cycle]:
    """Cycles of three baselines, two settings and ten trials.

    Args:
        draw: draws trials and cycles.
        scatter: the standard deviation of the share between trials.
        between: that between cycles: in each, every pair has an offset of its own.
        cycles: how many.
        step: from which cycle on the first service gets more, and by how much.
    """
    found: list[Cycle] = []
    for number in range(cycles):
        name = (date(2026, 1, 5) + timedelta(days=14 * number)).isoformat()
        summary = make_summary(Place("watchdog", name), BASELINES, ["8mbps", "50mbps"])
        services = tuple(replace(service, baseline=True) for service in summary.services)
        found.append(
            Cycle(
                (replace(summary, services=services, host={}),),
                (),
                tuple(_control_cells(draw, scatter, between, step[1] if number >= step[0] else 0.0)),
            )
        )
    return found


def _control_cells(
    draw: np.random.Generator, scatter: float, between: float, shift: float
) -> Iterator[Figure]:
    for setting, rate_mbps in (("8mbps", 8), ("50mbps", 50)):
        for one, other in combinations(BASELINES, 2):
            share = 1 + draw.normal(0, between) + shift * (one == BASELINES[0])
            median = float(np.median(draw.normal(share, scatter, 10))) * rate_mbps / 2
            for service, contender, mbps in ((one, other, median), (other, one, rate_mbps - median)):
                yield change(service, contender, mbps, mbps, setting=setting, control=True)


def _rows(tables: Path) -> list[Row]:
    return rows_of(tables, "trial_services")


def _key(row: Row) -> tuple[object, ...]:
    return row["setting"], row["pair"], row["trial"], row["client"]
