"""The labelled traces that services are compared with, as a Parquet file (`make recognise-library`).

One row is one trace. Fractions are stored in thousandths. `limit` is the largest distance at which the row
gives its family (answers.py). The metadata have the version of the format, and that of the
library: a checksum of its rows.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.errors import UserError
from scripts.base.files import replacing
from scripts.base.records import require_version
from scripts.recognition import LIBRARY
from scripts.recognition.answers import limits_of
from scripts.recognition.distances import distances
from scripts.recognition.traces import CHANNELS, LinkKey, Numbers, Trace

SCALE = 1000
FORMAT, FORMAT_KEY, VERSION_KEY = 1, b"format", b"library"
FRACTIONS = pa.list_(pa.int16())
SCHEMA = pa.schema(
    [
        ("campaign", pa.string()),
        ("cycle", pa.string()),
        ("setting", pa.string()),
        ("service", pa.string()),
        ("trial", pa.int32()),
        ("rate_mbps", pa.float64()),
        ("rtt_ms", pa.float64()),
        ("queue_packets", pa.int32()),
        ("stack", pa.string()),
        ("controller", pa.string()),
        ("family", pa.string()),
        ("limit", pa.float64()),
        *((channel, FRACTIONS) for channel in CHANNELS),
    ]
)


@dataclass(frozen=True)
class TraceLabel:
    """Where a trace comes from, and what made it. `cycle` is named by its day."""

    campaign: str
    cycle: str
    setting: str
    service: str
    trial: int
    link: LinkKey
    stack: str
    controller: str
    family: str

    @property
    def implementation(self) -> str:
        """A controller of a stack, such as `quinn bbr`."""
        return f"{self.stack} {self.controller}"

    @property
    def of_cycle(self) -> tuple[str, str]:
        """Campaign and cycle."""
        return self.campaign, self.cycle

    @property
    def address(self) -> str:
        """`<campaign>/<cycle>/<setting>/<service>/<nn>`."""
        return f"{self.campaign}/{self.cycle}/{self.setting}/{self.service}/{self.trial:02d}"


@dataclass(frozen=True)
class Library:
    """Labelled traces; `labels`, `traces` and `limits` have the same order."""

    labels: tuple[TraceLabel, ...]
    traces: tuple[Trace, ...]
    limits: tuple[float, ...]
    version: str

    def of(self, links: Collection[LinkKey]) -> "Library":
        """The traces of these links. The version stays."""
        places = [at for at, label in enumerate(self.labels) if label.link in links]
        return Library(
            tuple(self.labels[at] for at in places),
            tuple(self.traces[at] for at in places),
            tuple(self.limits[at] for at in places),
            self.version,
        )

    @property
    def links(self) -> set[LinkKey]:
        """The links with traces."""
        return {label.link for label in self.labels}

    @property
    def families(self) -> list[str]:
        """The family of every trace."""
        return [label.family for label in self.labels]


EMPTY = Library((), (), (), "")


def link_distances(labels: Sequence[TraceLabel], traces: Sequence[Trace]) -> dict[LinkKey, Numbers]:
    """The distances between all traces of each link, square."""
    found = {}
    for link in sorted({label.link for label in labels}):
        own = [trace for label, trace in zip(labels, traces, strict=True) if label.link == link]
        found[link] = distances(own, own)
    return found


def library_of(
    labels: Sequence[TraceLabel], traces: Sequence[Trace], between: dict[LinkKey, Numbers]
) -> Library:
    """A new library.

    Args:
        labels: where each trace comes from.
        traces: the traces.
        between: the distances of the traces of each link (`link_distances`).
    """
    limits = {}
    for link, square in between.items():
        own = [label for label in labels if label.link == link]
        limits[link] = limits_of(square, [one.implementation for one in own], [one.cycle for one in own])
    each = tuple(limits[label.link][label.implementation] for label in labels)
    library = Library(tuple(labels), tuple(traces), each, "")
    digest = hashlib.sha256(json.dumps(_table(library).to_pylist()).encode()).hexdigest()
    return Library(library.labels, library.traces, each, digest[:12] if labels else "")


def as_stored(trace: Trace) -> Trace:
    """A trace as the file has it, so that what follows from it is the same before and after."""
    return np.rint(trace * SCALE) / SCALE


def write_library(library: Library, path: Path) -> None:
    """Write a library. The same traces give the same bytes."""
    table = _table(library).replace_schema_metadata({FORMAT_KEY: str(FORMAT), VERSION_KEY: library.version})
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd", compression_level=19)


def read_library(path: Path = LIBRARY) -> Library:
    """Read a library; EMPTY if there is no such file.

    Raises:
        UserError: the file is damaged, or has other columns or another version of the format.
    """
    if not path.is_file():
        return EMPTY
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"{path}: cannot be read: {error}; restore it from git") from error
    metadata = table.schema.metadata or {}
    require_version(int(metadata.get(FORMAT_KEY, FORMAT)), FORMAT, str(path))
    if table.schema.remove_metadata() != SCHEMA:
        raise UserError(
            f"{path}: has other columns than this version knows; remove it, then make recognise-library"
        )
    labels, limits = [], []
    for row in table.drop_columns(list(CHANNELS)).to_pylist():
        link = LinkKey(row.pop("rate_mbps"), row.pop("rtt_ms"), row.pop("queue_packets"))
        limits.append(row.pop("limit"))
        labels.append(TraceLabel(link=link, **row))
    traces = zip(*(_fractions(table.column(channel).to_pylist()) for channel in CHANNELS), strict=True)
    version = metadata.get(VERSION_KEY, b"").decode()
    return Library(tuple(labels), tuple(np.stack(both, axis=1) for both in traces), tuple(limits), version)


def _fractions(lists: Iterable[list[int]]) -> list[Numbers]:
    return [np.asarray(values, dtype=np.float64) / SCALE for values in lists]


def _table(library: Library) -> pa.Table:
    rows = []
    for label, trace, limit in zip(library.labels, library.traces, library.limits, strict=True):
        row = {name: getattr(label, name) for name in SCHEMA.names if hasattr(label, name)}
        row |= {name: getattr(label.link, name) for name in ("rate_mbps", "rtt_ms", "queue_packets")}
        thousandths = np.rint(trace * SCALE).astype(np.int16)
        rows.append(row | {"limit": limit} | dict(zip(CHANNELS, thousandths.T.tolist(), strict=True)))
    return pa.Table.from_pylist(rows, schema=SCHEMA)
