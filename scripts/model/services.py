"""A service as the catalogue describes it."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.base.records import Json, Number, about, from_json, with_fields, with_rules
from scripts.base.yaml_files import load_yaml, similar_files
from scripts.model.drivers import own_keys, service_rules
from scripts.model.empirical import read_points
from scripts.model.endpoint import Controller, read_endpoint
from scripts.model.pairs import Name
from scripts.model.schemas import check

MOST_FLOWS = 15_000
"""The most flows of a schedule, however close their starts (services/flows/schedule.h). Each has a port, all
may be open at once, and a driver's result has a limit (testbed/driver_folder.py)."""


SHORT_LETTERS = 13
"""The most letters of a short title."""

CONDITIONS: list[Json] = load_yaml(Path(__file__).with_suffix(".yaml"))["conditions"]
"""Combinations of keys that cannot work."""

Positive = Annotated[Number, about(exclusiveMinimum=0)]
Whole = Annotated[int, about(minimum=1)]
Words = Annotated[str, about(minLength=1)]
PortNumber = Annotated[int, about(minimum=1, maximum=65535)]
LiveHost = Annotated[str, about(pattern="^[a-z0-9]+(([.]|-+)[a-z0-9]+)*$")]


@dataclass(frozen=True)
class Probe:
    """The endpoint to which the base RTT is measured by TCP connects."""

    port: PortNumber
    """The TCP port."""
    host: LiveHost | None = None
    """Only of a live service."""


@dataclass(frozen=True)
class Origin:
    """The servers of a self-hosted service (services/origin/)."""

    protocol: Annotated[str, about(enum=["h1", "h2", "h3"])]
    """HTTP/1.1, HTTP/2, HTTP/3."""
    quic_cca: Annotated[str | None, about(enum=["bbr", "bbr2", "cubic", "reno"])] = None
    """The congestion control of QUIC; `cca` is the kernel's."""
    cap_mbps: Positive | None = None
    """The service's own limit of a connection's throughput."""


@dataclass(frozen=True)
class Live:
    """How a service on the Internet is used."""

    prepare: Words
    """What the operator must do before a trial, as a sentence."""
    url: Annotated[str | None, about(pattern="^https?://[^ ]+$")] = None
    """The URL to open. If it is missing, config/browser.yaml must name one."""
    ports: Annotated[tuple[PortNumber, ...], about(minItems=1, maxItems=30, uniqueItems=True)] = ()
    """The ports that the client's firewall lets through. Default is 80 and 443."""
    click: Annotated[
        tuple[Annotated[str, about(pattern='^[^"{}]+$')], ...], about(minItems=1, uniqueItems=True)
    ] = ()
    """Labels of buttons, each clicked once as soon as it appears, such as those of a consent form."""
    profile: Annotated[bool, about(const=True)] = False
    """Whether the service needs a prepared browser profile."""
    cca: str | None = None
    """The server's congestion control, as in Prudentia's Table 1."""
    cap_mbps: Positive | None = None
    """The service's own limit (Prudentia, Table 1)."""


@dataclass(frozen=True)
class Video:
    """For the driver video."""

    ladder_kbps: Annotated[tuple[Annotated[int, about(minimum=200)], ...], about(minItems=1, maxItems=8)]
    """The available bitrates, ascending."""


@dataclass(frozen=True)
class Call:
    """For the driver call."""

    cap_kbps: Annotated[int, about(minimum=100)]
    """The highest throughput of the far end."""


@dataclass(frozen=True)
class Batch:
    """For the driver batched_download."""

    chunk_bytes: Whole
    """The size of one chunk."""
    pause_s: Annotated[Number, about(minimum=0)] = 0
    """Seconds from the end of a batch to the start of the next."""


@dataclass(frozen=True)
class Page:
    """For the driver page."""

    path: Annotated[str, about(pattern="^[a-z0-9./]*$")]
    """The path of a self-hosted page."""


def _kind(kind: str, needed: tuple[str, ...], other: tuple[str, ...] = ()) -> Json:
    """The keys of one kind of distribution."""
    known = dict.fromkeys(("kind", *needed, *other), True)
    keys: Json = {"required": needed, "additionalProperties": False, "properties": known}
    return {"if": {"properties": {"kind": {"const": kind}}}, "then": keys}


