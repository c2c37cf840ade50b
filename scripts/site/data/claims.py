"""What a cycle claims, and what it takes anybody to rebuild each claim (scripts/snapshot/reproduce.py).

A claim is a kind of figure in a setting, a table, a pair, or all of a cycle. The line that a rebuild ends
with is counted in the snapshot.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from scripts.charts.chart_labels import Labels
from scripts.charts.cycle_charts import CHARTS
from scripts.model.pairs import is_solo
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.site.data.summary import CORES, Claim, Effort
from scripts.snapshot.absent import pruned_sizes, read_tombstone, size_of
from scripts.snapshot.checksums import read_checksums
from scripts.snapshot.choice import Choice, SnapshotContent, chosen_part
from scripts.snapshot.identity import Start
from scripts.snapshot.lean_format import LEFT_OUT
from scripts.snapshot.part import CYCLE_CHARTS, CYCLE_LEVEL, needed, results
from scripts.snapshot.reproduce import identical, seconds_of

FIGURES = {chart.name: chart.shows for chart in CHARTS if chart.shows}
"""What a kind of chart shows, by its name without the setting."""

TABLES = {
    "findings": "How often services lose and win, in the sentences of the findings",
    "services": "Which services are contentious and which are sensitive",
    "stability": "How far the trials of a pair agree",
}
"""The tables that are claims of their own: no chart shows them."""


def claims_of(snapshot: Path, labels: Labels) -> tuple[Claim, ...]:
    """The claims of a snapshot: a pair, every kind of figure in every setting, tables, all of it.

    Args:
        snapshot: the folder of the snapshot.
        labels: the titles of its settings and services.

    Raises:
        UserError: SHA256SUMS of the snapshot is missing or wrong, or a file that it lists is missing.
    """
    listed = frozenset(map(PurePosixPath, read_checksums(snapshot)))
    content = SnapshotContent(tuple(sorted(_trials(listed))), listed)
    sizes = _sizes(snapshot, listed)
    choices = _asked(content, sizes, labels)
    return tuple(_claim(snapshot, choice, words, content, sizes) for choice, words in choices)


def _trials(listed: frozenset[PurePosixPath]) -> Iterator[TrialKey]:
    """The trials, without calibrations."""
    keys = (TrialKey.of(path.parent) for path in listed if path.match("trials/*/*/*/trial.json"))
    return (key for key in keys if key.pair != CALIBRATION)


def _sizes(snapshot: Path, listed: frozenset[PurePosixPath]) -> dict[PurePosixPath, int]:
    """The bytes of every file that was not removed."""
    removed = {PurePosixPath(file.path) for file in read_tombstone(snapshot).removed}
    pruned = pruned_sizes(snapshot)
    return {path: size_of(snapshot, Path(path), pruned) for path in sorted(listed - removed)}


def _asked(
    content: SnapshotContent, sizes: Mapping[PurePosixPath, int], labels: Labels
) -> Iterator[tuple[Choice, str]]:
    """Every claim with its words. The first one is the pair whose trials have the fewest bytes."""
    if cells := _bytes_of_pairs(content, sizes):
        setting, pair = min(cells, key=lambda cell: (cells[cell], cell))
        yield (
            Choice(only=f"pairs/{setting}/{pair}"),
            f"{labels.pair(pair)}: every figure and chart of the pair, {labels.setting(setting)}",
        )
    charts = sorted({path.stem for path in content.charts(CYCLE_CHARTS)})
    settings = sorted({key.setting for key in content.trials})
    for kind, words in FIGURES.items():
        if kind in charts:
            yield Choice(chart=kind), words
        for setting in settings:
            if f"{kind}-{setting}" in charts:
                yield Choice(chart=f"{kind}-{setting}"), f"{words}, {labels.setting(setting)}"
    for table, words in TABLES.items():
        if table in content.tables:
            yield Choice(table=table), words
    lean = PurePosixPath(LEFT_OUT) in content.listed
    yield Choice(), f"Every table {'that follows from rows' if lean else 'of the cycle'}, and every chart"


def _bytes_of_pairs(
    content: SnapshotContent, sizes: Mapping[PurePosixPath, int]
) -> dict[tuple[str, str], int]:
    """The bytes of the trials of every pair."""
    sizes_of_pairs = {(key.setting, key.pair): 0 for key in content.trials if not is_solo(key.pair)}
    for path, size in sizes.items():
        if path.parts[0] == "trials" and path.parts[1:3] in sizes_of_pairs:
            sizes_of_pairs[path.parts[1], path.parts[2]] += size
    return sizes_of_pairs


def _claim(
    snapshot: Path, choice: Choice, words: str, content: SnapshotContent, sizes: Mapping[PurePosixPath, int]
) -> Claim:
    """A claim with what it takes."""
    part = chosen_part(choice, content)
    names = {"ONLY": choice.only, "TABLE": choice.table, "CHART": choice.chart}
    option = "".join(f"{name}={value}" for name, value in names.items() if value)
    rows = choice.table in (None, *CYCLE_LEVEL)
    return Claim(
        option,
        words,
        len(part.trials) + len(part.calibrations),
        _effort(snapshot, choice, "captures", content, sizes),
        _effort(snapshot, choice, "rows", content, sizes) if rows else None,
    )


def _effort(
    snapshot: Path, choice: Choice, start: Start, content: SnapshotContent, sizes: Mapping[PurePosixPath, int]
) -> Effort | None:
    """What a rebuild from `start` takes; None without all the files that it needs, such as captures."""
    if start == "captures" and PurePosixPath(LEFT_OUT) in content.listed:
        return None
    part = chosen_part(Choice(choice.only, choice.table, choice.chart, start), content)
    files = needed(part, content.listed)
    if not files <= sizes.keys():
        return None
    of_part = {path: sizes[path] for path in files}
    line = identical(part, snapshot, results(part, content.listed)).splitlines()[0]
    seconds = round(seconds_of(part, of_part, CORES), 1)
    return Effort(len(files), sum(of_part.values()), seconds, line)
