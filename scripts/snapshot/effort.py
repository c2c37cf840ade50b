"""How long it takes to rebuild a part of a snapshot, about, and how far a rebuild is."""

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePosixPath

from scripts.model.trials import TrialKey
from scripts.snapshot.part import CYCLE_CHARTS, SnapshotPart
from scripts.snapshot.rebuild_part import Tell
from scripts.snapshot.transfer import SHOWN_S, Transfer

START_S = 10.0
"""Seconds to start, and to make the tables of a small cycle."""

TRIAL_S, MEGABYTE_S, CHART_S = 4.0, 0.15, 0.7
"""CPU seconds for a trial, for each megabyte of its files, and for a chart in all its forms.

Trials and charts were measured with the pinned snapshot, on two cores of a Xeon. A megabyte has some 50,000
packets; their extraction takes 0.04 s, the tables the rest. These are a guide, no promise."""

CORES = len(os.sched_getaffinity(0))


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
def shown(part: SnapshotPart, sizes: Mapping[PurePosixPath, int]) -> Iterator[Tell]:
    """Shows how far a rebuild is while it is told which trials are done."""
    trials = _bytes_of(part, sizes)
    total = sum(trials.values())
    with Transfer(total, "rebuilt", elsewhere_s=SHOWN_S) as progress:
        progress.begin(f"{len(trials)} trials", total)

        def tell(done: Collection[TrialKey]) -> None:
            if len(done) < len(trials):
                progress.show(sum(trials[key] for key in done))

        yield tell


def _bytes_of(part: SnapshotPart, sizes: Mapping[PurePosixPath, int]) -> dict[TrialKey, int]:
    """The bytes of the files of each trial and calibration."""
    found = dict.fromkeys((*part.trials, *part.calibrations), 0)
    for path, size in sizes.items():
        if path.parts[0] == "trials":
            found[TrialKey.of(path.parent)] += size
    return found
