"""The part of a snapshot that a reader chooses: everything, a cell, a table or a chart."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import PurePosixPath

from scripts.base.errors import UserError
from scripts.charts.chosen_trials import CHOSEN
from scripts.charts.cycle_charts import CHARTS
from scripts.model.pairs import is_solo, members, pair_name
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.snapshot.identity import Start
from scripts.snapshot.part import (
    CHARTS_READ,
    CYCLE_CHARTS,
    CYCLE_LEVEL,
    TRIAL_CHARTS,
    TRIAL_LEVEL,
    SnapshotPart,
    closure,
)
from scripts.tables.table_list import every_table
from scripts.tables.table_schema import load_schema

OF_ALL_SETTINGS = tuple(chart.name for chart in CHARTS if chart.several)
"""How a chart's name begins if its values or axes need trials of several settings."""

OF_PAIR = ("dots", "over-time")
"""The kinds of charts that each pair has in each setting."""


@dataclass(frozen=True)
class Choice:
    """What is to be rebuilt; at most one of the names. Everything if there is none.

    Attributes:
        only: a cell: `pairs/<setting>/<a~b>`, `solos/<setting>/<a>` or `trials/<setting>/<pair>/<nn>`.
        table: a table.
        chart: a chart.
        start: what it is rebuilt from; None: captures, and rows of a lean snapshot.
    """

    only: str | None = None
    table: str | None = None
    chart: str | None = None
    start: Start | None = None


