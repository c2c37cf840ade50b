"""The sources of a cycle's pages: a folder with the layout of a snapshot."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from scripts.base.errors import UserError
from scripts.base.records import Number, from_json, read_record
from scripts.charts.chart_labels import Labels, make_labels
from scripts.charts.table_files import read_table
from scripts.charts.table_rows import ClientRow, ServiceRow, TrialRow, grouped
from scripts.figures.figure import Figure, as_figures
from scripts.model.campaign import Campaign, read_campaign
from scripts.model.comparison import RECOGNITION
from scripts.model.trials import TrialKey
from scripts.site import Row
from scripts.site.data.figures import figures
from scripts.snapshot.about import read_datapackage
from scripts.snapshot.absent import read_tombstone
from scripts.snapshot.identity import Identity, read_identity
from scripts.snapshot.lean_format import read_left_out

OPTIONAL = (
    "leads",
    "verdicts",
    "equivalence",
    "exclusion_tests",
    "threshold_sensitivity",
    "service_changes",
    "host_agreement",
    "positions",
    "share_over_time",
    RECOGNITION,
)
"""Tables that a cycle may lack, and then have no rows: it has one bottleneck, or is older than the table.
`recognition` also needs labelled traces of the cycle's links."""

PairKey = tuple[str, str]
"""A setting, and a pair or solo."""

Record = TypeVar("Record")


