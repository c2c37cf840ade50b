"""Compare what was rebuilt with a snapshot: first the bytes, then the values, then what it was made from.

    captures → code → Python and packages → rows of trials → rows of the cycle → charts

The first input in this order that differs is the likely cause: everything before it is the same. The inputs
are compared only after a table or chart differed: that they differ does not say that it matters.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal

from scripts.base.files import digest
from scripts.model.trials import TrialKey
from scripts.snapshot.about import DATAPACKAGE, read_datapackage
from scripts.snapshot.checksums import read_checksums
from scripts.snapshot.code_archive import other_code
from scripts.snapshot.compared_files import Rows, RowsOf, differing_rows, first_difference
from scripts.snapshot.environment import other_environment
from scripts.snapshot.identity import CHECKSUMS
from scripts.tables.table_list import every_table, files_of, names_of

Stage = Literal["capture", "code", "environment", "trial rows", "cycle rows", "chart"]

SAME_VALUES = 3
"""The exit status of a rebuild whose values are those of the snapshot, in other bytes."""

MOST_NAMED = 5
NO_INPUT = "the captures, the code and its packages are those of the snapshot"


@dataclass(frozen=True)
class FileDifference:
    """An input or a result that is not that of the snapshot.

    Attributes:
        stage: its place in the pipeline.
        file: its file, relative to the snapshot; of code, relative to the repository.
        detail: what differs, in words.
        rows: the values of a table that differ.
        same_values: whether only the bytes differ.
    """

    stage: Stage
    file: PurePosixPath
    detail: str
    rows: Rows = field(default_factory=Rows)
    same_values: bool = False

    @property
    def is_input(self) -> bool:
        """Whether it is a possible cause, and no result."""
        return self.stage in ("capture", "code", "environment")

    def __str__(self) -> str:
        return f"{self.file}: {self.detail}"


def compare(
    snapshot: Path, rebuilt: Path, files: Collection[PurePosixPath], rows_of: RowsOf | None = None
) -> list[FileDifference]:
    """The differences in the order of the pipeline; empty if the files are identical.

    Args:
        snapshot: the folder of a verified snapshot; it may be partial.
        rebuilt: a folder with tables/ and charts/.
        files: the files that are compared, of either folder.
        rows_of: which rows are compared of a table with these columns; None: all. A Parquet file of which
            only some rows are compared is compared by value.
    """
    ordered = sorted(files, key=_place)
    results = [
        result for path in ordered if (result := _compare(snapshot, rebuilt, path, rows_of)) is not None
    ]
    if not results:
        return []
    captures = wrong_captures(snapshot, _trials(results))
    code = other_code(snapshot, _unneeded(results, ordered))
    return [
        *(FileDifference("capture", *each) for each in captures),
        *(FileDifference("code", *each) for each in code),
        *(FileDifference("environment", *each) for each in other_environment(snapshot)),
        *results,
    ]


def first_cause(differences: Collection[FileDifference]) -> FileDifference:
    """The first input that differs; if none does, the first result with other values, or in other bytes."""
    return next(
        (each for each in differences if each.is_input or not each.same_values), next(iter(differences))
    )


def only_bytes(differences: Collection[FileDifference]) -> bool:
    """Whether every result has the values of the snapshot."""
    return all(each.same_values for each in differences if not each.is_input)


def verdict(differences: Collection[FileDifference]) -> str:
    """The result in a sentence, with the first input that differs."""
    return "; ".join(findings(differences))


def findings(differences: Collection[FileDifference]) -> list[str]:
    """The result in words: which files differ, the first input that does, and the first value that does."""
    inputs = [each for each in differences if each.is_input]
    results = [each for each in differences if not each.is_input]
    if not results:
        return ["identical: every byte the same"]
    if only_bytes(differences):
        return [
            f"the same values in other bytes: {_some(results)}",
            *(map(str, inputs) if inputs else [NO_INPUT]),
        ]
    changed = [each for each in results if not each.same_values]
    cause = f"the first input that differs: {inputs[0]}" if inputs else NO_INPUT
    return [
        f"not identical when rebuilt: {_some(changed)}",
        cause,
        f"the first value that differs: {changed[0]}",
    ]


def _compare(
    snapshot: Path, rebuilt: Path, path: PurePosixPath, rows_of: RowsOf | None
) -> FileDifference | None:
    """The difference of one file."""
    published, new = snapshot / path, rebuilt / path
    stage = _stage(path)
    for file, problem in ((new, "is missing when rebuilt"), (published, "is not in the snapshot")):
        if not file.is_file():
            return FileDifference(stage, path, problem)
    if digest(published) == digest(new):
        return None
    if path.suffix != ".parquet":
        difference = first_difference(published, new)
        return FileDifference(
            stage, path, difference or "the same values in other bytes", same_values=difference is None
        )
    rows = differing_rows(published, new, rows_of)
    if not rows.count and not rows.columns:
        if rows.some:
            return None
        return FileDifference(stage, path, "the same values in other bytes", same_values=True)
    return FileDifference(stage, path, _rows_in_words(rows), rows)


def _rows_in_words(rows: Rows) -> str:
    """What is wrong with a table: its columns, then the first row."""
    words = [*rows.columns]
    if rows.cells:
        more = f" (and {rows.count - 1} more rows)" if rows.count > 1 else ""
        words.append(f"{rows.cells[0]}{more}")
    return "; ".join(words)


def _place(path: PurePosixPath) -> tuple[int, int, bool, str]:
    """Where a file is made in the pipeline: tables in the order of their building, then charts."""
    if path.parts[0] != "tables":
        return 1, 0, False, str(path)
    order = every_table()
    number = order.index(path.stem) if path.stem in order else len(order)
    return 0, number, path.suffix != ".parquet", str(path)


def _stage(path: PurePosixPath) -> Stage:
    if path.parts[0] != "tables":
        return "chart"
    return "trial rows" if path.stem in (*names_of("trial"), "calibration") else "cycle rows"


def _trials(results: Collection[FileDifference]) -> Iterator[TrialKey]:
    """The trials whose rows differ."""
    for cell in (cell for result in results for cell in result.rows.cells):
        setting, pair, number = (cell.key.get(name) for name in ("setting", "pair", "trial"))
        if isinstance(setting, str) and isinstance(pair, str) and isinstance(number, int):
            yield TrialKey(setting, pair, number)


def _unneeded(results: Collection[FileDifference], files: Collection[PurePosixPath]) -> list[str]:
    """The code that made what was found to be the same, so that it cannot be the cause."""
    stages = {each.stage for each in results}
    if "trial rows" in stages or not any(_stage(path) == "trial rows" for path in files):
        return []
    of_trials = ["scripts/extract", *files_of(names_of("trial")), "rules/extract.smk"]
    if "cycle rows" in stages:
        return of_trials
    return [*of_trials, *files_of(names_of("cycle")), "scripts/tables/macros.sql", "rules/tables.smk"]


def _some(differences: list[FileDifference]) -> str:
    """The first files, in words."""
    more = f" and {len(differences) - MOST_NAMED} more" if len(differences) > MOST_NAMED else ""
    return ", ".join(str(each.file) for each in differences[:MOST_NAMED]) + more


def wrong_captures(snapshot: Path, trials: Iterable[TrialKey]) -> Iterator[tuple[PurePosixPath, str]]:
    """The files of trials that are not those that the snapshot lists."""
    folders = {Path("trials", key.path) for key in trials}
    listed, described = read_checksums(snapshot), dict[Path, str]()
    if (snapshot / DATAPACKAGE).is_file():
        described = {file.path: file.sha256 for file in read_datapackage(snapshot)}
    for path in sorted(path for path in listed if path.parent in folders and (snapshot / path).is_file()):
        digested = digest(snapshot / path)
        for name, checksum in ((CHECKSUMS, listed[path]), (DATAPACKAGE, described.get(path, digested))):
            if digested != checksum:
                yield PurePosixPath(path), f"does not match {name}"
                break
