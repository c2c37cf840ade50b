"""The root's pages of two cycles with tables, and of one that has nothing but figures of ten trials."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.site.addresses import Place
from scripts.site.data.figures import figures
from scripts.site.data.index import write_index
from scripts.site.data.summary import PARQUET, Summary
from scripts.site.data.tables_v1 import write_tables
from scripts.site.root.build_root import build_root
from scripts.site.settings import SiteSettings
from tests.charts.sample_campaign import SERVICES
from tests.charts.sample_cycle import sample_tables
from tests.charts.sample_files import write_tables as write_snapshot_tables
from tests.site.root.sample_summaries import WORDS, make_rows, make_summary, write_pages

SETTINGS = SiteSettings("demo", "https://observatory.example/", "captures/")
EARLIER, LATER, MANY = (
    Place("demo", "2026-11-21"),
    Place("demo", "2026-12-05"),
    Place("watchdog", "2026-12-01"),
)
LINKS = ("8mbps", "50mbps")
STANDS_FOR = {"iperf-bbr": "Netflix"}
REASON = 'it said "no, never",\r\nand ended'
"""Why a trial failed, in words that CSV must quote."""


def write_tables_site(site: Path, scratch: Path) -> Path:
    """Build the site; `scratch` is a folder for the tables of the snapshots."""
    summaries = [
        _measured(site, scratch / place.cycle, place, seed) for seed, place in ((1, EARLIER), (2, LATER))
    ]
    _without_settled(site / EARLIER.pages / PARQUET)
    many = _summary(MANY, (*SERVICES, "s01", "s02", "quic"))
    write_pages(site, many, make_rows(many), stubs=False)
    write_index(site, [*summaries, many])
    build_root(site, SETTINGS, {}, ())
    return site


def _measured(site: Path, snapshot: Path, place: Place, seed: int) -> Summary:
    """A cycle with the tables of the sample cycle."""
    made = _with_settled(_with_reasons(sample_tables(seed)))
    tables = write_snapshot_tables(made, snapshot / "tables")
    summary = replace(_summary(place), tables=write_tables(snapshot, site, place))
    write_pages(site, summary, figures(tables).to_pylist(), stubs=False)
    return summary


def _with_settled(tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
    """The tables with each of WORDS in a third of the rows of pairs."""
    pairs = tables["pairs"]
    words = pa.array([WORDS[place % len(WORDS)] for place in range(pairs.num_rows)])
    column = pairs.column_names.index("settled")
    return tables | {"pairs": pairs.set_column(column, "settled", words)}


def _without_settled(summary: Path) -> None:
    """Make a summary one from before there was the column `settled`."""
    pq.write_table(pq.read_table(summary, partitioning=None).drop_columns(["settled"]), summary)


def _with_reasons(tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
    """The tables with REASON where trial_services has a reason."""
    table = tables["trial_services"]
    reasons = pa.array([REASON if reason else None for reason in table["reason"].to_pylist()])
    return tables | {
        "trial_services": table.set_column(table.column_names.index("reason"), "reason", reasons)
    }


def _summary(place: Place, services: Sequence[str] = SERVICES) -> Summary:
    made = make_summary(place, services, LINKS)
    services = tuple(replace(one, stands_for=STANDS_FOR.get(one.name)) for one in made.services)
    pages = sorted([*made.pages, *(f"settings/{name}/" for name in LINKS)])
    return replace(made, services=services, pages=tuple(pages), tables=())