@dataclass(frozen=True)
class SnapshotContent:
    """What a snapshot has: the trials of its plan, and every file that SHA256SUMS lists."""

    trials: tuple[TrialKey, ...]
    listed: frozenset[PurePosixPath]

    @property
    def calibrations(self) -> tuple[TrialKey, ...]:
        """The calibrations, sorted."""
        folders = {path.parent for path in self.listed if path.match(f"trials/*/{CALIBRATION}/*/*")}
        return tuple(sorted(map(TrialKey.of, folders)))

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables, each after those that it is made from."""
        return tuple(
            table for table in every_table() if PurePosixPath(f"tables/{table}.parquet") in self.listed
        )

    def charts(self, folder: PurePosixPath, stem: str | None = None) -> tuple[PurePosixPath, ...]:
        """The files of charts below a folder, sorted; those of one name, or all."""
        return tuple(
            sorted(path for path in self.listed if folder in path.parents and stem in (None, path.stem))
        )


def chosen_part(choice: Choice, content: SnapshotContent) -> SnapshotPart:
    """The part that a choice means.

    Raises:
        UserError: the snapshot has no such part, or it cannot be rebuilt from there.
    """
    start = choice.start or "captures"
    if choice.only is not None:
        part = _cell(choice.only, start, content)
    elif choice.table is not None:
        part = _table(choice.table, start, content)
    elif choice.chart is not None:
        part = _chart(choice.chart, start, content)
    else:
        part = _whole(start, content)
    if not (part.whole or part.tables or part.charts):
        raise UserError(f"{part.title}: nothing of it is made from rows; rebuild it from captures")
    return part


def needing_whole_cycle(part: SnapshotPart) -> dict[str, str]:
    """The tables and columns that are about a pair but need more of the cycle, with the reason."""
    if not part.pairs or part.number is not None:
        return {}
    schemas = [load_schema(table) for table in CYCLE_LEVEL]
    columns = {
        f"{schema.table}.{column.name}": column.whole
        for schema in schemas
        for column in schema.columns
        if column.whole is not None
    }
    return {schema.table: schema.whole for schema in schemas if schema.whole is not None} | columns


def _whole(start: Start, content: SnapshotContent) -> SnapshotPart:
    if start != "rows":
        return SnapshotPart("all tables and charts", start, content.trials, content.calibrations, whole=True)
    charts = content.charts(CYCLE_CHARTS) + content.charts(TRIAL_CHARTS)
    tables = _made({*content.tables}, start, content)
    return SnapshotPart(
        "all tables of level cycle, and all charts", start, content.trials, (), tables, charts
    )


def _cell(name: str, start: Start, content: SnapshotContent) -> SnapshotPart:
    """A pair, a service alone, or a trial."""
    known = sorted(
        {f"{'solos' if is_solo(key.pair) else 'pairs'}/{key.setting}/{key.pair}" for key in content.trials}
    )
    match PurePosixPath(name).parts:
        case ("trials", setting, pair, nn) if nn.isdigit():
            key = TrialKey(setting, _canonical(pair), int(nn))
            if key in content.trials:
                return _trial(key, start, content)
            known = [f"trials/{key.path.as_posix()}" for key in content.trials]
        case ("pairs" | "solos", setting, pair):
            pair = _canonical(pair)
            if f"{name.split('/')[0]}/{setting}/{pair}" in known:
                return _pair(setting, pair, start, content)
    raise _unknown("cell", name, known)


def _pair(setting: str, pair: str, start: Start, content: SnapshotContent) -> SnapshotPart:
    """A pair or a service alone, with the trials of its services alone."""
    pairs = tuple(dict.fromkeys((pair, *members(pair))))
    trials = tuple(key for key in content.trials if key.setting == setting and key.pair in pairs)
    tables = {table for table in content.tables if load_schema(table).whole is None}
    charts = tuple(
        path for kind in OF_PAIR for path in content.charts(CYCLE_CHARTS, f"{kind}-{setting}-{pair}")
    )
    charts += content.charts(TRIAL_CHARTS / setting / pair)
    title = f"{'solos' if is_solo(pair) else 'pairs'}/{setting}/{pair}"
    made = _made(tables, start, content)
    return SnapshotPart(title, start, trials, (), made, charts, setting=setting, pairs=pairs)


def _trial(key: TrialKey, start: Start, content: SnapshotContent) -> SnapshotPart:
    """The rows of a trial, and its charts if it has any."""
    charts = tuple(
        path
        for path in content.charts(TRIAL_CHARTS / key.setting / key.pair)
        if path.stem.endswith(f"-{key.name}")
    )
    tables = _made({*TRIAL_LEVEL}, start, content)
    return SnapshotPart(
        *(f"trials/{key.path.as_posix()}", start, (key,), (), tables, charts),
        setting=key.setting,
        pairs=(key.pair,),
        number=key.number,
    )


def _table(name: str, start: Start, content: SnapshotContent) -> SnapshotPart:
    """A table, and those that it is made from."""
    if name not in content.tables:
        raise _unknown("table", name, content.tables)
    if start == "rows" and name not in CYCLE_LEVEL:
        raise UserError(f"table {name}: is not made from rows of trials; rebuild it from captures")
    if name == CALIBRATION:
        return SnapshotPart(f"table {name}", start, (), content.calibrations, (name,))
    return SnapshotPart(f"table {name}", start, content.trials, (), _made(closure((name,)), start, content))


def _chart(name: str, start: Start, content: SnapshotContent) -> SnapshotPart:
    """A chart, and the tables that it is drawn from."""
    drawn = [path for path in content.charts(TRIAL_CHARTS) if path.name != CHOSEN]
    if of_trial := [path for path in drawn if path.stem == name]:
        setting, pair = of_trial[0].parts[2:4]
        return _trial(TrialKey(setting, pair, int(name.rsplit("-", 1)[1])), start, content)
    charts = content.charts(CYCLE_CHARTS, name)
    if not charts:
        raise _unknown("chart", name, {path.stem for path in (*content.charts(CYCLE_CHARTS), *drawn)})
    for key in content.trials:
        if name in {f"{kind}-{key.setting}-{key.pair}" for kind in OF_PAIR}:
            return _pair(key.setting, key.pair, start, content)
    of_setting = _setting(name, content)
    trials = tuple(key for key in content.trials if of_setting in (None, key.setting))
    tables = closure(CHARTS_READ[CYCLE_CHARTS])
    if of_setting is not None:
        tables = frozenset(table for table in tables if load_schema(table).whole is None)
    made = _made(tables, start, content)
    return SnapshotPart(f"chart {name}", start, trials, (), made, charts, setting=of_setting)


def _setting(chart: str, content: SnapshotContent) -> str | None:
    """The setting whose trials a chart shows; None if it needs several."""
    if chart.startswith(OF_ALL_SETTINGS):
        return None
    settings = {key.setting for key in content.trials if chart.endswith(f"-{key.setting}")}
    return max(settings, key=len, default=None)


def _made(tables: Collection[str], start: Start, content: SnapshotContent) -> tuple[str, ...]:
    """Those of the tables that are rebuilt, in their order."""
    made = CYCLE_LEVEL if start == "rows" else every_table()
    return tuple(table for table in content.tables if table in tables and table in made)


def _canonical(pair: str) -> str:
    """A pair in the order of its services; any other name as it is."""
    try:
        return pair_name(members(pair))
    except ValueError:
        return pair


def _unknown(kind: str, name: str, known: Iterable[str]) -> UserError:
    """What there is, the closest names first."""
    every = sorted(known)
    close = get_close_matches(name, every, n=3, cutoff=0.5) or every[:10]
    more = f" (of {len(every)})" if len(close) < len(every) else ""
    return UserError(f"{name}: the snapshot has no such {kind}; it has {', '.join(close)}{more}")
