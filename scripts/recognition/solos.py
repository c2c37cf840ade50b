"""The valid trials of services alone of a cycle, with their traces.

They are read from two tables of the cycle, trial_services and trial_series. A lean snapshot has the series in
whole seconds, which is too coarse: its trials have no traces.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from scripts.model.settings import Setting
from scripts.model.trials import TrialKey
from scripts.recognition.traces import LinkKey, Numbers, SoloSeries, Trace, idle_fraction, trace_of

SERVICES, SERIES = "trial_services.parquet", "trial_series.parquet"
KERNEL = "kernel"
"""The stack of a service that names none."""


@dataclass(frozen=True)
class Solo:
    """A valid trial of a service alone.

    Attributes:
        link: None if traces of the setting cannot be compared.
        trace: None without a link, or if the trial is too short or its series too coarse.
        idle_fraction: the fraction of the trace in which the service did not use the link; 0 without one.
        stack: the name of the transport; KERNEL if the service names none.
        controller: the congestion control, as the endpoint or else the kernel names it; None if not known.
    """

    key: TrialKey
    link: LinkKey | None
    trace: Trace | None
    idle_fraction: float
    stack: str
    controller: str | None


def read_solos(tables: Path, settings: Mapping[str, Setting]) -> list[Solo]:
    """The valid trials of services alone, in the order of their keys.

    Args:
        tables: the folder tables/ of a cycle.
        settings: the settings of its campaign.
    """
    rows = pq.read_table(
        tables / SERVICES, filters=(pc.field("clients") == 1) & pc.field("valid")
    ).to_pylist()
    series = dict(_series_of(tables / SERIES, sorted({row["pair"] for row in rows})))
    solos = []
    for row in rows:
        key = TrialKey(row["setting"], row["pair"], row["trial"])
        link, found = LinkKey.of(settings[key.setting]), series.get(key)
        trace = trace_of(found, link) if found and link else None
        idle = idle_fraction(found, link) if found and link else 0.0
        told = row.get("controller") or row.get("cca")
        solos.append(Solo(key, link, trace, idle, row.get("stack") or KERNEL, told))
    return sorted(solos, key=lambda solo: solo.key)


def _series_of(path: Path, services: list[str]) -> Iterator[tuple[TrialKey, SoloSeries]]:
    """The series of every trial of these services alone that has all slots."""
    columns = ["setting", "pair", "trial", "slot", "backlog_packets_mean", "ip_bytes", "dropped_packets"]
    alone = pc.field("pair").isin(pa.array(services, pa.string()))
    table = pq.read_table(path, columns=columns, filters=alone).combine_chunks()
    if not table.num_rows:
        return
    slots = _numbers(table, "slot")
    first = np.flatnonzero(slots == 0)
    for begin, end in zip(first, [*first[1:], len(slots)], strict=True):
        if slots[end - 1] != end - begin - 1:
            continue
        part = table.slice(begin, end - begin)
        head = part.slice(0, 1).to_pylist()[0]
        key = TrialKey(head["setting"], head["pair"], head["trial"])
        yield key, SoloSeries(*(_numbers(part, name) for name in columns[4:]))


def _numbers(table: pa.Table, column: str) -> Numbers:
    """A column as numbers; NaN for null."""
    values: Numbers = table.column(column).cast(pa.float64()).to_numpy()
    return values
