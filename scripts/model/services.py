"""A service as the catalogue describes it (config/schemas/service.yaml describes each field)."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import Number, from_json
from scripts.base.yaml_files import load_yaml
from scripts.model.empirical import read_points
from scripts.model.schemas import check

Metric = Literal["throughput", "rtc", "web", "completion"]

MOST_FLOWS = 15_000
"""The most flows of a schedule, however close their starts (services/flows/schedule.h). Each has a port, all
may be open at once, and a driver's result has a limit (testbed/driver_folder.py)."""


@dataclass(frozen=True)
class Probe:
    """Where the base RTT is measured. Only a live service has a `host`."""

    port: int
    host: str | None = None


@dataclass(frozen=True)
class Origin:
    """The servers of a self-hosted service."""

    protocol: Literal["h1", "h2", "h3"]
    quic_cca: str | None = None
    cap_mbps: Number | None = None


@dataclass(frozen=True)
class Live:
    """How a service on the Internet is used."""

    prepare: str
    url: str | None = None
    ports: tuple[int, ...] = ()
    click: tuple[str, ...] = ()
    profile: bool = False
    cca: str | None = None
    cap_mbps: Number | None = None


@dataclass(frozen=True)
class Video:
    """The bitrates of a video, ascending."""

    ladder_kbps: tuple[int, ...]


@dataclass(frozen=True)
class Call:
    """The highest bitrate that the far end of a call sends."""

    cap_kbps: int


@dataclass(frozen=True)
class Batch:
    """The size of one chunk of a download in batches."""

    chunk_bytes: int


@dataclass(frozen=True)
class Page:
    """The path of a self-hosted page."""

    path: str


@dataclass(frozen=True)
class Distribution:
    """What the sizes or the gaps of generated flows are drawn from (scripts/model/distributions.py).

    The fields after `kind` are those of this kind, in the unit of the distribution: bytes or seconds. The
    `points` are those of the `file` (scripts/model/empirical.py).
    """

    kind: Literal["fixed", "exponential", "lognormal_pareto", "empirical"]
    values: tuple[Number, ...] = ()
    mean: Number | None = None
    median: Number | None = None
    sigma: Number | None = None
    tail_from: Number | None = None
    tail_index: Number | None = None
    most: Number | None = None
    file: str | None = None
    points: tuple[tuple[Number, Number], ...] = ()


@dataclass(frozen=True)
class Generator:
    """What the flows of the driver `flows` are drawn from (scripts/plan/flow_schedule.py)."""

    sizes_bytes: Distribution
    gaps_s: Distribution
    first_s: Number = 0
    most_flows: int | None = None
    group_flows: int = 1
    rate_limit_mbps: Number | None = None


@dataclass(frozen=True)
class FlowSchedule:
    """The flows of one client: when each starts, after the client's own start, and how many bytes it has.

    Each `group_flows` flows in a row are a group: they start together, and the group ends with its last flow.
    """

    starts_us: tuple[int, ...]
    sizes_bytes: tuple[int, ...]
    group_flows: int = 1
    rate_limit_mbps: Number | None = None


@dataclass(frozen=True)
class Probes:
    """The sparse packets of a calibration: `count` frames, one every `gap_us`."""

    frame_bytes: int
    count: int
    gap_us: int


@dataclass(frozen=True)
class Flood:
    """One flood of a calibration: a burst, one packet every `gap_us` for `seconds`, a pause of `drain_s`."""

    frame_bytes: int
    burst_packets: int
    gap_us: Number
    seconds: Number
    drain_s: Number


@dataclass(frozen=True)
class Schedule:
    """The times of a driver's actions. The plan adds them to the service.

    The driver `page` gets `loads`, `gap_s` and `limit_s` (scripts/model/durations.py); an older specification
    has no `limit_s`. The driver `calibrate` gets `lead_s`, `probes` and `floods`
    (scripts/plan/calibration.py). The driver `flows` gets `flows` (scripts/plan/flow_schedule.py).
    """

    loads: int | None = None
    gap_s: Number | None = None
    limit_s: Number | None = None
    lead_s: Number | None = None
    probes: Probes | None = None
    floods: tuple[Flood, ...] = ()
    flows: FlowSchedule | None = None


@dataclass(frozen=True)
class Service:
    """One file of services/catalogue/.

    In a specification it may have a `schedule`, but no `workload` and no `colour`.
    """

    name: str
    title: str
    category: str
    driver: str
    cca: str | None
    probe: Probe
    stands_for: str | None = None
    colour: str | None = None
    metric: Metric = "throughput"
    flows: int | None = None
    bitrate_mbps: Number | None = None
    hosts: tuple[str, ...] = ()
    origin: Origin | None = None
    live: Live | None = None
    video: Video | None = None
    call: Call | None = None
    batch: Batch | None = None
    page: Page | None = None
    generator: Generator | None = None
    schedule: Schedule | None = None
    workload: tuple[str, ...] = ()

    @property
    def judged_by_throughput(self) -> bool:
        """Whether the service is judged by its throughput.

        Calls and web pages are not (Prudentia, 5), nor are generated flows (Zapletal and Kuipers, 2.2).
        """
        return self.metric == "throughput"

    @property
    def is_web(self) -> bool:
        """Whether the service is a web page, judged by its load time."""
        return self.metric == "web"


def service_file(name: str, definition: Path | None = None, root: Path = ROOT) -> Path:
    """The file of a service, which may be missing: that of a campaign's definition, else the catalogue's.

    Args:
        name: the service.
        definition: the folder of the campaign's definition, if it has one (scripts/plan/campaign_file.py).
        root: the repository.
    """
    own = definition / f"services/{name}.yaml" if definition else None
    return own if own and own.is_file() else root / f"services/catalogue/{name}.yaml"


def read_service(path: Path) -> Service:
    """Read and check one file of services/catalogue/.

    The points of a measured distribution are read from its own file.

    Raises:
        UserError: a file cannot be read, is not valid YAML or CSV, or has values that it must not have.
    """
    origin = str(Path(*path.parts[-3:]))
    content = load_yaml(path)
    check(content, "service", lambda keys: origin)
    service = from_json(Service, content, origin)
    if service.generator is None:
        return service
    where = f"{origin}: generator"
    sizes = _checked(service.generator.sizes_bytes, path.parent, f"{where}.sizes_bytes", least=1)
    gaps = _checked(service.generator.gaps_s, path.parent, f"{where}.gaps_s", least=0)
    return replace(service, generator=replace(service.generator, sizes_bytes=sizes, gaps_s=gaps))


def _checked(distribution: Distribution, folder: Path, where: str, least: float) -> Distribution:
    """The distribution, with the points of its file if it has one.

    Raises:
        UserError: the file has no distribution of values of at least `least`, or the tail has no length.
    """
    start, end = distribution.tail_from, distribution.most
    if start is not None and end is not None and end <= start:
        raise UserError(f"{where}.most: {end} is not more than tail_from {start}; raise it")
    if distribution.file is None:
        return distribution
    return replace(distribution, points=read_points(folder / distribution.file, f"{where}.file", least))
