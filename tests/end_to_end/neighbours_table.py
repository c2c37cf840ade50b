"""The table of the definitions about other work on the host, from rows of tests/end_to_end/neighbours.py.

    python -m tests.end_to_end.neighbours_table ROWS.csv

writes site/cycle/data/neighbours.json. `cells` has the medians and the highest figures of the trials of a
workload on a link beside a neighbour. `differences` has, for each neighbour, how much higher the share of the
first service is than beside nobody: the mean over all workloads and links (strata), with the 90 % interval of
a stratified bootstrap over trials. `first` and `not_first` have the range over all trials of how long senders
waited, of those that ran in real time and of the others.
"""

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import mean, median

import numpy as np

from scripts.base.files import ROOT, write_text
from tests.end_to_end.neighbours import FIGURES, NEIGHBOURS, NOT_FIRST, WORKLOADS

ROWS = Path(__file__).with_name("neighbours.csv")
TABLE = ROOT / "site/cycle/data/neighbours.json"
RESAMPLES, SEED = 10_000, 1
CONFIDENCE = 0.9
SENDERS = "sender_wait_fraction"

Row = Mapping[str, str]
Stratum = tuple[str, str]


def table(rows: Iterable[Row]) -> dict[str, object]:
    """The content of neighbours.json; see the module's docstring."""
    by_cell: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        by_cell[row["workload"], row["rate_mbps"], row["neighbour"]].append(row)
    kinds = [*NEIGHBOURS, *NOT_FIRST]
    order = sorted(
        by_cell, key=lambda cell: ([*WORKLOADS].index(cell[0]), int(cell[1]), kinds.index(cell[2]))
    )
    return {
        "cells": [_cell(*cell, by_cell[cell]) for cell in order],
        "differences": [_difference(kind, by_cell) for kind in kinds[1:]],
        "confidence": CONFIDENCE,
        "first": _waited(row for cell, found in by_cell.items() if cell[2] in NEIGHBOURS for row in found),
        "not_first": _waited(row for cell, found in by_cell.items() if cell[2] in NOT_FIRST for row in found),
    }


def _waited(rows: Iterable[Row]) -> dict[str, float]:
    """How long senders waited, the least and the most, in seconds for each second of the trial."""
    waited = [float(row[SENDERS]) for row in rows if row[SENDERS]]
    return {"least": min(waited), "most": max(waited)}


def _cell(workload: str, rate_mbps: str, neighbour: str, rows: list[Row]) -> dict[str, object]:
    """One line of the table. A trial that failed has no figures."""
    figures = {name: [float(row[name]) for row in rows if row[name]] for name in ("share", *FIGURES)}
    return {
        "workload": workload,
        "rate_mbps": int(rate_mbps),
        "neighbour": neighbour,
        "n": len(rows),
        "excluded": sum(bool(row["broken"]) for row in rows),
        **{name: {"median": median(values), "highest": max(values)} for name, values in figures.items()},
    }


def _difference(kind: str, by_cell: Mapping[tuple[str, str, str], list[Row]]) -> dict[str, object]:
    """The stratified difference of the share of the first service between a neighbour and nobody."""
    strata = sorted({cell[:2] for cell in by_cell})
    pairs = [(_shares(by_cell[*one, kind]), _shares(by_cell[*one, NEIGHBOURS[0]])) for one in strata]
    draw = np.random.default_rng(SEED)
    resampled = np.mean(
        [
            draw.choice(beside, (RESAMPLES, len(beside))).mean(axis=1)
            - draw.choice(alone, (RESAMPLES, len(alone))).mean(axis=1)
            for beside, alone in pairs
        ],
        axis=0,
    )
    low, high = np.quantile(resampled, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return {
        "neighbour": kind,
        "n": sum(len(beside) for beside, _ in pairs),
        "share": mean(mean(beside) - mean(alone) for beside, alone in pairs),
        "low": round(float(low), 6),
        "high": round(float(high), 6),
    }


def _shares(rows: list[Row]) -> list[float]:
    return [float(row["share"]) for row in rows if row["share"]]


def main(arguments: list[str]) -> int:
    """Write the table; see the module's docstring."""
    rows = csv.DictReader(Path(*arguments).read_text(encoding="utf-8").splitlines())
    write_text(TABLE, json.dumps(table(rows), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