class Tables(dict[str, list[Row]]):
    """The rows of each table in a folder by its name. A table is read when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def __missing__(self, name: str) -> list[Row]:
        """Read a table.

        Raises:
            UserError: it is missing or cannot be read.
        """
        absent = name in OPTIONAL and not (self._folder / f"{name}.parquet").is_file()
        self[name] = [] if absent else read_table(self._folder, name).to_pylist()
        return self[name]


@dataclass(frozen=True)
class Switch:
    """A program that was the bottleneck of trials of the cycle, by their trial.json."""

    backend: str | None = None
    version: str | None = None
    trials: int | None = None


@dataclass(frozen=True)
class Provenance:
    """The cycle, its times and its machine: cycle.json, which scripts/tables/describe_cycle.py writes.

    Times are ns since the Unix epoch. They are None if every trial failed before it began. `bottlenecks` are
    the switches that measured it. `compared_with` is the earlier cycle of the table `changes`. `not_compared`
    has the later cycles that were passed over, each with the keys of the configuration that differ.
    """

    campaign: str
    cycle: str
    trials_planned: int | None = None
    first_start_ns: int | None = None
    last_stop_ns: int | None = None
    host: dict[str, str | Number | None] | None = None
    programs: dict[str, str] = field(default_factory=dict)
    bottlenecks: tuple[Switch, ...] = ()
    compared_with: str | None = None
    not_compared: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class PublishedFile:
    """A file of a trial. `removed` says when and why it was taken back, `left_out` why it is not there."""

    name: str
    bytes: int
    sha256: str
    removed: str | None = None
    left_out: str | None = None


@dataclass(frozen=True)
class Inputs:
    """The sources of a cycle's pages and their contents.

    Attributes:
        source: a folder with the layout of a snapshot.
        identity: which snapshot it is; None for a provisional cycle.
        campaign: the campaign's merged configuration.
        provenance: the cycle, its times and its machine.
        files: the published files of each trial; empty for a provisional cycle.
    """

    source: Path
    identity: Identity | None
    campaign: Campaign
    provenance: Provenance
    files: dict[TrialKey, list[PublishedFile]]

    @property
    def provisional(self) -> bool:
        """Whether trials are still to come, so that nothing has a verdict."""
        return self.identity is None or self.identity.incomplete is not None

    @property
    def tables_dir(self) -> Path:
        """The folder of the tables."""
        return self.source / "tables"

    @cached_property
    def tables(self) -> Tables:
        """The rows of each table by its name."""
        return Tables(self.tables_dir)

    @property
    def config_path(self) -> Path:
        """The campaign's merged configuration."""
        return self.source / "plan/config.json"

    @cached_property
    def labels(self) -> Labels:
        """The titles that charts use too."""
        return make_labels(self.campaign.services, self.campaign)

    def records(self, table: str, kind: type[Record]) -> list[Record]:
        """The rows of a table as records of `kind` (scripts/charts/table_rows.py)."""
        return [self.record(row, table, kind) for row in self.tables[table]]

    def with_rows(self, table: str, kind: type[Record]) -> list[tuple[Record, Row]]:
        """The same, each with all columns of its row."""
        return list(zip(self.records(table, kind), self.tables[table], strict=True))

    def record(self, row: Row, table: str, kind: type[Record]) -> Record:
        """One row of a table as a record.

        Raises:
            UserError: the table lacks a column.
        """
        return from_json(kind, row, str(self.tables_dir / f"{table}.parquet"))

    @cached_property
    def valid(self) -> dict[TrialKey, bool]:
        """Whether each trial counts."""
        return {row.key: row.valid for row in self.records("trial_services", ServiceRow)}

    def rows_by(self, table: str, *columns: str) -> dict[tuple[str, ...], list[Row]]:
        """The rows of a table, grouped by the values of these columns."""
        return grouped(self.tables[table], lambda row: tuple(str(row[name]) for name in columns))

    def row_by(self, table: str, *columns: str) -> dict[tuple[str, ...], Row]:
        """The first row of each group; for tables with one row for these values."""
        return {key: rows[0] for key, rows in self.rows_by(table, *columns).items()}

    def by_trial(self, table: str) -> dict[TrialKey, list[Row]]:
        """The rows of a table by trial."""
        return grouped(self.tables[table], lambda row: self.record(row, table, TrialRow).key)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The figures of every pair and solo, as the summary of the cycle has them."""
        return as_figures(figures(self.tables_dir))

    @cached_property
    def charts(self) -> dict[str, Path]:
        """The SVG of every chart by name. Its Vega-Lite JSON is beside it."""
        return {path.stem: path for path in sorted((self.source / "charts").rglob("*.svg"))}

    def chart(self, name: str) -> str | None:
        """The name of a chart; None if there is no such chart."""
        return name if name in self.charts else None

    def existing(self, names: Iterable[str]) -> list[str]:
        """The charts that exist among these."""
        return [name for name in names if name in self.charts]


def read_inputs(source: Path, sealed: bool = True) -> Inputs:
    """Read and check the sources.

    Args:
        source: a folder with the layout of a snapshot.
        sealed: whether it is a snapshot; that of a provisional cycle is not, and has no trials.

    Raises:
        UserError: something is missing or cannot be read, or a table names a setting or service that the
            configuration lacks.
    """
    for name in ("tables", "charts"):
        if not (source / name).is_dir():
            raise UserError(f"{source / name}: no such folder; is {source} a snapshot?")
    inputs = Inputs(
        source,
        identity=read_identity(source) if sealed else None,
        campaign=read_campaign(source / "plan/config.json"),
        provenance=read_record(Provenance, source / "tables/cycle.json"),
        files=_published_files(source) if sealed else {},
    )
    _check_names(inputs)
    return inputs


def _published_files(source: Path) -> dict[TrialKey, list[PublishedFile]]:
    """The files of every trial, as the data package lists them: also those that were removed later.

    Of a lean snapshot also those that were left out.
    """
    removed = {file.path: f"{file.date}: {file.reason}" for file in read_tombstone(source).removed}
    there = ((file, None) for file in read_datapackage(source))
    files: dict[TrialKey, list[PublishedFile]] = {}
    for file, left_out in (*there, *read_left_out(source).by_path.values()):
        if file.path.parts[0] == "trials":
            reason = removed.get(file.path.as_posix())
            shown = PublishedFile(file.path.name, file.bytes, file.sha256, reason, left_out)
            files.setdefault(TrialKey.of(file.path.parent), []).append(shown)
    return files


def _check_names(inputs: Inputs) -> None:
    for row in inputs.records("trial_services", ClientRow):
        for kind, name, known in (
            ("setting", row.setting, inputs.campaign.settings),
            ("service", row.service, inputs.campaign.services),
        ):
            if name not in known:
                raise UserError(
                    f"{inputs.tables_dir}/trial_services.parquet: {kind} {name!r} is not in "
                    f"{inputs.config_path}; give the configuration that these tables were made with"
                )
