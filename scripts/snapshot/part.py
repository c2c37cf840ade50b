"""A part of a snapshot: which trials it is rebuilt from, what is compared, and which files that needs.

A row of a pair depends on the trials of the pair, and on those of its services alone, which give demand and
harm. The tables whose rows depend on more trials say so in their YAML (`whole`).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache, reduce
from operator import and_, or_
from pathlib import PurePosixPath

import pyarrow.compute as pc

from scripts.charts.chosen_trials import CHOSEN
from scripts.charts.cycle_charts import CHARTS
from scripts.model.comparison import FOLDER as COMPARED
from scripts.model.comparison import RECOGNITION
from scripts.model.pairs import contender_name, members
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.snapshot.identity import Start
from scripts.tables.table_list import every_table, names_of
from scripts.tables.table_schema import load_schema

TRIAL_LEVEL = names_of("trial")
FMP = "trial_fmp"
ROWS = (*TRIAL_LEVEL, FMP, RECOGNITION)
"""The published rows of each trial, with K and the recognition: they follow from slots that a lean snapshot
lacks."""
CYCLE_LEVEL = tuple(table for table in every_table() if table not in (*ROWS, CALIBRATION))

CYCLE_CHARTS, TRIAL_CHARTS = PurePosixPath("charts/cycle"), PurePosixPath("charts/trials")
CHARTS_READ = {
    CYCLE_CHARTS: tuple(dict.fromkeys(table for chart in CHARTS for table in chart.read)),
    TRIAL_CHARTS: (
        *("trial_services", "trial_fairness", "trial_series", "trial_senders"),
        "qoe_video_series",
    ),
}
"""The tables that charts are drawn from."""

METADATA = tuple(
    map(
        PurePosixPath,
        (
            *("snapshot.json", "datapackage.json", "requirements.lock", "environment.json", "source.tar.zst"),
            "left_out.json",
            *(
                "plan/config.json",
                "plan/plan.csv",
                "plan/set_aside.json",
                "plan/registration.jsonl",
                "tables/cycle.json",
            ),
        ),
    )
)
"""What every part needs, if the snapshot has it."""


@dataclass(frozen=True)
class SnapshotPart:
    """What is rebuilt and compared.

    Attributes:
        title: what it is, for messages.
        start: what it is rebuilt from.
        trials, calibrations: those that it is rebuilt from.
        tables: the tables that are compared.
        charts: the published files of charts that are compared.
        whole: whether every file in tables/ and charts/ is rebuilt and compared.
        setting: compare the rows of this setting only.
        pairs: compare the rows of these pairs and services alone only.
        number: compare the rows of the trial of this number only.
    """

    title: str
    start: Start
    trials: tuple[TrialKey, ...]
    calibrations: tuple[TrialKey, ...] = ()
    tables: tuple[str, ...] = ()
    charts: tuple[PurePosixPath, ...] = ()
    whole: bool = False
    setting: str | None = None
    pairs: tuple[str, ...] = ()
    number: int | None = None

    @property
    def made_from(self) -> frozenset[str]:
        """All tables that must be there to make the tables and charts of this part."""
        read = [table for folder, tables in CHARTS_READ.items() if self.draws(folder) for table in tables]
        return closure((*self.tables, *read))

    @property
    def draws_all(self) -> bool:
        """Whether every chart is drawn, from rows."""
        return TRIAL_CHARTS / CHOSEN in self.charts

    def draws(self, folder: PurePosixPath) -> bool:
        """Whether charts in this folder are drawn."""
        return any(folder in path.parents for path in self.charts)

    def rows_of(self, columns: Collection[str]) -> pc.Expression | None:
        """The filter for the rows of this part in a table that has these columns; None: all rows."""
        filters = []
        if self.setting is not None:
            filters.append(pc.field("setting") == self.setting)
        if self.pairs:
            filters.append(reduce(or_, (_of_pair(pair, columns) for pair in self.pairs)))
        if self.number is not None:
            filters.append(pc.field("trial") == self.number)
        return reduce(and_, filters) if filters else None


def needed(part: SnapshotPart, listed: Collection[PurePosixPath]) -> set[PurePosixPath]:
    """The files of a snapshot that must be there to rebuild a part and to compare it.

    Args:
        part: the part.
        listed: every file of the snapshot, as SHA256SUMS lists them.
    """
    if part.whole and part.start == "captures":
        return {*listed}
    compared = {path for path in listed if path.parts[0] == COMPARED}
    files = {path for path in METADATA if path in listed} | compared | {*results(part, listed)}
    if part.start == "rows":
        rows = {PurePosixPath(f"tables/{table}.parquet") for table in part.made_from & {*ROWS}}
        return files | (rows & {*listed})
    keys = {*part.trials, *part.calibrations}
    specifications = {PurePosixPath("plan/specs", key.path.with_suffix(".json")) for key in keys}
    folders = {PurePosixPath("trials", key.path) for key in keys}
    of_trials = {path for path in listed if path.parent in folders}
    if part.start == "parquet":
        # The tables need these, too, although what was extracted from the trial is there.
        of_trials = {
            path
            for path in of_trials
            if path.name == "trial.json"
            or (path.name == "qoe.json" and (part.whole or path.parts[2] == CALIBRATION))
        }
    return files | specifications | of_trials


def results(part: SnapshotPart, files: Iterable[PurePosixPath]) -> list[PurePosixPath]:
    """Those of the files, published or rebuilt, that are compared, sorted. Of some rows there is no CSV."""
    forms = (".parquet", ".csv") if part.setting is None else (".parquet",)
    return sorted(
        path
        for path in files
        if (part.whole and path.parts[0] in ("tables", "charts"))
        or (path.parts[0] == "tables" and path.stem in part.tables and path.suffix in forms)
        or path in part.charts
    )


@cache
def closure(tables: tuple[str, ...]) -> frozenset[str]:
    """These tables and all tables of the same cycle that they are made from."""
    needed_tables: set[str] = set()
    left = [*tables]
    while left:
        table = left.pop()
        if table in every_table() and table not in needed_tables:
            needed_tables.add(table)
            # The sources of calibration are of its own trials.
            sources = load_schema(table).sources if table != CALIBRATION else []
            left += ["trial_services" if source.endswith("_trial_services") else source for source in sources]
    return frozenset(needed_tables)


def _of_pair(pair: str, columns: Collection[str]) -> pc.Expression:
    """The rows of a pair, or of a service alone."""
    if "pair" in columns:
        return pc.field("pair") == pair
    if "contender" not in columns:
        return pc.field("service") == pair
    services = members(pair)
    sides = {
        (service, contender_name(services[:place] + services[place + 1 :]))
        for place, service in enumerate(services)
    }
    return reduce(
        or_,
        (
            (pc.field("service") == service) & (pc.field("contender") == contender)
            for service, contender in sorted(sides)
        ),
    )