@with_rules(
    allOf=[
        _kind("fixed", ("values",)),
        _kind("exponential", ("mean",)),
        _kind("lognormal_pareto", ("median", "sigma"), ("tail_from", "tail_index", "most")),
        _kind("empirical", ("file",), ("points",)),
    ],
    dependentRequired={
        "tail_from": ["tail_index", "most"],
        "tail_index": ["tail_from"],
        "most": ["tail_from"],
    },
)
@dataclass(frozen=True)
class Distribution:
    """What the sizes or the gaps of generated flows are drawn from (scripts/model/distributions.py).

    The fields after `kind` are those of this kind, in the unit of the distribution: bytes or seconds.
    """

    kind: Annotated[str, about(enum=["fixed", "exponential", "lognormal_pareto", "empirical"])]
    """The formula."""
    values: Annotated[tuple[Positive, ...], about(minItems=1, maxItems=10000)] = ()
    """The values in turn."""
    mean: Positive | None = None
    """The mean."""
    median: Positive | None = None
    """The median."""
    sigma: Annotated[Number | None, about(exclusiveMinimum=0, maximum=10)] = None
    """The standard deviation of the natural logarithm."""
    tail_from: Positive | None = None
    """The value at which the Pareto tail begins."""
    tail_index: Positive | None = None
    """The index of the tail: the smaller, the heavier."""
    most: Positive | None = None
    """The largest value of the tail."""
    file: Annotated[str | None, about(pattern="^[a-z0-9]+(-[a-z0-9]+)*[.]csv$")] = None
    """A CSV file in the folder of the catalogue (scripts/model/empirical.py)."""
    points: Annotated[tuple[tuple[Number, Number], ...], about(planned=True)] = ()
    """The content of the file, which is read from there."""


_SIZES: Json = {
    "values": {"items": {"type": "integer", "minimum": 1}},
    "mean": {"minimum": 1},
    "median": {"minimum": 1},
}


@dataclass(frozen=True)
class Generator:
    """For the driver flows. What its flows are drawn from (scripts/plan/flow_schedule.py)."""

    sizes_bytes: Annotated[Distribution, about(properties=_SIZES)]
    """The bytes of a flow; a random size is rounded up to whole bytes."""
    gaps_s: Distribution
    """Seconds from the start of a group to the start of the next."""
    first_s: Annotated[Number, about(minimum=0)] = 0
    """When the first flow starts, seconds after the client."""
    most_flows: Whole | None = None
    """Number of flows. Default is as many as start within the trial."""
    group_flows: Annotated[int, about(minimum=1, maximum=1000)] = 1
    """So many flows start together, as a coflow (Zapletal and Kuipers, 5)."""
    rate_limit_mbps: Positive | None = None
    """The highest sending rate of each flow. Default is no limit."""


@dataclass(frozen=True)
class FlowSchedule:
    """The flows of one client, in the order of their starts; each list has an entry for every flow.

    Each `group_flows` flows in a row are a group: they start together, and the group ends with its last flow.
    """

    starts_us: Annotated[tuple[Annotated[int, about(minimum=0)], ...], about(minItems=1)]
    """Microseconds from the client's start to the flow's."""
    sizes_bytes: Annotated[tuple[Whole, ...], about(minItems=1)]
    """The bytes of each flow."""
    group_flows: Whole = 1
    """The flows of a group."""
    rate_limit_mbps: Positive | None = None
    """The highest sending rate of each flow."""


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
    """The times of a driver's actions. The plan adds them, so they are never in the catalogue.

    The driver `page` gets `loads`, `gap_s` and `limit_s` (scripts/model/durations.py); an older specification
    has no `limit_s`. The driver `calibrate` gets `lead_s`, `probes` and `floods`
    (scripts/plan/calibration.py). The driver `flows` gets `flows` (scripts/plan/flow_schedule.py). The driver
    `endpoint` gets `restart_s` where an endpoint is checked (services/endpoint/check.py).
    """

    loads: int | None = None
    gap_s: Number | None = None
    limit_s: Number | None = None
    lead_s: Number | None = None
    probes: Probes | None = None
    floods: tuple[Flood, ...] = ()
    flows: FlowSchedule | None = None
    restart_s: Number | None = None


