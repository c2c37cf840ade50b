"""Rebuild a snapshot's tables and charts, or a part of them, and compare them with the published ones."""

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pyarrow.dataset as ds

from scripts.base.errors import UserError
from scripts.base.files import ROOT, write_bytes
from scripts.base.locks import exclusive, scratch_folder
from scripts.base.plain import plain
from scripts.extract.byte_progress import SHOWN_S, ByteProgress
from scripts.model.durations import readable
from scripts.model.plan_file import read_plan
from scripts.model.trials import TrialKey
from scripts.plan.calibration import PAIR as CALIBRATION
from scripts.snapshot.choice import Choice, SnapshotContent, chosen_part, needing_whole_cycle
from scripts.snapshot.comparing import compare, only_bytes, verdict
from scripts.snapshot.difference_page import write_difference_page
from scripts.snapshot.identity import CHECKSUMS
from scripts.snapshot.lean_format import LEFT_OUT, read_left_out
from scripts.snapshot.part import CYCLE_CHARTS, ROWS, SnapshotPart, needed, results
from scripts.snapshot.rebuild import ReportTrials, rebuild_part
from scripts.snapshot.trust import Policy
from scripts.snapshot.verify import OpenSnapshot, open_snapshot

START_S = 10.0
"""Seconds to start, and to make the tables of a small cycle."""

TRIAL_S, MEGABYTE_S, CHART_S = 4.0, 0.15, 0.7
"""CPU seconds for a trial, for each megabyte of its files, and for a chart in all its forms.

Trials and charts were measured with the pinned snapshot, on two cores of a Xeon. A megabyte has some 50,000
packets; their extraction takes 0.04 s, the tables the rest. These are a guide, no promise."""

CORES = len(os.sched_getaffinity(0))

KEPT = "not rebuilt, because they follow from captures, which were left out: " + ", ".join(
    (*ROWS, CALIBRATION)
)
"""What the report about a lean snapshot adds."""

PLAN = PurePosixPath("plan/plan.csv")
SCRATCH, PAGE = ROOT / "build/reproduce", "difference.html"


def seconds_of(part: SnapshotPart, sizes: Mapping[PurePosixPath, int], cores: int = CORES) -> float:
    """About how many seconds the rebuild takes.

    Args:
        part: the part.
        sizes: the bytes of the files that it needs.
        cores: how many processor cores work on it.
    """
    charts = {path.stem for path in sizes if CYCLE_CHARTS in path.parents}
    cpu_s = CHART_S * len(charts)
    if part.start != "rows":
        trials = _bytes_of(part, sizes)
        cpu_s += TRIAL_S * len(trials) + MEGABYTE_S * sum(trials.values()) / 1e6
    return START_S + cpu_s / cores


@contextmanager
def shown(part: SnapshotPart, sizes: Mapping[PurePosixPath, int]) -> Iterator[ReportTrials]:
    """Shows how far a rebuild is; yields what it reports its finished trials to."""
    trials = _bytes_of(part, sizes)
    total = sum(trials.values())
    with ByteProgress(total, "rebuilt", elsewhere_s=SHOWN_S) as progress:
        progress.begin(f"{len(trials)} trials", total)

        def report(done: Collection[TrialKey]) -> None:
            if len(done) < len(trials):
                progress.show(sum(trials[key] for key in done))

        yield report


def _bytes_of(part: SnapshotPart, sizes: Mapping[PurePosixPath, int]) -> dict[TrialKey, int]:
    """The bytes of the files of each trial and calibration."""
    bytes_by_trial = dict.fromkeys((*part.trials, *part.calibrations), 0)
    for path, size in sizes.items():
        if path.parts[0] == "trials":
            bytes_by_trial[TrialKey.of(path.parent)] += size
    return bytes_by_trial


