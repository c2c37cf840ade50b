"""The summary of a published cycle: summary.json and summary.parquet in the folder of its pages.

The pages about all cycles are made from summaries only (scripts/site/root/).
"""

from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from scripts.base.files import read_json
from scripts.base.records import Number, from_json, require_version
from scripts.site.addresses import Place
from scripts.site.data.expectation import ExpectationSummary
from scripts.site.data.recognised import Recognised
from scripts.site.data.service_change import ServiceChange
from scripts.snapshot.identity import Correction

JSON, PARQUET = "summary.json", "summary.parquet"
FORMAT = 1
"""The version of the format of both. A summary of another one tells it under the key `format`."""

CORES = 2
"""The processor cores that the times of claims are told for."""


@dataclass(frozen=True)
class SettingSummary:
    """A setting by its name, with the words of its pages."""

    name: str
    heading: str
    rate_mbps: Number
    link: str


@dataclass(frozen=True)
class StackSummary:
    """What an endpoint said that it sends with, in the trials of a cycle.

    Attributes:
        name: the transport.
        version: its version; all of them, joined by commas, if trials had different ones.
        controller: what its congestion control is.
        shipped: whether its server is a program that the stack itself publishes.
        gso: whether it hands over several packets at once; None if unknown.
        pacing: whether it spaces its packets; None if unknown.
    """

    name: str
    version: str
    controller: str
    shipped: bool = False
    gso: bool | None = None
    pacing: bool | None = None


@dataclass(frozen=True)
class ServiceSummary:
    """A service as its catalogue file described it for this cycle; `stack` is what its endpoint said."""

    name: str
    title: str
    category: str
    metric: str
    stands_for: str | None = None
    live: bool = False
    baseline: bool = False
    cca: str | None = None
    flows: int | None = None
    colour: str | None = None
    short: str | None = None
    stack: StackSummary | None = None


@dataclass(frozen=True)
class FileSummary:
    """A file of a table: its form (`parquet` or `csv`), bytes and SHA-256."""

    form: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class TableSummary:
    """A table of the cycle in data/v1/."""

    name: str
    rows: int
    files: tuple[FileSummary, ...]


@dataclass(frozen=True)
class Effort:
    """What a rebuild takes: the files and bytes that it reads, about how many seconds on CORES cores, and its
    last line.
    """

    files: int
    bytes: int
    seconds: float
    expected: str


@dataclass(frozen=True)
class Claim:
    """A claim of a cycle.

    Attributes:
        option: what `make reproduce` takes for it, such as `CHART=share-8mbps`; empty for the whole cycle.
        words: what it shows.
        trials: of how many trials it is made, calibrations too.
        captures: what a rebuild from captures takes; None if files that it needs were removed or left
            out.
        rows: what a rebuild from the published rows of trials takes; None if it is not made from these.
    """

    option: str
    words: str
    trials: int
    captures: Effort | None = None
    rows: Effort | None = None