@with_rules(allOf=[*service_rules(), *CONDITIONS], properties=own_keys())
@dataclass(frozen=True)
@with_fields(*own_keys())
class Service:
    """One file of services/catalogue/, named after the service.

    In a specification it may have a `schedule`, but no `workload`, no `colour` and no `short`.
    """

    name: Name
    """The name of the file, without .yaml."""
    title: Words
    """The title on pages."""
    category: Annotated[
        str,
        about(enum=["Baseline", "File transfer", "Video", "RTC", "Web", "Flows", "Calibration"]),
    ]
    """The category in Prudentia's Table 1; Flows for generated flows. Calibration is only for the testbed."""
    driver: Annotated[str, about(pattern="^[a-z][a-z0-9_]*$")]
    """A module of services/drivers/."""
    cca: Controller | None
    """The congestion control that the sender is set to: `bbr`, `cubic` or `reno` of the kernel, or one of its
    own that an endpoint offers. Null if the service chooses its own."""
    probe: Probe
    short: Annotated[str | None, about(minLength=1, maxLength=SHORT_LETTERS)] = None
    """The title where there is little room, such as `Video (QUIC)`; unique. Default is `title`."""
    stands_for: Words | None = None
    """The service of Prudentia's Table 1 that a self-hosted service imitates."""
    colour: Annotated[str | None, about(pattern="^#[0-9a-f]{6}$")] = None
    """The service's colour in every chart, with a contrast of at least 3:1 on white and on near-black, unlike
    that of any other service. Default is a colour that follows from the name."""
    metric: Annotated[str, about(enum=["throughput", "rtc", "web", "completion"])] = "throughput"
    """What the service is judged by (Prudentia 4 and 5; completion: the completion times of its flows,
    Zapletal and Kuipers 3.2)."""
    flows: Annotated[int | None, about(minimum=1, maximum=128)] = None
    """Number of connections that carry the workload at the same time."""
    bitrate_mbps: Positive | None = None
    """For the driver iperf. The bit rate at which the sender limits each flow. Default is no limit."""
    hosts: Annotated[
        tuple[Annotated[str, about(pattern="^[a-z0-9]+([.-][a-z0-9]+)*[.]test$")], ...],
        about(minItems=1, maxItems=200, uniqueItems=True),
    ] = ()
    """Host names of a self-hosted service. Each has its own address; the first is opened and probed."""
    origin: Origin | None = None
    live: Live | None = None
    """A service on the Internet; it has neither `hosts` nor `origin`. config/browser.yaml names what the
    operator of the machine has prepared for it."""
    video: Video | None = None
    call: Call | None = None
    batch: Batch | None = None
    page: Page | None = None
    generator: Generator | None = None
    endpoint: Words | None = None
    """For the driver endpoint. Its folder: absolute, or below the repository (scripts/model/endpoint.py)."""
    schedule: Annotated[Schedule | None, about(planned=True)] = None
    workload: Annotated[
        tuple[Annotated[str, about(pattern="^[a-z0-9*._-]+$")], ...], about(minItems=1, uniqueItems=True)
    ] = ()
    """Patterns of host names. Flows from these hosts are the workload of the service, such as
    *.googlevideo.com; other flows (analytics, advertisements) are not. A star matches any characters. Default
    is every flow."""

    def own(self, key: str) -> Any:
        """The value of a key that services/drivers/<driver>.yaml lists; None if the file lacks it."""
        return getattr(self, key)

    @property
    def kernel_cca(self) -> str | None:
        """The congestion control that the kernel's TCP is set to; None if the service has its own."""
        return self.cca if self.endpoint is None else None

    @property
    def endpoint_folder(self) -> Path:
        """The folder of its endpoint, which it must have."""
        assert self.endpoint is not None
        return ROOT / self.endpoint

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


def similar_services(name: str, root: Path = ROOT) -> str:
    """What a message says after a name that the catalogue lacks: similar names, and where all are."""
    return similar_files(name, root / "services/catalogue")


def read_service(path: Path) -> Service:
    """Read and check one file of services/catalogue/.

    The points of a measured distribution are read from its own file.

    Raises:
        UserError: a file cannot be read, is not valid YAML or CSV, or has values that it must not have; or
            the service's endpoint does not offer its congestion control.
    """
    origin = str(Path(*path.parts[-3:]))
    content = load_yaml(path)
    check(content, Service, lambda keys: origin)
    service = from_json(Service, content, origin)
    if service.endpoint is not None:
        try:
            offered = read_endpoint(service.endpoint_folder).controllers
        except UserError as error:
            raise UserError(f"{origin}: endpoint: {error}") from error
        if service.cca not in offered:
            raise UserError(
                f"{origin}: cca: {service.cca} is not offered by the endpoint: {', '.join(offered)}"
            )
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