def reproduce(
    where: str, choice: Choice, policy: Policy, work: Path | None = None, captures: str | None = None
) -> tuple[str, bool]:
    """Rebuild a part of a snapshot and compare it.

    Args:
        where: the folder or the address of the snapshot.
        choice: the part; by default all of it.
        policy: what a reader asks of the snapshot.
        work: the folder that keeps what is fetched and extracted; None for one that is removed at the end.
        captures: the address of the trials, if they are elsewhere.

    Returns:
        A report in words, and whether every byte is the same.

    Raises:
        UserError: there is no such part, a file that it needs is missing or damaged, or a value differs.
    """
    with _workshop(work) as folder:
        snapshot = open_snapshot(where, captures, folder / "snapshot", policy)
        _claim(folder, snapshot.folder)
        snapshot.bring(snapshot.sizes([PLAN]))
        trials = tuple(line.key for line in read_plan(snapshot.folder / PLAN))
        is_lean = PurePosixPath(LEFT_OUT) in snapshot.listed
        choice = _with_start(choice, is_lean, snapshot.title)
        part = chosen_part(choice, SnapshotContent(trials, frozenset(snapshot.listed)))
        sizes = snapshot.sizes(needed(part, snapshot.listed.keys()))
        need, about = snapshot.words(sizes), readable(seconds_of(part, sizes))
        plan = f"{snapshot.title}: {part.title}, from {part.start}: {need}; then rebuilds for about {about}"
        print(plain(plan), file=sys.stderr, flush=True)
        snapshot.bring(sizes, complete=len(sizes) == len(snapshot.listed))
        with shown(part, sizes) as report_trials:
            rebuilt = rebuild_part(part, snapshot.folder, folder, report_trials)
        report, same = _judge(part, snapshot, rebuilt, (work or SCRATCH) / PAGE)
        return report + (f"\n{KEPT}" if is_lean else ""), same


def _with_start(choice: Choice, is_lean: bool, title: str) -> Choice:
    """The choice, with what the rebuild begins with: captures, or rows of a lean snapshot.

    Raises:
        UserError: the choice names captures, which a lean snapshot does not have.
    """
    if is_lean and choice.start in ("captures", "parquet"):
        raise UserError(f"{title}: is lean: the captures were left out ({LEFT_OUT}); rebuild it from rows")
    return replace(choice, start=choice.start or ("rows" if is_lean else "captures"))


def _judge(part: SnapshotPart, snapshot: OpenSnapshot, rebuilt: Path, page: Path) -> tuple[str, bool]:
    """The report about a rebuild, and whether every byte is the same; with a page if anything differs."""
    page.unlink(missing_ok=True)
    made = [PurePosixPath(path.relative_to(rebuilt)) for path in rebuilt.rglob("*") if path.is_file()]
    is_lean = PurePosixPath(LEFT_OUT) in snapshot.listed
    absent = map(PurePosixPath, read_left_out(snapshot.folder).by_path if is_lean else ())
    files = {*results(part, snapshot.listed), *({*results(part, made)} - {*absent})}
    if not files:
        raise UserError(f"{snapshot.title}: has no table or chart of {part.title}, so nothing is compared")
    differences = compare(snapshot.folder, rebuilt, files, part.rows_of)
    if not differences:
        return f"{snapshot.title}: {identical(part, rebuilt, files)}", True
    write_difference_page(page, differences, snapshot.folder, rebuilt, files, snapshot.title)
    report = f"{snapshot.title}: {part.title}: {verdict(differences)}\nside by side: {page}"
    if not only_bytes(differences):
        raise UserError(report)
    return report, False


def identical(part: SnapshotPart, rebuilt: Path, files: Collection[PurePosixPath]) -> str:
    """How much was found to be identical, and which tables were left out."""
    counts = [_rows(rebuilt / path, part) for path in sorted(files) if path.suffix == ".parquet"]
    charts = {path.with_suffix("") for path in files if path.parts[0] == "charts" and path.suffix != ".json"}
    identical = [f"{sum(counts):,} rows of {_count(sum(map(bool, counts)), 'table')}"] if counts else []
    identical += [_count(len(charts), "chart")] if charts else []
    sources = [_count(len(part.trials), "trial")] if part.trials else []
    sources += [_count(len(part.calibrations), "calibration")] if part.calibrations else []
    text = f"identical: {' and '.join(identical)} rebuilt from {part.start} of {' and '.join(sources)}"
    if others := needing_whole_cycle(part):
        named = "; ".join(f"{table} ({why})" for table, why in others.items())
        text += f"\nleft out, because they need more of the cycle: {named}"
    return text


def _rows(table: Path, part: SnapshotPart) -> int:
    """The number of rows of the part in a table."""
    rows = ds.dataset(table)
    return int(rows.count_rows(filter=part.rows_of(rows.schema.names)))


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


@contextmanager
def _workshop(work: Path | None) -> Iterator[Path]:
    """The folder to work in, locked; without a name a new one, which is removed at the end."""
    if work is None:
        with scratch_folder(SCRATCH) as scratch:
            yield scratch
        return
    work.mkdir(parents=True, exist_ok=True)
    with exclusive(work):
        yield work


def _claim(work: Path, snapshot: Path) -> None:
    """Mark a folder as one of this snapshot.

    Raises:
        UserError: it holds what was extracted from another one.
    """
    mark, content = work / CHECKSUMS, (snapshot / CHECKSUMS).read_bytes()
    if mark.is_file() and mark.read_bytes() != content:
        raise UserError(f"{work}: holds what was extracted from another snapshot; name another folder")
    write_bytes(mark, content)