@dataclass(frozen=True)
class Summary:
    """The content of summary.json.

    Attributes:
        campaign, cycle, revision, correction, commit: as in snapshot.json.
        checksum: SHA-256 of the snapshot's SHA256SUMS. It identifies the snapshot.
        title: the title of the campaign.
        tests_testbed: as in the campaign.
        first_start_ns, last_stop_ns: the time measured, in ns since the Unix epoch; None if no trial began.
        planned, counted, excluded: numbers of trials.
        settings, services: in the campaign's order.
        bottlenecks: the switches in words.
        host: kernel, processors and load of the testbed.
        programs: versions of the programs of the testbed.
        method: every key of the configuration that decides figures, with its value
            (scripts/model/comparison.py).
        compared_with: the earlier cycle of the table `changes`.
        not_compared: cycles that were passed over, each with the keys that differ.
        pages: the folders of the cycle's pages except those of single trials, those for frames and those that
            moved, sorted, such as `pairs/8mbps/a~b/`.
        tables: the tables in data/v1/.
        claims: what the cycle claims, and what it takes to rebuild that.
        expectations: what the campaign expected, and when it was stated; empty if it names none.
        charts: the names of the cycle's charts, without those of single trials.
        service_changes: every service compared with the earlier cycle, over all its pairs.
        recognised: the family of congestion controllers that every service alone runs.
    """

    campaign: str
    cycle: str
    revision: int
    checksum: str
    title: str
    planned: int
    counted: int
    excluded: int
    settings: tuple[SettingSummary, ...]
    services: tuple[ServiceSummary, ...]
    pages: tuple[str, ...]
    tables: tuple[TableSummary, ...]
    method: dict[str, object]
    first_start_ns: int | None = None
    last_stop_ns: int | None = None
    correction: Correction | None = None
    commit: str | None = None
    bottlenecks: tuple[str, ...] = ()
    host: dict[str, str | Number | None] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)
    compared_with: str | None = None
    not_compared: dict[str, tuple[str, ...]] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    expectations: tuple[ExpectationSummary, ...] = ()
    charts: tuple[str, ...] = ()
    service_changes: tuple[ServiceChange, ...] = ()
    recognised: tuple[Recognised, ...] = ()
    tests_testbed: bool = False

    @property
    def place(self) -> Place:
        """Which cycle and revision it is."""
        return Place(self.campaign, self.cycle, self.revision)


def read_summary(folder: Path) -> Summary:
    """Read summary.json from the folder of a cycle's pages.

    Raises:
        UserError: the file is missing or wrong, or of another format.
    """
    content = read_json(folder / JSON)
    require_version(content.get("format", FORMAT), FORMAT, str(folder / JSON))
    return from_json(Summary, content, str(folder / JSON))


FIGURES = pa.schema(
    [
        pa.field("setting", pa.string(), nullable=False),
        pa.field("pair", pa.string(), nullable=False),  # a solo has the service's name
        pa.field("service", pa.string(), nullable=False),  # the incumbent
        pa.field("contender", pa.string(), nullable=False),  # empty for a solo
        pa.field("instance", pa.string(), nullable=False),  # as in the tables pairs and completions
        pa.field("figure", pa.string(), nullable=False),  # share, throughput_mbps, loss_rate, …
        pa.field("unit", pa.string(), nullable=False),  # fraction, Mbps, ms, s, kbps, times, …
        pa.field("n", pa.int32(), nullable=False),
        pa.field("median", pa.float64()),
        pa.field("q25", pa.float64()),
        pa.field("q75", pa.float64()),
        pa.field("low", pa.float64()),  # 95 % interval of the median; null below n = 6
        pa.field("high", pa.float64()),
        pa.field("verdict", pa.string()),  # of a share: losing, fair, winning, undecided, seen, unjudged
        # From the table `changes`, in the row of throughput_mbps; null if the cell was not compared.
        pa.field("before_n", pa.int32()),
        pa.field("before_median", pa.float64()),
        pa.field("p_corrected", pa.float64()),
        pa.field("changed", pa.bool_()),
        pa.field("control", pa.bool_()),
        # Every figure of the row from this value on is a lower bound; null if none is. As in qoe_pairs.
        pa.field("at_least", pa.float64()),
        # From the table `leads`, of figures that sentences call the lowest or the highest: whether it may be,
        # and its value without the chance that made it so, with a 95 % interval; null below six trials.
        pa.field("may_be_lowest", pa.bool_()),
        pa.field("may_be_highest", pa.bool_()),
        pa.field("shrunk", pa.float64()),
        pa.field("shrunk_low", pa.float64()),
        pa.field("shrunk_high", pa.float64()),
        pa.field("settled", pa.string()),  # of a share: settled, still moving, undecided
        # Of a share: whether its trials fall into two groups (`bimodal` of the table stability).
        pa.field("two_outcomes", pa.bool_()),
    ]
)
"""The columns of summary.parquet: a row per setting, pair, service, contender, instance and figure."""
